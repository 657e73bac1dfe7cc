//! Pictures and scans of sensors in the schemas of Foxglove: depth as `foxglove.RawImage` (32-bit floating-point
//! numbers, in metres), labels as `foxglove.RawImage` (16-bit numbers, zero for nothing) with their names, both with a
//! `foxglove.CameraCalibration`; a flat scan as `foxglove.LaserScan`, one of several layers as `foxglove.PointCloud` of
//! its hits. Times in a message are those at which the picture was taken.

use super::foxglove::{self, timestamp};
use base64::Engine;
use kinegraph_core::picture::{Picture, Shows};
use kinegraph_diagram::{Diagram, Source};
use kinegraph_engine::scene::Pose;
use kinegraph_engine::simulate::Sample;
use serde_json::{Value, json};

/// An output that is recorded as a picture.
#[derive(Clone, Debug)]
pub struct RecordedPicture {
    block: usize,
    port: usize,
    picture: Picture,
    /// Frames of the sensor and of its link.
    frame: String,
    link: String,
    /// Time \[s\] and numbers of the picture in the last messages.
    taken: Option<f64>,
    written: Vec<f64>,
}

/// A topic: its name, its schema's name, its schema.
pub struct Topic {
    pub topic: String,
    pub schema_name: &'static str,
    pub schema: Value,
}

impl RecordedPicture {
    /// Finds the outputs of `diagram` in `wanted` (`camera.depth`) that are pictures.
    pub fn all(diagram: &Diagram, wanted: &[String]) -> Vec<Self> {
        let blocks = diagram.blocks();
        let mut found = Vec::new();
        for (b, block) in blocks.iter().enumerate() {
            for (port, output) in block.system.ports().outputs().iter().enumerate() {
                let Some(picture) = &output.picture else { continue };
                if !wanted.contains(&format!("{}.{}", block.name, output.name)) {
                    continue;
                }
                // Plant that the link belongs to.
                let plant = block.sources.iter().find_map(|source| match source {
                    Source::Output { block, .. } => blocks[*block].system.as_plant().map(|_| &blocks[*block].name),
                    _ => None,
                });
                found.push(RecordedPicture {
                    block: b,
                    port,
                    picture: picture.clone(),
                    frame: block.name.clone(),
                    link: plant.map_or(picture.link.clone(), |plant| format!("{plant}/{}", picture.link)),
                    taken: None,
                    written: Vec::new(),
                });
            }
        }
        found
    }

    /// Path of the output as in wires: `camera.depth`.
    pub(crate) fn path(&self, diagram: &Diagram) -> String {
        let block = &diagram.blocks()[self.block];
        format!("{}.{}", block.name, block.system.ports().outputs()[self.port].name)
    }

    /// The frame of the sensor: the name of its block.
    pub(crate) fn frame(&self) -> &str {
        &self.frame
    }

    /// Full name of the link that carries the sensor, with that of the plant.
    pub(crate) fn link(&self) -> &str {
        &self.link
    }

    /// Kind and geometry of the picture.
    pub(crate) fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Picture of a sample, with the time at which it was taken \[s\]; `None` if it was returned before, or if there is
    /// none yet.
    pub(crate) fn next(&mut self, sample: &Sample<'_>) -> Option<(f64, &[f64])> {
        let taken = self.picture.taken(sample.time()).filter(|taken| Some(*taken) != self.taken)?;
        self.taken = Some(taken);
        sample.held_output(self.block, self.port, &mut self.written);
        Some((taken, &self.written))
    }

    /// Message for `/tf`: the frame of the sensor in that of its link.
    pub fn transform(&self, nanoseconds: u64) -> Value {
        let Pose { xyz, quat } = Pose::from(&self.picture.X_LS);
        json!({
            "timestamp": timestamp(nanoseconds), "parent_frame_id": self.link, "child_frame_id": self.frame,
            "translation": foxglove::vector(xyz), "rotation": foxglove::quaternion(quat),
        })
    }

    /// Topics of its messages: the picture and, for a camera, its calibration.
    pub fn topics(&self, diagram: &Diagram) -> Vec<Topic> {
        let block = &diagram.blocks()[self.block];
        let port = &block.system.ports().outputs()[self.port].name;
        let of =
            |last: &str, schema_name, schema| Topic { topic: format!("/{}/{last}", block.name), schema_name, schema };
        match &self.picture.shows {
            Shows::Depth { .. } | Shows::Labels { .. } => vec![
                of(port, "foxglove.RawImage", image_schema()),
                of(&format!("{port}/calibration"), "foxglove.CameraCalibration", calibration_schema()),
            ],
            Shows::Ranges { elevations, .. } if is_flat(elevations) => {
                vec![of("scan", "foxglove.LaserScan", scan_schema())]
            }
            Shows::Ranges { .. } => vec![of("points", "foxglove.PointCloud", cloud_schema())],
        }
    }

    /// Names of labels, by the number of their pixels; `None` for other pictures.
    pub fn labels(&self) -> Option<Value> {
        let Shows::Labels { names, .. } = &self.picture.shows else { return None };
        let named = names.iter().enumerate().map(|(i, name)| ((i + 1).to_string(), Value::from(name.as_str())));
        Some(json!({ "labels": named.collect::<serde_json::Map<_, _>>() }))
    }

