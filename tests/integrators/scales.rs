//! No rule of the step and no law of an element has a built-in scale: the only scales are gravity, the accuracy with
//! its weights, the stiction tolerance and the largest step; of a run with steps of fixed length, that length. A scene
//! whose times are a quarter as long, whose masses are 1024 times as large, or whose lengths are a quarter or 16 times
//! as large, takes the same steps to the bit.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{self, ErrorWeights, Options, ThetaGammaOptions};
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::InverseDynamicsController;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreEnd, FibreMaterial, Section};
use kinegraph::systems::multibody::plant::{ContactParameters, Material, StopLaw};
use kinegraph::systems::multibody::{Base, JointKind, Model, PlantBuilder};
use nalgebra::{Isometry3, Vector3};

/// A time t becomes `time` t, a mass m `mass` m, a length x `length` x.
#[derive(Clone, Copy)]
struct Scale {
    time: f64,
    mass: f64,
    length: f64,
}

impl Scale {
    const ONE: Scale = Scale { time: 1.0, mass: 1.0, length: 1.0 };

    fn lengths<const N: usize>(&self, x: [f64; N]) -> [f64; N] {
        x.map(|x| x * self.length)
    }

    fn speed<const N: usize>(&self, x: [f64; N]) -> [f64; N] {
        x.map(|x| x * self.length / self.time)
    }

    fn angular_speed<const N: usize>(&self, x: [f64; N]) -> [f64; N] {
        x.map(|x| x / self.time)
    }

    /// Scales a stiffness: force over length.
    fn stiffness(&self, x: f64) -> f64 {
        x * self.mass / (self.time * self.time)
    }

    fn force(&self, x: f64) -> f64 {
        self.stiffness(x) * self.length
    }

    /// Scales a torque, or a torque over an angle.
    fn torque(&self, x: f64) -> f64 {
        self.stiffness(x) * self.length * self.length
    }

    fn gravity(&self) -> [f64; 3] {
        [0.0, 0.0, -9.81 * self.length / (self.time * self.time)]
    }

    fn weigh(&self, mut model: Model) -> Model {
        for inertia in model.links.iter_mut().filter_map(|link| link.inertia.as_mut()) {
            inertia.mass *= self.mass;
            inertia.I_BBcm *= self.mass;
        }
        model
    }

    /// The places in a model, and inertias with them.
    fn resize(&self, mut model: Model) -> Model {
        for inertia in model.links.iter_mut().filter_map(|link| link.inertia.as_mut()) {
            inertia.I_BBcm *= self.length * self.length;
            inertia.p_BoBcm *= self.length;
        }
        model.joints.iter_mut().for_each(|joint| joint.X_PF.translation.vector *= self.length);
        model
    }
}

/// Pseudorandom numbers between 0 and 1, which depend on the seed alone.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A pendulum of two links with random properties.
fn arm(seed: u64, scale: &Scale, r: &mut impl FnMut() -> f64) -> (Model, Option<StopLaw>) {
    let mut model = double_pendulum();
    for inertia in model.links.iter_mut().filter_map(|link| link.inertia.as_mut()) {
        inertia.mass = 0.5 + 1.5 * r();
    }
    let damping = 0.3 * r();
    model.joints.iter_mut().for_each(|joint| joint.damping = scale.torque(damping) * scale.time);
    if seed % 3 == 1 {
        // Some of it holds the second link.
        model.joints.iter_mut().for_each(|joint| joint.friction = scale.torque(8.0 * r() * r()));
    }
    let stop = match (seed / 6) % 3 {
        0 => StopLaw::giving_back(0.2 + 0.7 * r()),
        1 => StopLaw::compliant(scale.torque(10_f64.powf(2.0 + 3.0 * r())), r() * scale.time),
        _ => StopLaw::default(),
    };
    let stops = seed % 6 == 4;
    if stops {
        (model.joints[0].kind, model.joints[0].limits) = (JointKind::Revolute, (-0.4, 0.5));
    }
    (scale.resize(scale.weigh(model)), stops.then_some(stop))
}

