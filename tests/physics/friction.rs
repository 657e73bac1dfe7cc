//! Friction and moving surfaces: creep, the two friction angles, belts that carry, and the stick-slip of a block on an
//! oscillating belt.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{Attempt, Options, Outcome, Rule};
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::machines::ConveyorBelt;
use kinegraph::systems::multibody::plant::{Belt, ContactParameters, Material, SurfaceMotion};
use kinegraph::systems::multibody::{Base, Collision, Link, Model, PlantBuilder};
use kinegraph::systems::sources::Constant;
use nalgebra::{Isometry3, Vector3};

const G: f64 = 9.81;
const V_S: f64 = 1e-4;

fn material(mu_s: f64, mu_d: f64) -> ContactParameters {
    let pair = Material { stiffness: 1e5, dissipation: 10.0, static_friction: mu_s, dynamic_friction: mu_d };
    ContactParameters { pair, stiction_tolerance: V_S, ..ContactParameters::default() }
}

/// The block's centre when it rests on z = 0 under the normal acceleration `g`.
fn resting(g: f64) -> f64 {
    0.06 - g / (4.0 * 1e5)
}

/// Speed of the block down a slope of the given tangent after a second.
fn on_slope(tangent: f64, friction: (f64, f64), start: f64, options: Options) -> f64 {
    velocity(&mut slope(tangent, friction, start, options), "block").1.x
}

/// The block on a slope of the given tangent, after a second.
fn slope(tangent: f64, (mu_s, mu_d): (f64, f64), start: f64, options: Options) -> Simulation {
    let angle = tangent.atan();
    let plant = PlantBuilder::new()
        .gravity([G * angle.sin(), 0.0, -G * angle.cos()])
        .ground(0.0)
        .contact(material(mu_s, mu_d))
        .model("block", block(), thrown([0.0, 0.0, resting(G * angle.cos())], [0.0; 3], [start, 0.0, 0.0]));
    run(&alone(plant), options, 1.0)
}

/// The coefficient of friction while the surfaces slip at `v`.
fn coefficient(v: f64, mu_s: f64, mu_d: f64) -> f64 {
    let x = ((v / V_S - 4.0) / 12.0).clamp(0.0, 1.0);
    mu_d + (mu_s - mu_d) * (1.0 - x * x * x * (10.0 - 15.0 * x + 6.0 * x * x))
}

/// mu(v) N v/sqrt(v² + v_s²) = N tan: below the angle of static friction the block creeps at the speed that solves
/// this.
#[test]
fn a_block_below_the_static_friction_angle_creeps_as_the_regularization_says() {
    let (mu_s, mu_d) = (0.5, 0.3);
    for tangent in [0.1, 0.25, 0.4, 0.45] {
        let mut creep = V_S;
        for _ in 0..100 {
            let s = tangent / coefficient(creep, mu_s, mu_d);
            creep = V_S * s / (1.0 - s * s).sqrt();
        }
        // Steps of 0.1 s, the longest, are taken at rest: their length must not show.
        for options in [icf(1e-3), icf(0.1), plain_cenic(1e-4), cenic(1e-1), cenic(1e-3), cenic(1e-4), cenic(1e-5)] {
            let mut simulation = slope(tangent, (mu_s, mu_d), 0.0, options);
            let before = position(&mut simulation, "block").x;
            simulation.advance_to(2.0).unwrap();
            let mean = position(&mut simulation, "block").x - before;
            for v in [velocity(&mut simulation, "block").1.x, mean] {
                assert!((v - creep).abs() < 0.02 * creep, "tangent {tangent}: {v:e}, not {creep:e}, {options:?}");
            }
        }
    }
}

/// Between the two angles a block at rest stays and one in motion goes on; below both it stops; above both it goes.
#[test]
fn a_block_keeps_to_the_right_side_of_both_friction_angles() {
    let (mu_s, mu_d) = (0.5, 0.3);
    let after = |tangent: f64, start: f64, mu: f64| start + G * tangent.atan().cos() * (tangent - mu);
    for options in [icf(1e-3), cenic(1e-4)] {
        let speed = |tangent: f64, start: f64| on_slope(tangent, (mu_s, mu_d), start, options);
        let near = |v: f64, expected: f64| assert!((v - expected).abs() < 0.02 * expected, "{v}, not {expected}");
        assert!(speed(0.48, 0.0) < 10.0 * V_S, "at rest below atan(mu_s)");
        near(speed(0.4, 1.0), after(0.4, 1.0, mu_d));
        near(speed(0.55, 0.0), after(0.55, 0.0, mu_d));
        assert!(speed(0.28, 0.1) < 10.0 * V_S, "in motion below atan(mu_d)");
        assert!(speed(0.32, 0.1) > 0.1, "in motion above atan(mu_d)");
    }
}

