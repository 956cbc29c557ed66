//! What the agents write: facts about made-up plants, mostly right.

use fastrand::Rng;
use serde_json::{Value, json};

/// The modules of every board.
pub(crate) const MODULES: [&str; 3] = ["supply", "grid", "outlook"];
/// How many plants there are; facts about one plant meet.
const PLANTS: u32 = 60;

/// A fact somebody read, with the claim it makes.
#[derive(Clone)]
pub(crate) struct Fact {
    pub(crate) content: String,
    pub(crate) claim: Option<Value>,
    pub(crate) module: &'static str,
}

/// A fact; one in six says another figure than the others say.
pub(crate) fn fact(rng: &mut Rng) -> Fact {
    let plant = rng.u32(0..PLANTS);
    let year = 2_020 + rng.u32(0..5);
    let slip = if rng.u32(0..6) == 0 {
        rng.u32(1..9) * 7
    } else {
        0
    };
    match rng.u32(0..5) {
        0 => {
            let gigawatts = format!("{}.{}", 1 + plant % 9, (plant + year + slip) % 10);
            Fact {
                content: format!(
                    "Plant {plant} had a capacity of {gigawatts} GW at the end of {year}."
                ),
                claim: Some(claim(
                    plant,
                    "capacity",
                    year,
                    &json!({"decimal": {"value": gigawatts, "unit": "GW"}}),
                )),
                module: "supply",
            }
        }
        1 => Fact {
            content: format!(
                "Output of plant {plant} {} in {year}.",
                ["rose", "fell"][((plant + year + slip) % 2) as usize]
            ),
            claim: None,
            module: "supply",
        },
        2 => Fact {
            content: format!(
                "装机 {plant} 号电站 {year} 年发电量为 {} 亿千瓦时。",
                10 + plant + slip
            ),
            claim: None,
            module: "supply",
        },
        3 => {
            let kilovolts = ["110", "220", "500"][((plant + slip) % 3) as usize];
            Fact {
                content: format!("The line to plant {plant} carries {kilovolts} kV."),
                claim: Some(claim(
                    plant,
                    "voltage",
                    year,
                    &json!({"decimal": {"value": kilovolts, "unit": "kV"}}),
                )),
                module: "grid",
            }
        }
        _ => Fact {
            content: format!(
                "Plant {plant} is expected to {} by {}.",
                ["expand", "close"][((plant + slip) % 2) as usize],
                2_030 + plant % 5
            ),
            claim: None,
            module: "outlook",
        },
    }
}

fn claim(plant: u32, attribute: &str, year: u32, value: &Value) -> Value {
    let mut claim = json!({
        "subject": format!("plant {plant}"),
        "attribute": attribute,
        "qualifiers": {"year": year.to_string()},
    });
    for (kind, value) in value.as_object().unwrap() {
        claim[kind] = value.clone();
    }
    claim
}

/// Words without meaning, of any length and alphabet.
pub(crate) fn noise(rng: &mut Rng) -> String {
    let length = [0, 1, 7, 40, 400, 5_000][rng.usize(0..6)];
    let letters = [
        'a', ' ', '9', '.', '"', '\n', 'é', '中', '\u{200b}', '\u{202e}', '\0', '🦀', '<', '{',
    ];
    (0..length)
        .map(|_| letters[rng.usize(0..letters.len())])
        .collect()
}
