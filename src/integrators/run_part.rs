//! What a run has of its own in an integrator, so that another one of the same plan can go on with it.
//!
//! Most of an integrator is memory that every step writes before it reads: values with derivatives, attempts, factors.
//! Runs that take turns need that once for each thread.

use super::Statistics;
use std::any::Any;

/// What a run has of its own in an integrator: counts, records, what carries over from step to step, and the point that
/// is prepared for the next one.
pub trait RunPart: CloneRunPart + Any + Send + Sync {
    /// Counts since the run started.
    fn statistics(&self) -> &Statistics;
}

/// Copies of what runs of any integrator have.
pub trait CloneRunPart {
    /// A copy.
    fn clone_box(&self) -> Box<dyn RunPart>;
}

impl<R: RunPart + Clone> CloneRunPart for R {
    fn clone_box(&self) -> Box<dyn RunPart> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn RunPart> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