fn belt(link: &str, motion: SurfaceMotion, speed: f64) -> Belt {
    Belt { name: "line".into(), link: link.into(), motion, speed }
}

/// On a belt whose rollers turn about (1, 1, 0) the upper side runs along axis × z = (1, -1, 0).
#[test]
fn a_belt_pulls_along_axis_times_normal() {
    let plant = |motion| {
        let plant = PlantBuilder::new().ground(0.0).contact(material(0.5, 0.5));
        let plant = plant.model("block", block(), at(0.0, 0.0, resting(G)));
        alone(plant.belt(belt("ground", motion, 0.5)))
    };
    for motion in [SurfaceMotion::Around([3.0, 3.0, 0.0]), SurfaceMotion::Along([1.0, -1.0, 0.2])] {
        let diagram = plant(motion);
        let mut simulation = Simulation::new(&diagram, icf(1e-3)).unwrap();
        simulation.step(1.0).unwrap();
        let [x, y, z] = simulation.contact_results("plant").unwrap().force_on("block/body");
        assert!(z > 0.0 && x > 0.0 && y < 0.0 && (x + y).abs() < 0.1 * x, "{motion:?}: {x} {y} {z}");
        simulation.advance_to(0.1).unwrap();
        let p = position(&mut simulation, "block");
        assert!(p.x > 0.01 && p.y < -0.01, "{motion:?}: {p}");
    }
}

/// The lower side of a belt runs back; a sheet drawn past runs the same way on every side.
#[test]
fn the_lower_side_of_a_belt_runs_back() {
    let tray = |motion| {
        // A slab that moves up against the block from below, or hangs over it and presses down, on a slider along z.
        let slab = Collision {
            name: String::new(),
            X_BG: Isometry3::translation(0.0, 0.0, 0.17),
            shape: Shape::Box { half_extents: Vector3::new(1.0, 1.0, 0.05) },
            surface: None,
        };
        let link = Link { name: "slab".into(), collisions: vec![slab], ..Link::default() };
        let model = Model { name: "tray".into(), links: vec![link], ..Model::default() };
        let up = PlantBuilder::new().gravity([0.0, 0.0, G]).contact(material(0.5, 0.5));
        let mut block = block();
        block.links[0].collisions.iter_mut().for_each(|c| c.X_BG.translation.z = 0.05);
        let plant = up.model("tray", model, Base::fixed()).model("block", block, at(0.0, 0.0, 0.06 + G / 4e5));
        let mut simulation = run(&alone(plant.belt(belt("tray/slab", motion, 0.5))), icf(1e-3), 0.3);
        velocity(&mut simulation, "block").1.x
    };
    let (around, along) = (tray(SurfaceMotion::Around([0.0, 1.0, 0.0])), tray(SurfaceMotion::Along([1.0, 0.0, 0.0])));
    assert!((around + 0.5).abs() < 1e-3 && (along - 0.5).abs() < 1e-3, "{around} {along}");
}

/// A block on a belt whose drive accelerates at `acceleration` to 1 m/s.
fn carried(acceleration: f64) -> Diagram {
    let mut b = DiagramBuilder::new("belt");
    let plant = PlantBuilder::new().ground(0.0).contact(material(0.5, 0.4));
    let plant = plant.model("block", block(), at(0.0, 0.0, resting(G)));
    let plant = plant.belt(belt("ground", SurfaceMotion::Along([1.0, 0.0, 0.0]), 0.0));
    let plant = b.add("plant", plant.build().unwrap());
    let drive = b.add("drive", ConveyorBelt::new(0.0, acceleration, 0.001).unwrap());
    let command = b.add("command", Constant::new([1.0]).unwrap());
    b.connect(command.output, drive.command);
    b.connect(drive.speed, plant.belt_speed("line"));
    b.build().unwrap()
}

#[test]
fn a_block_moves_with_a_belt_that_accelerates_gently() {
    for options in [icf(1e-3), cenic(1e-3)] {
        let mut simulation = Simulation::new(&carried(4.0), options).unwrap();
        for time in [0.1, 0.2, 0.5, 1.5] {
            simulation.advance_to(time).unwrap();
            let (_, v) = velocity(&mut simulation, "block");
            let (travel, u) = (simulation.channel("drive.travel").unwrap(), simulation.channel("drive.speed").unwrap());
            let slipped = travel - position(&mut simulation, "block").x;
            assert!((v.x - u).abs() < 10.0 * V_S, "{time}: {} on a belt at {u}, {:?}", v.x, options.integrator);
            // The block creeps back by less than 2 v_s while it accelerates.
            assert!(slipped.abs() < 2.0 * V_S, "{time}: slipped {slipped:e}, {:?}", options.integrator);
            let [force, ..] = simulation.contact_results("plant").unwrap().force_on("block/body");
            let expected = if time < 0.25 { 4.0 } else { 0.0 };
            assert!((force - expected).abs() < 0.02, "{time}: {force} N, not {expected}, {:?}", options.integrator);
        }
    }
}

