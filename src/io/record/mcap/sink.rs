//! Observer that writes a run as MCAP.

use super::foxglove;
use super::images::RecordedPicture;
use super::messages::{self, EndMessage};
use super::ports::{RecordedPort, recorded};
use super::run::{More, RecordedRun, RunFacts};
use kinegraph_core::step_record::ContactReport;
use kinegraph_data::samples::topics;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::io_reason::plain_reason;
use kinegraph_engine::scene::{Scene, View};
use kinegraph_engine::simulate::{Acted, Observer, RunStart, Sample, StepReport};
use mcap::records::MessageHeader;
use mcap::{McapError, WriteOptions, Writer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::time::{Duration, Instant};

/// Version of the content of the messages.
const VERSION: u32 = 1;
/// Maximum age of a chunk before it is closed.
const MAX_CHUNK_AGE: Duration = Duration::from_millis(500);

/// Writes a run as MCAP.
pub struct McapSink {
    writer: Writer<BufWriter<File>>,
    /// File name for messages.
    name: String,
    /// View of the camera, if the diagram file states it.
    view: Option<View>,
    /// The outputs that are recorded as pictures.
    pictures: Vec<String>,
    /// Data that is created when the run begins.
    begun: Option<Begun>,
    message: Vec<u8>,
    /// Notes of the run at its end.
    notes: Vec<String>,
    sequence: u32,
    written: Instant,
}

struct Begun {
    scene: Scene,
    /// Number of recorded channels, and the time of the last sample.
    channels: usize,
    time: f64,
    ports: Vec<(u16, RecordedPort)>,
    pictures: Vec<(Vec<u16>, RecordedPicture)>,
    transforms: u16,
    contacts: u16,
    steps: u16,
    /// Id of the journal's channel, once there was an act.
    journal: Option<u16>,
    end: u16,
    /// Plant, body and beginning of the transform of each moving body.
    moving: Vec<(usize, usize, String)>,
    /// Contact points of the last message, and those of the present sample.
    written: Vec<(usize, ContactReport)>,
    now: Vec<(usize, ContactReport)>,
}

impl McapSink {
    /// Creates a sink that writes to a new file at `path` and replaces an existing one.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path, view: Option<View>) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        let options = WriteOptions::new().compression(None).library(concat!("kinegraph ", env!("CARGO_PKG_VERSION")));
        let name = path.display().to_string();
        let writer = options.create(file).map_err(|error| failed(&name, error))?;
        Ok(McapSink {
            writer,
            name,
            view,
            pictures: Vec::new(),
            begun: None,
            message: Vec::new(),
            notes: Vec::new(),
            sequence: 0,
            written: Instant::now(),
        })
    }

    /// Also writes these outputs as pictures or scans: `camera.depth`, `lidar.ranges`.
    #[must_use]
    pub fn with_pictures(self, pictures: Vec<String>) -> Self {
        McapSink { pictures, ..self }
    }

    fn topic(&mut self, topic: &str, schema_name: &str, schema: &Value) -> io::Result<u16> {
        let schema = self.writer.add_schema(schema_name, "jsonschema", schema.to_string().as_bytes());
        let schema = schema.map_err(|error| failed(&self.name, error))?;
        let channel = self.writer.add_channel(schema, topic, "json", &BTreeMap::new());
        channel.map_err(|error| failed(&self.name, error))
    }

    /// Writes the content of `message` and empties it.
    fn write(&mut self, channel_id: u16, time: u64) -> io::Result<()> {
        self.sequence = self.sequence.wrapping_add(1);
        let header = MessageHeader { channel_id, sequence: self.sequence, log_time: time, publish_time: time };
        let written = self.writer.write_to_known_channel(&header, &self.message);
        self.message.clear();
        written.map_err(|error| failed(&self.name, error))
    }

    fn write_json(&mut self, channel: u16, time: f64, message: &impl serde::Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.message, message)?;
        self.write(channel, nanoseconds(time))
    }
}

