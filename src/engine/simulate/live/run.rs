//! The run loop of a live run.

use super::hand::PERIOD;
use super::session::{ActError, Changed, Session};
use crate::integrators::NonFinite;
use crate::simulate::acting::StepSeen;
use crate::simulate::acts::{Act, Acted};
use crate::simulate::observed::{Check, report, wish};
use crate::simulate::sampling::Sampling;
use crate::simulate::{ObservedRunError, Observer, Sampler, Simulation};
use kinegraph_core::{ErasedSystem, SignalKind};
use kinegraph_diagram::{Channel, Diagram, State};
use std::sync::Arc;

/// State of a live run when its desk is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Number of steps taken.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// True if the run is at its end: there is no further step.
    pub ended: bool,
}

/// Answer of a desk.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// Take a step.
    Step,
    /// Nothing for now: ask again. The desk has waited.
    Wait,
    /// Do this, then ask again.
    Act(Act),
    /// The run ends here, as if this had been its end.
    End,
    /// The run cannot go on, for this reason.
    Fail(String),
}

/// Decides about a live run.
pub trait Desk {
    /// Asked before every step, and again after every answer but [`Turn::Step`].
    fn next(&mut self, moment: &Moment) -> Turn;

    /// Called when an act was refused; nothing has changed. Returns the reason why the run cannot continue, if it
    /// cannot.
    fn refused(&mut self, act: &Act, error: &ActError) -> Option<String>;
}

/// Blocks with their names in the diagram.
pub type NamedBlocks = Vec<(String, Arc<dyn ErasedSystem>)>;

/// Makes blocks with other parameters.
pub trait Workshop {
    /// Returns the blocks of `diagram` that have the parameter at `path`, with these numbers, and their names in the
    /// diagram: one for `systems.controller.kp`, any number for a parameter of the file (`parameters.mass`).
    ///
    /// # Errors
    /// Fault of path or numbers, in words.
    fn rebuild(&mut self, diagram: &Diagram, path: &str, values: &[f64]) -> Result<NamedBlocks, String>;

    /// Returns the plant `plant` of `diagram` with `model` in the named state `keyframe` at its start. Changes nothing.
    ///
    /// # Errors
    /// Fault of the names, in words.
    fn at_keyframe(
        &mut self,
        diagram: &Diagram,
        plant: &str,
        model: &str,
        keyframe: &str,
    ) -> Result<Arc<dyn ErasedSystem>, String>;

    /// Restores the parameter that was changed last, whose blocks could not be used.
    fn undo(&mut self);
}

/// Desk and workshop of a live run.
pub struct Hands<'a> {
    /// Decides about acts.
    pub desk: &'a mut dyn Desk,
    /// Makes blocks.
    pub workshop: &'a mut dyn Workshop,
}

/// Reads samples off a diagram that may change.
struct Eyes<'a> {
    channels: Vec<String>,
    sampler: Sampler,
    stops: bool,
    check: Check,
    end: f64,
    observer: &'a mut dyn Observer,
}

impl Eyes<'_> {
    fn new<'a>(simulation: &Simulation, channels: &[Channel], end: f64, observer: &'a mut dyn Observer) -> Eyes<'a> {
        let stops = simulation.plan().non_finite() == NonFinite::Stop;
        let sampler = sampler(simulation.diagram(), channels, stops);
        let channels = channels.iter().map(|channel| channel.name.clone()).collect();
        Eyes { channels, sampler, stops, check: Check::new(simulation.state()), end, observer }
    }

    /// Continues with another diagram and the same channels.
    fn turn_to(&mut self, diagram: &Diagram) {
        let channels: Vec<Channel> =
            self.channels.iter().filter_map(|name| diagram.find_channels(name).ok()?.into_iter().next()).collect();
        self.sampler = sampler(diagram, &channels, self.stops);
        self.observer.changed(diagram);
    }

    /// Adds an output to the samples from now on.
    fn open_for(&mut self, diagram: &Diagram, output: &str) -> Result<(), ActError> {
        let found = diagram.find_channels(output).map_err(Box::new)?;
        let outputs =
            diagram.blocks().iter().flat_map(|block| block.system.ports().outputs().iter().zip(&block.outputs));
        let mut images = outputs.filter(|(port, _)| port.kind == SignalKind::Image);
        if images.any(|(_, range)| found.iter().any(|channel| range.contains(&channel.index))) {
            return Err(ActError::Image { output: output.to_owned() });
        }
        if found.iter().any(|channel| self.channels.contains(&channel.name)) {
            return Err(ActError::Recorded { output: output.to_owned() });
        }
        let mut channels = self.sampler.channels().to_vec();
        self.channels.extend(found.iter().map(|channel| channel.name.clone()));
        channels.extend(found);
        self.sampler = sampler(diagram, &channels, self.stops);
        Ok(())
    }

    /// Ends the journal of a run that `reason` stops.
    fn stopped(&mut self, step: u64, time: f64, reason: String) -> Result<(), ObservedRunError> {
        self.observer.acted(&Acted { step, time, act: Act::Close })?;
        Err(ObservedRunError::Stopped { time, reason })
    }

    fn see(&mut self, state: &State, seen: StepSeen<'_>) -> Result<(), ObservedRunError> {
        let all = self.stops && self.check.is_due(&mut self.sampler, state.time, self.end);
        let mut sample = self.sampler.sample_step(state, seen);
        if self.stops {
            sample.check(all)?;
        }
        if self.observer.wants_samples() {
            self.observer.sample(&mut sample)?;
        }
        Ok(())
    }
}

