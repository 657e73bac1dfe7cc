//! The gains that make feedback implicit are the derivatives of the external system: dual numbers against differences.
//!
//! Columns follow the motion of the plant, `N(q) e_i`, so that the four numbers of a quaternion move together with
//! three velocities.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::linearize::{External, Forces, Linearization};
use kinegraph::systems::control::{InverseDynamicsController, Pid};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use kinegraph::systems::signal::{BodyPoses, BodyVelocities, SpatialForces};
use kinegraph::systems::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};
use nalgebra::DMatrix;

/// All forces and external derivatives in one run.
fn answer(external: &mut External, time: f64, x: &[f64]) -> Vec<f64> {
    let mut forces = Forces::default();
    external.evaluate(time, x, &mut forces);
    [forces.actuation, forces.applied, forces.derivatives].concat()
}

/// Differences of fourth order, with an error of the size of rounding.
fn slope(external: &mut External, time: f64, x: &[f64], direction: &[f64]) -> Vec<f64> {
    let h = 1e-3;
    let mut at = |s: f64| {
        let moved: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + s * h * d).collect();
        answer(external, time, &moved)
    };
    let (a, b, c, d) = (at(-2.0), at(-1.0), at(1.0), at(2.0));
    (0..a.len()).map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h)).collect()
}

/// Compares every column at the given state; returns the linearization.
fn check(diagram: &Diagram, time: f64, x: &[f64]) -> Linearization {
    let mut external = External::new(diagram);
    let mut linear = Linearization::default();
    external.linearize(time, x, &mut linear);
    let layout = external.layout().clone();
    let slot = layout.plants[0].clone();
    let plant = layout.plant(diagram, &slot);
    let unit = |n: usize, i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
    let mut columns: Vec<(usize, usize, Vec<f64>)> = Vec::new();
    for i in 0..slot.global.len() {
        let column = linear.sensed.iter().position(|&s| s == i);
        let mut along_q = vec![0.0; x.len()];
        let q = &x[slot.positions.clone()];
        plant.position_rates(q, &unit(slot.global.len(), i), &mut along_q[slot.positions.clone()]);
        let along_v = unit(x.len(), slot.velocities.start + i);
        for (block, direction) in [(0, along_q), (1, along_v)] {
            match column {
                Some(c) => columns.push((block, c, direction)),
                None => {
                    let slope = slope(&mut external, time, x, &direction);
                    assert!(slope.iter().all(|s| *s == 0.0), "velocity {i} acts, but is not sensed");
                }
            }
        }
    }
    columns.extend(layout.external.iter().enumerate().map(|(c, &at)| (2, c, unit(x.len(), at))));
    for (block, c, direction) in columns {
        let expected = slope(&mut external, time, x, &direction);
        let of = |part: &kinegraph::linearize::ForceJacobian| -> Vec<f64> {
            let m: DMatrix<f64> = [&part.q, &part.v, &part.z][block].to_dense();
            m.column(c).iter().copied().collect()
        };
        let found = [of(&linear.actuation), of(&linear.applied), of(&linear.external)].concat();
        let scale = expected.iter().fold(1.0_f64, |m, e| m.max(e.abs()));
        for (row, (f, e)) in found.iter().zip(&expected).enumerate() {
            assert!((f - e).abs() < 1e-9 * scale, "row {row}, block {block}, column {c}: {f} instead of {e}");
        }
    }
    linear
}

#[test]
fn pid_on_a_double_pendulum_has_its_gains() {
    let mut b = DiagramBuilder::new("pid");
    let plant = b.add("plant", PlantBuilder::new().model("dp", double_pendulum(), Base::fixed()).build().unwrap());
    let pid = b.add("pid", Pid::new(2, [100.0, 50.0], [7.0, 8.0], [3.0, 4.0]).unwrap());
    b.connect(plant.state("dp"), pid.measured);
    b.connect(pid.effort, plant.actuation("dp"));
    b.fix(pid.desired, [0.1; 4]);
    let diagram = b.build().unwrap();
    let linear = check(&diagram, 0.3, &[0.4, -0.7, 1.5, -2.0, 0.1, 0.2]);
    let diagonal = |a: f64, b: f64| DMatrix::from_row_slice(2, 2, &[a, 0.0, 0.0, b]);
    assert_eq!(linear.sensed, [0, 1]);
    assert_eq!(linear.actuation.q.to_dense(), diagonal(-100.0, -50.0));
    assert_eq!(linear.actuation.v.to_dense(), diagonal(-3.0, -4.0));
    assert_eq!(linear.actuation.z.to_dense(), diagonal(7.0, 8.0));
    assert_eq!(linear.external.q.to_dense(), diagonal(-1.0, -1.0));
    assert!(linear.applied.q.values().iter().chain(linear.external.z.values()).all(|x| *x == 0.0));
}