fn failed(name: &str, error: McapError) -> io::Error {
    match error {
        McapError::Io(error) => io::Error::new(error.kind(), format!("{name}: {}", plain_reason(&error))),
        error => io::Error::other(format!("{name}: {error}")),
    }
}

/// Simulated time in nanoseconds, as the format counts it; times before zero become zero.
fn nanoseconds(time: f64) -> u64 {
    (time * 1e9).round().max(0.0) as u64
}

impl Observer for McapSink {
    fn wants_attempts(&self) -> bool {
        true
    }

    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        let scene = Scene::of(run.diagram);
        let (ports, channels) = recorded(run.diagram, run.channels);
        let any = json!({ "type": "object" });
        let about = self.topic(topics::RUN, "kinegraph.Run", &any)?;
        let shapes = self.topic(topics::SCENE, foxglove::SCENE_UPDATE, &foxglove::scene_schema())?;
        let transforms = self.topic(topics::TRANSFORMS, foxglove::TRANSFORMS, &foxglove::transforms_schema())?;
        let contacts = self.topic(topics::CONTACTS, "kinegraph.Contacts", &messages::contacts_schema())?;
        let steps = self.topic(topics::STEPS, "kinegraph.Step", &messages::steps_schema())?;
        let end = self.topic(topics::END, "kinegraph.End", &any)?;
        let mut known = Vec::new();
        for port in ports {
            known.push((self.topic(&port.topic, &port.schema_name, &port.schema)?, port));
        }
        let time = run.time;
        let mut pictures = Vec::new();
        for picture in RecordedPicture::all(run.diagram, &self.pictures) {
            let mut channels = Vec::new();
            for topic in picture.topics(run.diagram) {
                channels.push(self.topic(&topic.topic, topic.schema_name, &topic.schema)?);
                if let Some(labels) = picture.labels().filter(|_| channels.len() == 1) {
                    let known = self.topic(&format!("{}/labels", topic.topic), "kinegraph.Labels", &any)?;
                    self.write_json(known, time, &labels)?;
                }
            }
            pictures.push((channels, picture));
        }
        let recorded = RecordedRun {
            version: VERSION,
            facts: RunFacts::from(run),
            channels,
            scene,
            view: self.view,
            blocks: Some(run.diagram.drawing(run.channels)),
        };
        self.write_json(about, time, &recorded)?;
        let (scene, channels) = (recorded.scene, recorded.channels.len());
        self.write_json(shapes, time, &foxglove::scene_update(&scene, nanoseconds(time)))?;
        let (mut moving, mut fixed) = (Vec::new(), Vec::new());
        for (p, plant) in scene.plants.iter().enumerate() {
            for (b, body) in plant.bodies.iter().enumerate().skip(1) {
                let beginning = messages::beginning_of_transform(plant, b);
                match body.moving {
                    true => moving.push((p, b, beginning)),
                    false => fixed.push((beginning, body.start)),
                }
            }
        }
        let stamp = foxglove::timestamp(nanoseconds(time)).to_string();
        self.message.extend_from_slice(br#"{"transforms":["#);
        for (i, (beginning, pose)) in fixed.iter().enumerate() {
            if i > 0 {
                self.message.push(b',');
            }
            messages::write_transform(beginning, &stamp, pose, &mut self.message)?;
        }
        let mut frames: Vec<Value> = pictures.iter().map(|(_, picture)| picture.transform(nanoseconds(time))).collect();
        // Two pictures of one block share one frame.
        frames.dedup();
        for (i, frame) in frames.iter().enumerate() {
            if i + fixed.len() > 0 {
                self.message.push(b',');
            }
            serde_json::to_writer(&mut self.message, frame)?;
        }
        self.message.extend_from_slice(b"]}");
        self.write(transforms, nanoseconds(time))?;
        let (written, now) = (Vec::new(), Vec::new());
        let (ports, journal) = (known, None);
        self.begun = Some(Begun {
            scene,
            channels,
            time,
            ports,
            pictures,
            transforms,
            contacts,
            steps,
            journal,
            end,
            moving,
            written,
            now,
        });
        Ok(())
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        let Some(mut begun) = self.begun.take() else { return Ok(()) };
        begun.time = sample.time();
        let time = nanoseconds(sample.time());
        for (channel, port) in &begun.ports {
            port.write(sample.values(), &mut self.message)?;
            self.write(*channel, time)?;
        }
        for (channels, picture) in &mut begun.pictures {
            for (channel, message) in channels.iter().zip(picture.messages(sample)) {
                serde_json::to_writer(&mut self.message, &message)?;
                self.write(*channel, time)?;
            }
        }
        if !begun.moving.is_empty() {
            let stamp = foxglove::timestamp(time).to_string();
            self.message.extend_from_slice(br#"{"transforms":["#);
            for (i, (plant, body, beginning)) in begun.moving.iter().enumerate() {
                if i > 0 {
                    self.message.push(b',');
                }
                messages::write_transform(beginning, &stamp, &sample.poses(*plant)[*body], &mut self.message)?;
            }
            self.message.extend_from_slice(b"]}");
            self.write(begun.transforms, time)?;
        }
        begun.now.clear();
        for plant in 0..begun.scene.plants.len() {
            let pressing = sample.contacts(plant).iter().filter(|contact| contact.force != [0.0; 3]);
            begun.now.extend(pressing.map(|contact| (plant, *contact)));
        }
        // All samples within a step have the contacts of that step.
        if begun.now != begun.written {
            std::mem::swap(&mut begun.now, &mut begun.written);
            messages::write_contacts(&begun.scene, &begun.written, &mut self.message)?;
            self.write(begun.contacts, time)?;
        }
        self.begun = Some(begun);
        Ok(())
    }

    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        if let Some(channel) = self.begun.as_ref().map(|begun| begun.steps) {
            for message in messages::attempts(step) {
                self.write_json(channel, message.start, &message)?;
            }
        }
        if self.written.elapsed() >= MAX_CHUNK_AGE {
            self.written = Instant::now();
            self.writer.flush().map_err(|error| failed(&self.name, error))?;
        }
        Ok(())
    }

