//! A second run shown with a first one: its motion as ghosts, its values and the differences as channels.
//!
//! Everything is read at the times of the first run. Between two samples of the second run, positions and values are
//! interpolated linearly, orientations along the shortest rotation. After its end, bodies stand still and values are
//! not-a-number.

use super::past::channel_facts;
use super::{ChannelFacts, Ghost, Past};
use crate::record::mcap::Recording;
use kinegraph_engine::scene::{Pose, Scene};
use nalgebra::{Quaternion, UnitQuaternion};

/// Prefix of the name of a channel that is the difference of two runs.
const DIFFERENCE: &str = "difference";
/// Separator between the name of a run and the name of its channel or ghost.
const OF: &str = ": ";

/// Name of a channel or ghost of another run.
fn of(run: &str, name: &str) -> String {
    format!("{run}{OF}{name}")
}

/// True if a name is one of another run.
pub(super) fn is_beside(name: &str) -> bool {
    name.contains(OF)
}

/// The part of a second run that is shown with a first one.
pub struct Beside {
    other: Past,
    /// Bodies that are drawn a second time.
    pub ghosts: Vec<Ghost>,
    /// Index of each body of the ghosts among the poses of the second run.
    bodies: Vec<usize>,
    /// Channels that are added.
    pub channels: Vec<ChannelFacts>,
    /// Source of each added channel: a channel of the second run, minus one of the first run if it is a difference.
    sources: Vec<(usize, Option<usize>)>,
}

/// Moving bodies in the order of poses: plant, body.
fn moving(scene: &Scene) -> impl Iterator<Item = (usize, usize)> {
    let plants = scene.plants.iter().enumerate();
    plants.flat_map(|(plant, one)| {
        let bodies = one.bodies.iter().enumerate().filter(|(_, body)| body.moving);
        bodies.map(move |(body, _)| (plant, body))
    })
}

impl Beside {
    /// Combines the recording `other`, called `name`, with `one`.
    pub fn of(one: &Recording, other: Recording, name: &str) -> Self {
        Self::new(&one.run.scene, &channel_facts(&one.run), other.into(), name)
    }

    /// Combines `other`, called `name`, with a run of this scene and these channels. Bodies and channels are matched by
    /// name.
    pub fn new(scene: &Scene, own_channels: &[ChannelFacts], other: Past, name: &str) -> Self {
        let theirs: Vec<(&str, &str)> = {
            let scene = &other.scene;
            let named = |(plant, body): (usize, usize)| {
                let plant = &scene.plants[plant];
                (plant.name.as_str(), plant.bodies[body].name.as_str())
            };
            moving(scene).map(named).collect()
        };
        let (mut ghosts, mut bodies): (Vec<Ghost>, Vec<usize>) = Default::default();
        for (plant, own) in scene.plants.iter().enumerate() {
            let mut ghost = Ghost { name: of(name, &own.name), plant, bodies: Vec::new() };
            for (body, own_body) in own.bodies.iter().enumerate().filter(|(_, body)| body.moving) {
                let wanted = (own.name.as_str(), own_body.name.as_str());
                if let Some(at) = theirs.iter().position(|named| *named == wanted) {
                    ghost.bodies.push(body);
                    bodies.push(at);
                }
            }
            ghosts.extend(Some(ghost).filter(|ghost| !ghost.bodies.is_empty()));
        }
        let (mut channels, mut sources) = (Vec::new(), Vec::new());
        let mut add = |named: String, channel: &ChannelFacts, source| {
            channels.push(ChannelFacts { name: named, ..channel.clone() });
            sources.push(source);
        };
        for (at, channel) in other.channels.iter().enumerate() {
            add(of(name, &channel.name), channel, (at, None));
            if let Some(own) = own_channels.iter().position(|own| own.name == channel.name) {
                add(of(DIFFERENCE, &channel.name), channel, (at, Some(own)));
            }
        }
        Beside { other, ghosts, bodies, channels, sources }
    }

    /// Appends the values of the added channels at `time` to `values`, which are those of the first run.
    pub fn add_values(&self, time: f64, values: &mut Vec<f64>) {
        let own = values.len();
        for &(at, minus) in &self.sources {
            let value = match self.around(time) {
                Some((before, part)) if self.reaches(time) => {
                    let samples = &self.other.values;
                    let next = &samples[(before + 1).min(samples.len() - 1)];
                    samples[before][at] + part * (next[at] - samples[before][at])
                }
                _ => f64::NAN,
            };
            let first = minus.map_or(0.0, |minus| if minus < own { values[minus] } else { f64::NAN });
            values.push(value - first);
        }
    }

    /// Calls `push` with the pose of every body of every ghost at `time`.
    pub fn poses(&self, time: f64, mut push: impl FnMut(&Pose)) {
        let Some((before, part)) = self.around(time) else {
            let nowhere = Pose { xyz: [f64::NAN; 3], quat: [1.0, 0.0, 0.0, 0.0] };
            return self.bodies.iter().for_each(|_| push(&nowhere));
        };
        let samples = &self.other.poses;
        let next = &samples[(before + 1).min(samples.len() - 1)];
        self.bodies.iter().for_each(|&at| push(&between(&samples[before][at], &next[at], part)));
    }

    /// Index of the sample at or before `time`, and the fraction of the interval to the next; `None` for a recording
    /// without samples.
    fn around(&self, time: f64) -> Option<(usize, f64)> {
        let times = &self.other.times;
        let before = times.partition_point(|t| *t <= time).max(1) - 1;
        let start = *times.get(before)?;
        let part = times.get(before + 1).map_or(0.0, |next| (time - start) / (next - start));
        Some((before, if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }))
    }

    /// True if the second run reaches `time`, up to rounding.
    fn reaches(&self, time: f64) -> bool {
        let times = &self.other.times;
        let (first, last) = (times.first().copied().unwrap_or(f64::NAN), times.last().copied().unwrap_or(f64::NAN));
        let slack = 1e-9 * time.abs().max(1.0);
        (first - slack..=last + slack).contains(&time)
    }
}

fn between(a: &Pose, b: &Pose, part: f64) -> Pose {
    let turn = |q: [f64; 4]| UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    let (from, to) = (turn(a.quat), turn(b.quat));
    let q = from.try_slerp(&to, part, 1e-12).unwrap_or(from);
    let xyz = [0, 1, 2].map(|i| a.xyz[i] + part * (b.xyz[i] - a.xyz[i]));
    Pose { xyz, quat: [q.w, q.i, q.j, q.k] }
}
