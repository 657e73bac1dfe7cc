//! Makes the comparison runs one after the other, and finds the verdict.

use super::beside::{Beside, Ended, Readings, most_steps, other_families, run, tighter};
use super::measure::Measure;
use super::parting::{Parting, what_happened};
use super::readings::Rows;
use super::sensitivity::disturbed;
use super::verification::{ChannelDifference, Verdict, Verification};
use kinegraph_engine::integrators::Options;
use kinegraph_engine::simulate::sample_times::SampleTimes;
use kinegraph_engine::simulate::{Simulation, SimulationError, Status};
use kinegraph_scenario::Scenario;

/// Default bound on the differences, in accuracies.
pub const DEFAULT_WITHIN: f64 = 20.0;
/// Factor of the accuracy of a tighter run.
const TIGHTER: f64 = 0.1;
/// Factor of the step of a tighter run, for methods with fixed steps.
const SHORTER: f64 = 0.5;
/// How often a run of another family is tightened, and the part of its difference that may remain each time.
const TIGHTENINGS: usize = 3;
const NEARER: f64 = 0.7;
/// A motion is undetermined from the parting on, if by then a small distance has grown to this part of the bound.
const GROWTH_FRACTION: f64 = 0.1;

/// Verifies a run.
pub struct Verifier<'a> {
    /// The scenario that was run.
    pub scenario: &'a Scenario,
    /// Starts a simulation with these options from the initial state of the run.
    pub begin: &'a dyn Fn(Options) -> Result<Simulation, String>,
    /// Bound on the differences, in accuracies.
    pub within: f64,
    /// Called after every step; returns a reason if the verification is to end.
    pub interrupt: &'a dyn Fn() -> Option<String>,
}

/// Runs `scenario` and verifies the run: every recorded channel may differ by up to `within` accuracies.
///
/// # Errors
/// An integrator that does not suit the diagram. A run that fails later is `unverified`.
pub fn verify(scenario: &Scenario, within: f64) -> Result<Verification, SimulationError> {
    scenario.simulation()?;
    let begin = |options| Simulation::new(&scenario.diagram, options).map_err(|error| error.to_string());
    let verifier = Verifier { scenario, begin: &begin, within, interrupt: &|| None };
    Ok(verifier.verify(&Status::Done))
}

/// Times \[s\] that a run records: every multiple of `every`, and the end.
fn recorded_times(start: f64, every: f64, end: f64) -> Vec<f64> {
    let all = SampleTimes::new(start, every);
    let mut times: Vec<f64> =
        (0..).map(|k| all.at(k)).take_while(|time| *time < end - 1e-9 * (1.0 + end.abs())).collect();
    times.push(end);
    times
}

/// Comparison of the run with all comparison runs.
struct Judged {
    /// Largest difference of each channel, and its time.
    channels: Vec<(f64, f64)>,
    runs: Vec<Beside>,
    /// First recorded time with a difference beyond the bound, with its channel and run.
    parted: Option<(usize, usize, &'static str)>,
}

impl Verifier<'_> {
    /// Verifies the run of the scenario that ended with `status`: repeats it and compares it with others.
    pub fn verify(&self, status: &Status) -> Verification {
        let options = &self.scenario.options;
        let none = |reason: String| Verification::none(self.within, options.accuracy, reason);
        if !status.is_done() {
            return none(format!("the run itself: {status}"));
        }
        if self.scenario.channels.is_empty() {
            return none("nothing is recorded".to_owned());
        }
        let Some(tight) = tighter(options, TIGHTER, SHORTER) else {
            return none(format!("no run is tighter than one at accuracy {}", options.accuracy));
        };
        let measure = Measure::new(&self.scenario.diagram, &self.scenario.channels, &options.error_weights);
        let times = match (self.begin)(*options) {
            Ok(simulation) => recorded_times(simulation.time(), self.scenario.every, self.scenario.duration),
            Err(reason) => return none(reason),
        };
        let mut runs = Runs { verifier: self, measure, times, own: Rows::default(), scales: Vec::new() };
        let own = runs.run(*options, None);
        match &own.ended {
            Ended::Done => {}
            Ended::Interrupted(why) => return none(format!("interrupted: {why}")),
            Ended::Failed(why) => return none(format!("the run itself: {why}")),
        }
        runs.own = own.rows().clone();
        runs.scales = runs.measure.scales(&runs.own);
        let first = runs.run(tight, None);
        let mut all = vec![(tight, first)];
        let steps = all[0].1.steps;
        for other in other_families(options, &self.scenario.diagram, all[0].1.contacts) {
            if matches!(all[all.len() - 1].1.ended, Ended::Interrupted(_)) {
                break;
            }
            let beside = runs.run(other, Some(most_steps(steps, self.scenario.diagram.state_width())));
            let is_done = beside.ended == Ended::Done;
            all.push(runs.tightened(other, beside, steps));
            if is_done {
                break;
            }
        }
        self.verdict(&runs, &all)
    }

