//! The kinds of potentials.

use super::contact_pool::ContactPool;
use super::effort::EffortLaw;
use super::joint_friction::JointFrictionLaw;
use super::limit::LimitLaw;
use super::potential::Potential;
use super::row::RowPool;
use super::velocity_pool::VelocityPool;
use crate::contact::Problem;

/// The kinds besides contact: a line each.
fn kinds() -> Vec<Box<dyn Potential>> {
    vec![
        Box::new(RowPool::default()),
        Box::new(VelocityPool::<LimitLaw>::default()),
        Box::new(VelocityPool::<EffortLaw>::default()),
        Box::new(VelocityPool::<JointFrictionLaw>::default()),
    ]
}

/// The potentials of a problem.
#[derive(Debug)]
pub(in crate::solvers::icf) struct Pools {
    /// Contact points.
    pub contact: ContactPool,
    rest: Vec<Box<dyn Potential>>,
}

impl Default for Pools {
    fn default() -> Self {
        Pools { contact: ContactPool::default(), rest: kinds() }
    }
}

impl Clone for Pools {
    fn clone(&self) -> Self {
        Pools { contact: self.contact.clone(), rest: self.rest.iter().map(|pool| pool.copy()).collect() }
    }
}

impl Pools {
    /// Takes the laws of `problem` for the step length last set.
    pub fn set_step(&mut self, problem: &Problem) {
        self.contact.set_step(problem);
        self.rest.iter_mut().for_each(|pool| pool.set_step(problem));
    }

    /// All potentials but those of contacts.
    pub fn rest(&self) -> &[Box<dyn Potential>] {
        &self.rest
    }

    /// Every kind, contact first.
    pub fn all(&self) -> impl Iterator<Item = &dyn Potential> {
        std::iter::once::<&dyn Potential>(&self.contact).chain(self.rest.iter().map(|pool| &**pool))
    }

    /// Every kind, contact last.
    pub fn contact_last(&self) -> impl Iterator<Item = &dyn Potential> {
        self.rest.iter().map(|pool| &**pool).chain(std::iter::once::<&dyn Potential>(&self.contact))
    }
}
