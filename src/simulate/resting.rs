//! A world between two advances: what it has of its own. The memory in which it is stepped is lent to it, by the thread
//! that it runs on.

use super::envelope::Envelope;
use super::pace::Pace;
use super::world::World;
use crate::diagram::State;
use crate::integrators::{Integrator, RunPart, Statistics};
use std::mem::swap;
use std::time::Duration;

/// What a world has of its own.
#[derive(Clone)]
pub(super) struct Resting {
    pub state: State,
    own: Own,
    crossings: (f64, usize),
    stepping: Duration,
    envelope: Envelope,
    pace: Pace,
}

/// What it has of its integrator.
#[derive(Clone)]
enum Own {
    /// A part, with which any other of the plan goes on.
    Part(Box<dyn RunPart>),
    /// All of it.
    Whole(Box<dyn Integrator>),
}

impl Resting {
    /// What `world` has, before its first step.
    pub fn of(world: &World) -> Self {
        let World { state, integrator, crossings, stepping, envelope, pace, .. } = world;
        let own = integrator.run_part().map_or_else(|| Own::Whole(integrator.clone()), Own::Part);
        let (state, envelope) = (state.clone(), envelope.clone());
        Resting { state, own, crossings: *crossings, stepping: *stepping, envelope, pace: *pace }
    }

    /// Counts since the run started.
    pub fn statistics(&self) -> &Statistics {
        match &self.own {
            Own::Part(run) => run.statistics(),
            Own::Whole(integrator) => integrator.statistics(),
        }
    }

    /// Changes places with what `world` has, one of the same plan.
    pub fn exchange(&mut self, world: &mut World) {
        match &mut self.own {
            Own::Part(run) => world.integrator.exchange(&mut **run),
            Own::Whole(integrator) => swap(integrator, &mut world.integrator),
        }
        swap(&mut self.state, &mut world.state);
        swap(&mut self.crossings, &mut world.crossings);
        swap(&mut self.stepping, &mut world.stepping);
        swap(&mut self.envelope, &mut world.envelope);
        swap(&mut self.pace, &mut world.pace);
    }
}
