//! Data that observers of a run receive: poses, contacts, forces, switches, attempts; their order; and that observing
//! changes nothing.

use crate::common::{alone, at, cenic, contact, cuboid, double_pendulum, icf, run};
use kinegraph::diagram::{Diagram, DiagramBuilder, State};
use kinegraph::integrators::{NonFinite, Options, Outcome};
use kinegraph::record::csv::CsvSink;
use kinegraph::scene::Scene;
use kinegraph::simulate::{
    ObservedRunError, Observer, RunStart, Sample, Sampler, Scenario, Simulation, Snapshot, SnapshotError, StepReport,
    Unobserved,
};
use kinegraph::systems::convex::{
    ConvexPlant, PlantConstraints, PlantContacts, PlantDynamics, PlantInputs, PlantPoint, PlantReports, PlantStructure,
    Switches,
};
use kinegraph::systems::multibody::plant::{Attachment, Belt, Constraint, SurfaceMotion};
use kinegraph::systems::multibody::{Base, MultibodyPlant, PlantBuilder};
use kinegraph::systems::sources::{Constant, Ramp, Step};
use kinegraph::systems::{Context, Fixed, Jet, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::Vector3;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls a closure with every sample.
struct Each<F: FnMut(&mut Sample<'_>)>(F);

impl<F: FnMut(&mut Sample<'_>)> Observer for Each<F> {
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        (self.0)(sample);
        Ok(())
    }
}

fn observe(diagram: &Diagram, options: Options, t: f64, every: f64, each: impl FnMut(&mut Sample<'_>)) -> Simulation {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    simulation.advance_observing(t, every, &[], &mut Each(each)).unwrap();
    simulation
}

fn near(a: [f64; 3], b: [f64; 3], bound: f64) -> bool {
    (Vector3::from(a) - Vector3::from(b)).amax() <= bound
}

#[test]
fn poses_are_those_of_forward_kinematics_also_inside_a_step() {
    let plant = PlantBuilder::new()
        .model("dp", double_pendulum(), Base::fixed())
        .initial("dp/j1", 1.0, 0.0)
        .initial("dp/j2", -0.4, 2.0)
        .build()
        .unwrap();
    let mut builder = DiagramBuilder::new("pendulum");
    let poses = plant.body_poses();
    builder.add("plant", plant);
    let diagram = builder.build().unwrap();
    for options in [icf(0.01), cenic(1e-4)] {
        let (mut samples, mut swing) = (0, 0.0_f64);
        let watched = observe(&diagram, options, 1.0, 0.0037, |sample| {
            let [q1, q2] = sample.state().continuous[..2] else { panic!() };
            swing = swing.max((q1 - 1.0).abs());
            samples += 1;
            let seen = sample.poses(0).to_vec();
            let [world, base, upper, lower] = seen[..] else { panic!("{seen:?}") };
            assert_eq!((world, base), (Default::default(), Default::default()));
            for (pose, xyz, angle) in [(upper, [0.0; 3], q1), (lower, [-q1.sin(), 0.0, -q1.cos()], q1 + q2)] {
                let (sin, cos) = (0.5 * angle).sin_cos();
                let quat: f64 = pose.quat.iter().zip([cos, 0.0, sin, 0.0]).map(|(a, b)| a * b).sum();
                assert!(near(pose.xyz, xyz, 1e-15), "{pose:?} at {q1}, {q2}");
                assert!((quat.abs() - 1.0).abs() < 1e-14, "{pose:?} at {q1}, {q2}");
            }
            // To the bit what the plant's own port reports.
            let port = sample.read(poses).unwrap();
            let reported = seen[1..].iter().flat_map(|pose| pose.xyz.into_iter().chain(pose.quat));
            assert!(reported.zip(port).all(|(a, b)| a.to_bits() == b.to_bits()));
        });
        assert_eq!(samples, 1 + 270 + 1);
        assert!(watched.statistics().steps < 200 && swing > 1.0, "{} steps, {swing} rad", watched.statistics().steps);
    }
}

#[test]
fn contact_forces_carry_a_resting_box() {
    let (mass, g, stiffness) = (2.0, 9.81, 1e4);
    let plant = PlantBuilder::new()
        .ground(0.0)
        .contact(contact(stiffness, 10.0, 0.5))
        .model("box", cuboid(mass, [0.2, 0.1, 0.05]), at(1.0, 2.0, 0.05))
        .build()
        .unwrap();
    let mut builder = DiagramBuilder::new("box");
    builder.add("plant", plant);
    let diagram = builder.build().unwrap();
    let scene = Scene::of(&diagram);
    let (plant, body) = scene.find("plant", "box/body").unwrap();
    for options in [icf(1e-3), cenic(1e-4)] {
        let mut end = None;
        observe(&diagram, options, 2.0, 0.1, |sample| {
            if sample.time() == 0.0 {
                // Nothing acted yet.
                assert!(sample.contacts(plant).is_empty() && sample.record(plant).is_none());
            }
            if sample.time() == 2.0 {
                end = Some((sample.contacts(plant).to_vec(), sample.poses(plant)[body]));
            }
            assert!(sample.contacts(plant + 1).is_empty() && sample.poses(plant + 1).is_empty());
        });
        let (contacts, pose) = end.unwrap();
        assert_eq!(contacts.len(), 4);
        let mut sum = Vector3::zeros();
        for c in &contacts {
            assert_eq!((c.body_a, c.body_b), (0, body));
            assert!(near(c.normal, [0.0, 0.0, 1.0], 1e-12), "{c:?}");
            // Each corner carries a quarter of the weight, by a quarter of the stiffness.
            // Solves are asked for a thousandth of the accuracy.
            assert!((c.force[2] - mass * g / 4.0).abs() < 1e-5, "{c:?}");
            assert!((c.depth - mass * g / stiffness).abs() < 1e-9, "{c:?}");
            let from_centre = Vector3::from(c.p_WC) - Vector3::from(pose.xyz);
            assert!((from_centre.x.abs() - 0.2).abs() < 1e-6 && (from_centre.y.abs() - 0.1).abs() < 1e-6, "{c:?}");
            sum += Vector3::from(c.force);
        }
        assert!((sum - Vector3::new(0.0, 0.0, mass * g)).amax() < 1e-5, "{sum}");
    }
}

/// Two boxes, of which a rope holds the first until t = 0.5 s, and a belt whose speed rises.
fn switched() -> (Diagram, usize) {
    let plant = PlantBuilder::new()
        .ground(0.0)
        .model("held", cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 2.0))
        .constraint(Constraint::distance(
            "rope",
            Attachment::at("world", [0.0, 0.0, 3.0]),
            Attachment::at("held/body", [0.0; 3]),
            1.0,
        ))
        .belt(Belt {
            name: "floor".into(),
            link: "ground".into(),
            motion: SurfaceMotion::Along([1.0, 0.0, 0.0]),
            speed: 7.0,
        })
        .build()
        .unwrap();
    let (on, speed) = (plant.constraint_active("rope"), plant.belt_speed("floor"));
    let mut builder = DiagramBuilder::new("switched");
    let step = builder.add("step", Step::new(1, 0.5, 1.0, 0.0).unwrap());
    let ramp = builder.add("ramp", Ramp::new(1, 2.0, 0.0, 0.0, None).unwrap());
    builder.add("plant", plant);
    builder.connect(step.output, on);
    builder.connect(ramp.output, speed);
    (builder.build().unwrap(), 1)
}

#[test]
fn switches_and_belts_are_as_the_inputs_say() {
    let (diagram, body) = switched();
    let mut lowest = f64::INFINITY;
    observe(&diagram, cenic(1e-3), 1.0, 0.09, |sample| {
        let time = sample.time();
        assert_eq!(sample.switches(0).unwrap().active, [time < 0.5], "{time}");
        assert!(sample.switches(1).is_none() && sample.belt_speeds(1).is_empty());
        assert!((sample.belt_speeds(0)[0] - 2.0 * time).abs() < 1e-15);
        // The rope carries the box while it acts.
        if let Some(record) = sample.record(0).filter(|_| time > 0.0 && time < 0.5) {
            assert!((record.multipliers[0][0].abs() - 9.81).abs() < 0.01, "{:?}", record.multipliers);
        }
        let z = sample.poses(0)[body].xyz[2];
        assert!(time >= 0.5 || (z - 2.0).abs() < 1e-4, "{z} at {time}");
        lowest = lowest.min(z);
    });
    assert!((lowest - (2.0 - 0.5 * 9.81 * 0.25)).abs() < 1e-3, "{lowest}");
}

/// Observer that writes down all reports.
#[derive(Default)]
struct Diary {
    reported: Vec<String>,
    attempts: usize,
    fails_at: Option<f64>,
    fails_to_end: bool,
}

impl Observer for Diary {
    fn wants_attempts(&self) -> bool {
        true
    }
    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        let names: Vec<_> = run.channels.iter().map(|channel| channel.name.as_str()).collect();
        self.reported.push(format!("{}: {} from {} to {}", run.diagram.name(), names.join(", "), run.time, run.end));
        Ok(())
    }
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        self.reported.push(format!("sample {:.3}", sample.time()));
        match self.fails_at {
            Some(time) if sample.time() >= time => Err(io::Error::other("the disk is full")),
            _ => Ok(()),
        }
    }
    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        self.reported.push(format!("step {:.3}", step.time));
        self.attempts += step.attempts.len();
        assert!(step.attempts.last().is_none_or(|attempt| attempt.outcome == Outcome::Accepted));
        Ok(())
    }
    fn stopped(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.reported.push(format!("stopped {:.3}", snapshot.time));
        Ok(())
    }
    fn end(&mut self) -> io::Result<()> {
        self.reported.push("end".into());
        if self.fails_to_end { Err(io::Error::other("the disk is full")) } else { Ok(()) }
    }
}

