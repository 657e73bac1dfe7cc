//! Writes a run to a [`Feed`] while it runs.

use super::camera::{Cameras, Photo};
use super::chosen::chosen_channels;
use super::commands::GradientControl;
use super::lines::{AS_BEFORE, Begin, ChannelFacts, Channels, Frames, Judged, Line, Steps, VERSION};
use super::scanners::{Scanned, Scanners};
use super::touching::Touching;
use super::{Beside, Controls, Feed, Ghosts, NumberControl, Past, meshes};
use crate::record::mcap::{self, RunFacts};
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::scene::{Pose, Scene, View};
use kinegraph_engine::simulate::{Acted, HandForce, Observer, RequirementReport, RunStart, Sample, StepReport};
use kinegraph_models::FileAccess;
use kinegraph_scenario::RequirementFacts;
use std::io;
use std::time::{Duration, Instant};

/// Frames with more numbers than this are pushed at once.
const MAX_WAITING_NUMBERS: usize = 1 << 18;
/// Maximum time for which frames wait, as long as steps end.
const MAX_WAIT: Duration = Duration::from_millis(100);
/// Maximum waiting time in a live run, where a person waits for the effect.
const MAX_LIVE_WAIT: Duration = Duration::from_millis(16);

/// Writes a run as [`Line`]s.
pub struct Stream {
    feed: Feed,
    view: Option<View>,
    /// Moving bodies of each plant.
    moving: Vec<Vec<usize>>,
    ghosts: Ghosts,
    waiting: Waiting,
    /// Contact points of the last sample and of this one, in the form of the stream.
    touched: Vec<f32>,
    touch: Vec<f32>,
    steps: Steps,
    pushed: Instant,
    max_wait: Duration,
    /// Controls of a live run.
    controls: Option<Controls>,
    hand: Option<HandForce>,
    hand_pushed: Instant,
    /// True if the hand moved since it was last sent.
    hand_moved: bool,
    /// Numbers that can be changed before another run.
    numbers: Vec<NumberControl>,
    /// Measures and numbers of derivatives.
    gradient: Option<GradientControl>,
    /// The previous run with its name, until this run begins; then the part of it that is shown.
    past: Option<(Past, String)>,
    beside: Option<Beside>,
    /// Recorded values, with those of the other run.
    row: Vec<f64>,
    /// Outputs that are recorded as pictures, their cameras, and the pictures that wait.
    pictures: Vec<String>,
    /// Names of the channels that are to be plotted.
    plotted: Vec<String>,
    /// Requirements of the run, and the verdicts that were sent last.
    requirements: Vec<RequirementFacts>,
    judged: Judged,
    cameras: Cameras,
    scanners: Scanners,
    /// Bodies that overlap, if that is reported.
    touching: Option<Touching>,
    photos: Vec<Photo>,
    scans: Vec<Scanned>,
}

/// Frames that are not pushed yet.
#[derive(Default)]
struct Waiting {
    times: Vec<f64>,
    poses: Vec<f32>,
    values: Vec<f64>,
    contacts: Vec<f32>,
    contact_counts: Vec<u32>,
    ghosts: Vec<f32>,
}

impl Stream {
    /// Creates a stream into `feed`; the camera is at `view`.
    pub fn new(feed: Feed, view: Option<View>) -> Self {
        Stream {
            feed,
            view,
            moving: Vec::new(),
            ghosts: Ghosts::default(),
            waiting: Waiting::default(),
            touched: Vec::new(),
            touch: Vec::new(),
            steps: Steps::default(),
            pushed: Instant::now(),
            max_wait: MAX_WAIT,
            controls: None,
            hand: None,
            hand_pushed: Instant::now(),
            hand_moved: false,
            numbers: Vec::new(),
            gradient: None,
            past: None,
            beside: None,
            row: Vec::new(),
            pictures: Vec::new(),
            plotted: Vec::new(),
            requirements: Vec::new(),
            judged: Judged::default(),
            cameras: Cameras::default(),
            scanners: Scanners::default(),
            touching: None,
            photos: Vec::new(),
            scans: Vec::new(),
        }
    }

    /// Also sends the pictures of cameras and the scans of lidars among these outputs: `camera.depth`.
    #[must_use]
    pub fn with_pictures(self, pictures: Vec<String>) -> Self {
        Stream { pictures, ..self }
    }

