//! Redundant rows of rigid constraints have no effect, in every method: planar loops, second bearings and superfluous
//! bars, in any orientation and with any number of digits.

use crate::common::*;
use crate::reference::{Samples, data};
use kinegraph::files::{self, Override};
use kinegraph::simulate::{FileSimulator, RunReport, Simulation, Simulator};
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, Inertia, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};

/// Runs a file of `tests/data/redundant`, and returns its notes.
fn run_redundant(name: &str, settings: &[String]) -> (RunReport, Vec<String>) {
    let overrides: Vec<_> = settings.iter().map(|setting| Override::set(setting).unwrap()).collect();
    let loaded = files::load(&data().join("redundant").join(format!("{name}.yaml")), &overrides).unwrap();
    let built = FileSimulator.build(&loaded.diagram, &loaded.loader).unwrap();
    let notes = built.size().notes.iter().map(|note| note.to_string()).collect();
    let report = built.run(&mut Samples::default());
    assert!(report.status.is_done(), "{}", report.status);
    (report, notes)
}

fn by(integrator: &str, key: &str, value: &str) -> Vec<String> {
    vec![format!("simulation.integrator={integrator}"), format!("simulation.{key}={value}")]
}

fn at_end(report: &RunReport, channel: &str) -> f64 {
    report.final_state.0.iter().find(|(name, _)| name == channel).expect("the channel").1
}

/// A four-bar of which one half is mounted with half a turn about the vertical: the row of its ball across the plane
/// has coefficients of 1e-17. Reference: the same four-bar with parallel axes, by two independent programs.
#[test]
fn a_loop_with_a_mount_that_is_turned_moves() {
    let methods = [
        ("cenic", "accuracy", "1e-2", 0.01),
        ("cenic", "accuracy", "1e-5", 2e-4),
        ("cenic-trapezoid", "accuracy", "1e-3", 2e-3),
        ("icf", "step", "1e-3", 0.01),
        ("sap", "step", "1e-3", 0.01),
        ("theta-gamma", "step", "1e-3", 0.03),
        ("projected-gauss-seidel", "step", "1e-3", 0.01),
    ];
    for (method, key, value, within) in methods {
        let (report, notes) = run_redundant("four_bar", &by(method, key, value));
        let crank = at_end(&report, "plant.L.a.q");
        assert!((crank + 3.7001).abs() < within, "{method} {value}: {crank}");
        let (before, after) = (report.energy_start.unwrap(), report.energy_end.unwrap());
        assert!((after - before).abs() < 5.0 * within, "{method} {value}: {before} J become {after} J");
        assert!(notes.iter().any(|note| note.contains("constraint pin") && note.contains("redundant")), "{notes:?}");
    }
}

/// A door on a hinge and a ball on the same axis, which leans: the ball has nothing to do.
#[test]
fn an_idle_bearing_does_nothing() {
    let methods = [
        ("cenic", "accuracy", "1e-3", 1e-4),
        ("cenic-trapezoid", "accuracy", "1e-3", 1e-3),
        ("dopri5", "accuracy", "1e-6", 1e-5),
        ("sdirk2", "accuracy", "1e-5", 1e-3),
        ("icf", "step", "1e-3", 1e-3),
        ("sap", "step", "1e-3", 1e-3),
        ("theta-gamma", "step", "1e-3", 0.01),
        ("projected-gauss-seidel", "step", "1e-3", 1e-3),
    ];
    for (method, key, value, within) in methods {
        let (report, notes) = run_redundant("second_bearing", &by(method, key, value));
        let (hinge, energy) = (at_end(&report, "plant.m.hinge.q"), report.energy_end.unwrap());
        assert!((hinge + 3.66642).abs() < within, "{method}: {hinge}");
        assert!((energy - 16.06563).abs() < 5.0 * within, "{method}: {energy} J");
        assert!(notes.iter().any(|note| note.contains("upper") && note.contains("redundant")), "{notes:?}");
    }
}

/// A parallelogram with a third bar by the trapezoid scheme, which left it slightly off its constraints at every step,
/// where it is a rigid structure and stands still.
#[test]
fn the_trapezoid_scheme_keeps_the_energy_of_redundant_bars() {
    for (accuracy, within) in [("1e-2", 1e-3), ("1e-3", 1e-4), ("1e-5", 1e-6)] {
        let (report, _) = run_redundant("bars", &by("cenic-trapezoid", "accuracy", accuracy));
        let (bar, energy) = (at_end(&report, "plant.m.j0.q"), report.energy_end.unwrap());
        assert!((bar + 2.591025).abs() < within, "{accuracy}: {bar}");
        assert!((energy + 3.602553).abs() < within, "{accuracy}: {energy} J");
    }
}

