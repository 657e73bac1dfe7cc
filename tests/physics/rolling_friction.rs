//! Torsional and rolling friction, of the files of models and of a plant, against closed forms.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::models::{LoadOptions, parse_mjcf, parse_model};
use kinegraph::systems::multibody::plant::{ContactParameters, Material};
use kinegraph::systems::multibody::{Base, PlantBuilder};

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;
/// Depth of rest of 2 kg [m].
const DEPTH: f64 = 0.36718e-3;

/// A ball on a plane with these coefficients [m], at the depth at which it rests.
fn ball(condim: u8, torsional: f64, rolling: f64) -> Diagram {
    let text = format!(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1" friction="1 0 0"/>
        <body pos="0 0 {RADIUS}"><freejoint/>
        <geom type="sphere" size="{RADIUS}" mass="2" condim="{condim}" friction="1 {torsional} {rolling}"/></body>
        </worldbody></mujoco>"#
    );
    let model = parse_mjcf(&text, "ball.xml", &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
    let gravity = model.scene.gravity.unwrap().into();
    let mut b = DiagramBuilder::new("ball");
    b.add("plant", PlantBuilder::new().gravity(gravity).model("m", model, Base::fixed()).build().unwrap());
    b.build().unwrap()
}

/// The ball after a time, from these angular velocities and this velocity along x; returns its velocities.
fn after(diagram: &Diagram, radius: f64, w: [f64; 3], vx: f64, options: Options, time: f64) -> Vec<f64> {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    let mut state = simulation.state().clone();
    state.continuous[6] = radius - DEPTH;
    state.continuous[7..10].copy_from_slice(&w);
    state.continuous[10] = vx;
    simulation.set_state(state).unwrap();
    simulation.advance_to(time).unwrap();
    simulation.state().continuous.clone()
}

/// Rolling without slipping under the torque μ m g: `a = (μ/r) g/(1 + 2/5)`, until it rests.
#[test]
fn a_ball_that_rolls_is_slowed_and_rests() {
    let mu = 0.01;
    let slowing = mu / RADIUS * G / 1.4;
    for accuracy in [1e-3, 1e-4] {
        let state = after(&ball(6, 0.0, mu), RADIUS, [0.0, 1.0 / RADIUS, 0.0], 1.0, cenic(accuracy), 0.5);
        let v = 1.0 - 0.5 * slowing;
        assert!((state[10] - v).abs() < 20.0 * accuracy, "{} instead of {v} at {accuracy}", state[10]);
        let rest = after(&ball(6, 0.0, mu), RADIUS, [0.0, 1.0 / RADIUS, 0.0], 1.0, cenic(accuracy), 2.0);
        assert!(rest[10].abs() < 2e-3, "{rest:?}");
        let way = 0.5 / slowing;
        assert!((rest[4] - way).abs() < 30.0 * accuracy, "{} instead of {way} at {accuracy}", rest[4]);
    }
}

/// A torque μ m g against the moment 2/5 m r² about the vertical.
#[test]
fn a_ball_that_spins_is_slowed_and_rests() {
    let mu = 0.002;
    let slowing = mu * G / (0.4 * RADIUS * RADIUS);
    let state = after(&ball(4, mu, 0.5), RADIUS, [0.0, 0.0, 10.0], 0.0, cenic(1e-4), 1.0);
    assert!((state[9] - (10.0 - slowing)).abs() < 0.02, "{state:?}");
    let rest = after(&ball(4, mu, 0.5), RADIUS, [0.0, 0.0, 10.0], 0.0, cenic(1e-4), 3.0);
    assert!(rest[9].abs() < 1e-2, "{rest:?}");
}

/// With three dimensions of contact neither acts, for any coefficients.
#[test]
fn three_dimensions_of_contact_have_no_torsional_or_rolling_friction() {
    let state = after(&ball(3, 0.1, 0.1), RADIUS, [0.0, 1.0 / RADIUS, 5.0], 1.0, cenic(1e-4), 0.5);
    assert!((state[10] - 1.0).abs() < 1e-3 && (state[9] - 5.0).abs() < 1e-3, "{state:?}");
}

/// Shapes without such coefficients in their file have those of the plant, as for friction: the same closed forms.
#[test]
fn own_materials_resist_rolling_and_spinning() {
    let (torsional, rolling) = (0.002, 0.01);
    let text = format!(
        "<robot name='b'><link name='b'><inertial><mass value='2'/><inertia ixx='0.008' iyy='0.008' izz='0.008'/></inertial>\
         <collision><geometry><sphere radius='{RADIUS}'/></geometry></collision></link></robot>"
    );
    let start = Base::Floating { X_WR: nalgebra::Isometry3::identity(), w_WR: [0.0; 3].into(), v_WR: [0.0; 3].into() };
    let of = |resistance: [f64; 2]| {
        let model = parse_model(&text, "b.urdf", &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
        let usual = ContactParameters::default();
        // Of the depth at which it starts.
        let pair = Material { stiffness: 2.0 * G / DEPTH, ..usual.pair };
        let contact = ContactParameters { pair, resistance, ..usual };
        let plant = PlantBuilder::new().ground(0.0).contact(contact).model("m", model, start.clone());
        let mut b = DiagramBuilder::new("ball");
        b.add("plant", plant.build().unwrap());
        b.build().unwrap()
    };
    let run = |resistance, w| after(&of(resistance), RADIUS, w, w[1] * RADIUS, cenic(1e-4), 0.5);
    let rolled = run([0.0, rolling], [0.0, 10.0, 0.0]);
    let v = 1.0 - 0.5 * rolling / RADIUS * G / 1.4;
    assert!((rolled[10] - v).abs() < 2e-3, "{} instead of {v}", rolled[10]);
    let spun = run([torsional, 0.0], [0.0, 0.0, 10.0]);
    let w = 10.0 - 0.5 * torsional * G / (0.4 * RADIUS * RADIUS);
    assert!((spun[9] - w).abs() < 0.02, "{} instead of {w}", spun[9]);
    let neither = run([0.0; 2], [0.0, 10.0, 5.0]);
    assert!((neither[10] - 1.0).abs() < 1e-3 && (neither[9] - 5.0).abs() < 1e-3, "{neither:?}");
}

/// A ball of 2 kg on a plane along which gravity pulls, from rest or rolling at a speed; its way [m] and speed.
fn rolled(ball: &Rolling, speed: f64, accuracy: f64, time: f64) -> (f64, f64) {
    let Rolling { radius, mu, pull } = ball;
    let text = format!(
        r#"<mujoco><option gravity="{pull} 0 -{G}"/><worldbody><geom type="plane" size="1 1 1" friction="1 0 0"/>
        <body pos="0 0 {radius}"><freejoint/>
        <geom type="sphere" size="{radius}" mass="2" condim="6" friction="1 0 {mu}"/></body>
        </worldbody></mujoco>"#
    );
    let turning = [0.0, speed / (radius - 0.5 * DEPTH), 0.0];
    let state = after(&crate::mjcf_plants::diagram(&text, &[]), *radius, turning, speed, cenic(accuracy), time);
    (state[4], state[10])
}

/// A ball, the coefficient of its rolling friction [m], and the pull along the plane [m/s²].
struct Rolling {
    radius: f64,
    mu: f64,
    pull: f64,
}

impl Rolling {
    /// A random ball whose weight along the plane is this multiple of the friction limit.
    fn random(r: &mut Random, times: f64) -> Self {
        let (radius, part) = (r.log(0.05, 0.3), r.log(3e-3, 0.1));
        Rolling { radius, mu: part * radius, pull: times * part * G }
    }

    /// Deceleration by a torque μ m g [m/s²]; it rolls on the point in the middle of the depth.
    fn accelerations(&self) -> [f64; 2] {
        let arm = self.radius - 0.5 * DEPTH;
        let inertia = 1.0 + 0.4 * (self.radius / arm).powi(2);
        [self.pull / inertia, self.mu * G / arm / inertia]
    }
}

/// Balls on a slope begin to roll where it pulls more than their friction holds, and creep where it pulls less; thrown,
/// they rest where their energy is spent. Largest error measured: 0.8 accuracies.
#[test]
fn balls_break_loose_at_their_load_and_rest() {
    for accuracy in [1e-2, 1e-3, 1e-4, 1e-5] {
        let mut r = Random(3);
        let mut largest = [0.0_f64; 3];
        for _ in 0..12 {
            let times = r.between(1.2, 4.0);
            let ball = Rolling::random(&mut r, times);
            let [pulled, held] = ball.accelerations();
            let (way, speed) = rolled(&ball, 0.0, accuracy, 1.0);
            let (exact, start) = (pulled - held, 0.7 * held);
            let (rest, _) = rolled(&Rolling { pull: 0.0, ..ball }, start, accuracy, 1.0);
            let errors = [way - 0.5 * exact, speed - exact, rest - 0.5 * start * start / held];
            largest.iter_mut().zip(errors).for_each(|(most, error)| *most = most.max(error.abs() / accuracy));
            let (crept, _) = rolled(&Rolling { pull: 0.9 * ball.pull / times, ..ball }, 0.0, accuracy, 1.0);
            // Both frictions creep: this and that of sliding, of which a tenth is used at most.
            assert!((0.0..1e-4 * (ball.radius + 0.1)).contains(&crept), "{crept} m at {accuracy}");
        }
        assert!(largest[0] < 2.0 && largest[1] < 2.0 && largest[2] < 20.0, "{largest:?} accuracies at {accuracy}");
    }
}

/// A ball that falls, spinning, and bounces: the resisting torque is there at one end of a step alone. Over a time t it
/// takes the torsional friction times the impulse of the normal force, `m (g t + vz)`.
#[test]
fn a_spinning_ball_may_land_and_bounce() {
    let (torsional, t) = (2e-4, 0.5);
    for options in [cenic(1e-4), Options::cenic_trapezoid(1e-4)] {
        let mut simulation = Simulation::new(&ball(4, torsional, 0.0), options).unwrap();
        let mut state = simulation.state().clone();
        state.continuous[6] = RADIUS + 0.05;
        state.continuous[9] = 10.0;
        simulation.set_state(state).unwrap();
        simulation.advance_to(t).unwrap();
        let [w, vz] = [9, 12].map(|i| simulation.state().continuous[i]);
        let lost = torsional * (G * t + vz) / (0.4 * RADIUS * RADIUS);
        assert!((10.0 - w - lost).abs() < 0.03 * lost, "{}: {w} instead of {}", options.integrator.name, 10.0 - lost);
    }
}

/// A ball at its depth that spins about the vertical: implicit methods hold contacts of balls and follow how their
/// forces change, but the torque that resists is one of the others.
#[test]
fn implicit_methods_slow_a_spinning_ball() {
    let (torsional, t) = (2e-4, 0.2);
    for options in [Options::sdirk2(1e-6), Options::ros2(1e-6), Options::implicit_euler(1e-5), cenic(1e-6)] {
        let w = after(&ball(4, torsional, 0.0), RADIUS, [0.0, 0.0, 10.0], 0.0, options, t)[9];
        let right = 10.0 - torsional * G * t / (0.4 * RADIUS * RADIUS);
        assert!((w - right).abs() < 1e-3, "{}: {w} instead of {right}", options.integrator.name);
    }
}
