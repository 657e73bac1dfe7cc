//! Table II: a tolerance of the solver that goes with the accuracy, against a fixed one of 1e-8, on `hard_clutter` over
//! one second, by both methods of the library.

use crate::draw::TextTable;
use crate::measure::{Cost, advance};
use crate::output::{Outcome, Output, number};
use crate::scenes::scene;
use kinegraph::contact::{Problem, Regime, Solution};
use kinegraph::integrators::contact::{ContactStep, StepOptions};
use kinegraph::integrators::{Options, RuleSwitches, StepControl, StepDoubling};
use kinegraph::profile::Stopwatch;
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::solvers::icf::{Method, Solver, SolverOptions};
use kinegraph::solvers::{ContactSolver, SolveFailure, SolveReport};
use std::error::Error;

const DURATION: f64 = 1.0;
/// At 1e-5 the adaptive tolerance is 1e-8 too.
const ACCURACIES: [f64; 5] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5];

/// The solver of the library with a tolerance of its own.
#[derive(Clone)]
pub struct Fixed {
    inner: Solver,
    tolerance: Option<f64>,
}

impl Fixed {
    /// The solver by `method`; the tolerance asked for where there is no other.
    pub fn new(method: Method, tolerance: Option<f64>) -> Self {
        let least = tolerance.unwrap_or(1e-8).min(1e-8);
        let options = SolverOptions { method, min_tolerance: least, ..SolverOptions::default() };
        Fixed { inner: Solver::new(options), tolerance }
    }
}

impl ContactSolver for Fixed {
    fn reports_regimes(&self) -> bool {
        self.inner.reports_regimes()
    }

    fn has_compliant_rows(&self) -> bool {
        self.inner.has_compliant_rows()
    }

    fn set_step(&mut self, problem: &Problem) {
        self.inner.set_step(problem);
    }

    fn solve(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        solution: &mut Solution,
        watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        self.inner.solve(problem, self.tolerance.unwrap_or(tolerance), solution, watch)
    }

    fn regimes(&self, problem: &Problem, solution: &Solution, out: &mut Vec<Regime>) {
        self.inner.regimes(problem, solution, out);
    }

    fn backsolve(&mut self, problem: &Problem, solution: &Solution, rhs: &mut [f64]) -> bool {
        self.inner.backsolve(problem, solution, rhs)
    }
}

fn cost(scenario: &Scenario, accuracy: f64, solver: Fixed) -> Result<Cost, Box<dyn Error + Send + Sync>> {
    let options = Options::cenic(accuracy);
    let step = ContactStep::new(&scenario.diagram, StepOptions::from(&options), solver);
    let mut cenic = StepDoubling::new("cenic", &scenario.diagram, step, StepControl::new(accuracy, options.max_step));
    cenic.switch(RuleSwitches::ALL);
    let simulation = Simulation::with(scenario.diagram.initial_state(), Box::new(cenic))?;
    Ok(advance(simulation, DURATION, 60.0))
}

/// Runs them all.
pub fn run(output: &Output) -> Outcome {
    let scenario = scene("hard_clutter", &[&format!("simulation.duration={DURATION}")])?;
    let mut table: Vec<Vec<String>> = Vec::new();
    let mut rows = Vec::new();
    for (name, method) in [("primal-dual", Method::PrimalDual), ("Newton", Method::Newton)] {
        for (kind, tolerance) in [("adaptive", None), ("fixed", Some(1e-8))] {
            let mut lines = ["time [s]", "iterations"].map(|what| vec![format!("{what}, {name}, {kind}")]);
            for accuracy in ACCURACIES {
                let cost = cost(&scenario, accuracy, Fixed::new(method, tolerance))?;
                let iterations = cost.statistics.solver_iterations;
                eprintln!("  table2: {name}, {kind}, {accuracy:e}: {:.2} s, {iterations} iterations", cost.seconds);
                lines[0].push(number(cost.seconds));
                lines[1].push(iterations.to_string());
                rows.push(vec![
                    name.into(),
                    kind.into(),
                    number(accuracy),
                    number(cost.seconds),
                    iterations.to_string(),
                    cost.statistics.solves.to_string(),
                    cost.statistics.steps.to_string(),
                    cost.statistics.rejected_steps.to_string(),
                    cost.status(),
                ]);
            }
            table.extend(lines);
        }
    }
    let head = ["method", "tolerance", "accuracy", "time_s", "iterations", "solves", "steps", "rejected", "status"];
    output.csv("table2", &head, &rows)?;
    let accuracies = ACCURACIES.iter().map(|accuracy| format!("{accuracy:e}"));
    let head = std::iter::once("hard_clutter, 1 s; accuracy".to_owned()).chain(accuracies).collect();
    output.table("table2", &TextTable { title: "Table II: the solver's tolerance".into(), head, rows: table })
}
