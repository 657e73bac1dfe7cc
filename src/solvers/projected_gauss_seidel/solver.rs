//! The solver: islands one after the other, each by sweeps.

use super::rows::{Owner, Rows, directions};
use super::sweep;
use crate::contact::{
    CompliantStop, Island, JointFriction, JointStops, LimitedEffort, PairImpulse, Problem, Regime, Solution,
};
use crate::profile::Stopwatch;
use crate::solvers::inertia_groups::Groups;
use crate::solvers::{ContactSolver, SolveFailure, SolveFault, SolveReport};
use nalgebra::Vector3;

/// Rounds in which the set of efforts at their limits has to settle.
const MAX_ROUNDS: usize = 10;
/// Momenta below this count as nothing.
const AT_REST: f64 = 1e-140;

/// Options of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// A solve takes no more sweeps than this, whether it has arrived or not.
    pub max_sweeps: usize,
    /// The relative tolerance is never tighter than this.
    pub min_tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_sweeps: 1000, min_tolerance: 1e-6 }
    }
}

/// Projected Gauss-Seidel; see the [module](super).
#[derive(Clone, Debug, Default)]
pub struct ProjectedGaussSeidel {
    /// Options.
    pub options: Options,
    groups: Groups,
    rows: Rows,
    /// Which limited efforts of the island's feedback are within their limits, and where the others are.
    acting: Vec<bool>,
    impulses: Vec<f64>,
    local: Vec<f64>,
}

impl ProjectedGaussSeidel {
    /// A solver with the given options.
    pub fn new(options: Options) -> Self {
        ProjectedGaussSeidel { options, ..ProjectedGaussSeidel::default() }
    }

    fn solve_island(
        &mut self,
        problem: &Problem,
        island: &Island,
        tolerance: f64,
        solution: &mut Solution,
    ) -> Result<SolveReport, SolveFailure> {
        let fail = |fault, iterations| SolveFailure {
            fault,
            first_velocity: problem.velocities_of(island.cliques[0]).start,
            size: island.size,
            contacts: island.patches.len(),
            iterations,
            gradient_norm: f64::NAN,
            tolerance,
        };
        self.groups.enter(problem, island);
        self.rows.enter(problem, island, &self.groups);
        for_limited_efforts(problem, island, &mut self.acting, |effort, limit, _| effort.abs() <= limit);
        let mut report = SolveReport::default();
        for _ in 0..MAX_ROUNDS {
            self.groups.factor(problem, island, &self.acting);
            report.factorizations += self.groups.all().len();
            self.rows.respond(&mut self.groups);
            self.start(problem, island, solution);
            let v = &mut solution.velocity;
            sweep::start(&self.rows, &self.groups, v);
            let enough = tolerance * scale(problem, island, v);
            for _ in 0..self.options.max_sweeps {
                let change = sweep::sweep(&mut self.rows, &self.groups, v);
                report.iterations += 1;
                if !change.is_finite() {
                    return Err(fail(SolveFault::NotFinite, report.iterations));
                }
                if change <= enough {
                    break;
                }
            }
            if island.cliques.iter().any(|&c| v[problem.velocities_of(c)].iter().any(|x| !x.is_finite())) {
                return Err(fail(SolveFault::NotFinite, report.iterations));
            }
            let before = std::mem::take(&mut self.acting);
            let v = &solution.velocity;
            for_limited_efforts(problem, island, &mut self.acting, |effort, limit, reaction| {
                (effort - reaction(v)).abs() <= limit
            });
            if self.acting == before {
                self.write(problem, solution);
                return Ok(report);
            }
        }
        Err(fail(SolveFault::IterationLimit, report.iterations))
    }