fn pendulum() -> Diagram {
    alone(PlantBuilder::new().model("dp", double_pendulum(), Base::fixed()).initial("dp/j1", 1.0, 0.0))
}

#[test]
fn a_run_is_reported_in_order() {
    let diagram = pendulum();
    let channels = diagram.find_channels("plant.dp.j1.q").unwrap();
    let mut diary = Diary::default();
    let mut simulation = Simulation::new(&diagram, icf(0.02)).unwrap();
    simulation.advance_observing(0.05, 0.015, &channels, &mut diary).unwrap();
    let expected = [
        "alone: plant.dp.j1.q from 0 to 0.05",
        "sample 0.000",
        "step 0.020",
        "sample 0.015",
        "step 0.040",
        "sample 0.030",
        "step 0.050",
        "sample 0.045",
        "sample 0.050",
        "stopped 0.050",
        "end",
    ];
    assert_eq!(diary.reported, expected);
    assert_eq!(diary.attempts, 3);
}

#[test]
fn an_observer_that_fails_stops_the_run_and_is_reported_of_the_end() {
    let diagram = pendulum();
    let mut diary = Diary { fails_at: Some(0.5), ..Diary::default() };
    let mut simulation = Simulation::new(&diagram, icf(0.01)).unwrap();
    let error = simulation.advance_observing(2.0, 0.1, &[], &mut diary).unwrap_err();
    assert_eq!(error.to_string(), "recording failed: the disk is full");
    assert!((0.5..0.52).contains(&simulation.time()), "{}", simulation.time());
    assert_eq!(diary.reported[diary.reported.len() - 2..], [format!("stopped {:.3}", simulation.time()), "end".into()]);

    let mut late = Diary { fails_to_end: true, ..Diary::default() };
    let error = Simulation::new(&diagram, icf(0.01)).unwrap().advance_observing(0.1, 0.1, &[], &mut late).unwrap_err();
    assert!(matches!(error, ObservedRunError::Recording(_)), "{error}");

    // A run that fails says so first, then what could not be kept.
    let mut both = Diary { fails_to_end: true, ..Diary::default() };
    let mut simulation = Simulation::new(&diagram, icf(0.01)).unwrap();
    let error = simulation.advance_observing(f64::NAN, 0.1, &[], &mut both).unwrap_err();
    let ObservedRunError::Also { first, then } = error else { panic!("{error}") };
    assert!(matches!((*first, *then), (ObservedRunError::Run(_), ObservedRunError::Recording(_))));
    assert_eq!(both.reported.last().map(String::as_str), Some("end"));
}

