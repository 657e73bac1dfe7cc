//! Free bodies that collide without gravity keep their momentum: contact impulses are equal and opposite, and act at
//! one point.
//!
//! A step of length h conserves momentum exactly: it solves `M(q0) (v - v*) = J' gamma`, where w* of v* is that of free
//! motion by the midpoint rule, `I (w* - w0) + h m x I m = 0` with m the mean of both and I = I(q0), and a rigid motion
//! of all bodies together is in the null space of J. So the sum over all bodies of `m (v - v0)`, and that of
//! `I(q0) (w - w*) + p0 x m (v - v0)`, are zero. With p = p0 + h v, `p x m v = p0 x m v`: for balls, whose inertia does
//! not turn, the angular momentum itself is exact. For other bodies I(q) differs from I(q0) + h [w0, I] by O(h²) per
//! step.

use crate::common::*;
use kinegraph::diagram::{Diagram, State};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::PlantBuilder;
use nalgebra::{Isometry3, Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Mass and principal moments of each free body.
type Bodies = Vec<(f64, Vector3<f64>)>;

struct Scene {
    diagram: Diagram,
    bodies: Bodies,
}

fn scene(plant: PlantBuilder, bodies: Bodies) -> Scene {
    Scene { diagram: alone(plant), bodies }
}

/// Three balls of different masses that meet, spinning.
fn balls(friction: f64, dissipation: f64) -> Scene {
    let radius = 0.1;
    let plant = weightless()
        .contact(contact(1e4, dissipation, friction))
        .model("a", ball(1.0, radius), thrown([-0.3, 0.0, 0.0], [0.0, 5.0, 20.0], [2.0, 0.1, 0.0]))
        .model("b", ball(2.0, radius), thrown([0.0, 0.05, 0.02], [1.0, 0.0, -3.0], [0.0, 0.0, 0.0]))
        .model("c", ball(0.5, radius), thrown([0.3, 0.0, 0.05], [0.0, 0.0, 0.0], [-3.0, 0.0, 0.0]));
    let moments = |m: f64| (m, Vector3::repeat(0.4 * m * radius * radius));
    scene(plant, vec![moments(1.0), moments(2.0), moments(0.5)])
}

/// Two boxes that meet, turning about no principal axis.
fn boxes() -> Scene {
    let (ha, hb) = ([0.1, 0.2, 0.15], [0.05, 0.1, 0.2]);
    let (ma, mb) = (2.0, 1.0);
    let plant = weightless()
        .contact(contact(1e4, 1.0, 0.5))
        .model("a", cuboid(ma, ha), thrown([0.0; 3], [0.3, 0.7, -0.4], [0.0; 3]))
        .model("b", cuboid(mb, hb), thrown([0.4, 0.05, 0.03], [1.0, -2.0, 0.5], [-1.5, 0.1, 0.2]));
    let moments =
        |m: f64, [x, y, z]: [f64; 3]| (m, Vector3::new(y * y + z * z, x * x + z * z, x * x + y * y) * (m / 3.0));
    scene(plant, vec![moments(ma, ha), moments(mb, hb)])
}

struct Motion {
    rotation: Matrix3<f64>,
    p: Vector3<f64>,
    w: Vector3<f64>,
    v: Vector3<f64>,
}

/// Free bodies: q = quaternion, position; v = angular, linear, all in world axes.
fn motions(state: &State, bodies: usize) -> Vec<Motion> {
    let (q, v) = state.continuous.split_at(7 * bodies);
    let motion = |(q, v): (&[f64], &[f64])| Motion {
        rotation: UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3])).to_rotation_matrix().into(),
        p: Vector3::from_column_slice(&q[4..7]),
        w: Vector3::from_column_slice(&v[..3]),
        v: Vector3::from_column_slice(&v[3..6]),
    };
    q.chunks_exact(7).zip(v.chunks_exact(6)).map(motion).collect()
}

impl Scene {
    fn inertia(&self, body: usize, rotation: &Matrix3<f64>) -> Matrix3<f64> {
        rotation * Matrix3::from_diagonal(&self.bodies[body].1) * rotation.transpose()
    }

    fn linear(&self, state: &State) -> Vector3<f64> {
        motions(state, self.bodies.len()).iter().zip(&self.bodies).map(|(x, (m, _))| x.v * *m).sum()
    }

