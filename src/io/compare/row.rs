//! Result of one integrator in a comparison.

use super::reference::Reference;
use super::trajectory::Follow;
use kinegraph_engine::integrators::Options;
use kinegraph_engine::simulate::{ObservedRunError, RequirementReport, Simulation, all_met};
use kinegraph_scenario::{Observed, Scenario};
use std::time::Duration;

/// Minimum extent of a reference that is used to judge errors, for references that hardly move.
const MIN_EXTENT: f64 = 0.05;

/// Runs are not timed again once their timings together take longer than this \[s\].
const MAX_TIMING: f64 = 0.3;

/// One run. The field names are the keys of the JSON object and the columns of the table.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Row {
    /// Name of the integrator.
    pub integrator: &'static str,
    /// Its accuracy; `None` for steps of fixed length.
    pub accuracy: Option<f64>,
    /// Length of its steps \[s\]; `None` under error control.
    pub step: Option<f64>,
    /// Error at the end of the run, in the norm of error control; `None` if the run did not reach the end.
    pub end_error: Option<f64>,
    /// The largest error at any sampled time.
    pub largest_error: Option<f64>,
    /// Wall time of stepping \[s\], the shortest of all timings.
    pub wall_s: f64,
    /// Accepted steps.
    pub steps: usize,
    /// Rejected attempts.
    pub rejected_steps: usize,
    /// Convex problems solved, and evaluations of derivatives.
    pub evaluations: usize,
    /// Iterations of the solver.
    pub solver_iterations: usize,
    /// Deepest penetration \[m\].
    pub max_penetration: f64,
    /// Mechanical energy at the end minus that at the start \[J\]; `None` without a plant.
    pub energy_drift: Option<f64>,
    /// Which requirements of the file are violated or undecided, or `met`; `None` if the file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirements: Option<String>,
    /// `done`, or the time reached and the reason of the failure, or a reason why the end state is implausible.
    pub status: String,
}

impl Row {
    /// Runs `scenario` with `options` and compares it with `reference`, if there is one.
    pub(super) fn run(
        scenario: &Scenario,
        options: &Options,
        reference: &Reference,
        budget: Duration,
        timings: usize,
    ) -> Self {
        let controlled = options.error_controlled();
        let mut row = Row {
            integrator: options.integrator.name,
            accuracy: controlled.then_some(options.accuracy),
            step: options.step.filter(|_| !controlled),
            end_error: None,
            largest_error: None,
            wall_s: 0.0,
            steps: 0,
            rejected_steps: 0,
            evaluations: 0,
            solver_iterations: 0,
            max_penetration: 0.0,
            energy_drift: None,
            requirements: (!scenario.requirements.is_empty()).then(|| "undecided".to_owned()),
            status: "done".into(),
        };
        let mut simulation = match Simulation::new(&scenario.diagram, *options) {
            Ok(simulation) => simulation,
            Err(refused) => return Row { status: format!("refused: {refused}"), ..row },
        };
        let start = simulation.energy();
        simulation.judge_energy_at_end();
        let mut follow = Follow::new(budget);
        let mut monitor = scenario.requirements.monitor(&scenario.diagram);
        let run = if scenario.requirements.is_empty() {
            simulation.advance_observing(scenario.duration, scenario.every, &[], &mut follow)
        } else {
            let mut judged = Observed::new(&mut follow, &mut monitor);
            simulation.advance_observing(scenario.duration, scenario.every, &[], &mut judged)
        };
        row.requirements = row.requirements.map(|_| named(&monitor.report(simulation.time(), run.is_ok())));
        let errors = reference.errors(&follow.trajectory);
        let largest = errors.iter().copied().reduce(|a, b| if a.is_nan() { a } else { a.max(b) });
        let absurd = simulation.energy_fault().or_else(|| far_off(largest?, reference));
        match run {
            Ok(()) => {
                (row.end_error, row.largest_error) = (errors.last().copied(), largest);
                if let Some(absurd) = absurd {
                    row.status = format!("no result: {absurd}");
                }
            }
            Err(ObservedRunError::Stopped { time, reason }) => {
                let absurd = absurd.map(|absurd| format!("; {absurd}")).unwrap_or_default();
                row.status = format!("t = {time:.4} s: {reason}{absurd}");
            }
            Err(failed) => row.status = format!("failed: {failed}"),
        }
        let statistics = simulation.statistics();
        row.wall_s = simulation.stepping_time().as_secs_f64();
        (row.steps, row.rejected_steps) = (statistics.steps, statistics.rejected_steps);
        row.evaluations = statistics.solves + statistics.derivative_evaluations;
        row.solver_iterations = statistics.solver_iterations;
        row.max_penetration = statistics.max_penetration;
        row.energy_drift = simulation.energy().zip(start).map(|(end, start)| end - start);
        if row.is_done() {
            row.time_again(scenario, options, timings);
        }
        row
    }

    /// Times a short run again; all other results are identical to the bit.
    fn time_again(&mut self, scenario: &Scenario, options: &Options, timings: usize) {
        let mut sum = self.wall_s;
        for _ in 1..timings {
            if sum > MAX_TIMING {
                return;
            }
            let Ok(mut simulation) = Simulation::new(&scenario.diagram, *options) else { return };
            let mut follow = Follow::new(Duration::MAX);
            if simulation.advance_observing(scenario.duration, scenario.every, &[], &mut follow).is_err() {
                return;
            }
            let time = simulation.stepping_time().as_secs_f64();
            (self.wall_s, sum) = (self.wall_s.min(time), sum + time);
        }
    }

    /// True if the run reached its end.
    pub fn is_done(&self) -> bool {
        self.status == "done"
    }
}

/// The requirements that are not met, by name.
fn named(requirements: &[RequirementReport]) -> String {
    if all_met(requirements) {
        return "met".into();
    }
    let others = requirements.iter().filter(|one| !one.is_met());
    others.map(|one| format!("{}: {one}", one.name)).collect::<Vec<_>>().join("; ")
}

/// Message if an error exceeds the difference that two plausible motions can have: twice the extent of the reference.
fn far_off(error: f64, reference: &Reference) -> Option<String> {
    let extent = reference.extent();
    let near = error <= 2.0 * extent.max(MIN_EXTENT);
    (!near).then(|| format!("it errs by {error:.1e}, while no state goes further than {extent:.1e} from its start"))
}
