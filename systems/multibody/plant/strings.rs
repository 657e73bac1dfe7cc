//! Forces along strings, by their moment arms.
//!
//! With `J = dl/dq` a string lengthens at the rate `J v`, and a force f along it exerts `J' f` on the velocities: one
//! pass along the string finds both. Lengths and moment arms depend only on the positions of the joints between its
//! bodies. If numbers carry derivatives, but none with respect to these positions, moment arms are computed in plain
//! numbers: most passes of a linearization are with respect to velocities and activations, and those with respect to
//! positions concern a few joints each.

use crate::thread_kinematics::lend;
use crate::{Kinematics, TendonPath, Tree, with_kinematics};
use kinegraph_core::scalar::Scalar;

/// Motion of a plant that strings need.
#[derive(Clone, Copy)]
pub struct StringMotion<'a, S: Scalar> {
    /// The tree.
    pub tree: &'a Tree,
    /// Kinematics at the positions; unused if there are plain ones and none of the positions varies.
    pub k: &'a Kinematics<S>,
    /// Positions in plain numbers, if the scalars carry derivatives.
    pub plain: Option<PlainMotion<'a>>,
    /// Velocities.
    pub v: &'a [S],
}

/// Positions without derivatives.
#[derive(Clone, Copy)]
pub struct PlainMotion<'a> {
    k: &'a Kinematics<f64>,
    /// By velocity: true if a derivative is with respect to a position of its joint.
    varies: &'a [bool],
}

impl PlainMotion<'_> {
    /// True if a derivative is with respect to any position.
    pub fn varies(&self) -> bool {
        self.varies.contains(&true)
    }
}

/// Moment arms of one string, by velocity.
struct MomentArms<S>(Vec<S>);

impl<S> Default for MomentArms<S> {
    fn default() -> Self {
        MomentArms(Vec::new())
    }
}

/// Buffers for plain positions, and for the flags of `varies`.
#[derive(Default)]
struct PlainPositions(Vec<f64>, Vec<bool>);

/// Calls `work` with the positions `q` in plain numbers, or with `None` if they are plain numbers already.
pub fn with_plain<S: Scalar>(tree: &Tree, q: &[S], work: impl FnOnce(Option<PlainMotion<'_>>)) {
    if !S::HAS_PARTIALS {
        return work(None);
    }
    with_kinematics(|k: &mut Kinematics<f64>| {
        lend(|PlainPositions(values, varies)| {
            values.clear();
            values.extend(q.iter().map(|q| q.value()));
            tree.position_kinematics(values, k);
            let is_still = |q: &S| q.partials().iter().all(|slope| *slope == 0.0);
            varies.clear();
            varies.resize(tree.num_velocities(), false);
            for joint in tree.joints().iter().filter(|joint| !q[joint.positions.clone()].iter().all(is_still)) {
                if joint.positions.len() != joint.velocities.len() {
                    // A quaternion may change its length, and with it the length of vectors that it rotates.
                    varies.fill(true);
                    break;
                }
                varies[joint.velocities.clone()].fill(true);
            }
            work(Some(PlainMotion { k, varies }));
        });
    });
}

impl<S: Scalar> StringMotion<'_, S> {
    /// Adds the generalized forces of the force that `law` computes from the length of a string and its rate;
    /// `velocities` can change its length.
    pub fn pull(&self, path: &TendonPath, velocities: &[usize], law: impl FnOnce([S; 2]) -> S, forces: &mut [S]) {
        match self.plain.filter(|plain| !velocities.iter().any(|&i| plain.varies[i])) {
            Some(plain) => self.pull_by_arms(path, plain.k, S::constant, velocities, law, forces),
            None => self.pull_by_arms(path, self.k, |x| x, velocities, law, forces),
        }
    }

    /// Adds these forces by moment arms in scalars that `carried` converts to those of the forces.
    fn pull_by_arms<A: Scalar>(
        &self,
        path: &TendonPath,
        k: &Kinematics<A>,
        carried: impl Fn(A) -> S,
        velocities: &[usize],
        law: impl FnOnce([S; 2]) -> S,
        forces: &mut [S],
    ) {
        lend(|MomentArms(arms): &mut MomentArms<A>| {
            if arms.len() < self.v.len() {
                arms.resize(self.v.len(), A::zero());
            }
            velocities.iter().for_each(|&i| arms[i] = A::zero());
            let length = carried(path.add_moment_arms(self.tree, k, arms));
            let along = |rate: S, &i: &usize| rate + carried(arms[i]) * self.v[i];
            let rate = velocities.iter().fold(S::zero(), along);
            let force = law([length, rate]);
            velocities.iter().for_each(|&i| forces[i] += carried(arms[i]) * force);
        });
    }
}