    fn verdict(&self, runs: &Runs<'_>, all: &[(Options, Readings)]) -> Verification {
        let judged = runs.judge(all, f64::INFINITY);
        let (tight, first) = &all[0];
        let mut from = None;
        let mut reason = None;
        if let Some((k, _, _)) = judged.parted {
            match runs.undetermined(tight, first, k) {
                Some(Prediction::Impossible(time)) => {
                    from = Some(time);
                    reason = Some(
                        "there two tighter runs are as far apart in accuracies of their own, and so is one from a \
                         start that differs by less than the accuracy: the motion makes small errors large, and a \
                         smaller accuracy predicts it for longer"
                            .to_owned(),
                    );
                }
                Some(Prediction::NotConverging) => {
                    reason = Some(
                        "two tighter runs part from each other as well, though one from a start that differs by less \
                         than the accuracy stays near: what is recorded does not converge (friction at rest leaves its \
                         forces open)"
                            .to_owned(),
                    );
                }
                None => {}
            }
        }
        let judged = from.map_or(judged, |from| runs.judge(all, from));
        if from.is_some() && judged.parted.is_some() {
            reason = Some("the motion makes small errors large later, but this comes earlier".to_owned());
        }
        let names = self.scenario.channels.iter().map(|channel| channel.name.clone());
        let channels = names.zip(&judged.channels);
        let channels: Vec<ChannelDifference> =
            channels.map(|(channel, &(accuracies, time))| ChannelDifference { channel, accuracies, time }).collect();
        let none = ChannelDifference { channel: String::new(), accuracies: 0.0, time: 0.0 };
        let larger = |a, b: &ChannelDifference| if b.accuracies > a { b.accuracies } else { a };
        let size = channels.iter().fold(0.0, larger);
        let largest = channels.iter().find(|one| size > 0.0 && one.accuracies == size).unwrap_or(&none);
        let verdict = match (judged.parted, &first.ended) {
            (Some(_), _) => Verdict::Differs,
            (None, _) if from.is_some() => Verdict::Undetermined,
            (None, Ended::Done) => Verdict::Verified,
            (None, Ended::Interrupted(why)) => {
                reason = Some(format!("interrupted: {why}"));
                Verdict::Unverified
            }
            (None, Ended::Failed(why)) => {
                reason = Some(format!("the tighter run: {why}"));
                Verdict::Unverified
            }
        };
        let parted = judged.parted.map(|(k, channel, integrator)| runs.parting(k, channel, integrator));
        Verification {
            verdict,
            accuracies: largest.accuracies,
            channel: largest.channel.clone(),
            time: largest.time,
            within: self.within,
            accuracy: self.scenario.options.accuracy,
            reason,
            parted,
            undetermined_from: from,
            runs: judged.runs,
            channels,
        }
    }
}

/// Predictability of a motion whose runs part.
enum Prediction {
    /// Impossible from this time on \[s\].
    Impossible(f64),
    /// Possible, but the tighter runs part.
    NotConverging,
}

/// Data common to all comparison runs of one run.
struct Runs<'a> {
    verifier: &'a Verifier<'a>,
    measure: Measure,
    /// The recorded times \[s\].
    times: Vec<f64>,
    /// Values of the verified run, and the sizes of channels that count as one.
    own: Rows,
    scales: Vec<f64>,
}

