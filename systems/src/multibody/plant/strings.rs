//! Forces along strings, by their moment arms.
//!
//! With `J = dl/dq` a string becomes longer at the rate `J v`, and a force f along it gives the velocities `J' f`:
//! it is walked once. Lengths and moment arms depend on positions alone. Where numbers carry derivatives along
//! velocities and activations, but none along a position, they are found in plain numbers: most passes of a
//! linearization are of activations, each of which moves one force.

use crate::multibody::thread_kinematics::lend;
use crate::multibody::{Kinematics, TendonPath, Tree, with_kinematics};
use crate::scalar::Scalar;

/// How a plant moves its strings.
#[derive(Clone, Copy)]
pub(super) struct StringMotion<'a, S: Scalar> {
    pub tree: &'a Tree,
    pub k: &'a Kinematics<S>,
    /// The positions in plain numbers, where no derivative is along any of them.
    pub still: Option<&'a Kinematics<f64>>,
    /// Velocities.
    pub v: &'a [S],
}

/// Moment arms of one string, by velocity.
struct MomentArms<S>(Vec<S>);

impl<S> Default for MomentArms<S> {
    fn default() -> Self {
        MomentArms(Vec::new())
    }
}

/// Positions without derivatives.
#[derive(Default)]
struct PlainPositions(Vec<f64>);

/// Lends the positions `q` in plain numbers to `work`; `None` where a derivative is along one of them, or where they
/// are plain numbers anyway.
pub(super) fn with_still<S: Scalar>(tree: &Tree, q: &[S], work: impl FnOnce(Option<&Kinematics<f64>>)) {
    let is_still = |q: &S| q.partials().iter().all(|slope| *slope == 0.0);
    if !S::HAS_PARTIALS || !q.iter().all(is_still) {
        return work(None);
    }
    with_kinematics(|k: &mut Kinematics<f64>| {
        lend(|PlainPositions(values)| {
            values.clear();
            values.extend(q.iter().map(|q| q.value()));
            tree.position_kinematics(values, k);
        });
        work(Some(k));
    });
}

impl<S: Scalar> StringMotion<'_, S> {
    /// Adds the generalized forces of the force that `law` makes of the length of a string and of the rate of it;
    /// `velocities` can change its length.
    pub fn pull(&self, path: &TendonPath, velocities: &[usize], law: impl FnOnce([S; 2]) -> S, forces: &mut [S]) {
        match self.still {
            Some(still) => self.pull_by_arms(path, still, S::constant, velocities, law, forces),
            None => self.pull_by_arms(path, self.k, |x| x, velocities, law, forces),
        }
    }

    /// The same by moment arms in numbers that become those of the forces by `carried`.
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
