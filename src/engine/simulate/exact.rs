//! Numbers in files without loss: those that JSON does not have (infinities, not-a-number) are text there.

use serde::de::{self, Deserializer, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Writes a number; in JSON an infinity or not-a-number becomes `"inf"`, `"-inf"` or `"NaN"`.
pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() && !value.is_finite() {
        serializer.collect_str(value)
    } else {
        serializer.serialize_f64(*value)
    }
}

/// Reads a number written by [`serialize`].
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(Number)
    } else {
        deserializer.deserialize_f64(Number)
    }
}

/// A number, written exactly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exact(#[serde(with = "self")] f64);

impl From<f64> for Exact {
    fn from(value: f64) -> Self {
        Exact(value)
    }
}

impl From<Exact> for f64 {
    fn from(value: Exact) -> f64 {
        value.0
    }
}

struct Number;

impl Visitor<'_> for Number {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<f64, E> {
        match text {
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            "NaN" => Ok(f64::NAN),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }
}