#[test]
fn inverse_dynamics_controller() {
    let mut b = DiagramBuilder::new("computed torque");
    let plant = b.add("plant", PlantBuilder::new().model("dp", double_pendulum(), Base::fixed()).build().unwrap());
    let gravity = [0.0, 0.0, -9.81];
    let controller = InverseDynamicsController::new(&double_pendulum(), gravity, 100.0, [5.0, 6.0], 20.0).unwrap();
    let controller = b.add("controller", controller);
    b.connect(plant.state("dp"), controller.estimated_state);
    b.connect(controller.generalized_force, plant.actuation("dp"));
    b.fix(controller.desired_state, [0.5, -0.2, 0.3, 0.0]);
    let linear = check(&b.build().unwrap(), 0.0, &[0.4, -0.7, 1.5, -2.0, 0.3, -0.4]);
    // Coupled by the mass matrix.
    assert!(linear.actuation.q[(0, 1)] != 0.0 && linear.actuation.z[(0, 1)] != 0.0);
}

/// `f = -kp 2 vec(quaternion) - kd w` on the angular velocities of a free body, from (quaternion, position, w, v).
struct Attitude {
    measured: In<MultibodyState>,
    force: Out<Dyn>,
    ports: Ports,
}

impl Attitude {
    fn new() -> Self {
        let mut ports = Ports::new();
        Attitude { measured: ports.input_of_width("measured", 13), force: ports.output_of_width("force", 6), ports }
    }
}

impl LeafSystem for Attitude {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let x = ctx.get(self.measured);
        let force = out.slice(self.force);
        for i in 0..3 {
            force[i] = S::constant(-200.0) * x[1 + i] - x[7 + i];
            force[3 + i] = S::zero();
        }
    }
}

#[test]
fn attitude_feedback_moves_all_of_the_quaternion() {
    let mut b = DiagramBuilder::new("attitude");
    let plant =
        b.add("plant", weightless().model("b", cuboid(1.0, [0.1, 0.2, 0.3]), at(0.0, 0.0, 0.0)).build().unwrap());
    let attitude = b.add("attitude", Attitude::new());
    b.connect(plant.full_state(), attitude.measured);
    b.connect(attitude.force, plant.applied_generalized_force("b"));
    let diagram = b.build().unwrap();
    let mut x = diagram.initial_state().continuous;
    let linear = check(&diagram, 0.0, &x);
    // At the identity a rotation rate w moves the vector part by w/2.
    for i in 0..3 {
        for j in 0..3 {
            let (kp, kd) = if i == j { (-100.0, -1.0) } else { (0.0, 0.0) };
            assert_eq!((linear.applied.q[(i, j)], linear.applied.v[(i, j)]), (kp, kd));
        }
    }
    x[..4].copy_from_slice(&[0.5, -0.1, 0.7, 0.5]);
    x[7..].copy_from_slice(&[0.3, -0.2, 1.0, 0.1, 0.2, 0.3]);
    check(&diagram, 0.0, &x);
}

/// A spring and damper from every link's origin to a point, as spatial forces, with a torque about z that depends on
/// the orientation.
struct Tether {
    poses: In<BodyPoses>,
    velocities: In<BodyVelocities>,
    forces: Out<SpatialForces>,
    ports: Ports,
}

impl Tether {
    fn new(links: usize) -> Self {
        let mut ports = Ports::new();
        let poses = ports.input_of_width("poses", 7 * links);
        let velocities = ports.input_of_width("velocities", 6 * links);
        Tether { poses, velocities, forces: ports.output_of_width("forces", 6 * links), ports }
    }
}

impl LeafSystem for Tether {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (poses, velocities) = (ctx.get(self.poses), ctx.get(self.velocities));
        let links = poses.chunks_exact(7).zip(velocities.chunks_exact(6));
        for (force, (pose, velocity)) in out.slice(self.forces).chunks_exact_mut(6).zip(links) {
            force[..3].copy_from_slice(&[S::zero(), pose[5] * velocity[1], pose[3] * pose[5]]);
            for i in 0..3 {
                force[3 + i] = S::constant(50.0) * (S::constant(0.2) - pose[i]) - S::constant(2.0) * velocity[3 + i];
            }
        }
    }
}

fn tethered(plant: PlantBuilder, model: &str, links: usize) -> Diagram {
    let mut b = DiagramBuilder::new("tether");
    let plant = b.add("plant", plant.build().unwrap());
    let tether = b.add("tether", Tether::new(links));
    b.connect(plant.body_poses(), tether.poses);
    b.connect(plant.body_velocities(), tether.velocities);
    b.connect(tether.forces, plant.applied_spatial_force(model));
    b.build().unwrap()
}

#[test]
fn forces_on_links_act_through_the_jacobian() {
    let diagram = tethered(PlantBuilder::new().model("dp", double_pendulum(), Base::fixed()), "dp", 3);
    check(&diagram, 0.0, &[0.4, -0.7, 1.5, -2.0]);
    let diagram = tethered(weightless().model("b", ball(1.0, 0.1), at(0.1, 0.2, 0.3)), "b", 1);
    let mut x = diagram.initial_state().continuous;
    check(&diagram, 0.0, &x);
    x[..4].copy_from_slice(&[0.5, -0.1, 0.7, 0.5]);
    x[7..].copy_from_slice(&[0.3, -0.2, 1.0, 0.1, 0.2, 0.3]);
    check(&diagram, 0.0, &x);
}