    /// About the world's origin.
    fn angular(&self, state: &State) -> Vector3<f64> {
        let parts = motions(state, self.bodies.len());
        let part = |(i, x): (usize, &Motion)| self.inertia(i, &x.rotation) * x.w + x.p.cross(&x.v) * self.bodies[i].0;
        parts.iter().enumerate().map(part).sum()
    }

    /// Sizes of the momenta without cancellation, for relative errors.
    fn scale(&self, state: &State) -> f64 {
        let parts = motions(state, self.bodies.len());
        parts.iter().zip(&self.bodies).map(|(x, (m, i))| m * x.v.norm() + i.max() * x.w.norm()).sum()
    }

    /// Residual of the sum of angular impulses about the origin in one step.
    fn angular_residual(&self, before: &State, after: &State, h: f64) -> Vector3<f64> {
        let n = self.bodies.len();
        let pairs = motions(before, n).into_iter().zip(motions(after, n)).enumerate();
        pairs
            .map(|(i, (a, b))| {
                let inertia = self.inertia(i, &a.rotation);
                let inverse = inertia.try_inverse().unwrap();
                let free = (0..50).fold(a.w, |w, _| {
                    let mean = (a.w + w) * 0.5;
                    a.w - inverse * mean.cross(&(inertia * mean)) * h
                });
                inertia * (b.w - free) + a.p.cross(&(b.v - a.v)) * self.bodies[i].0
            })
            .sum()
    }

    fn end(&self, options: Options, time: f64) -> (State, usize) {
        let simulation = run(&self.diagram, options, time);
        (simulation.state().clone(), simulation.statistics().max_contacts)
    }
}

#[test]
fn colliding_balls_keep_linear_momentum_whatever_the_integrator() {
    for (friction, dissipation) in [(0.0, 0.0), (0.5, 0.0), (0.8, 20.0)] {
        let scene = balls(friction, dissipation);
        let start = scene.diagram.initial_state();
        for options in [icf(1e-3), cenic(1e-2), cenic(1e-4)] {
            let (end, contacts) = scene.end(options, 0.3);
            assert!(contacts > 0, "the balls do not meet");
            let drift = (scene.linear(&end) - scene.linear(&start)).norm() / scene.scale(&start);
            assert!(drift < 1e-10, "{drift:e} with friction {friction}, {:?}", options.integrator);
        }
    }
}

#[test]
fn colliding_balls_keep_angular_momentum_exactly_with_a_fixed_step() {
    for (friction, dissipation) in [(0.0, 0.0), (0.8, 20.0)] {
        let scene = balls(friction, dissipation);
        let start = scene.diagram.initial_state();
        let (end, _) = scene.end(icf(1e-3), 0.3);
        let drift = (scene.angular(&end) - scene.angular(&start)).norm() / scene.scale(&start);
        assert!(drift < 1e-10, "{drift:e}");
    }
}

#[test]
fn colliding_balls_keep_angular_momentum_to_the_accuracy() {
    let scene = balls(0.8, 20.0);
    let start = scene.diagram.initial_state();
    for accuracy in [1e-2, 1e-3, 1e-4] {
        let (end, _) = scene.end(cenic(accuracy), 0.3);
        let drift = (scene.angular(&end) - scene.angular(&start)).norm() / scene.scale(&start);
        assert!(drift < accuracy, "{drift:e} at accuracy {accuracy:e}");
    }
}

#[test]
fn every_step_of_colliding_boxes_balances_linear_and_angular_impulses() {
    let scene = boxes();
    let mut simulation = Simulation::new(&scene.diagram, icf(1e-3)).unwrap();
    let mut contacts = 0;
    while simulation.time() < 0.5 {
        let before = simulation.state().clone();
        simulation.step(0.5).unwrap();
        let after = simulation.state();
        let scale = scene.scale(&before);
        let linear = (scene.linear(after) - scene.linear(&before)).norm() / scale;
        let angular = scene.angular_residual(&before, after, after.time - before.time).norm() / scale;
        assert!(linear < 1e-10 && angular < 1e-10, "{linear:e}, {angular:e} at {}", before.time);
        contacts = simulation.statistics().max_contacts;
    }
    assert!(contacts >= 1, "the boxes do not meet");
}

