//! Failures of a step, with the names of the elements concerned.

use crate::integrators::StepFailure;
use crate::linearize::{External, TooLong};
use kinegraph_convex::contact::Problem;
use kinegraph_diagram::Diagram;

/// Checks that the law of a step of length `h`, `applied` to `problem`, can be solved.
pub fn check_law(
    external: &External,
    problem: &Problem,
    applied: Result<(), TooLong>,
    h: f64,
) -> Result<(), StepFailure> {
    if let Some(fault) = external.loop_fault() {
        return Err(Box::new(fault.clone()).into());
    }
    if problem.step_terms.force.iter().any(|force| !force.is_finite()) {
        let what = external.not_finite_output().unwrap_or_else(|| "a force on a plant".into());
        return Err(StepFailure::NotFinite { what });
    }
    applied.map_err(|at| runaway(external, at, h))
}

/// Checks that the continuous state at the end of a step is finite.
pub fn check_end(diagram: &Diagram, continuous: &[f64]) -> Result<(), StepFailure> {
    match continuous.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(bad) => Err(StepFailure::NotFinite { what: diagram.state_names().swap_remove(bad) }),
    }
}

/// Name of the channel of a velocity of a plant.
pub(in crate::integrators) fn name_of_velocity(external: &External, velocity: usize) -> String {
    let slot = external.layout().plants.iter().find(|slot| slot.global.contains(&velocity));
    let at = slot.map(|slot| slot.velocities.start + velocity - slot.global.start);
    at.and_then(|at| external.diagram().state_names().into_iter().nth(at)).unwrap_or_default()
}

/// Failure of a step of length `h` that is too long for its feedback.
pub(in crate::integrators) fn runaway(external: &External, at: TooLong, h: f64) -> StepFailure {
    let slot = external.layout().plants.iter().find(|slot| slot.global.contains(&at.velocity));
    // A step that is taken again does not allocate.
    let plant = slot.map_or_else(|| "".into(), |slot| slot.name.clone());
    StepFailure::Runaway { plant, step: h }
}
