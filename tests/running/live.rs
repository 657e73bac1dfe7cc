//! Changes to a live run act between steps, and its journal repeats the session, bit for bit.

use crate::command::kinegraph;
use kinegraph::files::Catalog;
use kinegraph::record::mcap::{self, McapSink, Recording};
use kinegraph::scenario::{LiveParameter, LiveWorkshop, Simulator};
use kinegraph::simulate::Scenario;
use kinegraph::simulate::{
    Act, ActError, Acted, Desk, FileSimulator, HandForce, Hands, Moment, Observer, RunReport, Status, Turn, Workshop,
};
use kinegraph::view::{Controls, Feed, Stream};
use std::path::{Path, PathBuf};

const SCENE: &str = "examples/hands/hands.yaml";

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

/// Performs each act at its time, and ends.
struct Script {
    acts: Vec<(f64, Act)>,
    refused: Vec<String>,
    end: f64,
}

impl Script {
    fn new(acts: Vec<(f64, Act)>, end: f64) -> Self {
        let mut acts = acts;
        acts.insert(0, (0.0, Act::Open { file: SCENE.into(), set: Vec::new() }));
        Script { acts, refused: Vec::new(), end }
    }
}

impl Desk for Script {
    fn next(&mut self, moment: &Moment) -> Turn {
        match self.acts.first() {
            Some((time, _)) if *time <= moment.time => Turn::Act(self.acts.remove(0).1),
            _ if moment.time >= self.end => Turn::Act(Act::Close),
            _ => Turn::Step,
        }
    }
    fn refused(&mut self, _: &Act, error: &ActError) -> Option<String> {
        self.refused.push(error.to_string());
        None
    }
}

/// Records the hand.
struct Seen(std::rc::Rc<std::cell::RefCell<Vec<HandForce>>>);

impl Observer for Seen {
    fn pulled(&mut self, hand: &HandForce) -> std::io::Result<()> {
        self.0.borrow_mut().push(*hand);
        Ok(())
    }
}

fn session(file: &str, script: &mut Script, record: Option<&Path>) -> (RunReport, Vec<HandForce>) {
    let mut workshop = LiveWorkshop::new(&Catalog::standard(), file, None, Vec::new());
    let loaded = workshop.load().unwrap();
    let built = FileSimulator.build(&loaded.diagram, &loaded.loader).unwrap_or_else(|faults| panic!("{faults}"));
    let seen = std::rc::Rc::default();
    let mut observers: Vec<Box<dyn Observer>> = vec![Box::new(Seen(std::rc::Rc::clone(&seen)))];
    // The page looks on, too.
    observers.push(Box::new(Stream::live(Feed::default(), None, Controls::default())));
    observers.extend(record.map(|file| Box::new(McapSink::create(file, None).unwrap()) as Box<dyn Observer>));
    let report = built.run_live(&mut observers, &mut Hands { desk: script, workshop: &mut workshop });
    drop(observers);
    (report, seen.take())
}

fn grab(body: &str, point: [f64; 3], target: [f64; 3]) -> Act {
    Act::Grab { plant: "plant".into(), body: body.into(), point, target }
}

fn tune(path: &str, values: &[f64]) -> Act {
    Act::Tune { path: path.into(), values: values.to_vec() }
}

/// Every kind of act, some of which are refused.
fn acts() -> Vec<(f64, Act)> {
    let place = |joint: &str, value| Act::Place { channel: format!("plant.arm.{joint}.q"), value };
    vec![
        (0.0, place("shoulder", -0.9)),
        (0.1, grab("left/box", [0.1, 0.0, 0.1], [0.5, 0.5, 0.4])),
        (0.15, Act::Drag { target: [0.3, 0.4, 0.7] }),
        (0.2, tune("systems.controller.kp", &[25.0])),
        (0.25, tune("systems.plant.nothing", &[25.0])),
        (0.3, tune("systems.goal.value", &[-0.2, 0.8, 0.0, 0.0])),
        (0.3, Act::Drag { target: [0.2, 0.2, 0.5] }),
        (0.4, Act::Release),
        (0.45, tune("systems.controller.ki", &[0.0])),
        (0.5, grab("arm/lower", [0.3, 0.0, 0.0], [0.5, 0.3, 0.6])),
        (0.6, Act::Feed { input: "plant.arm.applied_generalized_force".into(), values: vec![1.0, -0.5] }),
        (0.7, Act::Release),
        (0.75, place("elbow", 0.3)),
    ]
}

