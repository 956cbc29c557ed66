//! Every filter against a look at everything.

use pawl_proto::v1::{Assertion, Draft, Kind, Level, ListAssertionsRequest};

use super::{
    EVERY_STATUS, every_status, everything,
    histories::{TAGS, WORDS, history},
    listed, request,
};
use crate::world::{World, short};

/// Lists what a request asks for, and compares with what a look at everything says.
async fn check(
    world: &World,
    all: &[Assertion],
    request: ListAssertionsRequest,
    wanted: impl Fn(&Assertion, &Draft) -> bool,
) -> usize {
    let request = ListAssertionsRequest {
        statuses: if request.statuses.is_empty() {
            every_status()
        } else {
            request.statuses
        },
        page_size: 3,
        ..request
    };
    let found = listed(&world.vera, request.clone()).await;
    let expected: Vec<Assertion> = all
        .iter()
        .filter(|it| wanted(it, it.draft.as_ref().unwrap()))
        .cloned()
        .collect();
    assert_eq!(found, expected, "{request:#?}");
    found.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_filter_finds_what_a_look_at_everything_finds() {
    let (world, sources, _) = history(7, 70).await;
    let all = everything(&world.ana, None).await;
    let mut found = Vec::new();
    for status in EVERY_STATUS {
        let asked = request(|it| it.statuses = vec![status.into()]);
        check(&world, &all, asked, |it, _| it.status() == status).await;
    }
    for kind in [Kind::Fact, Kind::Estimate, Kind::Forecast] {
        let asked = request(|it| it.kinds = vec![kind.into()]);
        found.push(check(&world, &all, asked, |_, draft| draft.kind() == kind).await);
    }
    for level in [Level::Data, Level::Statement, Level::Inference] {
        let asked = request(|it| it.levels = vec![level.into()]);
        check(&world, &all, asked, |_, draft| draft.level() == level).await;
    }
    for word in WORDS {
        let asked = request(|it| it.entity = format!(" {} ", word.to_uppercase()));
        found.push(check(&world, &all, asked, |_, it| it.entities == [word]).await);
        let asked = request(|it| it.text = format!("\"{word}\" station"));
        let has = |_: &Assertion, it: &Draft| {
            it.content.contains(word) && it.content.starts_with("Station")
        };
        found.push(check(&world, &all, asked, has).await);
    }
    let asked = request(|it| it.text = "7 gw".into());
    let words = |it: &Draft| {
        it.content
            .split([' ', '.'])
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    check(&world, &all, asked, |_, it| {
        words(it).contains(&"7".into()) && words(it).contains(&"GW".into())
    })
    .await;
    for tag in TAGS {
        let asked = request(|it| it.tag = tag.to_lowercase());
        found.push(check(&world, &all, asked, |_, it| it.tags == [tag]).await);
    }
    for author in [&world.ana, &world.ben] {
        let asked = request(|it| it.principal = author.name.clone());
        found.push(check(&world, &all, asked, |it, _| it.principal == author.name).await);
    }
    for source in &sources {
        let asked = request(|it| it.source = source[..16].to_owned());
        found.push(
            check(&world, &all, asked, |_, it| {
                it.citations.iter().any(|it| it.source == *source)
            })
            .await,
        );
    }
    let asked = request(|it| it.subject = "station 3".into());
    check(&world, &all, asked, |_, it| {
        it.claim
            .as_ref()
            .is_some_and(|it| it.subject == "Station 3")
    })
    .await;
    let asked = request(|it| it.attribute = "capacity".into());
    found.push(check(&world, &all, asked, |_, it| it.claim.is_some()).await);
    for lost in [true, false] {
        let asked = request(|it| it.support_lost = Some(lost));
        check(&world, &all, asked, |it, _| {
            it.support_lost.is_empty() != lost
        })
        .await;
        let asked = request(|it| it.challenged = Some(lost));
        check(&world, &all, asked, |it, _| it.challenged == lost).await;
    }
    let asked = request(|it| it.valid_at = "2024-06-15".into());
    let holds = |it: &Draft| {
        ["", "2023", "2024-06"].contains(&it.valid_from.as_str())
            && ["", "2024-12-31", "2025"].contains(&it.valid_to.as_str())
    };
    found.push(check(&world, &all, asked, |_, it| holds(it)).await);
    let middle = all[all.len() / 2].create_time.unwrap();
    let at = |it: &Assertion| it.create_time.map(|it| (it.seconds, it.nanos)).unwrap();
    let after = (middle.seconds, middle.nanos);
    let asked = request(|it| it.created_from = Some(middle));
    found.push(check(&world, &all, asked, |it, _| at(it) >= after).await);
    let asked = request(|it| it.created_to = Some(middle));
    found.push(check(&world, &all, asked, |it, _| at(it) < after).await);
    let asked = request(|it| {
        it.kinds = vec![Kind::Fact.into()];
        it.principal = world.ana.name.clone();
        it.tag = "energy".into();
    });
    let both = |it: &Assertion, draft: &Draft| {
        draft.kind() == Kind::Fact && it.principal == world.ana.name && draft.tags == ["energy"]
    };
    check(&world, &all, asked, both).await;
    assert!(
        found.iter().all(|found| *found > 0),
        "a filter was tried on nothing: {found:?}"
    );
    let first = &all[0];
    let ids = request(|it| it.ids = vec![short(&first.name)]);
    let one = listed(&world.vera, ids).await;
    assert_eq!(one, [first.clone()], "ids are of every status");
    let assertion = short(&first.name).split('@').next().unwrap().to_owned();
    let ids = request(|it| it.ids = vec![assertion.clone()]);
    let prefix = format!("{}@", first.name.split('@').next().unwrap());
    check(&world, &all, ids, |it, _| it.name.starts_with(&prefix)).await;
}
