//! Messages that are written repeatedly.

use super::foxglove;
use kinegraph_core::step_record::ContactReport;
use kinegraph_engine::integrators::Rule;
use kinegraph_engine::scene::{PlantScene, Pose, Scene};
use kinegraph_engine::simulate::StepReport;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io;

/// Contact points at an instant: the message of `/contacts`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contacts {
    /// The points.
    pub points: Vec<ContactPoint>,
}

/// A contact point with a force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactPoint {
    /// Index of the plant in the scene.
    pub plant: usize,
    /// Body that the normal points away from.
    pub body_a: String,
    /// Body that the normal points to.
    pub body_b: String,
    /// Position \[m\].
    pub position: [f64; 3],
    /// The force on the second body \[N\].
    pub force: [f64; 3],
    /// Penetration depth \[m\].
    pub depth: f64,
}

/// An attempt at a step: the message of `/kinegraph/steps`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedAttempt {
    /// Where it started \[s\].
    pub start: f64,
    /// Its length \[s\].
    pub h: f64,
    /// Its outcome.
    pub outcome: String,
    /// The estimate of its error.
    pub error: Option<f64>,
    /// The coordinate with the largest error.
    pub worst: String,
    /// Newton iterations.
    pub iterations: usize,
    /// Contact points of the step that was accepted.
    pub contacts: usize,
    /// The rule that asked for another attempt; empty if none did.
    #[serde(default)]
    pub rule: String,
}

/// End of a run: the message of `/kinegraph/end`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndMessage {
    /// Time at the end \[s\].
    pub time: f64,
    /// Notes on the run, for example bodies that fell through the ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

pub fn contacts_schema() -> Value {
    let vector = json!({ "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 });
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "number" }));
    json!({ "type": "object", "properties": { "points": { "type": "array", "items": { "type": "object", "properties": {
        "plant": { "type": "integer" }, "body_a": text, "body_b": text, "position": vector, "force": vector, "depth": number,
    } } } } })
}

pub fn steps_schema() -> Value {
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "number" }));
    json!({ "type": "object", "properties": {
        "start": number, "h": number, "outcome": text, "error": number, "worst": text,
        "iterations": { "type": "integer" }, "contacts": { "type": "integer" }, "rule": text,
    } })
}

/// As [`ContactPoint`], with names borrowed from the scene.
#[derive(Serialize)]
struct WrittenPoint<'a> {
    plant: usize,
    body_a: &'a str,
    body_b: &'a str,
    position: [f64; 3],
    force: [f64; 3],
    depth: f64,
}

/// Writes a message of contact points, each with the index of its plant.
pub fn write_contacts(scene: &Scene, contacts: &[(usize, ContactReport)], out: &mut Vec<u8>) -> io::Result<()> {
    out.extend_from_slice(br#"{"points":["#);
    for (i, &(plant, ref contact)) in contacts.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        let name = |body: usize| scene.plants[plant].bodies[body].name.as_str();
        let (body_a, body_b) = (name(contact.body_a), name(contact.body_b));
        let (position, force, depth) = (contact.p_WC, contact.force, contact.depth);
        serde_json::to_writer(&mut *out, &WrittenPoint { plant, body_a, body_b, position, force, depth })?;
    }
    out.extend_from_slice(b"]}");
    Ok(())
}

/// The attempts of a step.
pub fn attempts<'a>(step: &'a StepReport<'_>) -> impl Iterator<Item = RecordedAttempt> + 'a {
    let contacts = step.records.iter().map(|record| record.contacts.len()).sum();
    step.attempts.iter().map(move |a| RecordedAttempt {
        start: a.time,
        h: a.h,
        outcome: a.outcome.name().to_owned(),
        error: a.error.filter(|error| error.is_finite()),
        worst: step.worst(a).to_owned(),
        iterations: a.solver_iterations,
        contacts,
        rule: a.rule.map_or("", Rule::name).to_owned(),
    })
}

/// Writes one transform of `foxglove.FrameTransforms`; its beginning, up to the pose, was prepared once.
pub fn write_transform(beginning: &str, time: &str, pose: &Pose, out: &mut Vec<u8>) -> io::Result<()> {
    out.extend_from_slice(br#"{"timestamp":"#);
    out.extend_from_slice(time.as_bytes());
    out.extend_from_slice(beginning.as_bytes());
    for (before, number) in [
        (r#"{"x":"#, pose.xyz[0]),
        (r#","y":"#, pose.xyz[1]),
        (r#","z":"#, pose.xyz[2]),
        (r#"},"rotation":{"w":"#, pose.quat[0]),
        (r#","x":"#, pose.quat[1]),
        (r#","y":"#, pose.quat[2]),
        (r#","z":"#, pose.quat[3]),
    ] {
        out.extend_from_slice(before.as_bytes());
        serde_json::to_writer(&mut *out, &number)?;
    }
    out.extend_from_slice(b"}}");
    Ok(())
}

/// Beginning that all transforms of a body share.
pub fn beginning_of_transform(plant: &PlantScene, body: usize) -> String {
    let child = Value::from(foxglove::frame(plant, body));
    format!(r#","parent_frame_id":"{}","child_frame_id":{child},"translation":"#, foxglove::WORLD)
}
