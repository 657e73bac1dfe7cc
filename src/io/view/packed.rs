//! Arrays of numbers in JSON: their bytes, the least first, as base64.

use super::Quantized;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Array of one type. In JSON `{"f32": "…"}`, `{"f64": "…"}` or `{"u32": "…"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Packed {
    /// Of single precision.
    F32(Array<f32>),
    /// Of double precision.
    F64(Array<f64>),
    /// Counts and indices.
    U32(Array<u32>),
    /// A table of numbers, coarsely: of long recordings.
    Q16(Quantized),
}

impl Packed {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        match self {
            Packed::F32(numbers) => numbers.0.len(),
            Packed::F64(numbers) => numbers.0.len(),
            Packed::U32(numbers) => numbers.0.len(),
            Packed::Q16(table) => table.places.0.len() / 2,
        }
    }

    /// True if there are no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers, a table row by row.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Packed::F32(numbers) => numbers.0.iter().map(|x| f64::from(*x)).collect(),
            Packed::F64(numbers) => numbers.0.clone(),
            Packed::U32(numbers) => numbers.0.iter().map(|x| f64::from(*x)).collect(),
            Packed::Q16(table) => table.numbers(),
        }
    }
}

impl Packed {
    /// Adds the numbers of `more` at the end; of different types, they become numbers of double precision.
    pub fn append(&mut self, more: &Packed) {
        match (&mut *self, more) {
            (Packed::F32(own), Packed::F32(more)) => own.0.extend_from_slice(&more.0),
            (Packed::F64(own), Packed::F64(more)) => own.0.extend_from_slice(&more.0),
            (Packed::U32(own), Packed::U32(more)) => own.0.extend_from_slice(&more.0),
            (own, more) => *own = Packed::F64(Array([own.numbers(), more.numbers()].concat())),
        }
    }
}

/// Array whose JSON is the base64 of their bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Array<T>(pub Vec<T>);

/// A number of a fixed number of bytes.
pub trait Bytes: Copy {
    /// How many.
    const SIZE: usize;
    /// Appends them, the least first.
    fn write(self, out: &mut Vec<u8>);
    /// From as many as there are in `SIZE`.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! bytes {
    ($($number:ty),*) => {$(
        impl Bytes for $number {
            const SIZE: usize = size_of::<$number>();
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$number>()];
                own.copy_from_slice(bytes);
                <$number>::from_le_bytes(own)
            }
        }
    )*};
}
bytes!(f32, f64, u32, u8);

impl<T: Bytes> Serialize for Array<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::with_capacity(T::SIZE * self.0.len());
        self.0.iter().for_each(|number| number.write(&mut bytes));
        serializer.serialize_str(&STANDARD.encode(bytes))
    }
}

impl<'de, T: Bytes> Deserialize<'de> for Array<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = STANDARD.decode(String::deserialize(deserializer)?).map_err(D::Error::custom)?;
        if bytes.len() % T::SIZE != 0 {
            return Err(D::Error::custom(format!("{} bytes are no numbers of {} bytes each", bytes.len(), T::SIZE)));
        }
        Ok(Array(bytes.chunks_exact(T::SIZE).map(T::read).collect()))
    }
}

impl From<Vec<f32>> for Packed {
    fn from(numbers: Vec<f32>) -> Self {
        Packed::F32(Array(numbers))
    }
}

impl From<Vec<f64>> for Packed {
    fn from(numbers: Vec<f64>) -> Self {
        Packed::F64(Array(numbers))
    }
}

impl From<Vec<u32>> for Packed {
    fn from(numbers: Vec<u32>) -> Self {
        Packed::U32(Array(numbers))
    }
}
