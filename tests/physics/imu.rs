//! Inertial measurement units on moving plants.
#![allow(non_snake_case)] // quantity and frames, as the field writes them

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::{Base, JointKind, Link, Model, PlantBuilder};
use kinegraph::systems::sensors::{Imu, ImuSettings};
use kinegraph::systems::{Fixed, Out};
use nalgebra::{Isometry3, Vector3};

const G: f64 = 9.81;

struct Unit {
    diagram: Diagram,
    force: Out<Fixed<3>>,
    rate: Out<Fixed<3>>,
}

/// A plant with a unit on a link.
fn unit_on(plant: PlantBuilder, link: &str, settings: ImuSettings) -> Unit {
    let mut b = DiagramBuilder::new("imu");
    let plant = plant.build().unwrap();
    let imu = b.add("imu", Imu::new(&plant, link, settings).unwrap());
    let plant = b.add("plant", plant);
    b.connect(plant.body_poses(), imu.body_poses);
    b.connect(plant.body_velocities(), imu.body_velocities);
    Unit { diagram: b.build().unwrap(), force: imu.specific_force, rate: imu.angular_velocity }
}

impl Unit {
    /// Force and rate at a time.
    fn read(&self, simulation: &mut Simulation) -> (Vector3<f64>, Vector3<f64>) {
        let vector = |numbers: Vec<f64>| Vector3::from_column_slice(&numbers);
        (vector(simulation.output(self.force)), vector(simulation.output(self.rate)))
    }
}

/// An arm of 1 m on a joint `turn` at the origin; at zero it hangs along -z or lies along x.
fn rotor(axis: Vector3<f64>, com: [f64; 3]) -> Model {
    Model {
        name: "rotor".into(),
        links: vec![Link { name: "base".into(), ..Link::default() }, link("arm", 2.0, com)],
        joints: vec![joint("turn", JointKind::Continuous, "base", "arm", axis)],
        ..Model::default()
    }
}

/// Readings are means over the period, so they are compared with the motion in its middle: they differ by T²/24 of a
/// second derivative.
#[test]
fn on_a_pendulum_an_imu_agrees_with_the_equations_of_motion() {
    let (period, arm) = (1e-3, 0.7);
    let settings = ImuSettings { X_LS: Isometry3::translation(0.0, 0.0, -arm), ..ImuSettings::new(period) };
    let model = rotor(Vector3::y(), [0.0, 0.0, -0.5]);
    let plant = PlantBuilder::new().model("pendulum", model, Base::fixed()).initial("pendulum/turn", 2.0, 0.0);
    let unit = unit_on(plant, "pendulum/arm", settings);
    let mut simulation = Simulation::new(&unit.diagram, cenic(1e-7)).unwrap();
    for i in 1..=30 {
        let end = 0.05 * i as f64;
        simulation.advance_to(end - 0.5 * period).unwrap();
        let (q, v) = (simulation.state().continuous[0], simulation.state().continuous[1]);
        simulation.advance_to(end).unwrap();
        let (f, w) = unit.read(&mut simulation);
        // 2 kg at 0.5 m with 0.02 kg m² of its own.
        let a = -2.0 * G * 0.5 * q.sin() / (2.0 * 0.25 + 0.02);
        // A turn about y takes -z to -x: tangential along -x of the link, the centre along its +z.
        let expected = Vector3::new(-arm * a - G * q.sin(), 0.0, arm * v * v + G * q.cos());
        assert!((f - expected).norm() < 2e-3, "at {end}: {f} instead of {expected}");
        assert!((w - Vector3::y() * v).norm() < 1e-4, "at {end}: {w} instead of {v}");
    }
}

/// Constant in the axes of the sensor: exact whatever the period.
#[test]
fn on_a_turntable_an_imu_reads_the_centripetal_acceleration() {
    for period in [1e-3, 0.25] {
        let settings = ImuSettings { X_LS: Isometry3::translation(0.5, 0.0, 0.0), ..ImuSettings::new(period) };
        let plant = PlantBuilder::new().model("table", rotor(Vector3::z(), [0.3, 0.0, 0.0]), Base::fixed());
        let unit = unit_on(plant.initial("table/turn", 0.3, 4.0), "table/arm", settings);
        let mut simulation = run(&unit.diagram, cenic(1e-6), 1.0);
        let (f, w) = unit.read(&mut simulation);
        assert!((f - Vector3::new(-16.0 * 0.5, 0.0, G)).norm() < 1e-9, "{f}");
        assert!((w - Vector3::z() * 4.0).norm() < 1e-9, "{w}");
    }
}

