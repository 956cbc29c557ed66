//! `BoardService`: boards and what is declared on them.

use std::sync::Arc;

use pawl_ledger::{
    board::Board,
    command::Command,
    event::ModuleDeclaration,
    id::{BoardName, PrincipalName},
    log::wire::{self, WireEnum},
    status::{Policy, Role, Status as Standing},
};
use pawl_proto::v1::{self as proto, board_service_server::BoardService};
use tonic::{Request, Response, Status};

use super::{
    draft::{MAX_REASON_CHARACTERS, accept},
    live, parse, phases, rules,
};
use crate::{
    app::{
        App, LiveBoard,
        declarations::{AttributeRecord, ModuleRecord},
        error::{AppError, missing},
    },
    auth::Caller,
};

/// The service.
pub(super) struct Boards(pub(super) Arc<App>);

impl Boards {
    async fn view(&self, caller: &Caller, live: &LiveBoard) -> Result<proto::Board, AppError> {
        self.0
            .read(live, caller, |board| Ok(board_to_wire(board)))
            .await
    }
}

#[tonic::async_trait]
impl BoardService for Boards {
    async fn create_board(
        &self,
        request: Request<proto::CreateBoardRequest>,
    ) -> Result<Response<proto::Board>, Status> {
        let (caller, asked) = parse::open(request)?;
        let name = parse::board(&asked.board)?;
        let policy = asked
            .policy
            .as_ref()
            .map_or(Ok(Policy::default()), policy)?;
        let live = self.0.create_board(&caller, &name, policy).await?;
        Ok(Response::new(self.view(&caller, &live).await?))
    }

    async fn get_board(
        &self,
        request: Request<proto::GetBoardRequest>,
    ) -> Result<Response<proto::Board>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let view = self.0.read_as_of(&live, &caller, asked.as_of, |board| {
            Ok(board_to_wire(board))
        });
        Ok(Response::new(view.await?))
    }

    async fn list_boards(
        &self,
        request: Request<proto::ListBoardsRequest>,
    ) -> Result<Response<proto::ListBoardsResponse>, Status> {
        let caller = parse::caller(&request)?;
        let mut boards = Vec::new();
        for live in self.0.boards_of(&caller).await? {
            boards.push(self.view(&caller, &live).await?);
        }
        Ok(Response::new(proto::ListBoardsResponse { boards }))
    }

    async fn set_policy(
        &self,
        request: Request<proto::SetPolicyRequest>,
    ) -> Result<Response<proto::Board>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let asked = asked
            .policy
            .ok_or_else(|| missing("policy", "both thresholds"))?;
        let command = Command::SetPolicy(policy(&asked)?);
        self.0.command(&live, &caller, &command).await?;
        Ok(Response::new(self.view(&caller, &live).await?))
    }

    async fn set_resolution_rules(
        &self,
        request: Request<proto::SetResolutionRulesRequest>,
    ) -> Result<Response<proto::SetResolutionRulesResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let written = asked
            .rules
            .ok_or_else(|| missing("rules", "the rules, with an empty order for none"))?;
        let written = rules::parse(written)?;
        let decided = self
            .0
            .set_resolution_rules(&live, &caller, &written)
            .await?;
        let rules = self.0.resolution_rules(&live, &caller).await?;
        Ok(Response::new(rules::set(&live.name, rules, &decided)))
    }

    async fn get_resolution_rules(
        &self,
        request: Request<proto::GetResolutionRulesRequest>,
    ) -> Result<Response<proto::ResolutionRules>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let rules = self.0.resolution_rules(&live, &caller).await?;
        Ok(Response::new(rules::to_wire(rules)))
    }

    async fn declare_module(
        &self,
        request: Request<proto::DeclareModuleRequest>,
    ) -> Result<Response<proto::Module>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let name = parse::id("module", &asked.module)?;
        let seal_policy = asked.seal_policy.as_ref();
        let declaration = ModuleDeclaration {
            owners: parse::ids("owners", &asked.owners)?,
            depends_on: parse::ids("depends_on", &asked.depends_on)?,
            expected: parse::ids("expected_attributes", &asked.expected_attributes)?,
            policy: seal_policy
                .map_or(Ok(Default::default()), wire::seal_policy)
                .map_err(AppError::from)?,
        };
        let module = self
            .0
            .declare_module(&live, &caller, &name, declaration)
            .await?;
        Ok(Response::new(module_to_wire(&live.name, &module)))
    }

    async fn list_modules(
        &self,
        request: Request<proto::ListModulesRequest>,
    ) -> Result<Response<proto::ListModulesResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let modules = self.0.modules(&live, &caller).await?;
        let modules = modules.iter();
        Ok(Response::new(proto::ListModulesResponse {
            modules: modules.map(|it| module_to_wire(&live.name, it)).collect(),
        }))
    }

    async fn declare_attribute(
        &self,
        request: Request<proto::DeclareAttributeRequest>,
    ) -> Result<Response<proto::Attribute>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let name = parse::id("attribute", &asked.attribute)?;
        let value_type = parse::word("type", asked.r#type)?;
        let words = proto::AttributeWords {
            unit: asked.unit,
            aliases: asked.aliases,
            description: asked.description,
        };
        let kind = (value_type, asked.multi_valued);
        let attribute = self
            .0
            .declare_attribute(&live, &caller, &name, kind, &words)
            .await?;
        Ok(Response::new(attribute_to_wire(&live.name, attribute)))
    }

    async fn list_attributes(
        &self,
        request: Request<proto::ListAttributesRequest>,
    ) -> Result<Response<proto::ListAttributesResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let attributes = self.0.attributes(&live, &caller).await?;
        let attributes = attributes.into_iter();
        Ok(Response::new(proto::ListAttributesResponse {
            attributes: attributes
                .map(|it| attribute_to_wire(&live.name, it))
                .collect(),
        }))
    }

    async fn grant_role(
        &self,
        request: Request<proto::GrantRoleRequest>,
    ) -> Result<Response<proto::GrantRoleResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let (principal, role) = grant(&asked.principal, asked.role)?;
        self.0.grant_role(&live, &caller, principal, role).await?;
        Ok(Response::new(proto::GrantRoleResponse {}))
    }

    async fn revoke_role(
        &self,
        request: Request<proto::RevokeRoleRequest>,
    ) -> Result<Response<proto::RevokeRoleResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let (principal, role) = grant(&asked.principal, asked.role)?;
        let command = Command::RevokeRole(principal, role);
        self.0.command(&live, &caller, &command).await?;
        Ok(Response::new(proto::RevokeRoleResponse {}))
    }

    async fn declare_phases(
        &self,
        request: Request<proto::DeclarePhasesRequest>,
    ) -> Result<Response<proto::ListPhasesResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let declared = phases::phases(&asked.phases)?;
        let records = self.0.declare_phases(&live, &caller, declared).await?;
        Ok(Response::new(phases::response(&records)))
    }

    async fn enter_phase(
        &self,
        request: Request<proto::EnterPhaseRequest>,
    ) -> Result<Response<proto::ListPhasesResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let phase = parse::id("phase", &asked.phase)?;
        let reason = accept("reason", &asked.reason, MAX_REASON_CHARACTERS)?.text;
        let reason = Some(reason).filter(|reason| !reason.is_empty());
        let records = self.0.enter_phase(&live, &caller, phase, reason).await?;
        Ok(Response::new(phases::response(&records)))
    }

    async fn list_phases(
        &self,
        request: Request<proto::ListPhasesRequest>,
    ) -> Result<Response<proto::ListPhasesResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let records = self.0.phases(&live, &caller).await?;
        Ok(Response::new(phases::response(&records)))
    }

    async fn list_roles(
        &self,
        request: Request<proto::ListRolesRequest>,
    ) -> Result<Response<proto::ListRolesResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let grants = self
            .0
            .read(&live, &caller, |board| Ok(grants_to_wire(board)))
            .await?;
        Ok(Response::new(proto::ListRolesResponse { grants }))
    }
}

