//! Parameters of a diagram file in a live run: a change acts as `--set` does, on all blocks that use it.

use kinegraph::files::{Catalog, Override};
use kinegraph::scenario::{LiveWorkshop, Simulator};
use kinegraph::simulate::{
    Act, ActError, Desk, FileSimulator, Hands, Moment, Observer, RequirementReport, RunReport, Status, Turn, Verdict,
};
use kinegraph::view::{Controls, Feed, Line, Stream};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const TOP: &str = r#"
kinegraph: 1
parameters:
  tau: {default: 200 ms, range: [10, 1000], about: time constant of the lag}
  half: "=$tau/2"
  goal: 1
  mass: {default: 2 kg, range: [0.1, 50]}
  end: 2
systems:
  goal: {type: constant, value: $goal}
  lag: {type: first_order_lag, time_constant: $tau}
  inner: {type: diagram, file: inner.yaml, set: {tau: $half}}
  row: {type: diagram, file: inner.yaml, repeat: 2, set: {tau: "=$tau*(1+$index)"}}
  plant: {type: multibody_plant, models: [{name: cart, file: cart.urdf, base: fixed, actuated: all, links: {box: {mass: $mass}}}]}
  rest: {type: constant, value: [0.5, 0]}
  hold: {type: inverse_dynamics_controller, plant_model: {of: plant.cart}, kp: 40, kd: 4}
connections:
  - goal.output -> lag.input
  - lag.output -> inner.in
  - lag.output -> row[0].in
  - lag.output -> row[1].in
  - plant.cart.state -> hold.estimated_state
  - rest.output -> hold.desired_state
  - hold.generalized_force -> plant.cart.actuation
simulation: {duration: $end, accuracy: 1.0e-6}
record: {every: 0.1, channels: [lag.output, inner.out, "row[0].out", "row[1].out", plant.state]}
requirements:
  low: {channel: lag.output, max: 1.5}
  reached: {channel: inner.out, reaches: 0.9, before: 1.9 s}
"#;

const INNER: &str = "\
kinegraph: 1
parameters: {tau: 1 s}
systems: {lag: {type: first_order_lag, time_constant: $tau}}
exports: {inputs: {in: lag.input}, outputs: {out: lag.output}}
";

const CART: &str = "<robot name='cart'><link name='rail'/><link name='box'><inertial><mass value='1'/>\
<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='slide' type='prismatic'>\
<parent link='rail'/><child link='box'/><axis xyz='0 0 1'/><limit lower='-9' upper='9' effort='1e4' velocity='9'/></joint></robot>";

/// The files are written once, since tests run side by side.
static FILE: LazyLock<PathBuf> = LazyLock::new(file);

fn file() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live_parameters");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in [("top.yaml", TOP), ("inner.yaml", INNER), ("cart.urdf", CART)] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    folder.join("top.yaml")
}

/// Performs each act at its time, and ends.
struct Script(Vec<(f64, Act)>, Vec<String>);

impl Desk for Script {
    fn next(&mut self, moment: &Moment) -> Turn {
        match self.0.first() {
            Some((time, _)) if *time <= moment.time => Turn::Act(self.0.remove(0).1),
            _ if moment.ended => Turn::Act(Act::Close),
            _ => Turn::Step,
        }
    }
    fn refused(&mut self, _: &Act, error: &ActError) -> Option<String> {
        self.1.push(error.to_string());
        None
    }
}

fn tune(name: &str, value: f64) -> Act {
    Act::Tune { path: format!("parameters.{name}"), values: vec![value] }
}

