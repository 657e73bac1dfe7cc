//! Forces through moment arms that turn with the bodies.

use super::actuator::PlantMotion;
use super::adhesion::{self, Bond};
use super::block::MultibodyPlant;
use super::ranges::Ranges;
use super::spatial_tendon::with_motion;
use super::strings::{PlainMotion, StringMotion, with_plain};
use crate::{Kinematics, with_kinematics};
use kinegraph_core::{Context, Scalar};

/// Data besides positions and velocities that determine forces along paths.
#[derive(Clone, Copy)]
struct PathContext<'a> {
    /// Plain positions, if there are strings.
    plain: Option<PlainMotion<'a>>,
    /// Contacts within reach of adhesion.
    bonds: &'a [Bond],
    ranges: Ranges,
}

impl MultibodyPlant {
    /// Adds the forces of spatial tendons (with or without those of ranges), of adhesive surfaces, of actuators through
    /// moment arms that turn with the bodies, and of fluids.
    pub(super) fn add_path_forces<S: Scalar>(
        &self,
        ctx: &Context<S>,
        ranges: Ranges,
        actuation: &mut [S],
        applied: &mut [S],
    ) {
        let (q, v) = ctx.continuous.split_at(self.tree.num_positions());
        if self.has_strings_alone {
            // Moment arms depend on positions; if none of these carries derivatives, the plain ones are used.
            return self.with_plain_strings(q, |plain| {
                with_kinematics(|k| {
                    if plain.is_none_or(|plain| plain.varies()) {
                        self.tree.position_kinematics(q, k);
                    }
                    self.path_forces(ctx, k, PathContext { plain, bonds: &[], ranges }, actuation, applied);
                });
            });
        }
        with_motion(&self.tree, q, v, |k| {
            self.with_plain_strings(q, |plain| {
                if self.adheres {
                    adhesion::with_bonds(&self.tree, &self.collision, k, |bonds| {
                        self.path_forces(ctx, k, PathContext { plain, bonds, ranges }, actuation, applied);
                    });
                } else {
                    self.path_forces(ctx, k, PathContext { plain, bonds: &[], ranges }, actuation, applied);
                }
            });
            for (body, force) in self.immersed.iter().map(|immersed| immersed.force(&self.tree, k)) {
                self.tree.add_spatial_force(k, body, &force, applied);
            }
        });
    }

    /// Calls `work` with plain positions, if there are strings.
    fn with_plain_strings<S: Scalar>(&self, q: &[S], work: impl FnOnce(Option<PlainMotion<'_>>)) {
        if self.tendons.is_empty() { work(None) } else { with_plain(&self.tree, q, work) }
    }

    /// Adds these forces without those of fluids; `k` has positions and, unless strings act alone, velocities.
    fn path_forces<S: Scalar>(
        &self,
        ctx: &Context<S>,
        k: &Kinematics<S>,
        PathContext { plain, bonds, ranges }: PathContext<'_>,
        actuation: &mut [S],
        applied: &mut [S],
    ) {
        let (q, v) = ctx.continuous.split_at(self.tree.num_positions());
        if self.sticks {
            adhesion::stick(&self.tree, k, bonds, applied);
        }
        let strings = StringMotion { tree: &self.tree, k, plain, v };
        let motion = PlantMotion { tendons: &self.tendons, strings, q, bonds };
        self.tendons.iter().for_each(|tendon| tendon.add(&strings, ranges, applied));
        for (m, actuators) in self.actuated.iter().enumerate() {
            for (i, actuator) in actuators.iter().enumerate().filter(|(_, actuator)| actuator.drives_path()) {
                let Some(control) = self.control(ctx, m, i) else { continue };
                actuator.add_along_path(control, &motion, actuation);
            }
        }
    }
}
