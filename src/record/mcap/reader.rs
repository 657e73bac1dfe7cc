//! Reads a recording back. One of a program that was killed is read up to its last whole chunk.

use super::messages::{Contacts, EndMessage, RecordedAttempt};
use super::run::{RecordedRun, topics};
use crate::io_reason::plain_reason;
use crate::scene::Pose;
use mcap::{McapError, MessageStream, read::Options};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// A recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What was run.
    pub run: RecordedRun,
    /// The times of the samples \[s\].
    pub times: Vec<f64>,
    /// At each sample the value of each channel.
    pub values: Vec<Vec<f64>>,
    /// At each sample the pose of each body that moves, plant by plant.
    pub poses: Vec<Vec<Pose>>,
    /// The contact points from each of these times on.
    pub contacts: Vec<(f64, Contacts)>,
    /// Attempts at steps.
    pub steps: Vec<RecordedAttempt>,
    /// Where the run ended \[s\]; `None` where the file ends before.
    pub end: Option<f64>,
}

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    #[error("it cannot be read: {}", plain_reason(.0))]
    Io(#[from] std::io::Error),
    /// It is no MCAP file.
    #[error("it is no MCAP file: {0}")]
    Format(McapError),
    /// It is one of another program.
    #[error("it has no message {}: it is no recording of Kinegraph", topics::RUN)]
    Foreign,
    /// A message that is not as it should be.
    #[error("a message of {topic} is not understood: {reason}")]
    Message {
        /// Its topic.
        topic: String,
        /// What is wrong.
        reason: String,
    },
}

/// The poses of `/tf`.
#[derive(Deserialize)]
struct Transforms {
    transforms: Vec<Transform>,
}

#[derive(Deserialize)]
struct Transform {
    translation: Vector,
    rotation: Quaternion,
}

#[derive(Deserialize)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Deserialize)]
struct Quaternion {
    w: f64,
    x: f64,
    y: f64,
    z: f64,
}

impl Transform {
    fn pose(&self) -> Pose {
        let (p, q) = (&self.translation, &self.rotation);
        Pose { xyz: [p.x, p.y, p.z], quat: [q.w, q.x, q.y, q.z] }
    }
}

/// Reads the recording at `path`.
///
/// # Errors
/// A file that cannot be read, is no recording of this program, or has messages that are not as they should be.
pub fn read(path: &Path) -> Result<Recording, ReadError> {
    let bytes = std::fs::read(path)?;
    let stream = MessageStream::new_with_options(&bytes, Options::IgnoreEndMagic.into()).map_err(ReadError::Format)?;
    let mut reading = Reading::default();
    for message in stream {
        match message {
            Ok(message) => reading.take(&message)?,
            // The last chunk is not whole.
            Err(_) if reading.run.is_some() => break,
            Err(error) => return Err(ReadError::Format(error)),
        }
    }
    reading.finish()
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    run: Option<RecordedRun>,
    times: Vec<f64>,
    /// The channels of each topic, and how many of its messages came.
    ports: HashMap<String, (Vec<usize>, usize)>,
    values: Vec<Vec<f64>>,
    poses: Vec<(f64, Vec<Pose>)>,
    contacts: Vec<(f64, Contacts)>,
    steps: Vec<RecordedAttempt>,
    end: Option<f64>,
}

impl Reading {
    fn take(&mut self, message: &mcap::Message<'_>) -> Result<(), ReadError> {
        let topic = message.channel.topic.as_str();
        let time = message.log_time as f64 * 1e-9;
        match topic {
            topics::RUN => {
                let run: RecordedRun = parse(topic, &message.data)?;
                for (i, channel) in run.channels.iter().enumerate() {
                    self.ports.entry(channel.topic.clone()).or_default().0.push(i);
                }
                self.run = Some(run);
            }
            topics::TRANSFORMS => {
                let Transforms { transforms } = parse(topic, &message.data)?;
                self.poses.push((time, transforms.iter().map(Transform::pose).collect()));
            }
            topics::CONTACTS => self.contacts.push((time, parse(topic, &message.data)?)),
            topics::STEPS => self.steps.push(parse(topic, &message.data)?),
            topics::END => self.end = Some(parse::<EndMessage>(topic, &message.data)?.time),
            _ => {
                let (Some(run), Some((channels, count))) = (&self.run, self.ports.get_mut(topic)) else {
                    return Ok(());
                };
                let object: Value = parse(topic, &message.data)?;
                if self.times.len() == *count {
                    self.times.push(time);
                    self.values.push(vec![f64::NAN; run.channels.len()]);
                }
                for &channel in channels.iter() {
                    let found = run.channels[channel].path.iter().fold(&object, |at, name| &at[name]);
                    self.values[*count][channel] = found.as_f64().unwrap_or(f64::NAN);
                }
                *count += 1;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Recording, ReadError> {
        let run = self.run.ok_or(ReadError::Foreign)?;
        // The first has the bodies that do not move.
        let poses = self.poses.drain(..).skip(1);
        let (pose_times, mut poses): (Vec<f64>, Vec<Vec<Pose>>) = poses.unzip();
        if run.channels.is_empty() {
            self.values = vec![Vec::new(); pose_times.len()];
            self.times = pose_times;
        }
        let moves = run.scene.plants.iter().any(|plant| plant.bodies.iter().any(|body| body.moving));
        if !moves {
            poses = vec![Vec::new(); self.times.len()];
        }
        // Of the last sample of a torn file not all may be there.
        let whole =
            self.ports.values().map(|(_, count)| *count).chain([poses.len(), self.times.len()]).min().unwrap_or(0);
        self.times.truncate(whole);
        self.values.truncate(whole);
        poses.truncate(whole);
        let Reading { times, values, contacts, steps, end, .. } = self;
        Ok(Recording { run, times, values, poses, contacts, steps, end })
    }
}

fn parse<T: for<'de> Deserialize<'de>>(topic: &str, data: &[u8]) -> Result<T, ReadError> {
    serde_json::from_slice(data)
        .map_err(|error| ReadError::Message { topic: topic.to_owned(), reason: error.to_string() })
}
