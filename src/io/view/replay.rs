//! Converts a recording to the stream that the page reads.

use super::camera;
use super::chosen::chosen_channels;
use super::lines::{AS_BEFORE, Begin, Frames, Line, Steps, VERSION};
use super::past::channel_facts;
use super::scanners;
use super::{Beside, End, EndStatus, Feed, meshes};
use crate::record::mcap::Recording;
use std::io;

/// Number of frames of a line.
const LINE_FRAMES: usize = 2000;

/// Pushes all lines of `recording` and closes the feed.
///
/// # Errors
/// As [`Feed::push`].
pub fn replay(recording: &Recording, feed: &Feed) -> io::Result<()> {
    replay_beside(recording, None, &[], feed)
}

/// Pushes all lines of a recording, shown with another one, and with these channels plotted (`plant.arm`); without any,
/// the page chooses.
///
/// # Errors
/// As [`Feed::push`].
pub fn replay_beside(
    recording: &Recording,
    beside: Option<&Beside>,
    plotted: &[String],
    feed: &Feed,
) -> io::Result<()> {
    let run = &recording.run;
    let (cameras, photos) = camera::of_films(&recording.films);
    let (scanners, scans) = scanners::of_recording(&run.scene, &recording.scans);
    let added = beside.iter().flat_map(|beside| &beside.channels);
    let begin = Begin {
        version: VERSION,
        scene: run.scene.clone(),
        run: run.facts.clone(),
        channels: channel_facts(run).into_iter().chain(added.cloned()).collect(),
        view: run.view,
        blocks: run.blocks.clone(),
        ghosts: beside.map_or_else(Vec::new, |beside| beside.ghosts.clone()),
        plotted: chosen_channels(channel_facts(run).iter().map(|channel| &*channel.name), plotted),
        cameras,
        scanners,
        controls: None,
        numbers: Vec::new(),
        gradient: None,
        requirements: Vec::new(),
    };
    feed.push(&Line::Begin(Box::new(begin)))?;
    meshes::of(&run.scene, &recording.access).iter().try_for_each(|line| feed.push(line))?;
    let mut contacts = recording.contacts.iter().peekable();
    for start in (0..recording.times.len()).step_by(LINE_FRAMES) {
        let part = start..recording.times.len().min(start + LINE_FRAMES);
        let (mut points, mut counts) = (Vec::new(), Vec::new());
        for time in &recording.times[part.clone()] {
            let mut now = None;
            while let Some((_, contacts)) = contacts.next_if(|(at, _)| at <= time) {
                now = Some(contacts);
            }
            let Some(now) = now else {
                counts.push(AS_BEFORE);
                continue;
            };
            for point in &now.points {
                points.push(point.plant as f32);
                points.extend(point.position.iter().chain(&point.force).map(|x| *x as f32));
            }
            counts.push(now.points.len() as u32);
        }
        let poses = recording.poses[part.clone()].iter().flatten();
        let poses: Vec<f32> = poses.flat_map(|pose| pose.xyz.into_iter().chain(pose.quat)).map(|x| x as f32).collect();
        let mut ghosts = Vec::new();
        let mut values = recording.values[part.clone()].to_vec();
        if let Some(beside) = beside {
            for (time, values) in recording.times[part.clone()].iter().zip(&mut values) {
                beside.add_values(*time, values);
                beside.poses(*time, |pose| ghosts.extend(pose.xyz.iter().chain(&pose.quat).map(|x| *x as f32)));
            }
        }
        feed.push(&Line::Frames(Box::new(Frames {
            times: recording.times[part].to_vec().into(),
            poses: poses.into(),
            values: values.concat().into(),
            contacts: points.into(),
            contact_counts: counts.into(),
            ghosts: beside.filter(|beside| !beside.ghosts.is_empty()).map(|_| ghosts.into()),
        })))?;
    }
    for photo in photos {
        feed.push(&Line::Photo(photo))?;
    }
    for scan in scans {
        feed.push(&Line::Scan(scan))?;
    }
    feed.push(&Line::Steps(Steps { rows: recording.steps.clone() }))?;
    let last = recording.times.last().copied().unwrap_or(run.facts.time);
    let (status, message) = match recording.end {
        Some(time) if time >= run.facts.end => (EndStatus::Done, String::new()),
        Some(time) => (EndStatus::Failed, format!("the run ended at t = {time} s, before {} s", run.facts.end)),
        None => (EndStatus::Stopped, format!("the recording ends at t = {last} s: its program was stopped")),
    };
    let time = recording.end.unwrap_or(last);
    feed.push(&Line::End(End { status, message, time, summary: recording.notes.join("\n") }))?;
    feed.close();
    Ok(())
}
