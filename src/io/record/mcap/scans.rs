//! Reads scans of lidars from a recording.

use super::reader::Transform;
use base64::Engine;
use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion};
use serde::Deserialize;
use std::collections::HashMap;

/// The scans of one lidar.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedScans {
    /// Block of the lidar.
    pub name: String,
    /// Full name of the link that carries it, with that of the plant.
    pub link: String,
    /// Scans in order of time.
    pub scans: Vec<RecordedScan>,
}

/// A scan.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedScan {
    /// Time from which on it is visible \[s\].
    pub time: f64,
    /// Time at which it was taken \[s\].
    pub taken: f64,
    /// Points hit by its rays, in the frame of the link \[m\].
    pub points: Vec<[f32; 3]>,
}

/// Frames of sensors in those of their links, by name.
pub(super) type SensorFrames = HashMap<String, (String, Isometry3<f64>)>;

/// Message of `/tf` with the names of the frames.
#[derive(Deserialize)]
struct Named {
    transforms: Vec<NamedTransform>,
}

#[derive(Deserialize)]
struct NamedTransform {
    parent_frame_id: String,
    child_frame_id: String,
    #[serde(flatten)]
    transform: Transform,
}

/// Frames in the first message of `/tf`, which has those of sensors and of bodies that do not move.
pub(super) fn frames(first: &[u8]) -> SensorFrames {
    let Ok(Named { transforms }) = serde_json::from_slice(first) else { return SensorFrames::new() };
    let named = transforms.into_iter().map(|named| {
        let pose = named.transform.pose();
        let [w, x, y, z] = pose.quat;
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        let X = Isometry3::from_parts(Translation3::from(pose.xyz), turn);
        (named.child_frame_id, (named.parent_frame_id, X))
    });
    named.collect()
}

#[derive(Deserialize)]
struct Stamp {
    sec: f64,
    nsec: f64,
}

/// Required fields of a `foxglove.LaserScan` or a `foxglove.PointCloud`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scan {
    Flat { timestamp: Stamp, frame_id: String, start_angle: f64, end_angle: f64, ranges: Vec<f64> },
    Cloud { timestamp: Stamp, frame_id: String, point_stride: usize, data: String },
}

/// Adds the scan in a message. Messages of other topics and broken ones are ignored.
pub(super) fn take(all: &mut Vec<RecordedScans>, frames: &SensorFrames, topic: &str, time: f64, data: &[u8]) {
    if !(topic.ends_with("/scan") || topic.ends_with("/points")) {
        return;
    }
    let Ok(scan) = serde_json::from_slice::<Scan>(data) else { return };
    let (stamp, name, points) = match scan {
        Scan::Flat { timestamp, frame_id, start_angle, end_angle, ranges } => {
            let points = flat(start_angle, end_angle, &ranges);
            (timestamp, frame_id, points)
        }
        Scan::Cloud { timestamp, frame_id, point_stride: 12, data } => {
            let Ok(bytes) = base64::engine::general_purpose::STANDARD.decode(data) else { return };
            let number = |bytes: &[u8; 4]| f64::from(f32::from_le_bytes(*bytes));
            let point = |p: &[[u8; 4]; 3]| Point3::new(number(&p[0]), number(&p[1]), number(&p[2]));
            (timestamp, frame_id, bytes.as_chunks::<4>().0.as_chunks::<3>().0.iter().map(point).collect())
        }
        Scan::Cloud { .. } => return,
    };
    let Some((link, X_LS)) = frames.get(&name) else { return };
    let place = all.iter().position(|scans| scans.name == name).unwrap_or_else(|| {
        all.push(RecordedScans { name, link: link.clone(), scans: Vec::new() });
        all.len() - 1
    });
    let points = points.iter().map(|p| (X_LS * p).coords.map(|x| x as f32).into()).collect();
    all[place].scans.push(RecordedScan { time, taken: stamp.sec + 1e-9 * stamp.nsec, points });
}

/// Points of a scan in a plane. A message does not contain the end of the range, so the largest distance is taken for
/// it if it occurs more than once.
fn flat(start: f64, end: f64, ranges: &[f64]) -> Vec<Point3<f64>> {
    let increment = (end - start) / ranges.len().saturating_sub(1).max(1) as f64;
    let largest = ranges.iter().copied().fold(0.0, f64::max);
    let is_end = ranges.iter().filter(|range| **range == largest).count() > 1;
    let point = |(i, range): (usize, &f64)| {
        let (y, x) = (start + i as f64 * increment).sin_cos();
        Point3::new(range * x, range * y, 0.0)
    };
    ranges.iter().enumerate().filter(|(_, range)| !(is_end && **range == largest)).map(point).collect()
}