/// A free body of a random shape.
fn body(seed: u64, size: f64, mass: f64) -> Model {
    let shape = match seed % 24 {
        3 | 15 => return cuboid(mass, [size; 3]),
        9 => Shape::Capsule { radius: 0.5 * size, half_length: size },
        21 => Shape::Cylinder { radius: size, half_length: 0.5 * size },
        8 => Shape::Ellipsoid { semi_axes: Vector3::new(1.0, 0.5, 0.75) * size },
        _ => return ball(mass, size),
    };
    solid(shape, mass)
}

/// A random scene in other units.
fn scene(seed: u64, scale: &Scale) -> (Diagram, Options) {
    let r = &mut noise(seed + 1);
    let pair = Material {
        stiffness: scale.stiffness(10_f64.powf(3.0 + 3.0 * r())),
        dissipation: 10_f64.powf(4.0 * r() - 2.0) * scale.time / scale.length,
        static_friction: r(),
        dynamic_friction: 0.0,
    };
    let pair = Material { dynamic_friction: pair.static_friction * r(), ..pair };
    let stiction_tolerance = 1e-4 * scale.length / scale.time;
    let contact = ContactParameters { pair, stiction_tolerance, ..ContactParameters::default() };
    let mut plant = PlantBuilder::new().gravity(scale.gravity()).contact(contact).ground(0.0);
    plant = plant.correction_speed(scale.length / scale.time);
    let (has_arm, has_ball) = (seed % 6 != 2, matches!(seed % 6, 2 | 3) || seed % 4 == 1);
    if has_ball {
        let (turn, speed) = ([0.0, 10.0 * r() - 5.0, 0.0], [4.0 * r() - 2.0, r(), -r()]);
        let place = scale.lengths([0.0, 0.0, 0.1 + 0.1 * r()]);
        let base = thrown(place, scale.angular_speed(turn), scale.speed(speed));
        let size = 0.1 * scale.length;
        plant = plant.model("body", scale.weigh(body(seed, size, 0.5 + r())), base);
    }
    if seed % 5 == 2 {
        // A carriage on a rail with friction, between stops with restitution.
        let mut cart = slider(0.5 + r());
        (cart.joints[0].friction, cart.joints[0].limits) = (scale.force(6.0 * r()), (-0.1, 0.2));
        let limits = &mut cart.joints[0].limits;
        (limits.0, limits.1) = (limits.0 * scale.length, limits.1 * scale.length);
        let base = Base::Fixed { X_WR: Isometry3::translation(0.0, -3.0 * scale.length, 5.0 * scale.length) };
        let name = format!("cart/{}", cart.joints[0].name);
        plant = plant.model("cart", scale.resize(scale.weigh(cart)), base);
        plant = plant.stops(&name, StopLaw::giving_back(0.2 + 0.7 * r()));
        plant = plant.initial(&name, 0.0, (8.0 * r() - 4.0) * scale.length / scale.time);
    }
    let mut controlled = None;
    if has_arm {
        let (model, stop) = arm(seed, scale, r);
        let base = Base::Fixed { X_WR: Isometry3::translation(0.0, 3.0 * scale.length, 5.0 * scale.length) };
        plant = plant.model("arm", model.clone(), base);
        let start = if stop.is_some() { 0.4 * r() } else { 2.0 * r() - 1.0 };
        plant = plant.initial("arm/j1", start, (4.0 * r() - 2.0) / scale.time);
        plant = plant.initial("arm/j2", 2.0 * r() - 1.0, (4.0 * r() - 2.0) / scale.time);
        if let Some(stop) = stop {
            plant = plant.stops("arm/j1", stop);
        }
        if seed % 6 == 1 {
            plant = plant.spring("arm/j1", scale.torque(10_f64.powf(3.0 * r())), 0.0);
        }
        controlled = (seed % 6 == 5).then_some(model);
    }
    let mut builder = DiagramBuilder::new("scene");
    let plant = builder.add("plant", plant.build().unwrap());
    if let Some(model) = controlled {
        let (kp, kd) = (10_f64.powf(1.0 + 3.0 * r()), 10_f64.powf(0.5 + 1.5 * r()));
        let (kp, kd) = (kp / (scale.time * scale.time), kd / scale.time);
        let control = InverseDynamicsController::new(&model, scale.gravity(), kp, 0.0, kd).unwrap();
        let control = builder.add("control", control);
        builder.connect(plant.state("arm"), control.estimated_state);
        builder.connect(control.generalized_force, plant.actuation("arm"));
        builder.fix(control.desired_state, [0.2, 0.1, 0.0, 0.0]);
    }
    let accuracy = [1e-2, 1e-3, 1e-4, 1e-5][(seed / 6) as usize % 4];
    let error_weights = ErrorWeights { length: 1.0 / scale.length, ..ErrorWeights::default() };
    let options = Options { accuracy, max_step: 0.1 * scale.time, error_weights, ..Options::default() };
    (builder.build().unwrap(), options)
}