/// Counts its samples in a shared counter.
struct Count(Arc<AtomicUsize>, bool);

impl Observer for Count {
    fn wants_samples(&self) -> bool {
        self.1
    }
    fn sample(&mut self, _: &mut Sample<'_>) -> io::Result<()> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn end(&mut self) -> io::Result<()> {
        self.0.fetch_add(1000, Ordering::Relaxed);
        Err(io::Error::other(format!("{} samples", self.0.load(Ordering::Relaxed) % 1000)))
    }
}

#[test]
fn several_observers_watch_as_one() {
    let counts = [0, 1].map(|_| Arc::new(AtomicUsize::new(0)));
    let mut all: Vec<Box<dyn Observer>> = vec![
        Box::new(Unobserved),
        Box::new(Count(counts[0].clone(), true)),
        Box::new(Diary::default()),
        Box::new(Count(counts[1].clone(), false)),
    ];
    assert!(all.wants_samples() && all.wants_attempts());
    let mut simulation = Simulation::new(&pendulum(), icf(0.01)).unwrap();
    let error = simulation.advance_observing(0.1, 0.05, &[], &mut all).unwrap_err();
    // Both heard of the end, the first is heard, and who wants no samples gets none.
    assert_eq!(error.to_string(), "recording failed: 3 samples");
    assert_eq!(counts.map(|count| count.load(Ordering::Relaxed)), [1003, 1000]);
    let none: Vec<Box<dyn Observer>> = vec![Box::new(Unobserved), Box::new(Unobserved)];
    assert!(!none.wants_samples() && !none.wants_attempts());
}