fn policy(asked: &proto::BoardPolicy) -> Result<Policy, AppError> {
    Ok(wire::policy(asked)?)
}

fn grant(principal: &str, role: i32) -> Result<(PrincipalName, Role), AppError> {
    Ok((
        parse::id("principal", principal)?,
        parse::word("role", role)?,
    ))
}

/// Writes a board's figures.
pub(super) fn board_to_wire(board: &Board) -> proto::Board {
    let count = |status| board.count(status);
    let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let gone = [
        Standing::Rejected,
        Standing::Superseded,
        Standing::Retracted,
        Standing::RolledBack,
    ];
    proto::Board {
        name: format!("boards/{}", board.name),
        create_time: Some(parse::time(board.created_at)),
        policy: Some(wire::policy_to_wire(board.policy)),
        entries: board.position().0,
        phase: board
            .phase
            .as_ref()
            .map(|it| it.name.to_string())
            .unwrap_or_default(),
        archive_time: board.archived.map(|(_, at)| parse::time(at)),
        figures: Some(proto::BoardFigures {
            proposed: count(Standing::Proposed),
            validated: count(Standing::Validated),
            locked: count(Standing::Locked),
            contested: count(Standing::Contested),
            gone: gone.into_iter().map(count).sum(),
            open_conflicts: small(board.open_conflicts().count()),
            open_flags: small(board.flags.iter().filter(|it| it.closed.is_none()).count()),
            refusals: small(board.refusals.len()),
            support_lost: board.support_lost_count(),
        }),
    }
}

fn module_to_wire(board: &BoardName, module: &ModuleRecord) -> proto::Module {
    let declaration = &module.state.declaration;
    proto::Module {
        name: format!("boards/{board}/modules/{}", module.name),
        owners: texts(&declaration.owners),
        depends_on: texts(&declaration.depends_on),
        expected_attributes: texts(&declaration.expected),
        seal_policy: Some(wire::seal_policy_to_wire(&declaration.policy)),
        snapshot: module
            .state
            .current
            .map(|id| id.to_string())
            .unwrap_or_default(),
        standing: u32::try_from(module.state.standing.len()).unwrap_or(u32::MAX),
        locked: module.locked,
    }
}

fn attribute_to_wire(board: &BoardName, attribute: AttributeRecord) -> proto::Attribute {
    proto::Attribute {
        name: format!("boards/{board}/attributes/{}", attribute.name),
        r#type: attribute.state.value_type.to_wire(),
        unit: attribute.words.unit,
        aliases: attribute.words.aliases,
        multi_valued: attribute.state.multi_valued,
        description: attribute.words.description,
    }
}

fn grants_to_wire(board: &Board) -> Vec<proto::RoleGrant> {
    let each = board.roles.iter().flat_map(|(principal, roles)| {
        roles.iter().map(|role| proto::RoleGrant {
            principal: principal.to_string(),
            role: role.to_wire(),
        })
    });
    each.collect()
}

fn texts(names: &[impl ToString]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}