    /// The velocities without the impulses of rows, `A^-1 r`, and the impulses to start from.
    fn start(&mut self, problem: &Problem, island: &Island, solution: &mut Solution) {
        self.impulses.clear();
        self.impulses.extend_from_slice(&problem.momentum);
        let mut number = 0;
        for block in island.feedback.iter().map(|&f| &problem.feedback[f]) {
            for (row, gain) in block.limited_rows() {
                let effort = if self.acting[number] {
                    row.effort + block.row_times(gain, &problem.v0)
                } else {
                    let asked = block.asked(row, gain, &solution.velocity, &problem.v0);
                    asked.clamp(-row.limit, row.limit)
                };
                self.impulses[row.velocity] += problem.dt * effort;
                number += 1;
            }
        }
        for group in 0..self.groups.all().len() {
            self.local.clear();
            self.local.extend(self.groups.all()[group].velocities.iter().map(|&v| self.impulses[v]));
            self.groups.solve(group, &mut self.local);
            for (&v, x) in self.groups.all()[group].velocities.iter().zip(&self.local) {
                solution.velocity[v] = *x;
            }
        }
        for i in 0..self.rows.all.len() {
            let row = &mut self.rows.all[i];
            row.impulse = 0.0_f64.clamp(row.lower, row.upper);
            let Owner::Contact { pair } = row.owner else { continue };
            let Some(patch) = problem.patches.iter().find(|patch| patch.pairs.contains(&pair)) else { continue };
            let known = solution.forces.get((patch.body_a, patch.body_b), problem.pairs[pair].key);
            if let Some(force) = known {
                let along = directions(&problem.pairs[pair].contact.normal).map(|d| d.dot(&force) * problem.dt);
                let normal = along[0].max(0.0);
                for (k, impulse) in [normal, along[1], along[2]].into_iter().enumerate() {
                    self.rows.all[i + k].impulse = impulse;
                }
            }
        }
    }

    /// Writes the impulses of the island.
    fn write(&self, problem: &Problem, solution: &mut Solution) {
        for (i, row) in self.rows.all.iter().enumerate() {
            match row.owner {
                Owner::Contact { pair } => {
                    let along = directions(&problem.pairs[pair].contact.normal);
                    let sum = |value: &dyn Fn(usize) -> f64| -> Vector3<f64> {
                        along.iter().enumerate().map(|(k, d)| d * value(i + k)).sum()
                    };
                    let v = &solution.velocity;
                    solution.pairs[pair] = PairImpulse {
                        impulse: sum(&|k| self.rows.all[k].impulse),
                        velocity: sum(&|k| self.rows.velocity(k, &self.groups, v)),
                    };
                }
                Owner::Group { group, row: k } => solution.rows[group][k] = row.impulse,
                Owner::Stop { element, sign } => {
                    solution.impulses_of_mut::<JointStops>()[element] += sign * row.impulse;
                }
                Owner::CompliantStop { element } => {
                    let sign = problem.elements.of::<CompliantStop>()[element].sign;
                    solution.impulses_of_mut::<CompliantStop>()[element] = sign * row.impulse;
                }
                Owner::Effort { element } => solution.impulses_of_mut::<LimitedEffort>()[element] = row.impulse,
                Owner::Friction { element } => solution.impulses_of_mut::<JointFriction>()[element] = row.impulse,
                Owner::Tangent => {}
            }
        }
    }
}

/// Asks of every limited effort of the island's feedback, by its effort at the start of the step, its limit and what it
/// reacts with to velocities.
fn for_limited_efforts(
    problem: &Problem,
    island: &Island,
    out: &mut Vec<bool>,
    mut ask: impl FnMut(f64, f64, &dyn Fn(&[f64]) -> f64) -> bool,
) {
    out.clear();
    for block in island.feedback.iter().map(|&f| &problem.feedback[f]) {
        for (row, gain) in block.limited_rows() {
            let reaction = |v: &[f64]| row.effort - block.asked(row, gain, v, &problem.v0);
            out.push(ask(row.effort, row.limit, &reaction));
        }
    }
}

/// What changes of the velocities are to be compared with \[sqrt(J)\].
fn scale(problem: &Problem, island: &Island, v: &[f64]) -> f64 {
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for i in island.cliques.iter().flat_map(|&c| problem.velocities_of(c)) {
        momentum += (problem.scale[i] * problem.momentum[i]).powi(2);
        inertia += (v[i] / problem.scale[i]).powi(2);
    }
    momentum.max(inertia).sqrt().max(AT_REST)
}

impl ContactSolver for ProjectedGaussSeidel {
    const TELLS_REGIMES: bool = false;
    const ROWS_GIVE_WAY: bool = false;

    fn set_step(&mut self, _problem: &Problem) {}

    fn solve(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        solution: &mut Solution,
        _watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        solution.start_impulses(problem);
        let tolerance = tolerance.max(self.options.min_tolerance);
        let mut report = SolveReport::default();
        for island in problem.islands() {
            let one = self.solve_island(problem, island, tolerance, solution)?;
            report.iterations = report.iterations.max(one.iterations);
            report.factorizations += one.factorizations;
        }
        solution.keep_forces(problem);
        Ok(report)
    }

    fn regimes(&self, _problem: &Problem, _solution: &Solution, out: &mut Vec<Regime>) {
        out.clear();
    }

    fn backsolve(&mut self, _problem: &Problem, _solution: &Solution, _rhs: &mut [f64]) -> bool {
        false
    }
}
