//! Facts for boards of any size: each of its own subject and attribute, in the words of reports.

const PLACES: [&str; 40] = [
    "Aldermoor",
    "Birkholt",
    "Carrowin",
    "Dunmere",
    "Eastvale",
    "Fennimore",
    "Glasdrum",
    "Hartwell",
    "Inverlee",
    "Jarrowby",
    "Kestrel Bay",
    "Lindholm",
    "Marchwood",
    "Northaven",
    "Oakridge",
    "Penrith Sound",
    "Quarndon",
    "Rosehill",
    "Stannick",
    "Thornbury",
    "Ulverby",
    "Vandmark",
    "Westerlund",
    "Yarrow Point",
    "Zelham",
    "Ashgrove",
    "Brackwater",
    "Coldstream",
    "Dovecliff",
    "Elmstead",
    "Foxley",
    "Greyhurst",
    "Hollin",
    "Ironbridge",
    "Juniper Head",
    "Kirkstall",
    "Langmoor",
    "Millbrook",
    "Nesswick",
    "Overton",
];
const KINDS: [&str; 12] = [
    "plant",
    "substation",
    "reservoir",
    "terminal",
    "refinery",
    "depot",
    "quay",
    "pipeline",
    "turbine hall",
    "warehouse",
    "control room",
    "pumping station",
];
const SAID: [(&str, &str); 10] = [
    ("has an installed capacity of", "MW"),
    ("employed a permanent staff of", "people"),
    ("recorded an annual output of", "GWh"),
    ("draws cooling water at a rate of", "litres per second"),
    ("covers a fenced area of", "hectares"),
    ("reported maintenance costs of", "million euros"),
    ("shipped a total freight of", "tonnes"),
    ("lies above sea level by", "metres"),
    ("was shut for inspection for", "days"),
    ("exports through a cable with a length of", "km"),
];

/// How many facts each subject has.
pub(crate) const FACTS_OF_A_SUBJECT: usize = SAID.len();

/// The fact of a number; two numbers never speak of the same attribute of the same subject.
pub(crate) fn fact(number: usize) -> String {
    let (subject, said) = (number / SAID.len(), number % SAID.len());
    about(&subject_of(subject), said, number)
}

/// What is said of a subject.
pub(crate) fn about(subject: &str, said: usize, number: usize) -> String {
    let (words, unit) = SAID[said % SAID.len()];
    let value = 10 + scrambled(number as u64) % 9_990;
    format!("{subject} {words} {value} {unit}.")
}

/// The subject of a number.
pub(crate) fn subject_of(number: usize) -> String {
    let place = PLACES[number % PLACES.len()];
    let kind = KINDS[number / PLACES.len() % KINDS.len()];
    format!(
        "{place} {kind} {}",
        number / (PLACES.len() * KINDS.len()) + 1
    )
}

/// Numbers that look drawn at random and are the same in every run (SplitMix64's finaliser).
pub(crate) fn scrambled(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
