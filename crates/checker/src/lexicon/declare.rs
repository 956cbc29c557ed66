//! Adds pairs and sets, shipped or a board's own.

use super::{Lexicon, Membership, Role, SetEntry, Side};

impl Lexicon {
    /// Adds a pair of opposite sides; members of one side count as the same.
    pub(crate) fn add_opposites<'a>(
        &mut self,
        left: impl Iterator<Item = &'a str>,
        right: impl Iterator<Item = &'a str>,
        is_change: bool,
    ) -> Result<(), &'static str> {
        let pair = self.pairs;
        self.pairs = pair
            .checked_add(1)
            .ok_or("there are more than 65,535 pairs")?;
        let sides = left
            .map(|name| (name, true))
            .chain(right.map(|name| (name, false)));
        for (name, left) in sides {
            let entry = self.entry(name)?;
            entry.opposites.push(Side { pair, left });
            entry.is_change |= is_change;
            if entry.role == Role::Stop {
                entry.role = Role::Content;
            }
        }
        Ok(())
    }

    /// Adds a set of which at most one member holds; names of one member are parted by `|`.
    pub(crate) fn add_exclusive<'a>(
        &mut self,
        name: &str,
        list: impl Iterator<Item = &'a str>,
        declared: bool,
    ) -> Result<(), &'static str> {
        let set = u16::try_from(self.sets.len()).map_err(|_| "there are more than 65,536 sets")?;
        self.sets.push(SetEntry {
            name: name.to_owned(),
            declared,
        });
        for (index, names) in list.enumerate() {
            let member = u16::try_from(index).map_err(|_| "a set has more than 65,536 members")?;
            for name in names.split('|') {
                self.entry(name)?
                    .memberships
                    .push(Membership { set, member });
            }
        }
        Ok(())
    }
}