    /// Creates the stream of a live run with these controls.
    pub fn live(feed: Feed, view: Option<View>, controls: Controls) -> Self {
        Stream { max_wait: MAX_LIVE_WAIT, controls: Some(controls), ..Self::new(feed, view) }
    }

    /// Creates the stream of a run that can be repeated with other numbers, shown with `past`, which has a name.
    pub fn again(feed: Feed, view: Option<View>, numbers: Vec<NumberControl>, past: Option<(Past, String)>) -> Self {
        Stream { numbers, past, ..Self::new(feed, view) }
    }

    /// Has these channels plotted: `plant.arm`, `controller.effort`.
    #[must_use]
    pub fn with_plotted(self, plotted: Vec<String>) -> Self {
        Stream { plotted, ..self }
    }

    /// Offers derivatives of the run.
    #[must_use]
    pub fn with_gradient(self, gradient: Option<GradientControl>) -> Self {
        Stream { gradient, ..self }
    }

    /// Also sends these requirements, and how they stand.
    #[must_use]
    pub fn with_requirements(self, requirements: Vec<RequirementFacts>) -> Self {
        Stream { requirements, ..self }
    }

    /// Also reports which bodies overlap: in a model at rest no contact force shows it.
    #[must_use]
    pub fn with_touching(self) -> Self {
        Stream { touching: Some(Touching::default()), ..self }
    }

    fn push(&mut self) -> io::Result<()> {
        self.pushed = Instant::now();
        if !self.waiting.times.is_empty() {
            let Waiting { times, poses, values, contacts, contact_counts, ghosts } = std::mem::take(&mut self.waiting);
            let ghosts = (!ghosts.is_empty()).then(|| ghosts.into());
            let (contacts, contact_counts) = (contacts.into(), contact_counts.into());
            let (times, poses, values) = (times.into(), poses.into(), values.into());
            self.feed.push(&Line::Frames(Box::new(Frames {
                times,
                poses,
                values,
                contacts,
                contact_counts,
                ghosts,
            })))?;
        }
        for photo in self.photos.drain(..) {
            self.feed.push(&Line::Photo(photo))?;
        }
        for scan in self.scans.drain(..) {
            self.feed.push(&Line::Scan(scan))?;
        }
        if let Some(hand) = self.hand.take() {
            self.hand_pushed = self.pushed;
            self.feed.push(&Line::Hand(hand))?;
        }
        if !self.steps.rows.is_empty() {
            self.feed.push(&Line::Steps(std::mem::take(&mut self.steps)))?;
        }
        Ok(())
    }
}

fn push_pose(pose: &Pose, out: &mut Vec<f32>) {
    out.extend(pose.xyz.iter().chain(&pose.quat).map(|x| *x as f32));
}

fn channel(channel: &Channel) -> ChannelFacts {
    ChannelFacts { name: channel.name.clone(), unit: channel.unit.to_string(), discrete: channel.sampled }
}

