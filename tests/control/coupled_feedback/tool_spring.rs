//! A spring between the tool of an arm and a moving point.

use super::arm::{A, arm};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::PlantPoint;
use kinegraph::systems::multibody::{Base, JointKind, PlantBuilder};
use kinegraph::systems::signal::{BodyPoses, BodyVelocities, SpatialForces};
use kinegraph::systems::{Context, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::DVector;

/// A spring and damper that pull the tool towards a point that moves by (0.1, 0.25, 0.1) m from 0.3 to 1.3 s.
struct Impedance {
    poses: In<BodyPoses>,
    velocities: In<BodyVelocities>,
    forces: Out<SpatialForces>,
    stiffness: f64,
    damping: f64,
    ports: Ports,
}

impl LeafSystem for Impedance {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (poses, velocities) = (ctx.get(self.poses), ctx.get(self.velocities));
        let (pose, velocity) = (poses.chunks_exact(7).last().unwrap(), velocities.chunks_exact(6).last().unwrap());
        let u = ((ctx.time.value() - 0.3) / 1.0).clamp(0.0, 1.0);
        let s = u * u * (3.0 - 2.0 * u);
        let force = out.slice(self.forces).chunks_exact_mut(6).last().unwrap();
        for i in 0..3 {
            let goal = [0.498778, 0.0, 0.545188][i] + [0.1, 0.25, 0.1][i] * s;
            force[i] = S::zero();
            force[3 + i] = S::constant(self.stiffness) * (S::constant(goal) - pose[i])
                - S::constant(self.damping) * velocity[3 + i];
        }
    }
}

/// The arm without gravity, damped in its joints, its tool on that spring.
fn impedance(stiffness: f64) -> Diagram {
    let mut model = arm();
    let mut point = PlantPoint::default();
    let still = alone(PlantBuilder::new().model("arm", arm(), Base::fixed()));
    still.blocks()[0].system.as_plant().unwrap().evaluate(&A, &[0.0; 7], &mut point);
    let links = model.links.len();
    let moving = model.joints.iter_mut().filter(|joint| joint.kind != JointKind::Fixed);
    moving.enumerate().for_each(|(i, joint)| joint.damping = 5.0 * point.mass_matrix[8 * i]);
    let mut b = DiagramBuilder::new("impedance");
    let mut plant = weightless().model("arm", model, Base::fixed());
    for (i, q) in A.into_iter().enumerate() {
        plant = plant.initial(format!("arm/joint{}", i + 1), q, 0.0);
    }
    let plant = b.add("plant", plant.build().unwrap());
    let mut ports = Ports::new();
    let poses = ports.input_of_width("poses", 7 * links);
    let velocities = ports.input_of_width("velocities", 6 * links);
    let forces = ports.output_of_width("forces", 6 * links);
    let damping = 2.0 * (3.0 * stiffness).sqrt();
    let spring = b.add("spring", Impedance { poses, velocities, forces, stiffness, damping, ports });
    b.connect(plant.body_poses(), spring.poses);
    b.connect(plant.body_velocities(), spring.velocities);
    b.connect(spring.forces, plant.applied_spatial_force("arm"));
    b.build().unwrap()
}

#[test]
fn a_spring_at_the_tool_is_followed_at_every_accuracy() {
    // Its gain turns with the arm: not symmetric, and with a negative part that grows with the force.
    let diagram = impedance(2e4);
    let fine = run(&diagram, Options { extrapolate: true, ..cenic(1e-6) }, 2.0);
    for (accuracy, most, bound) in [(1e-1, 60, 0.3), (1e-2, 70, 0.07), (1e-3, 130, 0.01)] {
        let simulation = run(&diagram, cenic(accuracy), 2.0);
        let attempts = simulation.statistics().steps + simulation.statistics().rejected_steps;
        let q = |s: &Simulation| DVector::from_column_slice(&s.state().continuous[..7]);
        let error = (q(&simulation) - q(&fine)).amax();
        assert!(attempts <= most && error < bound, "{attempts} attempts, {error} at {accuracy}");
    }
}