    /// Messages of a sample, one for each of the topics; none if the picture was written before, or if there is none
    /// yet.
    pub fn messages(&mut self, sample: &Sample<'_>) -> Vec<Value> {
        let Some((taken, _)) = self.next(sample) else { return Vec::new() };
        let stamp = timestamp((taken * 1e9).round().max(0.0) as u64);
        let Picture { rows, columns, shows, .. } = &self.picture;
        let image = |encoding: &str, bytes: Vec<u8>, focal_length: f64| {
            let step = bytes.len() / rows;
            let (u, v) = (0.5 * *columns as f64 - 0.5, 0.5 * *rows as f64 - 0.5);
            let f = focal_length;
            vec![
                json!({
                    "timestamp": stamp, "frame_id": self.frame, "width": columns, "height": rows,
                    "encoding": encoding, "step": step, "data": base64(&bytes),
                }),
                json!({
                    "timestamp": stamp, "frame_id": self.frame, "width": columns, "height": rows,
                    "distortion_model": "", "D": [], "K": [f, 0.0, u, 0.0, f, v, 0.0, 0.0, 1.0],
                    "R": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
                    "P": [f, 0.0, u, 0.0, 0.0, f, v, 0.0, 0.0, 0.0, 1.0, 0.0],
                }),
            ]
        };
        let pose = json!({
            "position": foxglove::vector([0.0; 3]), "orientation": foxglove::quaternion([1.0, 0.0, 0.0, 0.0]),
        });
        match shows {
            Shows::Depth { focal_length } => {
                let bytes = self.written.iter().flat_map(|depth| (*depth as f32).to_le_bytes()).collect();
                image("32FC1", bytes, *focal_length)
            }
            Shows::Labels { focal_length, .. } => {
                let bytes = self.written.iter().flat_map(|label| (*label as u16).to_le_bytes()).collect();
                image("16UC1", bytes, *focal_length)
            }
            Shows::Ranges { azimuths: [first, increment], elevations, .. } if is_flat(elevations) => {
                let last = first + increment * columns.saturating_sub(1) as f64;
                vec![json!({
                    "timestamp": stamp, "frame_id": self.frame, "pose": pose, "start_angle": first,
                    "end_angle": last, "ranges": self.written, "intensities": [],
                })]
            }
            Shows::Ranges { .. } => {
                let met = self.picture.met(&self.written);
                let bytes: Vec<u8> = met.iter().flatten().flat_map(|number| (*number as f32).to_le_bytes()).collect();
                // Number of the format of 32-bit floating-point numbers.
                const FLOAT32: u32 = 7;
                let field = |(i, name)| json!({ "name": name, "offset": 4 * i, "type": FLOAT32 });
                let fields: Vec<Value> = ["x", "y", "z"].into_iter().enumerate().map(field).collect();
                vec![json!({
                    "timestamp": stamp, "frame_id": self.frame, "pose": pose, "point_stride": 12, "fields": fields,
                    "data": base64(&bytes),
                })]
            }
        }
    }
}

/// True if a scan is a single layer in a plane.
fn is_flat(elevations: &[f64]) -> bool {
    matches!(elevations, [elevation] if *elevation == 0.0)
}

fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Schema of a message with these properties besides time and frame.
fn schema(properties: Value) -> Value {
    let mut all = json!({ "timestamp": foxglove::time_schema(), "frame_id": { "type": "string" } });
    if let (Value::Object(all), Value::Object(own)) = (&mut all, properties) {
        all.extend(own);
    }
    json!({ "type": "object", "properties": all })
}

fn bytes_schema() -> Value {
    json!({ "type": "string", "contentEncoding": "base64" })
}

fn numbers_schema() -> Value {
    json!({ "type": "array", "items": { "type": "number" } })
}

fn image_schema() -> Value {
    let count = json!({ "type": "integer", "minimum": 0 });
    schema(json!({
        "width": count, "height": count, "encoding": { "type": "string" }, "step": count, "data": bytes_schema(),
    }))
}

fn calibration_schema() -> Value {
    let (count, numbers) = (json!({ "type": "integer", "minimum": 0 }), numbers_schema());
    schema(json!({
        "width": count, "height": count, "distortion_model": { "type": "string" }, "D": numbers, "K": numbers,
        "R": numbers, "P": numbers,
    }))
}

fn scan_schema() -> Value {
    let (number, numbers) = (json!({ "type": "number" }), numbers_schema());
    schema(json!({
        "pose": foxglove::pose_schema(), "start_angle": number, "end_angle": number, "ranges": numbers,
        "intensities": numbers,
    }))
}

fn cloud_schema() -> Value {
    let count = json!({ "type": "integer", "minimum": 0 });
    let field = json!({
        "type": "object",
        "properties": { "name": { "type": "string" }, "offset": count, "type": { "type": "integer" } },
    });
    schema(json!({
        "pose": foxglove::pose_schema(), "point_stride": count, "fields": { "type": "array", "items": field },
        "data": bytes_schema(),
    }))
}