/// The scheme alone lets a top gain energy: 28 % in 10 s at 1e-2.
#[test]
fn a_top_on_a_pivot_gains_no_energy_by_the_trapezoid_scheme() {
    for (accuracy, part) in [("1e-2", 5e-3), ("1e-3", 5e-5)] {
        let (report, _) = run_redundant("top", &by("cenic-trapezoid", "accuracy", accuracy));
        let (before, after) = (report.energy_start.unwrap(), report.energy_end.unwrap());
        assert!((after - before).abs() < part * before, "{accuracy}: {before} J become {after} J");
    }
}

/// Pseudorandom numbers from 0 to 1, which depend on the seed alone.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut x = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Rounds to this number of decimals, as in a file.
fn rounded(x: Vector3<f64>, digits: i32) -> Vector3<f64> {
    let scale = 10_f64.powi(digits);
    x.map(|x| (x * scale).round() / scale)
}

fn turned(angles: Vector3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(angles.x, angles.y, angles.z)
}

fn rod(name: &str, mass: f64, length: f64) -> Link {
    let across = mass * length * length / 12.0;
    let moments = Matrix3::from_diagonal(&Vector3::new(0.1 * across, across, across));
    let inertia = Inertia { mass, p_BoBcm: Vector3::new(0.5 * length, 0.0, 0.0), I_BBcm: moments };
    Link { name: name.into(), inertia: Some(inertia), ..Link::default() }
}

/// Parallelograms of two to four bars, whose mounts are turned by quarters with 4 to 15 digits, from random starts:
/// they move like one pendulum.
#[test]
fn parallelograms_that_are_turned_by_quarters_move_like_a_pendulum() {
    let length = 0.3;
    for seed in 0..40 {
        let mut r = noise(seed);
        let digits = [4, 5, 6, 8, 10, 15][seed as usize % 6];
        let bars = 2 + (3.0 * r()) as usize;
        let quarters = Vector3::from_fn(|_, _| (4.0 * r()).floor() * FRAC_PI_2);
        let (exact, mount) = (turned(quarters), turned(rounded(quarters, digits)));
        let (q, v) = (PI * (2.0 * r() - 1.0), 6.0 * r() - 3.0);
        let mut plant = PlantBuilder::new().gravity((exact * Vector3::new(0.0, 0.0, -9.81)).into());
        let (mut inertia, mut lever) = (0.0, 0.0);
        for i in 0..bars {
            let (mass, x) = (0.3 + r(), if i == 0 { 0.0 } else { 0.2 + 0.5 * r() });
            let hinge = |name: &str, from: &str, to: &str, x: f64| {
                let mut joint = joint(name, JointKind::Revolute, from, to, Vector3::y());
                joint.X_PF = Isometry3::translation(x, 0.0, 0.0);
                joint.limits = (f64::NEG_INFINITY, f64::INFINITY);
                joint
            };
            let base = Link { name: "base".into(), ..Link::default() };
            let mut model = Model {
                name: format!("b{i}"),
                links: vec![base, rod("bar", mass, length)],
                joints: vec![hinge("j", "base", "bar", 0.0)],
                ..Model::default()
            };
            inertia += mass * length * length / 3.0;
            lever += mass * 0.5 * length;
            if i == 0 {
                let top = 0.3 + r();
                model.links.push(rod("top", top, 0.5));
                model.joints.push(hinge("t", "bar", "top", length));
                inertia += top * length * length;
                lever += top * length;
            }
            let place = rounded(exact * Vector3::new(x, 0.0, 0.0), digits);
            let base = Base::Fixed { X_WR: Isometry3::from_parts(place.into(), mount) };
            plant = plant.model(format!("b{i}"), model, base).initial(format!("b{i}/j"), q, v);
            if i == 0 {
                plant = plant.initial("b0/t", -q, -v);
            } else {
                let on_top = rounded(Vector3::new(x, 0.0, 0.0), digits).x;
                let end = Attachment::at(format!("b{i}/bar"), [length, 0.0, 0.0]);
                plant = plant.constraint(Constraint::ball(
                    format!("p{i}"),
                    end,
                    Attachment::at("b0/top", [on_top, 0.0, 0.0]),
                ));
            }
        }
        let diagram = alone(plant);
        let mut simulation = Simulation::new(&diagram, cenic(1e-4)).unwrap();
        simulation.advance_to(1.0).unwrap();
        let found = simulation.state().continuous[0];
        let expected = pendulum(q, v, 9.81 * lever / inertia);
        assert!((found - expected).abs() < 2e-3, "{seed}: {bars} bars, {digits} digits: {found}, not {expected}");
    }
}

/// Position after 1 s of a pendulum that starts at `q` with `v` and accelerates by `a cos q`.
fn pendulum(mut q: f64, mut v: f64, a: f64) -> f64 {
    let (steps, h) = (10_000, 1e-4);
    v += 0.5 * h * a * q.cos();
    for _ in 0..steps {
        q += h * v;
        v += h * a * q.cos();
    }
    q
}