/// Changes the options in the units of a scale, for the integrator that runs a scene.
type Chosen<'a> = &'a dyn Fn(Options, &Scale) -> Options;

/// Checks that a scene takes the same steps in other units, up to `end` \[s\] in the first.
fn check(seed: u64, scale: &Scale, end: f64, chosen: Chosen) {
    compare(seed, scale, end, &|scale: &Scale| {
        let (diagram, options) = scene(seed, scale);
        Simulation::new(&diagram, chosen(options, scale)).unwrap()
    });
}

/// Checks any scene, which `start` builds in given units.
fn compare(seed: u64, scale: &Scale, end: f64, start: &dyn Fn(&Scale) -> Simulation) {
    let (mut one, mut other) = (start(&Scale::ONE), start(scale));
    let mut steps = 0;
    while one.time() < end && steps < 150 {
        one.step(end).unwrap();
        other.step(end * scale.time).unwrap();
        steps += 1;
        assert_eq!(one.time() * scale.time, other.time(), "seed {seed}, step {steps}: the time");
        let names = one.diagram().state_names();
        for ((name, x), y) in names.iter().zip(&one.state().continuous).zip(&other.state().continuous) {
            // An angle or its speed, a length or its speed.
            let (angle, length) = ([1.0, scale.time], [1.0 / scale.length, scale.time / scale.length]);
            let same = angle.into_iter().chain(length).any(|factor| *x == y * factor);
            assert!(same, "seed {seed}, step {steps}: {name} is {x:e}, and {y:e} in other units");
        }
    }
    let counts = |simulation: &Simulation| {
        let statistics = simulation.statistics();
        (statistics.steps, statistics.rejected_steps, statistics.solves, statistics.solver_iterations)
    };
    assert_eq!(counts(&one), counts(&other), "seed {seed}");
}

/// Checks all three ways to scale a scene.
fn check_all(seed: u64, end: f64, chosen: Chosen) {
    let length = if seed.is_multiple_of(2) { 0.25 } else { 16.0 };
    for scale in
        [Scale { time: 0.25, ..Scale::ONE }, Scale { mass: 1024.0, ..Scale::ONE }, Scale { length, ..Scale::ONE }]
    {
        check(seed, &scale, end, chosen);
    }
}

/// Keeps the options of the scene, under error control.
fn controlled(options: Options, _: &Scale) -> Options {
    options
}

#[test]
fn a_scene_with_all_times_a_quarter_as_long_takes_the_same_steps() {
    (0..50).for_each(|seed| check(seed, &Scale { time: 0.25, ..Scale::ONE }, 0.3, &controlled));
}

#[test]
fn a_scene_with_all_masses_1024_times_as_large_takes_the_same_steps() {
    (0..50).for_each(|seed| check(seed, &Scale { mass: 1024.0, ..Scale::ONE }, 0.3, &controlled));
}