/// Where the belt accelerates by more than mu_s g, the block gets mu_d g until it has caught up: it slips v²/2 (1/(mu_d
/// g) - 1/a).
#[test]
fn a_block_slips_on_a_belt_that_accelerates_harshly() {
    let slip = 0.5 * (1.0 / (0.4 * G) - 1.0 / 8.0);
    for (options, tolerance) in [(icf(1e-3), 0.01), (cenic(1e-4), 0.02)] {
        let mut simulation = Simulation::new(&carried(8.0), options).unwrap();
        simulation.advance_to(0.2).unwrap();
        let [force, ..] = simulation.contact_results("plant").unwrap().force_on("block/body");
        assert!((force - 0.4 * G).abs() < 0.01 * G, "{force} N, {:?}", options.integrator);
        simulation.advance_to(1.0).unwrap();
        let slipped = simulation.channel("drive.travel").unwrap() - position(&mut simulation, "block").x;
        assert!((slipped - slip).abs() < tolerance * slip, "{slipped}, not {slip}, {:?}", options.integrator);
        let (_, v) = velocity(&mut simulation, "block");
        assert!((v.x - 1.0).abs() < V_S, "{}", v.x);
    }
}

/// A belt that rests on its rails and swings at 1 Hz with 1 m/s (2 π m/s²) carries a block under friction of up to mu_s
/// g: it sticks, breaks loose at mu_s N, and slips at mu_d N, a jump of the friction force that a single coefficient
/// does not have. Its centre of mass is close to the belt: a block that rocks hardly sticks again once it slips (0.143
/// s in all, by accuracies from 1e-5 to 1e-8), since it presses less while it rises.
#[test]
fn an_oscillating_belt_shows_stick_slip_and_the_jump_of_the_force() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/low_conveyor/conveyor.yaml");
    let mut scenario = Scenario::open(file).unwrap();
    scenario.options.accuracy = 1e-4;
    let mut simulation = scenario.simulation().unwrap();
    let (mut stuck, mut slipping, mut peak, mut jumps) = (0.0, 0.0, 0.0_f64, 0);
    let (mut held, mut slipped) = (0.0_f64, 0.0);
    while simulation.time() < scenario.duration {
        let before = simulation.time();
        simulation.step(scenario.duration).unwrap();
        let h = simulation.time() - before;
        let results = simulation.contact_results("plant").unwrap();
        let [force, _, weight] = results.force_on("block/block");
        let slip = results.contacts.iter().map(|c| Vector3::from(c.slip_velocity).norm()).fold(0.0, f64::max);
        let ratio = force.abs() / weight;
        peak = peak.max(ratio);
        if slip < 5.0 * V_S {
            stuck += h;
        }
        if slip < 30.0 * V_S {
            // The most that it held until it slips.
            held = ratio.max(held);
        } else {
            slipping += h;
            // The coefficient is that of the slip at the start of the step.
            let settled = slipped > 30.0 * V_S;
            assert!(!settled || (ratio - 0.3).abs() < 0.01, "{ratio} while slipping at {slip}, t = {before}");
            jumps += usize::from(held > 0.45);
            held = 0.0;
        }
        slipped = slip;
    }
    // With ideal friction it sticks until 0.1426 s, where the belt exceeds mu_s g, and from then on 0.0298 s of every
    // half period.
    assert!((stuck - 0.351).abs() < 0.04 && slipping > 3.4, "stuck for {stuck} s, slipping for {slipping} s");
    assert!(peak > 0.47 && peak < 0.501, "peak of the force: {peak} of the weight");
    assert_eq!(jumps, 8, "jumps of the force from mu_s to mu_d in 4 periods");
}

/// A block on a slider, pressed on the ground `depth` deep, which a force along the slider pushes. The slider keeps the
/// depth: the normal force is `1e5 N/m` times it.
fn pressed(mass: f64, depth: f64, push: f64, contact: ContactParameters) -> Diagram {
    let mut model = slider(mass);
    model.joints[0].X_PF = Isometry3::translation(0.0, 0.0, 0.05 - depth);
    let shape = Shape::Box { half_extents: Vector3::new(0.1, 0.1, 0.05) };
    let block = Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None };
    model.links[1].collisions = vec![block];
    let plant = PlantBuilder::new().ground(0.0).contact(contact).model("b", model, Base::fixed());
    let mut builder = DiagramBuilder::new("pressed");
    let force = builder.add("force", Constant::new([push]).unwrap());
    let plant = builder.add("plant", plant.build().unwrap());
    builder.connect(force.output, plant.actuation("b"));
    builder.build().unwrap()
}

