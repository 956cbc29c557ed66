//! The byte form of a sentence's meaning and its similarity, in integers alone.
//!
//! A model's floats differ between processors; the bytes made from them once are kept, and everything computed
//! from the bytes is the same on every machine.

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// The number of components of a vector.
pub const DIMENSIONS: usize = 512;

/// The largest magnitude of a component.
const LARGEST: f64 = 127.0;

/// A direction in the model's space as signed bytes, the largest component at ±127.
///
/// Only the direction has a meaning, so the scale is free: filling the whole range of a byte keeps the cosine
/// within a few thousandths of the float one, where a unit vector times 127 would use some twenty levels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Vector(Box<[u8; DIMENSIONS]>);

/// Says why numbers make no vector.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VectorError {
    /// The model is another one than this program works with.
    #[error(
        "a vector has {DIMENSIONS} components, this one has `{0}`; use a model of {DIMENSIONS} dimensions"
    )]
    Dimensions(usize),
    /// A component is infinite or not a number.
    #[error("component `{0}` of a vector is not a finite number")]
    NotFinite(usize),
    /// All components are zero: there is no direction.
    #[error("a vector of zeros has no direction")]
    Zero,
}

impl Vector {
    /// Quantises a model's output: scaled to ±127, rounded half away from zero.
    pub fn quantise(components: &[f32]) -> Result<Self, VectorError> {
        if components.len() != DIMENSIONS {
            return Err(VectorError::Dimensions(components.len()));
        }
        if let Some(position) = components
            .iter()
            .position(|component| !component.is_finite())
        {
            return Err(VectorError::NotFinite(position));
        }
        let largest = components.iter().fold(0.0_f64, |largest, &component| {
            largest.max(f64::from(component).abs())
        });
        if largest == 0.0 {
            return Err(VectorError::Zero);
        }
        let mut bytes = Box::new([0_u8; DIMENSIONS]);
        for (byte, &component) in bytes.iter_mut().zip(components) {
            *byte = signed_byte(f64::from(component) / largest * LARGEST).cast_unsigned();
        }
        Ok(Self(bytes))
    }

    /// Reads the byte form; the length must fit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, VectorError> {
        let bytes: [u8; DIMENSIONS] = bytes
            .try_into()
            .map_err(|_| VectorError::Dimensions(bytes.len()))?;
        if bytes.iter().all(|&byte| byte == 0) {
            return Err(VectorError::Zero);
        }
        Ok(Self(Box::new(bytes)))
    }

    /// The byte form: each component in two's complement.
    pub fn as_bytes(&self) -> &[u8; DIMENSIONS] {
        &self.0
    }

    /// The cosine of the angle to another vector in ten-thousandths, rounded half away from zero.
    pub fn cosine(&self, other: &Self) -> i16 {
        cosine(
            dot(&self.widened(), other.as_bytes()),
            self.squared_length(),
            other.squared_length(),
        )
    }

    /// The sum of the squared components.
    pub(crate) fn squared_length(&self) -> u32 {
        dot(&self.widened(), self.as_bytes()).unsigned_abs()
    }

    /// The components, wide enough to be multiplied; done once for many products, it saves a third of their time.
    pub(crate) fn widened(&self) -> [i16; DIMENSIONS] {
        self.0.map(|byte| i16::from(byte.cast_signed()))
    }
}

/// The inner product of a widened vector and a byte form; at most 512 × 128², so it fits.
pub(crate) fn dot(left: &[i16; DIMENSIONS], right: &[u8; DIMENSIONS]) -> i32 {
    left.iter()
        .zip(right)
        .map(|(&left, &right)| i32::from(left) * i32::from(right.cast_signed()))
        .sum()
}

/// The cosine in ten-thousandths from an inner product and two squared lengths.
pub(crate) fn cosine(dot: i32, left_squared: u32, right_squared: u32) -> i16 {
    // Sixteen fractional bits under the root: its rounding stays below a hundredth of the unit reported.
    let length = ((u64::from(left_squared) * u64::from(right_squared)) << 16).isqrt();
    if length == 0 {
        return 0;
    }
    let scaled = u64::from(dot.unsigned_abs()) * 10_000 * 256;
    let magnitude = i16::try_from((scaled + length / 2) / length)
        .unwrap_or(i16::MAX)
        .min(10_000);
    if dot < 0 { -magnitude } else { magnitude }
}