fn same(a: &Recording, b: &Recording) {
    assert_eq!(a.times.len(), b.times.len());
    assert!(a.times.len() > 20);
    assert_eq!(a.times, b.times);
    assert_eq!(a.values, b.values);
    assert_eq!(a.poses, b.poses);
    assert_eq!(a.contacts, b.contacts);
    assert_eq!(a.steps, b.steps);
    assert_eq!(a.journal, b.journal);
    assert_eq!(a.end, b.end);
}

#[test]
fn a_session_is_given_again_by_its_journal_bit_for_bit() {
    let (first, again) = (scratch("session.mcap"), scratch("again.mcap"));
    let mut script = Script::new(acts(), 1.0);
    let (report, hands) = session(SCENE, &mut script, Some(&first));
    assert!(report.status.is_done(), "{}", report.status);
    assert_eq!(script.refused.len(), 1, "{:?}", script.refused);
    assert!(script.refused[0].contains("systems.plant.nothing"), "{:?}", script.refused);
    assert!(hands.len() > 40, "{}", hands.len());
    let (first, again) = (first.to_str().unwrap(), again.to_str().unwrap());
    let (code, _, said) = kinegraph(&["run", "--replay", first, "--record", again, "--quiet"]);
    assert_eq!(code, 0, "{said}");
    let (first, again) = (mcap::read(Path::new(first)).unwrap(), mcap::read(Path::new(again)).unwrap());
    same(&first, &again);
    // All that was done is in the journal, refused acts are not.
    assert_eq!(first.journal.len(), acts().len() - 1 + 2);
    assert!(first.steps.iter().all(|attempt| attempt.h <= 1.0 / 30.0 + 1e-12));
    // Counts are those of the whole session, whatever was changed in it.
    let accepted = first.steps.iter().filter(|attempt| attempt.outcome == "accepted").count() as u64;
    let all = (report.statistics.steps, report.statistics.steps + report.statistics.rejected_steps);
    assert_eq!(all, (accepted, first.steps.len() as u64));
}

/// A replay in another diagram fails with a message.
#[test]
fn a_session_of_a_changed_diagram_is_not_given_again() {
    let file = scratch("changed.mcap");
    session(SCENE, &mut Script::new(acts(), 1.0), Some(&file));
    let file = file.to_str().unwrap();
    let set = "systems.plant.models.left.pose.xyz=[0.45, 0.5, 0.12]";
    let (code, _, said) = kinegraph(&["run", "--replay", file, "--quiet", "--set", set]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("it went differently"), "{said}");
    let (code, _, said) = kinegraph(&["run", "--replay", "README.md"]);
    assert_eq!(code, 2, "{said}");
}