/// A live run with these values of `--set` and these acts; its lines, and what was refused.
fn live(set: &[&str], acts: Vec<(f64, Act)>) -> (RunReport, Vec<Line>, Vec<String>) {
    let set = set.iter().map(|text| Override::set(text).expect("an assignment")).collect();
    let mut workshop = LiveWorkshop::new(&Catalog::standard(), &*FILE, None, set);
    let loaded = workshop.load().unwrap_or_else(|error| panic!("{error}"));
    let built = FileSimulator.build(&loaded.diagram, &loaded.loader).unwrap_or_else(|faults| panic!("{faults}"));
    let feed = Feed::default();
    let requirements = built.size().requirements;
    let stream = Stream::live(feed.clone(), None, Controls::default()).with_requirements(requirements);
    let mut observers: Vec<Box<dyn Observer>> = vec![Box::new(stream)];
    let mut desk = Script(acts, Vec::new());
    let report = built.run_live(&mut observers, &mut Hands { desk: &mut desk, workshop: &mut workshop });
    let lines = feed.lines().iter().map(|line| serde_json::from_slice(line).expect("a line")).collect();
    (report, lines, desk.1)
}

/// Whatever uses the parameter, itself, by a formula, in nested and repeated files, in a model, or beside a plant: the
/// run is that with `--set`, to the last bit. A bare number is in the unit of the parameter.
#[test]
fn a_change_at_the_start_is_the_same_as_set() {
    for (name, value) in [("tau", 350.0), ("goal", 2.0), ("mass", 7.0)] {
        let (given, ..) = live(&[&format!("parameters.{name}={value}")], Vec::new());
        let (tuned, _, refused) = live(&[], vec![(0.0, tune(name, value))]);
        let (plain, ..) = live(&[], Vec::new());
        assert_eq!((&given.status, &tuned.status, refused.as_slice()), (&Status::Done, &Status::Done, &[][..]));
        assert_eq!(given.final_state, tuned.final_state, "{name}");
        assert_ne!(plain.final_state, tuned.final_state, "{name}");
    }
}

/// A value out of its range and a name that is none are refused; the value before holds.
#[test]
fn what_the_file_cannot_have_is_refused() {
    let acts = vec![(0.5, tune("tau", 5.0)), (0.5, tune("tua", 5.0)), (0.5, tune("half", f64::NAN))];
    let (run, _, refused) = live(&[], acts);
    assert_eq!(refused.len(), 3, "{refused:?}");
    assert!(refused[0].contains("0.01 to 1 s (the `range` of `tau`)"), "{}", refused[0]);
    assert!(refused[1].contains("tua"), "{}", refused[1]);
    assert_eq!(run.final_state, live(&[], Vec::new()).0.final_state);
}

/// A parameter that no block uses acts at the next start: the run goes on as it was.
#[test]
fn a_duration_acts_at_the_next_start() {
    let (run, _, refused) = live(&[], vec![(0.5, tune("end", 1.95))]);
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(run.sim_time, 2.0);
}

/// The page of a live run shows how the requirements stand, while the run goes on and at its end.
#[test]
fn a_live_run_is_judged_for_the_page() {
    let judged = |acts| -> Vec<RequirementReport> {
        let (run, lines, _) = live(&[], acts);
        // The run itself is the work of hands.
        assert!(run.requirements.is_empty());
        let Some(Line::Begin(begin)) = lines.first() else { panic!("no begin") };
        assert_eq!(begin.requirements[0].asks, "at most 1.5");
        assert_eq!(begin.requirements[1].asks, "reaches 0.9, before 1.9 s");
        let last = lines.iter().rev().find_map(|line| match line {
            Line::Judged(judged) => Some(judged.requirements.clone()),
            _ => None,
        });
        last.expect("verdicts")
    };
    let plain = judged(Vec::new());
    assert_eq!(plain.iter().map(|one| one.verdict).collect::<Vec<_>>(), [Verdict::Met, Verdict::Met]);
    // From 1 s on the lag goes from x to 4: at 1.5 at t = 1 + tau log((4 - x) / 2.5).
    let tuned = judged(vec![(1.0, tune("goal", 4.0))]);
    assert_eq!(tuned[0].verdict, Verdict::Violated);
    let found = tuned[0].violated_at.expect("a time");
    let from = (1.0..1.0 + 1.0 / 30.0).contains(&(found - 0.2 * ((4.0 - 0.9933) / 2.5_f64).ln()));
    assert!(from, "{found}");
}
