//! Nested maps within the parameters of a block.

use super::item::{Decode, Item, Parameter};
use super::node::Value;
use super::reader::{Reader, parameters_of};

/// A map with the given reader; unknown keys are faults.
#[derive(Debug)]
pub struct Section<T> {
    /// Description of the map, in words that fit "expected …".
    pub about: &'static str,
    /// Reads the map's keys. It must ask for all of them even after a fault.
    pub read: fn(&mut Reader<'_>) -> Option<T>,
}

impl<T> Clone for Section<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Section<T> {}

impl<T> Decode for Section<T> {
    type Output = T;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<T> {
        if !matches!(item.node.value, Value::Map(_)) {
            item.wrong(self.about);
            return None;
        }
        let mut reader = Reader::new(item)?;
        let value = (self.read)(&mut reader);
        reader.finish();
        value
    }
    fn keys(&self) -> Vec<Parameter> {
        parameters_of(self.read)
    }
}