/// A received journal names files: they are opened only in the folder of the recording, in the working directory, or on
/// request.
#[test]
fn a_received_journal_opens_nothing_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let (inside, outside) = (folder.path().join("inside"), folder.path().join("outside"));
    [&inside, &outside].iter().for_each(|folder| std::fs::create_dir_all(folder).unwrap());
    let secret = outside.join("secret.urdf");
    let ball = include_str!("../data/energy/ball.urdf");
    for file in [&secret, &inside.join("own.urdf"), &outside.join("own.urdf")] {
        std::fs::write(file, ball).unwrap();
    }
    let text = "kinegraph: 1\nsystems:\n  t: {type: multibody_plant, models: [{name: b, file: own.urdf, base: \
                floating}]}\nsimulation: {duration: 1}\nrecord: {every: 0.5}\n";
    for folder in [&inside, &outside] {
        std::fs::write(folder.join("scene.yaml"), text).unwrap();
    }
    let journal = |name: &str, diagram: &Path, set: &[String]| {
        let (file, set) = (diagram.display().to_string(), set.to_vec());
        let mut script = Script { acts: vec![(0.0, Act::Open { file, set })], ..Script::new(Vec::new(), 1.0) };
        let recorded = inside.join(name);
        session(inside.join("scene.yaml").to_str().unwrap(), &mut script, Some(&recorded));
        recorded
    };
    let run = |recording: &Path, more: &[&str]| {
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_kinegraph"))
            .args([&["run", "--replay", recording.to_str().unwrap()], more].concat())
            .current_dir(&inside)
            .output()
            .unwrap();
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (code, said) = run(&journal("own.mcap", &inside.join("scene.yaml"), &[]), &[]);
    assert!(code == Some(0) && said.contains("which is read"), "{said}");
    // The diagram elsewhere; a file elsewhere, in the place of its own; a folder that would allow that.
    let elsewhere = journal("elsewhere.mcap", &outside.join("scene.yaml"), &[]);
    let (code, said) = run(&elsewhere, &[]);
    assert!(code == Some(2) && said.contains("neither in its folder nor where you are"), "{said}");
    let set = format!("systems.t.models.b.file={}", secret.display());
    let leads_out = journal("leads-out.mcap", &inside.join("scene.yaml"), std::slice::from_ref(&set));
    let (code, said) = run(&leads_out, &[]);
    assert!(code == Some(2) && said.contains("secret.urdf"), "{said}");
    let (code, said) = run(&leads_out, &["--allow-outside"]);
    assert_eq!(code, Some(0), "{said}");
    let allows = format!("systems.t.model_paths=[{}]", outside.display());
    let (code, said) = run(&journal("allows.mcap", &inside.join("scene.yaml"), &[allows]), &[]);
    assert!(code == Some(2) && said.contains("names folders that files are read from"), "{said}");
    // Whoever runs the program may name what they like.
    let own = inside.join("own.mcap");
    let (code, said) = run(&own, &["--set", &set]);
    assert_eq!(code, Some(0), "{said}");
}

/// Without acts, the run is that without interaction, if no step is longer than those of live runs.
#[test]
fn a_desk_that_does_nothing_changes_nothing() {
    let mut script = Script { acts: Vec::new(), refused: Vec::new(), end: 1.0 };
    let (report, hands) = session(SCENE, &mut script, None);
    let mut scenario = Scenario::open(SCENE).unwrap();
    scenario.options.max_step = 1.0 / 30.0;
    let mut simulation = scenario.simulation().unwrap();
    while simulation.time() < 1.0 {
        simulation.step(60.0).unwrap();
    }
    assert!(hands.is_empty());
    assert_eq!(report.sim_time.to_bits(), simulation.time().to_bits());
    let energy = report.energy_end.unwrap();
    assert_eq!(energy.to_bits(), simulation.energy().unwrap().to_bits());
}

/// At the end the hand carries the box, with its weight as force. The point hangs m g / k below the hand, where k = m'
/// ω² and m' is half the mass m: at the chosen distance from the centre, rotation and translation contribute equally to
/// the mobility.
#[test]
fn a_box_hangs_below_the_hand() {
    let target = [0.45, 0.5, 0.8];
    let mut script = Script::new(vec![(0.0, grab("left/box", [0.0, 0.0, 0.1], target))], 4.0);
    let (report, hands) = session(SCENE, &mut script, None);
    assert!(report.status.is_done(), "{}", report.status);
    let last = hands.last().unwrap();
    assert!((last.force[2] - 9.81).abs() < 0.05, "{:?}", last.force);
    assert!(last.force[0].abs() < 0.05 && last.force[1].abs() < 0.05, "{:?}", last.force);
    assert!((target[2] - last.point[2] - 2.0 * 9.81 / 625.0).abs() < 1e-3, "{:?}", last.point);
}

