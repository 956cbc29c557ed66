//! `pawl role`

use clap::{Args, Subcommand};
use pawl_proto::v1::{self, GrantRoleRequest, ListRolesRequest, RevokeRoleRequest};

use super::words::Role;
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Grants and revokes what principals may do on a board.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Gives a principal a role on the board.
    Grant(Change),
    /// Takes a role back.
    Revoke(Change),
    /// Lists who has which role on the board.
    List,
}

/// A principal and a role.
#[derive(Args, Debug)]
pub(crate) struct Change {
    /// Who.
    principal: String,
    /// Which.
    role: Role,
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = session.board()?;
        let mut client = session.boards().await?;
        match self {
            Self::Grant(Change { principal, role }) => {
                let role = v1::Role::from(role).into();
                client
                    .grant_role(GrantRoleRequest {
                        board: board.clone(),
                        principal,
                        role,
                    })
                    .await?;
            }
            Self::Revoke(Change { principal, role }) => {
                let role = v1::Role::from(role).into();
                client
                    .revoke_role(RevokeRoleRequest {
                        board: board.clone(),
                        principal,
                        role,
                    })
                    .await?;
            }
            Self::List => {}
        }
        // What stands after a change says more than the empty answer to it.
        let roles = client
            .list_roles(ListRolesRequest { board })
            .await?
            .into_inner();
        session.answer(&roles, render::board::roles)
    }
}
