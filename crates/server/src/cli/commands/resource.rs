//! What a command works on, by its id or by the full name that answers carry.

use std::{convert::Infallible, str::FromStr};

use crate::cli::{failure::Failure, session::Session};

/// An id as written: `a3@1`, or `boards/energy/assertions/a3@1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resource {
    /// The id without its board.
    pub(crate) id: String,
    board: Option<String>,
}

impl FromStr for Resource {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = text.strip_prefix("boards/").and_then(|rest| {
            let (board, rest) = rest.split_once('/')?;
            let (_collection, id) = rest.split_once('/')?;
            Some(Self {
                id: id.to_owned(),
                board: Some(board.to_owned()),
            })
        });
        Ok(named.unwrap_or_else(|| Self {
            id: text.to_owned(),
            board: None,
        }))
    }
}

impl Resource {
    /// Names the board it is on: the session's, or its own where the session has none.
    pub(crate) fn board(&self, session: &Session) -> Result<String, Failure> {
        match (&self.board, session.options.chosen_board()) {
            (Some(own), None) => Ok(own.clone()),
            _ => {
                let board = session.board()?;
                self.id_on(&board)?;
                Ok(board)
            }
        }
    }

    /// Takes the id; refuses one of another board, whose ids look the same.
    pub(crate) fn id_on(&self, board: &str) -> Result<String, Failure> {
        match self.board.as_deref() {
            Some(own) if own != board => {
                let id = &self.id;
                let usage = format!(
                    "`{id}` belongs to the board `{own}`, not to `{board}`: pass --board {own}"
                );
                Err(Failure::Usage(usage))
            }
            _ => Ok(self.id.clone()),
        }
    }
}

/// Takes the ids of several; refuses those of another board.
pub(crate) fn ids_on(resources: &[Resource], board: &str) -> Result<Vec<String>, Failure> {
    resources
        .iter()
        .map(|resource| resource.id_on(board))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let check = |text: &str, board: Option<&str>, id: &str| {
            let Ok(read) = text.parse::<Resource>();
            assert_eq!(
                read,
                Resource {
                    id: id.to_owned(),
                    board: board.map(str::to_owned)
                }
            );
        };
        check("a3@1", None, "a3@1");
        check("boards/energy/assertions/a3@1", Some("energy"), "a3@1");
        check("boards/energy", None, "boards/energy");
        check(
            "https://example.org/boards/a/b",
            None,
            "https://example.org/boards/a/b",
        );
    }

    #[test]
    fn another_board_is_refused() {
        let Ok(named) = "boards/energy/assertions/a3@1".parse::<Resource>();
        assert_eq!(named.id_on("energy").ok().as_deref(), Some("a3@1"));
        let told = named
            .id_on("climate")
            .expect_err("another board")
            .to_string();
        assert!(told.contains("pass --board energy"), "{told}");
    }
}