/// Under the part L of the load that friction holds, a body creeps at `v_s L/sqrt(1 - L²)`; v_s is the stiction
/// tolerance, or the speed that friction stops in a nanosecond if that is more.
#[test]
fn light_bodies_under_heavy_load_creep_as_documented_and_hold() {
    let mut random = Random(8);
    for scene in 0..12 {
        let (mass, normal) = (random.log(1e-3, 1.0), random.log(1.0, 300.0));
        let (mu_s, tolerance) = (random.between(0.3, 0.8), random.log(1e-5, 1e-3));
        let mu_d = if scene % 3 == 0 { mu_s } else { 0.5 * mu_s };
        let load = random.between(0.1, 0.95);
        let pair = Material { stiffness: 1e5, dissipation: 10.0, static_friction: mu_s, dynamic_friction: mu_d };
        let contact = ContactParameters { pair, stiction_tolerance: tolerance, ..ContactParameters::default() };
        let diagram = pressed(mass, normal / 1e5, load * mu_s * normal, contact);
        let least = mu_s * normal * 0.5 * 2.65 / 3.5 / mass * 1e-9;
        let creep = tolerance.max(least) * load / (1.0 - load * load).sqrt();
        for options in [icf(1e-2), cenic(1e-2), cenic(1e-3), cenic(1e-5)] {
            let mut simulation = run(&diagram, options, 1.0);
            let v = simulation.channel("plant.b.x.v").unwrap();
            println!("{scene}: {mass:e} kg, {normal:.1} N, L = {load:.2}: {v:e} of {creep:e}");
            assert!((v - creep).abs() < 0.02 * creep, "{scene}, {options:?}: {v:e}, not {creep:e}");
        }
    }
}

/// Friction falls from static to dynamic between 4 and 16 regularization velocities: beyond the load that static
/// friction holds the body slides against dynamic friction.
#[test]
fn beyond_static_friction_bodies_slide_under_dynamic_friction() {
    for (mass, normal) in [(1.0, 10.0), (0.01, 200.0)] {
        let pair = Material { stiffness: 1e5, dissipation: 10.0, static_friction: 0.5, dynamic_friction: 0.25 };
        let contact = ContactParameters { pair, stiction_tolerance: V_S, ..ContactParameters::default() };
        let push = 0.55 * normal;
        let mut simulation = run(&pressed(mass, normal / 1e5, push, contact), cenic(1e-4), 0.5);
        let (v, expected) = (simulation.channel("plant.b.x.v").unwrap(), 0.3 * normal / mass * 0.5);
        assert!((v - expected).abs() < 1e-2 * expected, "{v} for {expected}");
    }
}

/// The time at which a bouncing ball ceases to slide is found by attempts that are given up once they show it: these
/// have no error estimate. The momentum that friction takes from the speed v goes into the spin w: v + 2/5 r w is
/// conserved, but for the depth.
#[test]
fn attempts_of_a_search_end_once_the_transition_is_known() {
    let mut random = Random(31);
    let mut given_up = 0;
    for scene in 0..6 {
        let (speed, mu) = (random.between(0.2, 1.0), random.between(0.2, 0.8));
        let pair = Material { dissipation: 0.2, ..material(mu, mu).pair };
        let contact = ContactParameters { pair, ..material(mu, mu) };
        let plant = PlantBuilder::new().gravity([0.0, 0.0, -G]).ground(0.0).contact(contact);
        let start = thrown([0.0, 0.0, random.between(0.2, 0.6)], [0.0; 3], [speed, 0.0, 0.0]);
        let mut simulation = Simulation::new(&alone(plant.model("ball", ball(1.0, 0.1), start)), cenic(1e-3)).unwrap();
        simulation.keep_attempts();
        while simulation.time() < 1.0 {
            simulation.step(1.0).unwrap();
            let is_judged = |attempt: &&Attempt| attempt.outcome == Outcome::NotFree || attempt.error.is_some();
            for attempt in simulation.attempts().iter().filter(|attempt| !is_judged(attempt)) {
                assert_eq!((attempt.outcome, attempt.rule), (Outcome::Transition, Some(Rule::Transition)));
                given_up += 1;
            }
        }
        let (w, v) = velocity(&mut simulation, "ball");
        let kept = v.x + 0.4 * 0.1 * w.y;
        assert!((kept - speed).abs() < 0.03 * speed && w.y > 0.5 * v.x / 0.1, "{scene}: {v} {w} of {speed}");
    }
    assert!(given_up > 0);
}