#[test]
fn watching_changes_nothing() {
    let bits = |simulation: &Simulation| simulation.state().continuous.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let clutter = Scenario::open("examples/clutter/clutter.yaml").unwrap().diagram;
    for (diagram, t) in [(switched().0, 1.0), (clutter, 0.4)] {
        for options in [icf(5e-3), cenic(1e-2)] {
            let unwatched = run(&diagram, options, t);
            let mut all = Vec::new();
            let watched = observe(&diagram, options, t, 0.0037, |sample| {
                sample.switches(0);
                sample.belt_speeds(0);
                all.push((sample.values().to_vec(), sample.poses(0).to_vec(), sample.contacts(0).to_vec()));
            });
            assert_eq!(bits(&unwatched), bits(&watched));
            assert_eq!(unwatched.statistics(), watched.statistics());
            let mut again = all.iter();
            observe(&diagram, options, t, 0.0037, |sample| {
                // Asked in another order.
                let seen = (sample.contacts(0).to_vec(), sample.poses(0).to_vec(), sample.values().to_vec());
                assert_eq!(again.next(), Some(&(seen.2, seen.1, seen.0)));
            });
        }
    }
}

#[test]
fn recorded_values_equal_sampled_ones() {
    let scenario = Scenario::open("examples/vacuum/vacuum.yaml").unwrap();
    let diagram = &scenario.diagram;
    // Efforts are read as the step used them, which no state says (`docs/decisions/18-records-of-a-step.md`).
    let mut channels = scenario.channels.clone();
    channels.retain(|channel| !channel.name.ends_with(".effort"));
    let mut expected = String::from("time");
    channels.iter().for_each(|channel| expected += &format!(",{}", channel.name));
    let mut values = diagram.values();
    let row = |state: &State| {
        diagram.evaluate_state(state, &mut values);
        expected += &format!("\n{:?}", state.time);
        channels.iter().for_each(|channel| expected += &format!(",{:?}", values.arena()[channel.index]));
    };
    scenario.simulation().unwrap().advance_sampling(1.0, scenario.every, row).unwrap();
    let mut bytes = Vec::new();
    let mut simulation = scenario.simulation().unwrap();
    simulation.advance_observing(1.0, scenario.every, &channels, &mut CsvSink::new(&mut bytes)).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), expected + "\n");
}

/// Outputs one, and counts its evaluations.
struct Asked {
    output: Out<Fixed<1>>,
    count: Arc<AtomicUsize>,
    ports: Ports,
}

impl LeafSystem for Asked {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, _: &Context<S>, out: &mut Outputs<S>) {
        self.count.fetch_add(1, Ordering::Relaxed);
        out.set(self.output, [S::one()]);
    }
}

/// A plant beside a block that counts its evaluations.
fn asked() -> (Diagram, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let mut ports = Ports::new();
    let asked = Asked { output: ports.output("output"), count: count.clone(), ports };
    let mut builder = DiagramBuilder::new("asked");
    builder.add("asked", asked);
    builder.add("plant", PlantBuilder::new().model("dp", double_pendulum(), Base::fixed()).build().unwrap());
    (builder.build().unwrap(), count)
}

#[test]
fn unread_outputs_are_not_computed() {
    let (diagram, count) = asked();
    let channels = diagram.find_channels("asked.output").unwrap();
    // To find values that are not finite, all are computed.
    let options = Options { non_finite: NonFinite::Keep, ..icf(0.01) };
    let run = |each: &mut dyn FnMut(&mut Sample<'_>)| {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let before = count.load(Ordering::Relaxed);
        simulation.advance_observing(0.1, 0.01, &channels, &mut Each(each)).unwrap();
        count.load(Ordering::Relaxed) - before
    };
    let without = run(&mut |_| ());
    let poses = run(&mut |sample| assert_eq!(sample.poses(0).len(), 4));
    let values = run(&mut |sample| {
        assert_eq!(sample.values(), [1.0]);
        assert_eq!(sample.values().len(), sample.channels().len());
    });
    assert_eq!((poses, values), (without, without + 11));
}

