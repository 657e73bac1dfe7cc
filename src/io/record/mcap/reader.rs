//! Reads a recording. If its program was killed, it is read up to its last whole chunk.

use super::film::{self, RecordedFilm};
use super::messages::{Contacts, EndMessage, RecordedAttempt};
use super::run::{More, RecordedRun};
use super::scans::{self, RecordedScans, SensorFrames};
use kinegraph_data::samples::{MessageError, Samples, parse, topics};
use kinegraph_data::stored::{StoredMessage, each_message};
use kinegraph_engine::input_file;
use kinegraph_engine::io_reason::plain_reason;
use kinegraph_engine::scene::Pose;
use kinegraph_engine::simulate::Acted;
use kinegraph_models::FileAccess;
use serde::Deserialize;
use std::path::Path;

/// A recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Facts about the run.
    pub run: RecordedRun,
    /// The times of the samples \[s\].
    pub times: Vec<f64>,
    /// Value of each channel at each sample.
    pub values: Vec<Vec<f64>>,
    /// Pose of each moving body at each sample, plant by plant.
    pub poses: Vec<Vec<Pose>>,
    /// Times and contact points; each holds from its time on.
    pub contacts: Vec<(f64, Contacts)>,
    /// Attempts at steps.
    pub steps: Vec<RecordedAttempt>,
    /// Acts on the live run, by a person or a program.
    pub journal: Vec<Acted>,
    /// Pictures of cameras, if they were read ([`read_with_pictures`]).
    pub films: Vec<RecordedFilm>,
    /// Scans of lidars, if pictures were read.
    pub scans: Vec<RecordedScans>,
    /// Time at the end of the run \[s\]; `None` if the file ends before.
    pub end: Option<f64>,
    /// Notes of the run at its end.
    pub notes: Vec<String>,
    /// Files named in the recording that may be opened for drawing: those in its folder and in the working directory.
    pub access: FileAccess,
}

/// Reason why a recording cannot be read.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    #[error("it cannot be read: {}", plain_reason(.0))]
    Io(#[from] std::io::Error),
    /// Not an MCAP file.
    #[error("it is no MCAP file: {0}")]
    Format(&'static str),
    /// Written by another program.
    #[error("it has no message {}: it is no recording of Kinegraph", topics::RUN)]
    Foreign,
    /// A malformed message.
    #[error(transparent)]
    Message(#[from] MessageError),
}

kinegraph_core::debug_is_message!(ReadError);

/// Poses of `/tf`.
#[derive(Deserialize)]
struct Transforms {
    transforms: Vec<Transform>,
}

#[derive(Deserialize)]
pub(super) struct Transform {
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
    pub(super) fn pose(&self) -> Pose {
        let (p, q) = (&self.translation, &self.rotation);
        Pose { xyz: [p.x, p.y, p.z], quat: [q.w, q.x, q.y, q.z] }
    }
}

/// Reads the recording at `path` without the pictures of its cameras.
///
/// # Errors
/// A file that cannot be read, is not a recording of this program, or has malformed messages.
pub fn read(path: &Path) -> Result<Recording, ReadError> {
    read_all(path, false)
}

/// Reads the recording at `path` with the pictures of its cameras, which are most of the file.
///
/// # Errors
/// As [`read`].
pub fn read_with_pictures(path: &Path) -> Result<Recording, ReadError> {
    read_all(path, true)
}

fn read_all(path: &Path, pictures: bool) -> Result<Recording, ReadError> {
    let bytes = input_file::read(path)?;
    let mut reading = Reading { samples: Samples::of_file(bytes.len()), pictures, ..Reading::default() };
    each_message(&bytes, ReadError::Format, |message| reading.take(message))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let access = FileAccess::of_folder(folder).with(Path::new("."));
    Ok(Recording { access, ..reading.finish()? })
}

/// Content read so far.
#[derive(Default)]
struct Reading {
    run: Option<RecordedRun>,
    /// Number of moving bodies.
    moving: usize,
    samples: Samples,
    poses: Vec<(f64, Vec<Pose>)>,
    contacts: Vec<(f64, Contacts)>,
    steps: Vec<RecordedAttempt>,
    journal: Vec<Acted>,
    /// True if pictures are read, and the pictures so far.
    pictures: bool,
    films: Vec<RecordedFilm>,
    scans: Vec<RecordedScans>,
    frames: SensorFrames,
    end: Option<EndMessage>,
}

impl Reading {
    fn take(&mut self, message: &StoredMessage<'_>) -> Result<(), ReadError> {
        let topic = message.topic;
        let time = message.time as f64 * 1e-9;
        match topic {
            topics::RUN => {
                if self.run.is_some() {
                    return Err(MessageError::new(topic, "it comes twice").into());
                }
                let run: RecordedRun = parse(topic, message.data)?;
                self.samples.declare(topic, &run.channels)?;
                let bodies = run.scene.plants.iter().flat_map(|plant| &plant.bodies);
                self.moving = bodies.filter(|body| body.moving).count();
                self.run = Some(run);
            }
            topics::MORE => {
                let More { channels: more } = parse(topic, message.data)?;
                let Some(run) = &mut self.run else { return Ok(()) };
                if self.samples.is_empty() {
                    self.samples.times = self.poses.iter().skip(1).map(|(time, _)| *time).collect();
                    self.samples.values = vec![Vec::new(); self.samples.times.len()];
                }
                self.samples.declare(topic, &more)?;
                run.channels.extend(more);
            }
            topics::TRANSFORMS => {
                let Transforms { transforms } = parse(topic, message.data)?;
                if self.poses.is_empty() && self.pictures {
                    self.frames = scans::frames(message.data);
                }
                // The first message has the bodies that do not move.
                if !self.poses.is_empty() && transforms.len() != self.moving {
                    let (found, moving) = (transforms.len(), self.moving);
                    return Err(MessageError::new(topic, format!("{found} poses of {moving} bodies that move")).into());
                }
                self.poses.push((time, transforms.iter().map(Transform::pose).collect()));
            }
            topics::CONTACTS => self.contacts.push((time, parse(topic, message.data)?)),
            topics::STEPS => self.steps.push(parse(topic, message.data)?),
            topics::JOURNAL => self.journal.push(parse(topic, message.data)?),
            topics::END => self.end = Some(parse(topic, message.data)?),
            _ => {
                if !self.samples.take(topic, time, message.data)? && self.pictures {
                    film::take(&mut self.films, topic, time, message.data);
                    scans::take(&mut self.scans, &self.frames, topic, time, message.data);
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Recording, ReadError> {
        let run = self.run.ok_or(ReadError::Foreign)?;
        // The first message has the bodies that do not move.
        let poses = self.poses.drain(..).skip(1);
        let (pose_times, mut poses): (Vec<f64>, Vec<Vec<Pose>>) = poses.unzip();
        if self.samples.is_empty() {
            self.samples.values = vec![Vec::new(); pose_times.len()];
            self.samples.times = pose_times;
        }
        if self.moving == 0 {
            poses = vec![Vec::new(); self.samples.times.len()];
        }
        let whole = self.samples.whole().min(poses.len());
        let Samples { mut times, mut values, .. } = self.samples;
        times.truncate(whole);
        values.truncate(whole);
        poses.truncate(whole);
        let Reading { contacts, steps, journal, films, scans, end, .. } = self;
        let (end, notes) = end.map_or((None, Vec::new()), |end| (Some(end.time), end.notes));
        let access = FileAccess::default();
        Ok(Recording { run, times, values, poses, contacts, steps, journal, films, scans, end, notes, access })
    }
}