    fn widened(&mut self, diagram: &Diagram, channels: &[Channel]) -> io::Result<()> {
        let Some(mut begun) = self.begun.take() else { return Ok(()) };
        let (ports, recorded) = recorded(diagram, channels);
        let any = json!({ "type": "object" });
        let more = self.topic(topics::MORE, "kinegraph.More", &any)?;
        self.write_json(more, begun.time, &More { channels: recorded[begun.channels..].to_vec() })?;
        for port in ports {
            // The schema of an output that is recorded already is not extended.
            if begun.ports.iter().all(|(_, known)| known.topic != port.topic) {
                begun.ports.push((self.topic(&port.topic, &port.schema_name, &port.schema)?, port));
            }
        }
        begun.channels = recorded.len();
        self.begun = Some(begun);
        Ok(())
    }

    fn acted(&mut self, acted: &Acted) -> io::Result<()> {
        let channel = match self.begun.as_ref().map(|begun| begun.journal) {
            None => return Ok(()),
            Some(Some(channel)) => channel,
            Some(None) => self.topic(topics::JOURNAL, "kinegraph.Acted", &json!({ "type": "object" }))?,
        };
        self.begun.iter_mut().for_each(|begun| begun.journal = Some(channel));
        self.write_json(channel, acted.time, acted)
    }

    fn lost(&mut self, lost: &[kinegraph_engine::simulate::Lost]) {
        self.notes.extend(lost.iter().map(ToString::to_string));
    }

    fn stopped(
        &mut self,
        snapshot: &kinegraph_engine::simulate::Snapshot,
    ) -> Result<(), kinegraph_engine::simulate::SnapshotError> {
        if let Some(channel) = self.begun.as_ref().map(|begun| begun.end) {
            let notes = std::mem::take(&mut self.notes);
            // A full disk is reported when the file is finished.
            let _ = self.write_json(channel, snapshot.time, &EndMessage { time: snapshot.time, notes });
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.writer.finish().map(drop).map_err(|error| failed(&self.name, error))
    }
}