#[test]
fn in_free_fall_an_imu_reads_its_spin_only() {
    let spin = [1.0, -2.0, 3.0];
    let plant = PlantBuilder::new().model("ball", ball(0.5, 0.1), thrown([0.0, 0.0, 9.0], spin, [1.0, 2.0, 3.0]));
    let X_LS = Isometry3::rotation(Vector3::new(0.4, -0.2, 0.9));
    let unit = unit_on(plant, "ball/body", ImuSettings { X_LS, ..ImuSettings::new(0.01) });
    let mut simulation = run(&unit.diagram, cenic(1e-6), 0.5);
    let (f, w) = unit.read(&mut simulation);
    assert!(f.norm() < 1e-9, "{f}");
    // The ball turns about one axis, so its own axes see it where they saw it at first.
    assert!((w - X_LS.rotation.inverse() * Vector3::from(spin)).norm() < 1e-9, "{w}");
}

/// A ball falls on the ground, bounces and comes to rest. The readings add up to the change of velocity minus that by
/// gravity, impacts included, and at rest show g upwards.
#[test]
fn impact_count_in_full() {
    let (period, end) = (0.01, 3.0);
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 0.2, 0.5));
    let unit = unit_on(plant.model("ball", ball(0.5, 0.1), at(0.0, 0.0, 0.6)), "ball/body", ImuSettings::new(period));
    let mut simulation = Simulation::new(&unit.diagram, cenic(1e-4)).unwrap();
    let (mut sum, mut hardest) = (0.0, 0.0_f64);
    for i in 1..=(end / period) as usize {
        simulation.advance_to(i as f64 * period).unwrap();
        let f = unit.read(&mut simulation).0.z;
        sum += f * period;
        hardest = hardest.max(f);
    }
    let v = velocity(&mut simulation, "ball").1.z;
    assert!((sum - (v + G * end)).abs() < 1e-9, "{sum} instead of {}", v + G * end);
    // The first impact turns 3.13 m/s around within one or two periods.
    assert!(hardest > 200.0, "{hardest}");
}

#[test]
fn on_a_crate_at_rest_an_imu_reads_gravity_upwards() {
    let plant = PlantBuilder::new().ground(0.0).model("crate", block(), at(0.0, 0.0, 0.06));
    let X_LS = Isometry3::new(Vector3::new(0.1, 0.1, 0.0), Vector3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0));
    let settings = ImuSettings { X_LS, accelerometer_bias: [0.1, 0.2, 0.3].into(), ..ImuSettings::new(0.01) };
    let unit = unit_on(plant, "crate/body", settings);
    let (f, w) = unit.read(&mut run(&unit.diagram, cenic(1e-4), 2.0));
    // Up is against the x-axis of the sensor.
    assert!((f - Vector3::new(0.1 - G, 0.2, 0.3)).norm() < 1e-3 && w.norm() < 1e-3, "{f} {w}");
}

/// A repeated run has the same readings, for any steps in between.
#[test]
fn imu_noise_depends_on_time_and_seed_only() {
    let settings = ImuSettings { gyroscope_noise: 0.2.into(), seed: 7, ..ImuSettings::new(0.05) };
    let plant = PlantBuilder::new().model("ball", ball(0.5, 0.1), at(0.0, 0.0, 9.0));
    let unit = unit_on(plant, "ball/body", settings);
    let readings = |options: Options, stops: usize| {
        let mut simulation = Simulation::new(&unit.diagram, options).unwrap();
        let mut readings = Vec::new();
        for i in 1..=20 * stops {
            simulation.advance_to(0.05 * i as f64 / stops as f64).unwrap();
            if i % stops == 0 {
                readings.push(unit.read(&mut simulation).1);
            }
        }
        readings
    };
    let one = readings(cenic(1e-3), 1);
    assert_eq!(one, readings(icf(0.01), 3));
    assert!(one.windows(2).all(|pair| pair[0] != pair[1]));
}
