//! Boards with random histories.

use std::collections::BTreeMap;

use pawl_proto::v1::{self as proto, Assertion, Draft, Kind, Level};

use super::{conflicts, everything};
use crate::world::{World, capacity, cite, cited, claiming, inference, short};

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

pub(super) const WORDS: [&str; 5] = ["turbine", "Solar park", "harbour", "装机容量", "grid"];
pub(super) const TAGS: [&str; 3] = ["energy", "Draft", "2024"];

/// A statement with some of everything that a list can be narrowed by.
fn draft(numbers: &mut Numbers, source: &str, number: usize) -> Draft {
    let word = WORDS[numbers.below(5)];
    let content = format!("Station {number} has a {word} of {number} GW.");
    let draft = Draft {
        level: [Level::Data, Level::Statement][numbers.below(2)].into(),
        kind: [Kind::Fact, Kind::Estimate, Kind::Forecast][numbers.below(3)].into(),
        entities: vec![word.to_owned()],
        tags: vec![TAGS[numbers.below(3)].to_owned()],
        valid_from: ["", "2023", "2024-06", "2024-07-01"][numbers.below(4)].to_owned(),
        valid_to: ["", "2024-12-31", "2025"][numbers.below(3)].to_owned(),
        ..cited(&content, cite(source, "Some register says so."))
    };
    if numbers.below(2) == 0 {
        claiming(
            draft,
            capacity(&format!("Station {}", number % 7), &number.to_string()),
        )
    } else {
        draft
    }
}

/// One act of somebody; whether it is allowed does not matter.
async fn act(world: &World, numbers: &mut Numbers, sources: &[String; 2], number: usize) {
    let known = everything(&world.ana, None).await;
    let some = |numbers: &mut Numbers| -> String {
        known
            .get(numbers.below(known.len().max(1)))
            .map_or("a1@1".into(), |it| short(&it.name))
    };
    let source = &sources[numbers.below(2)];
    match numbers.below(9) {
        0..=2 => {
            let draft = draft(numbers, source, number);
            let who = if numbers.below(2) == 0 {
                &world.ana
            } else {
                &world.ben
            };
            who.submit(vec![draft]).await.unwrap();
        }
        3 => {
            let evidence = vec![cite(source, "Some register says so.")];
            let _ = world.vera.validate(&some(numbers), evidence).await;
        }
        4 => {
            let _ = world.ana.retract(&some(numbers)).await;
        }
        5 => {
            let support = some(numbers);
            let content = format!("Conclusion {number} follows.");
            let _ = world
                .ana
                .submit(vec![inference(&content, &[&support])])
                .await;
        }
        6 => {
            // The same claim key with another value: contested.
            let draft = cited(
                &format!("A station has {number} GW."),
                cite(source, "Some register says so."),
            );
            let claim = capacity(
                &format!("Station {}", numbers.below(7)),
                &format!("{number}.5"),
            );
            world
                .ben
                .submit(vec![claiming(draft, claim)])
                .await
                .unwrap();
        }
        7 => {
            if let Some(conflict) = world.aron.open_conflicts().await.first() {
                let _ = world.aron.dismiss(&short(&conflict.name)).await;
            }
        }
        _ => {
            let replaced = some(numbers);
            let draft = Draft {
                replaces: replaced,
                ..draft(numbers, source, number)
            };
            world.ana.submit(vec![draft]).await.unwrap();
        }
    }
}

/// What was listed then.
type Then = (Vec<Assertion>, Vec<proto::Conflict>);

/// A board with a random history; each listing that was made on the way, by position.
pub(super) async fn history(seed: u64, acts: usize) -> (World, [String; 2], BTreeMap<u64, Then>) {
    let world = World::new().await;
    let mut sources = [String::new(), String::new()];
    for (number, source) in sources.iter_mut().enumerate() {
        let text = format!("Register {seed} {number}. Some register says so.");
        *source = world.ana.upload("text/plain", text.as_bytes()).await;
    }
    let (mut numbers, mut seen) = (Numbers(seed), BTreeMap::new());
    for number in 0..acts {
        act(&world, &mut numbers, &sources, number).await;
        let then = (
            everything(&world.ana, None).await,
            conflicts(&world.ana, None).await,
        );
        seen.insert(world.position().await, then);
    }
    (world, sources, seen)
}
