//! The inputs for spatial forces on bodies.

use super::block::MultibodyPlant;
use crate::Kinematics;
use kinegraph_core::{Context, Scalar};

impl MultibodyPlant {
    /// The spatial forces of connected inputs, each with its body.
    pub(super) fn spatial_forces<'a, S: Scalar>(
        &'a self,
        ctx: &Context<'a, S>,
    ) -> impl Iterator<Item = (usize, &'a [S])> + 'a {
        let on_all = ctx.get_optional(self.plant_ports.applied_spatial_force).unwrap_or(&[]);
        let ctx = *ctx;
        let of_models = self.tree.models().iter().zip(&self.plant_ports.models).flat_map(move |(part, ports)| {
            let forces = ctx.get_optional(ports.applied_spatial_force).unwrap_or(&[]);
            part.bodies.clone().zip(forces.chunks_exact(6))
        });
        of_models.chain((1..).zip(on_all.chunks_exact(6)))
    }

    /// Computes the poses of the bodies on which spatial forces can act. A force on one of many bodies, such as a hand,
    /// does not need all of them: on dual numbers they cost as much as half a step.
    pub(super) fn place_pushed<S: Scalar>(&self, ctx: &Context<S>, k: &mut Kinematics<S>) {
        let q = &ctx.continuous[..self.tree.num_positions()];
        if ctx.get_optional(self.plant_ports.applied_spatial_force).is_some() {
            return self.tree.position_kinematics(q, k);
        }
        for (ports, nodes) in self.plant_ports.models.iter().zip(&self.carriers) {
            if ctx.get_optional(ports.applied_spatial_force).is_some() {
                self.tree.position_kinematics_of(nodes.iter().copied(), q, k);
            }
        }
    }
}
