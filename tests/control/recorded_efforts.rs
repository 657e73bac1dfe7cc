//! The recorded effort of a plant is the effort that acted: equal at the port and in the plant's report, and near to
//! that of a tight run where gains are stiff against light joints.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::simulate::{Observer, Sample, Simulation};
use kinegraph::systems::control::Pid;
use kinegraph::systems::multibody::{Base, JointKind, Link, Model, PlantBuilder};
use kinegraph::systems::sources::Trajectory;
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::io;

/// An arm of `joints` links, thin rods with light rotors about their axes.
fn arm(r: &mut Random, joints: usize) -> Model {
    let mut links = vec![Link { name: "l0".into(), ..Link::default() }];
    let (mut all, mut before) = (Vec::new(), 0.0);
    for i in 1..=joints {
        let (m, l) = (r.between(0.5, 4.0), r.between(0.2, 0.6));
        let axis = [Vector3::x(), Vector3::y(), Vector3::z()][(3.0 * r.part()) as usize];
        let mut own = link(&format!("l{i}"), m, [0.0, 0.0, 0.5 * l]);
        let (across, along) = (m * l * l / 10.0, m * l * l / 40.0);
        own.inertia.as_mut().unwrap().I_BBcm = Matrix3::from_diagonal(&Vector3::new(across, across, along));
        let mut hinge = joint(&format!("j{i}"), JointKind::Continuous, &format!("l{}", i - 1), &format!("l{i}"), axis);
        hinge.X_PF = Isometry3::translation(0.0, 0.0, before);
        links.push(own);
        all.push(hinge);
        before = l;
    }
    Model { name: "arm".into(), links, joints: all, ..Model::default() }
}

/// A random arm on a random cubic path under PID with the same gains on all joints; `held` is the accuracy of the
/// effort of each joint.
fn scene(seed: u64, held: Option<&[f64]>) -> (Diagram, usize, f64) {
    let mut r = Random(seed);
    let joints = 2 + (3.0 * r.part()) as usize;
    let model = arm(&mut r, joints);
    let mut times = vec![0.0];
    (0..3).for_each(|_| times.push(times[times.len() - 1] + r.between(0.4, 0.8)));
    let mut values = vec![vec![0.0; joints]];
    values.extend((0..3).map(|_| (0..joints).map(|_| r.between(-1.0, 1.0)).collect()));
    let w: f64 = r.between(10.0, 30.0);
    let mut b = DiagramBuilder::new("arm");
    let plant = b.add("plant", PlantBuilder::new().model("arm", model, Base::fixed()).build().unwrap());
    let pid = b.add("pid", Pid::new(joints, w * w, 0.0, 2.0 * w).unwrap());
    let path = b.add("path", Trajectory::new(times.clone(), values).unwrap());
    b.connect(plant.state("arm"), pid.measured);
    b.connect(path.state, pid.desired);
    b.connect(pid.effort, plant.actuation("arm"));
    if let Some(held) = held {
        b.control_output("pid.effort", held.to_vec());
    }
    (b.build().unwrap(), joints, times[3])
}

/// Sums of squares of all channels, and the largest difference between those of the port and of the plant.
struct Squares {
    sums: Vec<f64>,
    count: f64,
    apart: f64,
}

impl Observer for Squares {
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        // Before the first step nothing has acted.
        if sample.state().time > 0.0 {
            let row = sample.values();
            let (port, plant) = row.split_at(row.len() / 2);
            self.sums.resize(port.len(), 0.0);
            self.sums.iter_mut().zip(port).for_each(|(sum, x)| *sum += x * x);
            self.apart = port.iter().zip(plant).fold(self.apart, |most, (a, b)| most.max((a - b).abs()));
            self.count += 1.0;
        }
        Ok(())
    }
}

/// Root mean squares of the recorded efforts, and the steps.
fn efforts(diagram: &Diagram, duration: f64, accuracy: f64) -> (Vec<f64>, usize) {
    let mut channels = diagram.find_channels("pid.effort").unwrap();
    channels.extend(diagram.find_channels("plant.net_actuation").unwrap());
    let mut simulation = Simulation::new(diagram, cenic(accuracy)).unwrap();
    let mut squares = Squares { sums: Vec::new(), count: 0.0, apart: 0.0 };
    simulation.advance_observing(duration, 0.002, &channels, &mut squares).unwrap();
    let port: Vec<f64> = channels[..channels.len() / 2].iter().map(|c| simulation.channel(&c.name).unwrap()).collect();
    let plant: Vec<f64> = channels[channels.len() / 2..].iter().map(|c| simulation.channel(&c.name).unwrap()).collect();
    assert!(port.iter().zip(&plant).all(|(a, b)| (a - b).abs() < 1e-9), "at the end {port:?} {plant:?}");
    assert!(squares.apart < 1e-9, "port and plant differ by {:e}", squares.apart);
    let rms = squares.sums.iter().map(|sum| (sum / squares.count).sqrt()).collect();
    (rms, simulation.statistics().steps)
}

fn off(found: &[f64], tight: &[f64]) -> f64 {
    found.iter().zip(tight).fold(0.0, |most, (x, t)| f64::max(most, (x / t - 1.0).abs()))
}

#[test]
fn recorded_efforts_of_stiff_arms_are_near_those_of_a_tight_run() {
    let mut found = [Vec::new(), Vec::new(), Vec::new()];
    for seed in 0..8 {
        let (diagram, _, duration) = scene(seed, None);
        let (tight, _) = efforts(&diagram, duration, 1e-6);
        for (list, accuracy) in found.iter_mut().zip([1e-2, 1e-3, 1e-4]) {
            list.push(off(&efforts(&diagram, duration, accuracy).0, &tight));
        }
    }
    // Read off the gain times the error of the position they err by 27 times their size at 1e-2.
    assert!(found[0].iter().all(|off| *off < 0.25), "{:?}", found[0]);
    assert!(found[1].iter().all(|off| *off < 0.02), "{:?}", found[1]);
    assert!(found[2].iter().all(|off| *off < 0.02), "{:?}", found[2]);
}

#[test]
fn efforts_under_error_control_are_within_two_percent_at_any_accuracy() {
    for seed in 0..4 {
        let (diagram, _, duration) = scene(seed, None);
        let (tight, _) = efforts(&diagram, duration, 1e-6);
        let held: Vec<f64> = tight.iter().map(|rms| 0.05 * rms).collect();
        let (controlled, _, _) = scene(seed, Some(&held));
        let (plain, controlled) = (efforts(&diagram, duration, 1e-2), efforts(&controlled, duration, 1e-2));
        assert!(off(&controlled.0, &tight) < 0.02, "{seed}: {}", off(&controlled.0, &tight));
        assert!(controlled.1 > plain.1);
    }
}
