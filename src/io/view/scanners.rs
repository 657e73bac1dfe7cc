//! Scans of lidars as sent to the page: the points that the rays hit.

use super::Packed;
use crate::record::mcap::{RecordedPicture, RecordedScans};
use kinegraph_core::picture::Shows;
use kinegraph_diagram::Diagram;
use kinegraph_engine::scene::Scene;
use kinegraph_engine::simulate::Sample;
use serde::{Deserialize, Serialize};

/// Maximum total number of points sent: the page keeps all scans.
const MAX_POINTS: usize = 8 << 20;

/// A lidar whose scans are recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scanner {
    /// The block that gives the scans.
    pub name: String,
    /// Index of the plant in the scene.
    pub plant: usize,
    /// Index of the body that carries it.
    pub body: usize,
}

/// A scan of a lidar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scanned {
    /// Index of the lidar.
    pub scanner: usize,
    /// From when on it is seen \[s\].
    pub time: f64,
    /// When it was taken \[s\].
    pub taken: f64,
    /// Three coordinates of each point that a ray met, in the frame of the body \[m\].
    pub points: Packed,
}

/// The lidars of a run, whose scans are sent while it goes on.
#[derive(Default)]
pub(super) struct Scanners {
    recorded: Vec<RecordedPicture>,
    sent: usize,
}

impl Scanners {
    /// Lidars among the outputs that are recorded as pictures or scans, with their facts.
    pub fn of(diagram: &Diagram, scene: &Scene, wanted: &[String]) -> (Self, Vec<Scanner>) {
        let (mut found, mut facts) = (Vec::new(), Vec::new());
        for recorded in RecordedPicture::all(diagram, wanted) {
            let is_scan = matches!(recorded.picture().shows, Shows::Ranges { .. });
            let Some(scanner) = scanner(scene, recorded.frame(), recorded.link()).filter(|_| is_scan) else { continue };
            facts.push(scanner);
            found.push(recorded);
        }
        (Scanners { recorded: found, sent: 0 }, facts)
    }

    /// Calls `send` with every scan that is new at this sample.
    pub fn take(&mut self, sample: &Sample<'_>, mut send: impl FnMut(Scanned)) {
        for (scanner, recorded) in self.recorded.iter_mut().enumerate() {
            let Some((taken, numbers)) = recorded.next(sample) else { continue };
            let numbers = numbers.to_vec();
            let picture = recorded.picture();
            let met = picture.met(&numbers).into_iter();
            let points = met.map(|p| (picture.X_LS.rotation * p + picture.X_LS.translation.vector).map(|x| x as f32));
            let points: Vec<[f32; 3]> = points.map(Into::into).collect();
            self.sent += points.len();
            if self.sent > MAX_POINTS {
                return;
            }
            send(Scanned { scanner, time: sample.time(), taken, points: points.concat().into() });
        }
    }
}

/// Lidars of a recording, and their scans in order of time.
pub(super) fn of_recording(scene: &Scene, all: &[RecordedScans]) -> (Vec<Scanner>, Vec<Scanned>) {
    let (mut facts, mut scans) = (Vec::new(), Vec::new());
    for recorded in all {
        let Some(found) = scanner(scene, &recorded.name, &recorded.link) else { continue };
        facts.push(found);
        let scanner = facts.len() - 1;
        scans.extend(recorded.scans.iter().map(|scan| (scanner, scan)));
    }
    scans.sort_by(|a, b| a.1.time.total_cmp(&b.1.time));
    let mut sent = 0;
    let few = scans.into_iter().take_while(|(_, scan)| {
        sent += scan.points.len();
        sent <= MAX_POINTS
    });
    let scanned = few.map(|(scanner, scan)| {
        let points = scan.points.concat().into();
        Scanned { scanner, time: scan.time, taken: scan.taken, points }
    });
    let scanned = scanned.collect();
    (facts, scanned)
}

/// Lidar of a block on a link (`plant/robot/mast`).
fn scanner(scene: &Scene, name: &str, link: &str) -> Option<Scanner> {
    scene.plants.iter().enumerate().find_map(|(plant, of)| {
        let link = link.strip_prefix(of.name.as_str())?.strip_prefix('/')?;
        let body = of.bodies.iter().position(|body| body.name == link)?;
        Some(Scanner { name: name.to_owned(), plant, body })
    })
}