#[test]
fn angular_momentum_of_colliding_boxes_drifts_by_the_order_of_the_method() {
    let scene = boxes();
    let start = scene.diagram.initial_state();
    let drift =
        |h: f64| (scene.angular(&scene.end(icf(h), 0.5).0) - scene.angular(&start)).norm() / scene.scale(&start);
    let (coarse, fine) = (drift(1e-3), drift(2.5e-4));
    assert!(coarse < 2e-3 && fine < coarse / 3.0, "{coarse:e} -> {fine:e}");
}

/// Linkages that strike each other without gravity: a body led by a joint keeps its part of the momentum, at loose
/// accuracies too.
#[test]
fn linkages_keep_their_momentum_in_undamped_impacts() {
    use kinegraph::systems::multibody::{Base, JointKind};
    let mut random = Random(6);
    let (mut above, mut gained) = (0, 0);
    for scene in 0..24 {
        let mut masses = Vec::new();
        let mut plant = weightless().contact(contact(random.log(1e4, 1e6), 0.0, 0.0));
        for (name, side) in [("a", -1.0), ("b", 1.0)] {
            let mut model = cuboid(random.log(0.3, 3.0), [0.15, 0.03, 0.03]);
            let mass = random.log(0.3, 3.0);
            let mut end = cuboid(mass, [0.15, 0.03, 0.03]).links.remove(0);
            end.name = "end".into();
            if let Some(inertia) = &mut end.inertia {
                inertia.p_BoBcm.x = 0.15;
            }
            end.collisions[0].X_BG = Isometry3::translation(0.15, 0.0, 0.0);
            let axis = if random.part() < 0.5 { Vector3::z() } else { Vector3::y() };
            let mut hinge = joint("hinge", JointKind::Continuous, "body", "end", axis);
            hinge.X_PF = Isometry3::translation(0.17, 0.0, 0.0);
            masses.push((model.links[0].inertia.map_or(0.0, |i| i.mass), mass));
            model.links.push(end);
            model.joints.push(hinge);
            let mut speed = || random.between(-0.1, 0.1);
            let at = Isometry3::translation(side * 0.4, speed() * 0.3, speed() * 0.3);
            let linear = Vector3::new(-side * (1.5 + 5.0 * speed()), speed(), speed());
            let angular = Vector3::new(speed(), speed(), speed()) * 20.0;
            plant = plant.model(name, model, Base::Floating { X_WR: at, w_WR: angular, v_WR: linear });
        }
        let diagram = alone(plant);
        let momentum = |simulation: &mut Simulation| {
            let mut get = |name: String| simulation.channel(&name).unwrap();
            let mut sum = Vector3::zeros();
            for (name, (m_body, m_end)) in ["a", "b"].into_iter().zip(&masses) {
                for (link, m, com) in [("body", m_body, 0.0), ("end", m_end, 0.15)] {
                    let mut vector = |kind: &str, [x, y, z]: [&str; 3]| {
                        Vector3::from([x, y, z].map(|c| get(format!("plant.{name}.{link}.{kind}.{c}"))))
                    };
                    let (v, w) = (vector("velocity", ["vx", "vy", "vz"]), vector("velocity", ["wx", "wy", "wz"]));
                    let turn = vector("pose", ["qx", "qy", "qz"]);
                    let turn = Quaternion::new(get(format!("plant.{name}.{link}.pose.qw")), turn.x, turn.y, turn.z);
                    let arm = UnitQuaternion::from_quaternion(turn) * Vector3::new(com, 0.0, 0.0);
                    sum += (v + w.cross(&arm)) * *m;
                }
            }
            sum
        };
        let scale: f64 = 1.5 * masses.iter().map(|(a, b)| a + b).sum::<f64>();
        for accuracy in [1e-2, 1e-3, 1e-4] {
            let mut simulation = Simulation::new(&diagram, Options { max_step: 0.05, ..cenic(accuracy) }).unwrap();
            let (before, energy) = (momentum(&mut simulation), simulation.energy().unwrap());
            simulation.advance_to(0.6).unwrap();
            let (after, kept) = (momentum(&mut simulation), simulation.energy().unwrap());
            let off = (after - before).norm() / scale;
            assert!(off < 4.0 * accuracy, "{scene} {accuracy:e}: {off:e} of the momentum");
            above += usize::from(off > accuracy && accuracy == 1e-2);
            gained += usize::from(kept > 1.02 * energy);
        }
    }
    assert!(above <= 5, "{above} scenes lose more than one accuracy of their momentum at 1e-2");
    // One does: after impacts that lost as much, at 1e-4.
    assert!(gained <= 1, "{gained} runs gain energy");
}