/// Bodies of any mass follow alike: the stiffness of the spring is proportional to the mass that it pulls.
#[test]
fn whatever_is_pulled_is_refused_or_follows() {
    for (body, why) in [("world", "nothing can move it"), ("left/bx", "left/box"), ("arm/base", "nothing can move it")]
    {
        let mut script = Script::new(vec![(0.0, grab(body, [0.0; 3], [0.0; 3]))], 0.1);
        session(SCENE, &mut script, None);
        assert!(script.refused[0].contains(why), "{:?}", script.refused);
    }
    let not_finite = grab("left/box", [f64::NAN; 3], [0.0; 3]);
    let mut script = Script::new(vec![(0.0, not_finite)], 0.1);
    session(SCENE, &mut script, None);
    assert_eq!(script.refused.len(), 1);
}

/// Numbers in acts have the ranges of files.
#[test]
fn numbers_that_no_file_could_have_are_refused() {
    let place = |channel: &str, value| Act::Place { channel: channel.into(), value };
    let acts = vec![
        (0.0, place("plant.arm.shoulder.q", 1e16)),
        (0.0, place("plant.arm.shoulder.q", f64::INFINITY)),
        (0.0, grab("left/box", [1e13, 0.0, 0.0], [0.0; 3])),
        (0.0, Act::Drag { target: [0.0, 1e300, 0.0] }),
        (0.0, Act::Feed { input: "plant.arm.applied_generalized_force".into(), values: vec![1e200, 0.0] }),
        (0.0, Act::Operate { block: "stick".into(), values: vec![1.5] }),
        (0.0, tune("systems.controller.kp", &[1e300])),
    ];
    let mut script = Script::new(acts, 0.1);
    let (report, _) = session(SCENE, &mut script, None);
    assert!(report.status.is_done(), "{}", report.status);
    let expected = [
        "at most 1e15 rad",
        "not finite",
        "at most 1e12 m",
        "at most 1e12 m",
        "at most 1e100",
        "from -1 to 1, found 1.5",
        "at most",
    ];
    assert_eq!(script.refused.len(), expected.len(), "{:?}", script.refused);
    for (refused, expected) in script.refused.iter().zip(expected) {
        assert!(refused.contains(expected), "{refused}");
    }
}

/// A parameter has one value in the session; a failed change leaves the value before.
#[test]
fn a_parameter_has_one_value_and_its_last_one_back() {
    let mut workshop = LiveWorkshop::new(&Catalog::standard(), SCENE, None, Vec::new());
    let loaded = workshop.load().unwrap();
    let diagram = FileSimulator.build(&loaded.diagram, &loaded.loader).map(drop);
    diagram.unwrap_or_else(|faults| panic!("{faults}"));
    let diagram = Scenario::build(&loaded.diagram, &loaded.loader).expect("a scenario").diagram;
    let value = |workshop: &LiveWorkshop| {
        let parameters = LiveParameter::of(&workshop.load().unwrap());
        parameters.into_iter().find(|one| one.path == "systems.controller.kp").expect("a gain").values
    };
    for kp in [10.0, 20.0, 30.0] {
        workshop.rebuild(&diagram, "systems.controller.kp", &[kp]).unwrap();
        assert_eq!(value(&workshop), [kp]);
    }
    workshop.undo();
    assert_eq!(value(&workshop), [20.0]);
    assert!(workshop.rebuild(&diagram, "systems.controller.kp", &[f64::NAN]).is_err());
    assert_eq!(value(&workshop), [20.0]);
    workshop.rebuild(&diagram, "systems.controller.ki", &[1.0]).unwrap();
    workshop.undo();
    assert_eq!(value(&workshop), [20.0]);
}

