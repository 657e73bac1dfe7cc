//! Records of outputs: one topic per output, one object per sample.
//!
//! Named numbers of an output are nested objects, split at the points of their names (`arm.joint1.q` is
//! `{"arm": {"joint1": {"q": …}}}`); numbers without names are called `value`, or `value0`, `value1`, …. An output that
//! is a choice, as the active state of a machine, has its name beside its number: `{"value": 1, "name": "hold"}`.

use kinegraph_data::samples::RecordedChannel;
use kinegraph_diagram::{Channel, Diagram};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Key of the name of a choice, beside its number.
const NAME: &str = "name";

/// An output with recorded numbers.
#[derive(Debug)]
pub struct RecordedPort {
    /// Topic, as `/plant/arm.state`.
    pub topic: String,
    /// Name of the schema, as `kinegraph.plant.arm.state`.
    pub schema_name: String,
    pub schema: Value,
    /// Pieces of a message.
    pieces: Vec<Piece>,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    /// Value of a channel, by its index among the recorded ones.
    Number(usize),
    /// Name of the value of a channel that is a choice.
    Choice(usize, Vec<String>),
}

/// A tree of names with channels at its leaves, in their order.
#[derive(Debug, Default)]
struct Names(Vec<(String, Leaf)>);

#[derive(Debug)]
enum Leaf {
    Channel(usize),
    Names(Names),
}

/// Outputs that `channels` belong to, and the place of each channel in their messages.
pub fn recorded(diagram: &Diagram, channels: &[Channel]) -> (Vec<RecordedPort>, Vec<RecordedChannel>) {
    let mut ports = Vec::new();
    let mut found: Vec<Option<RecordedChannel>> = vec![None; channels.len()];
    for block in diagram.blocks() {
        for (output, range) in block.system.ports().outputs().iter().zip(&block.outputs) {
            let own: Vec<usize> = (0..channels.len()).filter(|&c| range.contains(&channels[c].index)).collect();
            if own.is_empty() {
                continue;
            }
            let topic = format!("/{}/{}", block.name, output.name);
            let mut names = Names::default();
            for &channel in &own {
                let element = channels[channel].index - range.start;
                let path = path(output.elements.get(element), element, output.width);
                names.insert(&path, channel);
                let Channel { name, unit, sampled, .. } = &channels[channel];
                let (name, unit, topic) = (name.clone(), unit.to_string(), topic.clone());
                found[channel] = Some(RecordedChannel { name, unit, sampled: *sampled, topic, path });
            }
            let mut pieces = Vec::new();
            names.pieces(&mut pieces);
            let mut schema = names.schema(channels);
            if let ([channel], false) = (&own[..], output.choices.is_empty()) {
                pieces.pop();
                pieces.push(Piece::Text(format!(",\"{NAME}\":")));
                pieces.push(Piece::Choice(*channel, output.choices.clone()));
                pieces.push(Piece::Text("}".into()));
                schema["properties"][NAME] = json!({ "type": "string" });
            }
            let schema_name = format!("kinegraph.{}.{}", block.name.replace('/', "."), output.name);
            ports.push(RecordedPort { topic, schema_name, schema, pieces });
        }
    }
    (ports, found.into_iter().flatten().collect())
}

fn path(element: Option<&String>, index: usize, width: usize) -> Vec<String> {
    match element {
        Some(element) => element.split('.').map(str::to_owned).collect(),
        None if width == 1 => vec!["value".into()],
        None => vec![format!("value{index}")],
    }
}

impl RecordedPort {
    /// Writes the message of a sample.
    pub fn write(&self, values: &[f64], out: &mut Vec<u8>) -> io::Result<()> {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text.as_bytes()),
                // JSON cannot represent values that are not finite.
                Piece::Number(channel) if values[*channel].is_finite() => {
                    serde_json::to_writer(&mut *out, &values[*channel])?
                }
                Piece::Number(_) => out.write_all(b"null")?,
                Piece::Choice(channel, names) => {
                    let name = names.get(values[*channel] as usize).map_or("", String::as_str);
                    serde_json::to_writer(&mut *out, name)?;
                }
            }
        }
        Ok(())
    }
}

impl Names {
    fn insert(&mut self, path: &[String], channel: usize) {
        let Some((first, rest)) = path.split_first() else { return };
        if rest.is_empty() {
            self.0.push((first.clone(), Leaf::Channel(channel)));
            return;
        }
        let is_it = |(name, leaf): &(String, Leaf)| name == first && matches!(leaf, Leaf::Names(_));
        let at = self.0.iter().position(is_it).unwrap_or_else(|| {
            self.0.push((first.clone(), Leaf::Names(Names::default())));
            self.0.len() - 1
        });
        if let Leaf::Names(names) = &mut self.0[at].1 {
            names.insert(rest, channel);
        }
    }

    fn pieces(&self, out: &mut Vec<Piece>) {
        for (i, (name, leaf)) in self.0.iter().enumerate() {
            let before = if i == 0 { '{' } else { ',' };
            out.push(Piece::Text(format!("{before}{}:", Value::from(name.as_str()))));
            match leaf {
                Leaf::Channel(channel) => out.push(Piece::Number(*channel)),
                Leaf::Names(names) => names.pieces(out),
            }
        }
        out.push(Piece::Text("}".into()));
    }

    fn schema(&self, channels: &[Channel]) -> Value {
        let mut properties = Map::new();
        for (name, leaf) in &self.0 {
            let schema = match leaf {
                Leaf::Channel(channel) if channels[*channel].unit.is_empty() => json!({ "type": "number" }),
                Leaf::Channel(channel) => json!({ "type": "number", "description": channels[*channel].unit }),
                Leaf::Names(names) => names.schema(channels),
            };
            properties.insert(name.clone(), schema);
        }
        json!({ "type": "object", "properties": properties })
    }
}