/// The nearest signed byte to a number between -127 and 127.
fn signed_byte(number: f64) -> i8 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the caller scales to ±127, and the cast saturates"
    )]
    let byte = number.round() as i8;
    byte
}

impl Serialize for Vector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0.as_slice())
    }
}

impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(BytesVisitor)
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Vector;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{DIMENSIONS} bytes")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Vector, E> {
        Vector::from_bytes(bytes).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vector, A::Error> {
        let mut bytes = Vec::with_capacity(DIMENSIONS);
        while let Some(byte) = sequence.next_element()? {
            if bytes.len() == DIMENSIONS {
                return Err(A::Error::custom(VectorError::Dimensions(DIMENSIONS + 1)));
            }
            bytes.push(byte);
        }
        Vector::from_bytes(&bytes).map_err(A::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn float_cosine(left: &[f32], right: &[f32]) -> f64 {
        let product = |a: &[f32], b: &[f32]| -> f64 {
            a.iter()
                .zip(b)
                .map(|(&a, &b)| f64::from(a) * f64::from(b))
                .sum()
        };
        product(left, right) / (product(left, left) * product(right, right)).sqrt()
    }

    fn components() -> impl Strategy<Value = Vec<f32>> {
        proptest::collection::vec(-1.0_f32..1.0, DIMENSIONS)
    }

    proptest! {
        #[test]
        fn the_cosine_of_the_bytes_is_close_to_that_of_the_floats(left in components(), right in components()) {
            let exact = float_cosine(&left, &right) * 10_000.0;
            let (left, right) = (Vector::quantise(&left).unwrap(), Vector::quantise(&right).unwrap());
            prop_assert!((f64::from(left.cosine(&right)) - exact).abs() < 30.0);
            prop_assert_eq!(left.cosine(&right), right.cosine(&left));
            prop_assert_eq!(left.cosine(&left), 10_000);
        }

        #[test]
        fn the_cosine_in_integers_is_rounded_to_the_nearest(
            (left, right, share) in (1_u32..8_258_048, 1_u32..8_258_048, -1.0_f64..1.0),
        ) {
            let length = (f64::from(left) * f64::from(right)).sqrt();
            #[expect(clippy::cast_possible_truncation, reason = "at most 512 × 127²")]
            let dot = (share * length).trunc() as i32;
            let exact = f64::from(dot) / length * 10_000.0;
            prop_assert!((f64::from(cosine(dot, left, right)) - exact).abs() < 0.51 + exact.abs() / length);
        }

        #[test]
        fn the_byte_forms_read_back(components in components()) {
            let vector = Vector::quantise(&components).unwrap();
            prop_assert_eq!(&Vector::from_bytes(vector.as_bytes()).unwrap(), &vector);
            let json = serde_json::to_string(&vector).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Vector>(&json).unwrap(), &vector);
        }

        #[test]
        fn any_bytes_make_a_vector_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..1030)) {
            prop_assert_eq!(Vector::from_bytes(&bytes).is_ok(), bytes.len() == DIMENSIONS && bytes.iter().any(|&byte| byte != 0));
        }
    }

    #[test]
    fn numbers_without_a_direction_are_refused() {
        assert_eq!(Vector::quantise(&[0.5; 3]), Err(VectorError::Dimensions(3)));
        assert_eq!(Vector::quantise(&[0.0; DIMENSIONS]), Err(VectorError::Zero));
        let mut components = [0.5; DIMENSIONS];
        components[7] = f32::NAN;
        assert_eq!(
            Vector::quantise(&components),
            Err(VectorError::NotFinite(7))
        );
    }

    #[test]
    fn half_a_unit_is_rounded_away_from_zero() {
        assert_eq!(
            [1, -1, 3, -3].map(|dot| cosine(dot, 20_000, 20_000)),
            [1, -1, 2, -2]
        );
    }

    #[test]
    fn opposite_directions_are_minus_one_and_the_extremes_fit() {
        let all = Vector::from_bytes(&[0x80; DIMENSIONS]).unwrap();
        let opposite = Vector::from_bytes(&[0x7f; DIMENSIONS]).unwrap();
        assert_eq!(all.cosine(&opposite), -10_000);
    }
}