impl Observer for Stream {
    fn wants_attempts(&self) -> bool {
        true
    }

    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        let scene = Scene::of(run.diagram);
        let moving = |plant: &kinegraph_engine::scene::PlantScene| -> Vec<usize> {
            (0..plant.bodies.len()).filter(|&body| plant.bodies[body].moving).collect()
        };
        self.moving = scene.plants.iter().map(moving).collect();
        self.ghosts = Ghosts::of(run.diagram);
        // Access to these files was checked when the models were read.
        let meshes = meshes::of(&scene, &FileAccess::default().anywhere(true));
        let mut channels: Vec<ChannelFacts> = run.channels.iter().map(channel).collect();
        let beside = self.past.take().map(|(past, name)| Beside::new(&scene, &channels, past, &name));
        let mut ghosts = self.ghosts.facts();
        if let Some(beside) = &beside {
            channels.extend(beside.channels.iter().cloned());
            ghosts.extend(beside.ghosts.iter().cloned());
        }
        self.beside = beside;
        let (cameras, facts) = Cameras::of(run.diagram, &self.pictures);
        self.cameras = cameras;
        let (scanners, scanner_facts) = Scanners::of(run.diagram, &scene, &self.pictures);
        self.scanners = scanners;
        // An output may have channels of other names (`plant.state`).
        let named = |name: &String| match run.diagram.find_channels(name) {
            Ok(found) => found.into_iter().map(|channel| channel.name).collect(),
            Err(_) => vec![name.clone()],
        };
        let wanted: Vec<String> = self.plotted.iter().flat_map(named).collect();
        let plotted = chosen_channels(channels.iter().map(|channel| &*channel.name), &wanted);
        let begin = Begin {
            version: VERSION,
            run: RunFacts::from(run),
            channels,
            view: self.view,
            blocks: Some(run.diagram.drawing(run.channels)),
            ghosts,
            plotted,
            cameras: facts,
            scanners: scanner_facts,
            requirements: self.requirements.clone(),
            controls: self.controls.clone(),
            numbers: std::mem::take(&mut self.numbers),
            gradient: self.gradient.take(),
            scene,
        };
        self.feed.push(&Line::Begin(Box::new(begin)))?;
        meshes.iter().try_for_each(|line| self.feed.push(line))
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        let waiting = &mut self.waiting;
        waiting.times.push(sample.time());
        self.row.clear();
        self.row.extend_from_slice(sample.values());
        if let Some(beside) = &self.beside {
            beside.add_values(sample.time(), &mut self.row);
        }
        waiting.values.extend_from_slice(&self.row);
        self.touch.clear();
        for (plant, moving) in self.moving.iter().enumerate() {
            let poses = sample.poses(plant);
            moving.iter().for_each(|&body| push_pose(&poses[body], &mut waiting.poses));
            for contact in sample.contacts(plant).iter().filter(|contact| contact.force != [0.0; 3]) {
                self.touch.push(plant as f32);
                self.touch.extend(contact.p_WC.iter().chain(&contact.force).map(|x| *x as f32));
            }
        }
        // All samples within a step have the contacts of that step.
        if self.touch == self.touched && !self.touch.is_empty() {
            waiting.contact_counts.push(AS_BEFORE);
        } else {
            waiting.contact_counts.push((self.touch.len() / 7) as u32);
            waiting.contacts.extend_from_slice(&self.touch);
            std::mem::swap(&mut self.touch, &mut self.touched);
        }
        self.ghosts.poses(sample, |pose| push_pose(pose, &mut waiting.ghosts));
        if let Some(beside) = &self.beside {
            beside.poses(sample.time(), |pose| push_pose(pose, &mut waiting.ghosts));
        }
        self.cameras.take(sample, |photo| self.photos.push(photo));
        self.scanners.take(sample, |scan| self.scans.push(scan));
        if let Some(known) = &mut self.touching {
            let now = Touching::at(sample.diagram(), sample.state());
            if *known != now {
                self.feed.push(&Line::Touching(now.clone()))?;
                *known = now;
            }
        }
        if waiting.poses.len() + waiting.values.len() > MAX_WAITING_NUMBERS { self.push() } else { Ok(()) }
    }

    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        self.steps.rows.extend(mcap::attempts(step));
        if self.pushed.elapsed() >= self.max_wait { self.push() } else { Ok(()) }
    }

    fn wants_verdicts(&self) -> bool {
        !self.requirements.is_empty()
    }

    fn judged(&mut self, requirements: &[RequirementReport]) -> io::Result<()> {
        if self.judged.requirements == requirements {
            return Ok(());
        }
        self.judged.requirements = requirements.to_vec();
        self.feed.push(&Line::Judged(self.judged.clone()))
    }

    fn widened(&mut self, diagram: &Diagram, channels: &[Channel]) -> io::Result<()> {
        self.push()?;
        let facts = channels.iter().map(channel).collect();
        self.feed.push(&Line::Channels(Box::new(Channels { channels: facts, blocks: diagram.drawing(channels) })))
    }

    fn acted(&mut self, acted: &Acted) -> io::Result<()> {
        self.hand_moved = true;
        self.push()?;
        self.feed.push(&Line::Acted(acted.clone()))
    }

    fn changed(&mut self, diagram: &Diagram) {
        self.ghosts = Ghosts::of(diagram);
    }

    fn pulled(&mut self, hand: &HandForce) -> io::Result<()> {
        self.hand = Some(*hand);
        // Acts on the next step are sent before that step, which may take long.
        let is_due = std::mem::take(&mut self.hand_moved) || self.hand_pushed.elapsed() >= self.max_wait;
        if is_due { self.push() } else { Ok(()) }
    }

    fn rests(&mut self) -> io::Result<()> {
        self.push()
    }

    fn end(&mut self) -> io::Result<()> {
        self.push()
    }
}
