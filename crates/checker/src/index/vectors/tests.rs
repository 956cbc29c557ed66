//! The shortlist by signs, against measuring every row.

use super::*;

/// Numbers that look drawn at random (SplitMix64).
struct Drawn(u64);

impl Drawn {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Components around zero, near enough to a normal distribution.
    fn components(&mut self) -> Vec<f32> {
        let mut one = || {
            let halves = (0..4).map(|_| (self.next() >> 40) as f32 / f32::from(u16::MAX));
            halves.sum::<f32>() - 512.0
        };
        (0..DIMENSIONS).map(|_| one()).collect()
    }
}

/// A vector whose cosine to `to` is about this.
fn near(to: &[f32], share: f32, drawn: &mut Drawn) -> Vector {
    let rest = (1.0 - share * share).sqrt();
    let other = drawn.components();
    let mixed = to.iter().zip(&other);
    let mixed: Vec<f32> = mixed.map(|(to, it)| share * to + rest * it).collect();
    Vector::quantise(&mixed).unwrap()
}

fn nearest(table: &VectorTable, vector: &Vector, limit: usize) -> Vec<Slot> {
    table.nearest(vector, limit, |slot| slot)
}

#[test]
fn what_is_near_is_found_among_many() {
    let mut drawn = Drawn(7);
    let mut table = VectorTable::default();
    let asked = drawn.components();
    for slot in 0..6_000 {
        let vector = if slot % 300 == 7 {
            // From a cosine at which texts may be about one thing, to the same.
            near(&asked, 0.45 + (slot / 300) as f32 * 0.0275, &mut drawn)
        } else {
            Vector::quantise(&drawn.components()).unwrap()
        };
        table.set(slot, &vector);
    }
    let asked = Vector::quantise(&asked).unwrap();
    let found = nearest(&table, &asked, 20);
    let expected: Vec<Slot> = (0..20).rev().map(|it| it * 300 + 7).collect();
    let mut exact: Vec<(Reverse<i16>, Slot)> = (0..6_000)
        .map(|slot| (Reverse(table.cosine(&asked, slot).unwrap()), slot))
        .collect();
    exact.sort_unstable();
    let exact: Vec<Slot> = exact.into_iter().take(20).map(|(_, slot)| slot).collect();
    assert_eq!(found, exact);
    let sorted = |mut slots: Vec<Slot>| {
        slots.sort_unstable();
        slots
    };
    assert_eq!(sorted(found), sorted(expected));
}

#[test]
fn an_empty_row_is_nobodys_neighbour() {
    let mut drawn = Drawn(9);
    let mut table = VectorTable::default();
    let asked = drawn.components();
    for slot in 0..2_000 {
        table.set(slot, &near(&asked, 0.9, &mut drawn));
    }
    let asked = Vector::quantise(&asked).unwrap();
    for slot in (0..2_000).filter(|slot| slot % 4 != 0) {
        table.clear(slot);
        table.clear(slot);
    }
    assert_eq!(table.len(), 500);
    let found = nearest(&table, &asked, 1_000);
    assert_eq!(found.len(), 500);
    assert!(found.iter().all(|slot| slot % 4 == 0));
    assert_eq!((table.get(1), table.cosine(&asked, 1)), (None, None));
    table.set(1, &asked);
    assert_eq!(nearest(&table, &asked, 1), [1]);
}

#[test]
fn rows_that_agree_alike_are_all_measured() {
    let mut table = VectorTable::default();
    let same = |scale: u8| {
        let mut bytes = [100; DIMENSIONS];
        bytes[0] = scale;
        Vector::from_bytes(&bytes).unwrap()
    };
    // All have the same signs: that more agree than are listed must not hide the nearest.
    for slot in 0..3_000 {
        table.set(slot, &same(if slot == 17 { 100 } else { 1 }));
    }
    assert_eq!(nearest(&table, &same(100), 2), [17, 2_999]);
}