#[test]
fn unrecorded_outputs_are_checked_once_a_step() {
    let (diagram, count) = asked();
    let checks = |non_finite| {
        let before = count.load(Ordering::Relaxed);
        observe(&diagram, Options { non_finite, ..icf(0.01) }, 0.1, 1e-4, |_| ());
        count.load(Ordering::Relaxed) - before
    };
    // At the start, at the ends of ten steps, and at the last sample, which is checked for itself.
    assert_eq!(checks(NonFinite::Stop) - checks(NonFinite::Keep), 12);
}

/// A plant of another implementation: no shapes, no direct access to poses.
struct Foreign(MultibodyPlant);

impl LeafSystem for Foreign {
    fn ports(&self) -> &Ports {
        LeafSystem::ports(&self.0)
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.0.outputs(ctx, out);
    }
    fn as_plant(&self) -> Option<&dyn ConvexPlant> {
        Some(self)
    }
}

impl PlantDynamics for Foreign {
    fn structure(&self) -> &PlantStructure {
        self.0.structure()
    }
    fn evaluate(&self, q: &[f64], v: &[f64], point: &mut PlantPoint) {
        self.0.evaluate(q, v, point);
    }
    fn jacobians(&self, wanted: &[bool], point: &mut PlantPoint) {
        self.0.jacobians(wanted, point);
    }
    fn bias_accelerations(&self, wanted: &[bool], point: &mut PlantPoint) {
        self.0.bias_accelerations(wanted, point);
    }
    fn position_rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.0.position_rates(q, v, rates);
    }
    fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        self.0.energy(q, v)
    }
}

impl PlantContacts for Foreign {
    fn contacts(&self, margin: f64, point: &mut PlantPoint) {
        self.0.contacts(margin, point);
    }
    fn reach(&self) -> &[f64] {
        self.0.reach()
    }
    fn stiction_tolerance(&self) -> f64 {
        self.0.stiction_tolerance()
    }
}

impl PlantConstraints for Foreign {
    fn switch_inputs(&self) -> &[usize] {
        self.0.switch_inputs()
    }
    fn switches(&self, ctx: &Context<f64>, switches: &mut Switches) {
        self.0.switches(ctx, switches);
    }
    fn constraints(&self, q: &[f64], switches: &Switches, point: &mut PlantPoint) {
        self.0.constraints(q, switches, point);
    }
}

impl PlantInputs for Foreign {
    fn output_senses(&self, output: usize, velocity: usize) -> bool {
        self.0.output_senses(output, velocity)
    }
    fn input_needs_state(&self, input: usize) -> bool {
        self.0.input_needs_state(input)
    }
    fn input_drives(&self, input: usize, velocity: usize) -> bool {
        self.0.input_drives(input, velocity)
    }
    fn input_forces_f64(&self, ctx: &Context<f64>, actuation: &mut [f64], applied: &mut [f64]) {
        self.0.input_forces_f64(ctx, actuation, applied);
    }
    fn input_forces_jet(&self, ctx: &Context<Jet>, actuation: &mut [Jet], applied: &mut [Jet]) {
        self.0.input_forces_jet(ctx, actuation, applied);
    }
}

impl PlantReports for Foreign {}

#[test]
fn a_plant_without_a_description_is_drawn_as_bodies() {
    let plant =
        || PlantBuilder::new().ground(0.0).model("box", cuboid(1.0, [0.1; 3]), at(0.0, 3.0, 2.0)).build().unwrap();
    let mut builder = DiagramBuilder::new("two");
    builder.add("clock", Constant::new([1.0]).unwrap());
    builder.add("known", plant());
    builder.add("foreign", Foreign(plant()));
    let diagram = builder.build().unwrap();
    let scene = Scene::of(&diagram);
    let [known, foreign] = &scene.plants[..] else { panic!() };
    assert_eq!((known.name.as_str(), foreign.name.as_str()), ("known", "foreign"));
    let reported = |scene: &kinegraph::scene::PlantScene| {
        scene.bodies.iter().map(|body| (body.name.clone(), body.moving, body.start)).collect::<Vec<_>>()
    };
    assert_eq!(reported(known), reported(foreign));
    assert!(foreign.bodies.iter().all(|body| body.collisions.is_empty()) && foreign.ground.is_none());
    assert_eq!(known.bodies[1].collisions.len(), 1);
    let mut sampler = Sampler::new(&diagram, &[]);
    let mut state = diagram.initial_state();
    state.continuous.iter_mut().enumerate().for_each(|(i, x)| *x += 0.1 * (i % 13) as f64);
    let mut sample = sampler.sample(&state, &[]);
    assert_eq!(sample.poses(0).to_vec(), sample.poses(1));
}
