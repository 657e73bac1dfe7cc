//! The kinds of potentials.

use super::compliant_stop::CompliantStopLaw;
use super::contact_pool::ContactPool;
use super::effort::EffortLaw;
use super::joint_friction::JointFrictionLaw;
use super::limit::LimitLaw;
use super::potential::Potential;
use super::row::RowPool;
use super::velocity_pool::VelocityPool;
use crate::contact::{Problem, Solution};

/// The kinds besides contact: a line each.
fn kinds() -> Vec<Box<dyn Potential>> {
    vec![
        Box::new(RowPool::default()),
        Box::new(VelocityPool::<LimitLaw>::default()),
        Box::new(VelocityPool::<CompliantStopLaw>::default()),
        Box::new(VelocityPool::<EffortLaw>::default()),
        Box::new(VelocityPool::<JointFrictionLaw>::default()),
    ]
}

/// The potentials of a problem, with contact points of one kind or another.
#[derive(Debug)]
pub(in crate::solvers) struct Pools<C = ContactPool> {
    /// Contact points.
    pub contact: C,
    kinds: Vec<Box<dyn Potential>>,
    /// The kinds that the problem has something of: the others are not asked in every iteration.
    present: Vec<usize>,
}

impl Default for Pools {
    fn default() -> Self {
        Pools::new(ContactPool::default(), kinds())
    }
}

impl<C: Clone> Clone for Pools<C> {
    fn clone(&self) -> Self {
        Pools {
            contact: self.contact.clone(),
            kinds: self.kinds.iter().map(|pool| pool.copy()).collect(),
            present: self.present.clone(),
        }
    }
}

impl<C: Potential> Pools<C> {
    /// Pools of contact points and of the `kinds` besides.
    pub fn new(contact: C, kinds: Vec<Box<dyn Potential>>) -> Self {
        Pools { contact, kinds, present: Vec::new() }
    }

    /// Takes the laws of `problem` for the step length last set.
    pub fn set_step(&mut self, problem: &Problem) {
        self.contact.set_step(problem);
        self.present.clear();
        for (i, pool) in self.kinds.iter_mut().enumerate() {
            pool.set_step(problem);
            if !pool.is_empty() {
                self.present.push(i);
            }
        }
    }

    /// All potentials of the problem but those of contacts.
    pub fn rest(&self) -> impl Iterator<Item = &dyn Potential> {
        self.present.iter().map(|&i| &*self.kinds[i])
    }

    /// All potentials of the problem, contact first.
    pub fn all(&self) -> impl Iterator<Item = &dyn Potential> {
        std::iter::once::<&dyn Potential>(&self.contact).chain(self.rest())
    }

    /// All potentials of the problem, contact last.
    pub fn contact_last(&self) -> impl Iterator<Item = &dyn Potential> {
        self.rest().chain(std::iter::once::<&dyn Potential>(&self.contact))
    }

    /// Writes the impulses of every kind at `v`, the solution of all islands.
    pub fn write(&self, problem: &Problem, v: &[f64], solution: &mut Solution) {
        self.contact.write(problem, v, solution);
        self.kinds.iter().for_each(|pool| pool.write(problem, v, solution));
    }
}
