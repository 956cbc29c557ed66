//! A board on which every call finds what it is about.

use pawl_proto::v1::{self as proto};

use crate::world::{World, accepted, contested, inference, short};

/// A reference table.
const TABLE: &[u8] = b"subject,attribute,value,unit\nthe dam,capacity,3,GW\n";

/// A board with one of everything.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) locked: String,
    pub(super) proposed: String,
    pub(super) lost: String,
    pub(super) conflict: String,
    pub(super) flag: String,
    pub(super) draft: proto::Draft,
    /// The source of a mounted table.
    pub(super) table: String,
}

impl Scene {
    pub(super) async fn set() -> Self {
        let world = World::new().await;
        let locked = world
            .locked(world.ana.draft("The harbour freezes in winter.").await)
            .await;
        let flag = short(&world.ben.flag(&locked, vec![]).await.unwrap().name);
        let draft = world.ana.draft("The museum is open on Monday.").await;
        let proposed = accepted(&world.ana.submit_one(draft.clone()).await);
        let (_, conflict) = contested(&world.ben.say("The museum is not open on Monday.").await);
        let rain = accepted(&world.ana.say("It rained a lot in spring.").await);
        let lost = accepted(
            &world
                .ana
                .submit_one(inference("The reservoir is full.", &[&rain]))
                .await,
        );
        world.ana.retract(&rain).await.unwrap();
        let table = world.operator.upload("text/csv", TABLE).await;
        let mount = mounting(world.board.clone(), &table);
        world.operator.tables().mount_table(mount).await.unwrap();
        let phases = ["first", "second"].map(crate::phases::open);
        let operator = &world.operator;
        crate::phases::declare(operator, phases.to_vec())
            .await
            .unwrap();
        Self {
            world,
            locked,
            proposed,
            lost,
            conflict,
            flag,
            draft,
            table,
        }
    }

    pub(super) async fn snapshot(&self) -> String {
        short(&self.world.operator.assertion(&self.locked).await.snapshot)
    }
}

pub(super) fn mounting(board: String, source: &str) -> proto::MountTableRequest {
    proto::MountTableRequest {
        board,
        table: "given".into(),
        source: source.to_owned(),
        format: proto::TableFormat::Csv.into(),
        ..Default::default()
    }
}
