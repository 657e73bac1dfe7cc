//! Motion and values of a finished run, for comparison with another.

use super::beside::is_beside;
use super::{ChannelFacts, Feed, Line};
use crate::record::mcap::{RecordedChannel, RecordedRun, Recording};
use kinegraph_engine::scene::{Pose, Scene};

/// The part of a finished run that is shown with another.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// Scene.
    pub scene: Scene,
    /// Recorded channels.
    pub channels: Vec<ChannelFacts>,
    /// The times of samples \[s\].
    pub times: Vec<f64>,
    /// Poses at each time, of every moving body of every plant.
    pub poses: Vec<Vec<Pose>>,
    /// Values at each time, of every channel.
    pub values: Vec<Vec<f64>>,
}

/// Facts about the recorded channels of a run.
pub(super) fn channel_facts(run: &RecordedRun) -> Vec<ChannelFacts> {
    let fact = |channel: &RecordedChannel| ChannelFacts {
        name: channel.name.clone(),
        unit: channel.unit.clone(),
        discrete: channel.sampled,
    };
    run.channels.iter().map(fact).collect()
}

impl From<Recording> for Past {
    fn from(recording: Recording) -> Self {
        Past {
            channels: channel_facts(&recording.run),
            scene: recording.run.scene,
            times: recording.times,
            poses: recording.poses,
            values: recording.values,
        }
    }
}

impl Past {
    /// Reads the run from the lines of `feed`, without the runs shown with it. `None` if it has no samples.
    pub fn of(feed: &Feed) -> Option<Self> {
        let mut past: Option<Past> = None;
        let mut width = 0;
        for line in feed.lines() {
            match serde_json::from_slice(&line) {
                Ok(Line::Begin(begin)) => {
                    width = begin.channels.len();
                    let own = begin.channels.into_iter().take_while(|channel| !is_beside(&channel.name));
                    past = Some(Past { scene: begin.scene, channels: own.collect(), ..Past::default() });
                }
                Ok(Line::Frames(frames)) => {
                    let Some(past) = &mut past else { continue };
                    let own = past.channels.len();
                    let times = frames.times.numbers();
                    let values = frames.values.numbers();
                    let poses: Vec<Pose> = frames.poses.numbers().chunks_exact(7).map(pose).collect();
                    let bodies = poses.len().checked_div(times.len()).unwrap_or(0);
                    for i in 0..times.len() {
                        past.values.push(values[i * width..i * width + own].to_vec());
                        past.poses.push(poses[i * bodies..(i + 1) * bodies].to_vec());
                    }
                    past.times.extend(times);
                }
                _ => {}
            }
        }
        past.filter(|past| !past.times.is_empty())
    }
}

fn pose(numbers: &[f64]) -> Pose {
    let at = |i: usize| numbers[i];
    Pose { xyz: [at(0), at(1), at(2)], quat: [at(3), at(4), at(5), at(6)] }
}