/// A request to end is honoured between two acts, even if many wait.
#[test]
fn an_end_is_heard_before_all_is_worked_off() {
    struct Busy(usize);
    impl Desk for Busy {
        fn next(&mut self, _: &Moment) -> Turn {
            self.0 += 1;
            assert!(self.0 < 100, "nobody hears the end");
            Turn::Act(Act::Drag { target: [0.0; 3] })
        }
        fn refused(&mut self, _: &Act, _: &ActError) -> Option<String> {
            None
        }
    }
    struct Leaves(usize);
    impl Observer for Leaves {
        fn acted(&mut self, _: &Acted) -> std::io::Result<()> {
            self.0 += 1;
            Ok(())
        }
        fn wants_end(&self) -> Option<String> {
            (self.0 == 3).then(|| "a signal".into())
        }
    }
    let mut workshop = LiveWorkshop::new(&Catalog::standard(), SCENE, None, Vec::new());
    let loaded = workshop.load().unwrap();
    let built = FileSimulator.build(&loaded.diagram, &loaded.loader).unwrap_or_else(|faults| panic!("{faults}"));
    let mut desk = Busy(0);
    let report = built.run_live(&mut Leaves(0), &mut Hands { desk: &mut desk, workshop: &mut workshop });
    assert!(matches!(report.status, Status::Interrupted(_)), "{}", report.status);
    assert_eq!(desk.0, 3);
}

/// A pole with a motor that a stick drives, its file with a keyframe, and a crate that slides.
const STICK: &str = r#"
kinegraph: 1
systems:
  plant:
    type: multibody_plant
    ground: {height: 0}
    contact: {static_friction: 0.5}
    models:
      - {name: pole, file: pole.xml, actuated: all}
      - {name: crate, file: crate.urdf, base: floating, pose: {xyz: [0, 3, 0.1]}, velocity: {linear: [3, 0, 0]}}
    initial: {pole: {hinge: 0.2}}
  stick: {type: operator_input, scale: 2, dead_zone: 0.1, signals: [{name: torque, axis: 1, keys: [a, d]}]}
connections: [stick.output -> plant.pole.actuation]
simulation: {duration: 1, accuracy: 1.0e-4}
record: {every: 0.01, channels: [plant.state, stick.output]}
"#;
const POLE: &str = r#"<mujoco>
  <worldbody><body name="pole" pos="0 0 2"><joint name="hinge" type="hinge" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03"/></body></worldbody>
  <keyframe><key name="up" qpos="3.1" qvel="0.5"/></keyframe>
</mujoco>"#;