fn sampler(diagram: &Diagram, channels: &[Channel], stops: bool) -> Sampler {
    if stops { Sampler::watching(diagram, channels) } else { Sampler::new(diagram, channels) }
}

impl Simulation {
    /// Advances to `t` \[s\] like [`advance_observing`](Self::advance_observing), with `hands` on it: its desk is asked
    /// before every step.
    ///
    /// # Errors
    /// Errors of the run and of the observer, to which the end is reported all the same; [`ObservedRunError::Replay`]
    /// where the desk gives up.
    pub fn advance_live(
        &mut self,
        t: f64,
        every: f64,
        channels: &[Channel],
        observer: &mut dyn Observer,
        hands: &mut Hands<'_>,
    ) -> Result<(), ObservedRunError> {
        let run = self.live(t, every, channels, observer, hands);
        self.end_observed(run, observer)
    }

    fn live(
        &mut self,
        t: f64,
        every: f64,
        channels: &[Channel],
        observer: &mut dyn Observer,
        hands: &mut Hands<'_>,
    ) -> Result<(), ObservedRunError> {
        self.begin_observed(t, every, channels, observer)?;
        self.keep_attempts();
        let mut eyes = Eyes::new(self, channels, t, observer);
        let mut session = Session::new(self).map_err(|error| ObservedRunError::Replay(error.to_string()))?;
        session.simulation.start()?;
        let mut sampling =
            Sampling::new(&session.simulation.world, None, every).with_events(session.simulation.samples_events);
        look(&session, &mut eyes)?;
        see_point(&session, &mut sampling, &mut eyes)?;
        let mut step = 0;
        loop {
            let time = session.simulation.time();
            let ended = time >= t || session.simulation.stopped_by().is_some();
            let moment = Moment { step, time, ended };
            match hands.desk.next(&moment) {
                Turn::Act(act) => {
                    let opened = match &act {
                        Act::Record { output } => eyes.open_for(session.simulation.diagram(), output),
                        _ => Ok(()),
                    };
                    match opened.and_then(|()| session.act(&act, hands.workshop)) {
                        Ok(changed) => {
                            if let Act::Record { .. } = act {
                                eyes.observer.widened(session.simulation.diagram(), eyes.sampler.channels())?;
                            }
                            if changed == Changed::Diagram {
                                eyes.turn_to(session.simulation.diagram());
                            }
                            let ends = act == Act::Close;
                            eyes.observer.acted(&Acted { step, time, act })?;
                            if changed == Changed::State {
                                look(&session, &mut eyes)?;
                                see_point(&session, &mut sampling, &mut eyes)?;
                            }
                            if ends {
                                return Ok(());
                            }
                        }
                        Err(error) => {
                            if let Some(reason) = hands.desk.refused(&act, &error) {
                                return Err(ObservedRunError::Replay(reason));
                            }
                        }
                    }
                    // An observer that wants the end does not wait for further acts.
                    match eyes.observer.wants_end() {
                        Some(reason) => return eyes.stopped(step, time, reason),
                        None => continue,
                    }
                }
                Turn::End => return Ok(()),
                Turn::Fail(reason) => return Err(ObservedRunError::Replay(reason)),
                Turn::Wait => {
                    eyes.observer.rests()?;
                    match eyes.observer.wants_end() {
                        Some(_) if moment.ended => return Ok(()),
                        Some(reason) => return eyes.stopped(step, time, reason),
                        None => continue,
                    }
                }
                Turn::Step if moment.ended => {
                    eyes.observer.rests()?;
                    continue;
                }
                Turn::Step => {}
            }
            if let Some(force) = session.pull()? {
                eyes.observer.pulled(&force)?;
            }
            let limit = if session.holds() { t.min(time + PERIOD) } else { t };
            sampling.hold(&session.simulation.world);
            let stepped = session.simulation.step(limit);
            eyes.check.stepped(session.simulation.state());
            eyes.observer.step(&report(session.simulation))?;
            stepped?;
            step += 1;
            if eyes.observer.wants_motion() {
                eyes.observer.motion(&mut sampling.motion(&session.simulation.world))?;
            }
            sampling.read(&session.simulation.world, t, |state, seen| eyes.see(state, seen))?;
            let time = session.simulation.time();
            if time >= t || session.simulation.stopped_by().is_some() {
                look(&session, &mut eyes)?;
                see_point(&session, &mut sampling, &mut eyes)?;
            }
            if let Err(stopped) = wish(eyes.observer, time, t) {
                eyes.observer.acted(&Acted { step, time, act: Act::Close })?;
                return Err(stopped);
            }
        }
    }
}

/// Shows the present state to an observer of the motion.
fn see_point(session: &Session<'_>, sampling: &mut Sampling, eyes: &mut Eyes<'_>) -> Result<(), ObservedRunError> {
    if eyes.observer.wants_motion() {
        eyes.observer.motion(&mut sampling.point(&session.simulation.world))?;
    }
    Ok(())
}

/// Takes a sample of the present state.
fn look(session: &Session<'_>, eyes: &mut Eyes<'_>) -> Result<(), ObservedRunError> {
    let world = &session.simulation.world;
    eyes.check.stepped(&world.state);
    eyes.see(&world.state, world.seen())
}
