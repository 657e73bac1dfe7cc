//! The kinds of potentials: contact of a solver, bilateral rows, and the elements.

use super::potential::Potential;
use super::row::RowPool;
use super::row_friction::RowFrictionPool;
use super::row_range::RowRangePool;
use super::velocity_pool::VelocityPool;
use crate::contact::{Element, ElementVisitor, Problem, Solution, VelocityLaw, visit};
use std::any::TypeId;

/// Makes the pools of all elements.
struct Kinds {
    pools: Vec<Box<dyn Potential>>,
    /// Law of the solver that replaces that of one kind of element.
    own: Option<(TypeId, Box<dyn Potential>)>,
}

impl ElementVisitor for Kinds {
    fn visit<E: Element>(&mut self) {
        let own = self.own.take_if(|(kind, _)| *kind == TypeId::of::<E>());
        self.pools.push(own.map_or_else(|| Box::new(VelocityPool::<E::Law>::default()) as _, |(_, pool)| pool));
    }
}

/// The potentials of a problem, with contact points of one kind or another.
#[derive(Debug)]
pub struct Pools<C> {
    /// Contact points.
    pub contact: C,
    kinds: Vec<Box<dyn Potential>>,
    /// Indices of the kinds that the problem has elements of: the others are skipped in every iteration.
    present: Vec<usize>,
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
    /// Pools of contact points, bilateral rows and elements by their laws.
    pub fn new(contact: C) -> Self {
        Self::made(contact, None)
    }

    /// Pools in which a law of the solver replaces that of one kind of element.
    pub fn with_law<L: VelocityLaw>(contact: C) -> Self {
        Self::made(contact, Some((TypeId::of::<L::Data>(), Box::new(VelocityPool::<L>::default()))))
    }

    fn made(contact: C, own: Option<(TypeId, Box<dyn Potential>)>) -> Self {
        let rows: [Box<dyn Potential>; 3] =
            [Box::new(RowPool::default()), Box::new(RowFrictionPool::default()), Box::new(RowRangePool::default())];
        let mut kinds = Kinds { pools: rows.into(), own };
        visit(&mut kinds);
        Pools { contact, kinds: kinds.pools, present: Vec::new() }
    }

    /// Reads the laws of `problem` for the step length last set.
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

    /// Writes the impulses of every kind at `v`, the solution of all islands.
    pub fn write(&self, problem: &Problem, v: &[f64], solution: &mut Solution) {
        self.contact.write(problem, v, solution);
        self.kinds.iter().for_each(|pool| pool.write(problem, v, solution));
    }
}