impl Runs<'_> {
    fn accuracy(&self) -> f64 {
        self.verifier.scenario.options.accuracy
    }

    /// Time \[s\] by which a jump may be early or late: as many accuracies as a channel may differ by.
    fn shift(&self) -> f64 {
        self.verifier.within * self.accuracy()
    }

    fn run(&self, options: Options, most: Option<usize>) -> Readings {
        self.go(self.start(options), most)
    }

    fn start(&self, options: Options) -> Result<Simulation, String> {
        (self.verifier.begin)(options)
    }

    fn go(&self, simulation: Result<Simulation, String>, most: Option<usize>) -> Readings {
        let channels = &self.verifier.scenario.channels;
        run(simulation, channels, &self.times, self.shift(), most, self.verifier.interrupt)
    }

    /// Tightens the run of another family as long as that brings it nearer to the verified run, so that its own error
    /// does not count.
    fn tightened(&self, options: Options, beside: Readings, steps: usize) -> (Options, Readings) {
        let (mut best, mut size) = ((options, beside), 0.0);
        if best.1.ended == Ended::Done {
            size = self.largest(&best.1);
        }
        for _ in 0..TIGHTENINGS {
            let Some(tighter) = tighter(&best.0, TIGHTER, SHORTER).filter(|_| size > self.verifier.within) else {
                break;
            };
            let most = most_steps(4 * steps, self.verifier.scenario.diagram.state_width());
            let beside = self.run(tighter, Some(most));
            let nearer = self.largest(&beside);
            if beside.ended != Ended::Done || nearer > NEARER * size {
                break;
            }
            (best, size) = ((tighter, beside), nearer);
        }
        best
    }

    /// Largest difference from the verified run, in accuracies.
    fn largest(&self, beside: &Readings) -> f64 {
        self.between(&self.own, beside)
    }

    /// Largest difference of two runs, in accuracies.
    fn between(&self, one: &Rows, other: &Readings) -> f64 {
        let at = |k: usize| other.differences(k, one.row(k), &self.measure, &self.scales, self.accuracy());
        (0..other.len().min(one.len())).flat_map(at).fold(0.0, f64::max)
    }

    /// Differences of all runs from the verified run, before the time `until` \[s\].
    fn judge(&self, all: &[(Options, Readings)], until: f64) -> Judged {
        let start = self.times[0];
        let width = self.verifier.scenario.channels.len();
        let mut judged = Judged { channels: vec![(0.0, start); width], runs: Vec::new(), parted: None };
        for (options, beside) in all {
            let mut largest = (0.0, 0, start);
            for k in (0..beside.len()).take_while(|&k| self.times[k] < until) {
                let time = self.times[k];
                let one = self.own.row(k);
                let differences = beside.differences(k, one, &self.measure, &self.scales, self.accuracy());
                for (i, difference) in differences.enumerate() {
                    if difference > judged.channels[i].0 {
                        judged.channels[i] = (difference, time);
                    }
                    if difference > largest.0 {
                        largest = (difference, i, time);
                    }
                    let is_first = judged.parted.is_none_or(|(first, _, _)| k < first);
                    if difference > self.verifier.within && is_first {
                        judged.parted = Some((k, i, options.integrator.name));
                    }
                }
            }
            let (accuracies, i, time) = largest;
            let is_controlled = options.error_controlled();
            judged.runs.push(Beside {
                integrator: options.integrator.name,
                accuracy: is_controlled.then_some(options.accuracy),
                step: options.step.filter(|_| !is_controlled),
                accuracies,
                channel: match accuracies > 0.0 {
                    true => self.verifier.scenario.channels[i].name.clone(),
                    false => String::new(),
                },
                time,
                status: match &beside.ended {
                    Ended::Done => "done".to_owned(),
                    Ended::Interrupted(why) => format!("interrupted: {why}"),
                    Ended::Failed(why) => why.clone(),
                },
            });
        }
        judged
    }

    /// Predictability of the motion from the parting at recorded time `k`. `None` if two tighter runs, of which `first`
    /// has the options `tight`, stay together or converge, or if no run is tighter than `first`.
    fn undetermined(&self, tight: &Options, first: &Readings, k: usize) -> Option<Prediction> {
        let tightest = tighter(tight, TIGHTER, SHORTER)?;
        let second =
            self.run(tightest, Some(most_steps(10 * first.steps, self.verifier.scenario.diagram.state_width())));
        // In accuracies of the tighter run.
        let part = if tight.error_controlled() { TIGHTER } else { SHORTER };
        let own = part * self.verifier.within;
        self.first_apart(first, &second, own)?;
        let start = self.start(*tight).and_then(|simulation| disturbed(simulation, part * self.accuracy()));
        let third = self.go(start, None);
        // A small distance grows as an error of one accuracy may not.
        let Some(late) = self.first_apart(first, &third, own) else {
            let (before, now) = (self.between(&self.own, first), self.between(first.rows(), &second));
            return (now > NEARER * before).then_some(Prediction::NotConverging);
        };
        // Errors of steps are larger than it was, or smaller, by some factor.
        let is_grown = self.first_apart(first, &third, GROWTH_FRACTION * own).is_some_and(|early| early <= k);
        let from = if is_grown { k } else { late.max(k) };
        Some(Prediction::Impossible(self.times[from]))
    }

    /// First recorded time at which two comparison runs differ by more than `within` accuracies.
    fn first_apart(&self, one: &Readings, other: &Readings, within: f64) -> Option<usize> {
        let mut times = 0..one.len().min(other.len());
        times.find(|&k| {
            let mut differences = other.differences(k, one.rows().row(k), &self.measure, &self.scales, self.accuracy());
            differences.any(|difference| difference > within)
        })
    }

    /// Parting of the run from another at recorded time `k`, with the rules and switches shortly before.
    fn parting(&self, k: usize, channel: usize, integrator: &'static str) -> Parting {
        let time = self.times[k];
        let before = k.checked_sub(1).map_or(time, |k| self.times[k]);
        let again = self.start(self.verifier.scenario.options);
        let (rules, switching) = again.map_or_else(|_| Default::default(), |run| what_happened(run, before, time));
        let channel = self.verifier.scenario.channels[channel].name.clone();
        Parting { time, channel, integrator, rules, switching }
    }
}