/// The position of a stick acts from the next step on; a keyframe is that of the model's file; a box that slides on
/// other ground loses μ g per second. All of it is in the journal.
#[test]
fn sticks_keyframes_and_friction_act_and_are_given_again() {
    let (file, record, again) = (scratch("stick.yaml"), scratch("stick.mcap"), scratch("stick-again.mcap"));
    std::fs::write(&file, STICK).unwrap();
    std::fs::write(scratch("pole.xml"), POLE).unwrap();
    std::fs::copy("examples/hands/crate.urdf", scratch("crate.urdf")).unwrap();
    let operate = |block: &str, values: &[f64]| Act::Operate { block: block.into(), values: values.to_vec() };
    let stand = |keyframe: &str| {
        let (plant, model) = ("plant".to_owned(), "pole".to_owned());
        Act::Stand { plant, model, keyframe: keyframe.to_owned() }
    };
    let path = file.to_str().unwrap();
    let acts = vec![
        (0.0, Act::Open { file: path.into(), set: Vec::new() }),
        (0.1, tune("systems.plant.contact.static_friction", &[0.2])),
        (0.2, operate("stick", &[0.55])),
        (0.25, operate("plant", &[0.55])),
        (0.25, operate("stick", &[0.55, 0.0])),
        (0.3, operate("stick", &[0.0])),
        (0.5, stand("down")),
        (0.5, stand("up")),
    ];
    let mut script = Script { acts, refused: Vec::new(), end: 0.6 };
    let (report, _) = session(path, &mut script, Some(&record));
    assert!(report.status.is_done(), "{}", report.status);
    assert_eq!(script.refused.len(), 3, "{:?}", script.refused);
    assert!(script.refused[2].contains("no keyframe `down`"), "{:?}", script.refused);
    let first = mcap::read(&record).unwrap();
    let names: Vec<&str> = first.run.channels.iter().map(|channel| &*channel.name).collect();
    let at = |name: &str| names.iter().position(|own| *own == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
    let [torque, q, v] = ["stick.torque", "plant.pole.hinge.q", "plant.pole.hinge.v"].map(at);
    let x = at("plant.crate.box.vx");
    // Acts are done at the first step end after their times.
    let stepped = |time: f64| first.journal.iter().find(|acted| acted.time >= time).expect("an act").time;
    for (time, row) in first.times.iter().zip(&first.values) {
        let expected = if *time > stepped(0.2) && *time < stepped(0.3) { 1.0 } else { 0.0 };
        if (*time - stepped(0.2)).abs() > 1e-9 && (*time - stepped(0.3)).abs() > 1e-9 {
            assert!((row[torque] - expected).abs() < 1e-12, "{time}: {}", row[torque]);
        }
        let slowed = 0.5 * time.min(stepped(0.1)) + 0.2 * (time - stepped(0.1)).max(0.0);
        assert!((row[x] - (3.0 - 9.81 * slowed)).abs() < 0.02, "{time}: {}", row[x]);
    }
    let stood = first.times.iter().rposition(|time| (*time - stepped(0.5)).abs() < 1e-8).expect("a sample");
    assert_eq!((first.values[stood][q], first.values[stood][v]), (3.1, 0.5));
    let (record, again) = (record.to_str().unwrap(), again.to_str().unwrap());
    let (code, _, said) = kinegraph(&["run", "--replay", record, "--record", again, "--quiet"]);
    assert_eq!(code, 0, "{said}");
    same(&first, &mcap::read(Path::new(again)).unwrap());
}

/// An output that is requested in the middle of a session is recorded from there on, and in its replay.
#[test]
fn an_output_is_recorded_from_when_it_was_asked_for() {
    let (first, again, table) = (scratch("asked.mcap"), scratch("asked-again.mcap"), scratch("asked.csv"));
    let record = |output: &str| Act::Record { output: output.into() };
    let acts = vec![
        (0.2, record("goal.outpt")),
        (0.2, record("goal.output")),
        (0.3, tune("systems.goal.value", &[-0.2, 0.8, 0.0, 0.0])),
        (0.3, record("goal.output")),
    ];
    let mut script = Script::new(acts, 0.5);
    let (report, _) = session(SCENE, &mut script, Some(&first));
    assert!(report.status.is_done(), "{}", report.status);
    assert_eq!(script.refused.len(), 2, "{:?}", script.refused);
    assert!(script.refused[0].contains("did you mean") && script.refused[1].contains("recorded already"));
    let (from, to) = (first.to_str().unwrap(), again.to_str().unwrap());
    let options = ["run", "--replay", from, "--record", to, "--record", table.to_str().unwrap(), "--quiet"];
    let (code, _, said) = kinegraph(&options);
    assert_eq!(code, 0, "{said}");
    let bits = |recording: &Recording| -> Vec<Vec<u64>> {
        recording.values.iter().map(|row| row.iter().map(|x| x.to_bits()).collect()).collect()
    };
    let (first, again) = (mcap::read(&first).unwrap(), mcap::read(&again).unwrap());
    assert_eq!((&first.times, bits(&first)), (&again.times, bits(&again)));
    let names: Vec<&str> = first.run.channels.iter().map(|channel| &*channel.name).collect();
    let goal = names.iter().position(|name| name.starts_with("goal.output")).expect("a channel");
    assert_eq!(goal + 4, names.len());
    let acted = |wanted: fn(&Act) -> bool| first.journal.iter().find(|acted| wanted(&acted.act)).expect("an act").time;
    let asked = acted(|act| matches!(act, Act::Record { .. }));
    let tuned = acted(|act| matches!(act, Act::Tune { .. }));
    assert!((0.2..0.25).contains(&asked) && tuned > asked, "{asked}, {tuned}");
    for (time, row) in first.times.iter().zip(&first.values) {
        assert_eq!((row.len(), row[goal].is_nan()), (names.len(), *time <= asked), "{time}");
        assert!(*time <= tuned || row[goal] == -0.2);
    }
    // A table has the columns that it began with.
    let header = std::fs::read_to_string(table).unwrap().lines().next().map(|line| line.split(',').count());
    assert_eq!(header, Some(goal + 1));
}
