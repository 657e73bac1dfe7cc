//! Recorded channels among the messages of a recording.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// Topics of fixed names.
pub mod topics {
    /// Facts about the run.
    pub const RUN: &str = "/kinegraph/run";
    /// Shapes.
    pub const SCENE: &str = "/scene";
    /// Poses.
    pub const TRANSFORMS: &str = "/tf";
    /// Contact points.
    pub const CONTACTS: &str = "/contacts";
    /// Attempts at steps.
    pub const STEPS: &str = "/kinegraph/steps";
    /// Channels recorded in addition, from there on.
    pub const MORE: &str = "/kinegraph/more";
    /// Acts on a live run.
    pub const JOURNAL: &str = "/kinegraph/journal";
    /// End of the run.
    pub const END: &str = "/kinegraph/end";
}

/// A recorded channel, and the place of its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedChannel {
    /// Its name.
    pub name: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// True if it changes at sample times only.
    pub sampled: bool,
    /// The topic of its output.
    pub topic: String,
    /// Names that lead to it in the messages of the topic.
    pub path: Vec<String>,
}

/// A message that is not understood.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("a message of {topic} is not understood: {reason}")]
pub struct MessageError {
    /// Its topic.
    pub topic: String,
    /// The fault.
    pub reason: String,
}

kinegraph_core::debug_is_message!(MessageError);

impl MessageError {
    /// The fault `reason` of a message of `topic`.
    pub fn new(topic: &str, reason: impl Into<String>) -> Self {
        MessageError { topic: topic.to_owned(), reason: reason.into() }
    }
}

/// Reads the JSON of a message.
///
/// # Errors
/// JSON that is malformed, or has another form.
pub fn parse<T: for<'de> Deserialize<'de>>(topic: &str, data: &[u8]) -> Result<T, MessageError> {
    serde_json::from_slice(data).map_err(|error| MessageError::new(topic, error.to_string()))
}

/// Samples of channels, read so far.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Channels of each topic, and the number of its messages so far.
    ports: HashMap<String, (Vec<usize>, usize)>,
    /// Names that lead to each channel.
    paths: Vec<Vec<String>>,
    /// Maximum number of values: a file has no more values than bytes, unless its list of channels is broken.
    max_values: usize,
    /// Times of the samples \[s\].
    pub times: Vec<f64>,
    /// Value of each channel at each sample.
    pub values: Vec<Vec<f64>>,
}

impl Samples {
    /// No samples, of a file of so many bytes.
    pub fn of_file(bytes: usize) -> Self {
        Samples { max_values: bytes, ..Samples::default() }
    }

    /// Adds channels. Their values at earlier samples are unknown.
    ///
    /// # Errors
    /// More values than the file has bytes.
    pub fn declare(&mut self, topic: &str, channels: &[RecordedChannel]) -> Result<(), MessageError> {
        let width = self.paths.len() + channels.len();
        if (self.times.len() + 1).saturating_mul(width) > self.max_values {
            return Err(Self::too_many(topic));
        }
        self.values.iter_mut().for_each(|row| row.resize(width, f64::NAN));
        let before = self.times.len();
        for channel in channels {
            let (own, count) = self.ports.entry(channel.topic.clone()).or_insert_with(|| (Vec::new(), before));
            own.push(self.paths.len());
            *count = before;
            self.paths.push(channel.path.clone());
        }
        Ok(())
    }

    /// Takes the values of a message at `time`. `false` if its topic has no channels.
    ///
    /// # Errors
    /// A malformed message; more values than the file has bytes.
    pub fn take(&mut self, topic: &str, time: f64, data: &[u8]) -> Result<bool, MessageError> {
        let Some((channels, count)) = self.ports.get_mut(topic) else { return Ok(false) };
        let object: Value = parse(topic, data)?;
        if self.times.len() == *count {
            if (self.times.len() + 1).saturating_mul(self.paths.len()) > self.max_values {
                return Err(Self::too_many(topic));
            }
            self.times.push(time);
            self.values.push(vec![f64::NAN; self.paths.len()]);
        }
        for &channel in channels.iter() {
            let found = self.paths[channel].iter().fold(&object, |at, name| &at[name]);
            self.values[*count][channel] = found.as_f64().unwrap_or(f64::NAN);
        }
        *count += 1;
        Ok(true)
    }

    /// Number of samples that all topics have; the last one of a torn file may be incomplete.
    pub fn whole(&self) -> usize {
        self.ports.values().map(|(_, count)| *count).chain([self.times.len()]).min().unwrap_or(0)
    }

    /// True if there are no channels.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    fn too_many(topic: &str) -> MessageError {
        MessageError::new(topic, "there are more channels than values")
    }
}