#[test]
fn a_scene_with_all_lengths_a_quarter_or_16_times_as_large_takes_the_same_steps() {
    for seed in 0..50_u64 {
        let length = if seed.is_multiple_of(2) { 0.25 } else { 16.0 };
        check(seed, &Scale { length, ..Scale::ONE }, 0.3, &controlled);
    }
}

#[test]
fn steps_of_fixed_length_have_no_scale_but_their_length() {
    const METHODS: [&str; 4] = ["icf", "projected-gauss-seidel", "theta-gamma", "volume"];
    for seed in 0..50 {
        let name = METHODS[seed as usize % METHODS.len()];
        let step = [1e-2, 1e-3, 1e-4][(seed / 4) as usize % 3];
        check_all(seed, 40.0 * step, &|options, scale| {
            let mut options =
                Options { integrator: integrators::method(name).unwrap(), step: Some(step * scale.time), ..options };
            options.methods.change::<ThetaGammaOptions>(|theta_gamma| {
                theta_gamma.slop *= scale.length;
                theta_gamma.correction_speed *= scale.length / scale.time;
            });
            options
        });
    }
}

#[test]
fn steps_that_conserve_energy_have_no_scale_of_their_own() {
    let integrator = integrators::method("cenic-trapezoid").unwrap();
    (0..50).step_by(5).for_each(|seed| check_all(seed, 0.1, &|options, _| Options { integrator, ..options }));
}

/// A rope that is pinned to the world and swings, of random stiffness.
fn rope(seed: u64, scale: &Scale) -> (Diagram, Options) {
    let r = &mut noise(seed + 1);
    let curve = Curve::Polyline([[0.0, 0.0, 0.6], [0.4, 0.15, 0.66]].map(|p| scale.lengths(p).into()).to_vec());
    let stretch = [0.0; 3].map(|_: f64| scale.force(10_f64.powf(1.5 + 1.5 * r())));
    let bend = [0.0; 3].map(|_: f64| scale.torque(10_f64.powf(-2.0 - r())) * scale.length);
    let mass = scale.mass / scale.length * (0.05 + 0.2 * r());
    let section = Section::Given { stretch, bend, mass, radius: 0.01 * scale.length };
    let damping = if seed.is_multiple_of(2) { 1e-3 * scale.time } else { 0.0 };
    let material = FibreMaterial { young: 1.0, shear: 1.0, density: 1.0, damping };
    let fibre = Fibre {
        ends: [FibreEnd::Pinned("world".into()), FibreEnd::Free],
        up: Some(Vector3::new(0.3, 0.2, 1.0)),
        contact_radius: Some(0.0),
        ..Fibre::new("rope", curve, 3 + (seed % 4) as usize, section, material)
    };
    let contact =
        ContactParameters { stiction_tolerance: 1e-4 * scale.length / scale.time, ..ContactParameters::default() };
    let plant = PlantBuilder::new().gravity(scale.gravity()).contact(contact).fibre(fibre);
    let mut builder = DiagramBuilder::new("rope");
    builder.add("plant", plant.correction_speed(scale.length / scale.time).build().unwrap());
    let accuracy = [1e-2, 1e-3, 1e-4][seed as usize % 3];
    let error_weights = ErrorWeights { length: 1.0 / scale.length, ..ErrorWeights::default() };
    let options = Options { accuracy, max_step: 0.1 * scale.time, error_weights, ..Options::default() };
    (builder.build().unwrap(), options)
}

/// The deflection of its pin is a length, so the rope has no scale of its own.
#[test]
fn a_rope_that_is_pinned_has_no_scale_of_its_own() {
    for seed in 0..6 {
        for scale in [
            Scale { time: 0.25, ..Scale::ONE },
            Scale { mass: 1024.0, ..Scale::ONE },
            Scale { length: 64.0, ..Scale::ONE },
            Scale { length: 0.125, ..Scale::ONE },
        ] {
            compare(seed, &scale, 0.05, &|scale| {
                let (diagram, options) = rope(seed, scale);
                Simulation::new(&diagram, options).unwrap()
            });
        }
    }
}
