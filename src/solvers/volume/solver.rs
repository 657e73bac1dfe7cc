//! The solver: a program for all patches of an island, in turns with sweeps over all other rows.

use super::friction::{Friction, Wrench};
use super::options::VolumeOptions;
use super::patch::{self, Patch};
use super::qp::QuadraticProgram;
use crate::contact::{Island, Problem, RowRules, Solution};
use crate::profile::Stopwatch;
use crate::solvers::common::inertia_groups::Groups;
use crate::solvers::common::sweeps::{self, IslandRows, Rows, Stopping, Sweeps, change, scale};
use crate::solvers::projected_gauss_seidel::{CORRECTION, sweep};
use crate::solvers::{ContactSolver, SolveFailure, SolveReport};
use nalgebra::{Matrix6, Vector6};

/// Relative tolerance of the sweeps.
const TOLERANCE: f64 = 1e-10;

/// Volume-based contact; see the [module](super).
#[derive(Clone, Debug, Default)]
pub struct VolumeContact {
    /// Options.
    pub options: VolumeOptions,
    own: IslandRows,
    patches: Patches,
}

impl VolumeContact {
    /// A solver with the given options.
    pub fn new(options: VolumeOptions) -> Self {
        VolumeContact { options, ..VolumeContact::default() }
    }
}

/// The patches of one island; keeps its memory.
#[derive(Clone, Debug, Default)]
struct Patches {
    list: Vec<Patch>,
    count: usize,
    contacts: Vec<usize>,
    /// Of every row whether a patch has it.
    taken: Vec<bool>,
    mobilities: Vec<Matrix6<f64>>,
    products: Vec<Matrix6<f64>>,
    program: QuadraticProgram,
    friction: Friction,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// The impulses that rows started with are taken back.
    Clear,
    /// Program and sweeps in turns.
    Holding,
    /// Sweeps beside patches that slide.
    Sliding,
}

struct InTurns<'a> {
    patches: &'a mut Patches,
    options: &'a VolumeOptions,
    step: f64,
    enough: f64,
    stage: Stage,
}

impl Sweeps for InTurns<'_> {
    fn start(&mut self, problem: &Problem, island: &Island, own: &IslandRows, v: &[f64]) -> bool {
        self.enough = TOLERANCE * scale(problem, island, v);
        self.stage = Stage::Clear;
        self.patches.enter(problem, &own.rows, &own.groups);
        own.rows.all.is_empty()
    }

    fn sweep(&mut self, rows: &mut Rows, groups: &Groups, v: &mut [f64], report: &mut SolveReport) -> (f64, bool) {
        let patches = &mut *self.patches;
        if self.stage == Stage::Clear {
            for i in (0..rows.all.len()).filter(|&i| patches.taken[i]) {
                change(rows, i, 0.0, groups, v);
            }
            patches.couple();
            self.stage = Stage::Holding;
        }
        let mut changed = 0.0_f64;
        if self.stage == Stage::Holding && patches.count > 0 {
            report.factorizations += 1;
            changed = patches.solve(self.options, self.step, rows, v);
        }
        let others = sweep::sweep(rows, groups, v, |i| !patches.taken[i]);
        let alone = others == 0.0;
        changed = changed.max(others);
        if self.stage == Stage::Sliding || patches.count == 0 {
            return (changed, changed <= self.enough);
        }
        // With nothing else that acts the program has all there is.
        if alone || changed <= self.enough {
            let slid = patches.slide(self.options, rows, v);
            self.stage = Stage::Sliding;
            return (slid, alone || slid <= self.enough);
        }
        (changed, false)
    }
}

impl Patches {
    fn enter(&mut self, problem: &Problem, rows: &Rows, groups: &Groups) {
        self.taken.clear();
        self.taken.resize(rows.all.len(), false);
        let Patches { list, count, contacts, taken, .. } = self;
        *count = 0;
        patch::find(problem, rows, contacts, |points| {
            if list.len() == *count {
                list.push(Patch::default());
            }
            if list[*count].fill(problem, rows, groups, points) {
                *count += 1;
                points.iter().for_each(|&row| taken[row..row + 3].fill(true));
            }
        });
    }

    /// The mobilities of all pairs of patches.
    fn couple(&mut self) {
        let list = &self.list[..self.count];
        self.mobilities.clear();
        self.mobilities.extend(list.iter().flat_map(|a| list.iter().map(|b| a.mobility(b))));
    }

    /// Solves the program with all other impulses as they are. Returns how much that changed.
    fn solve(&mut self, options: &VolumeOptions, step: f64, rows: &mut Rows, v: &mut [f64]) -> f64 {
        let Patches { list, count, mobilities, products, program, .. } = self;
        let (n, list) = (*count, &mut list[..*count]);
        for a in 0..n {
            let own = (0..n).fold(list[a].velocity(v), |sum, b| sum - mobilities[a * n + b] * list[b].impulse);
            list[a].free = own;
        }
        program.start(6 * n);
        // Q A, patch by patch; then A'(Q A) and A'(Q v - k c).
        products.clear();
        products.extend((0..n * n).map(|ab| list[ab / n].q * mobilities[ab]));
        for a in 0..n {
            let mut gradient = Vector6::zeros();
            for c in 0..n {
                let patch = &list[c];
                let wanted = Vector6::new(0.0, 0.0, options.correction / step * patch.c, 0.0, 0.0, 0.0);
                gradient += mobilities[c * n + a].transpose() * (patch.q * patch.free - wanted);
            }
            program.gradient[6 * a..6 * a + 6].copy_from_slice(gradient.as_slice());
            for b in 0..n {
                let mut block = (0..n).fold(Matrix6::zeros(), |sum, c| {
                    sum + mobilities[c * n + a].transpose() * products[c * n + b]
                });
                if a == b {
                    let own = mobilities[a * n + a].transpose() * products[a * n + a];
                    relax(&mut block, &own, options.relaxation);
                }
                for (column, values) in block.column_iter().enumerate() {
                    for (row, value) in values.iter().enumerate() {
                        program.hessian[(6 * b + column) * 6 * n + 6 * a + row] = *value;
                    }
                }
            }
        }
        for (a, patch) in list.iter().enumerate() {
            program.constrain(0.0)[6 * a + 2] = 1.0;
            let next = patch.outline.iter().cycle().skip(1);
            for (p, q) in patch.outline.iter().zip(next) {
                // Inward normal s of the side; the centre of pressure is (-t2, t1)/fn.
                let length = (q[0] - p[0]).hypot(q[1] - p[1]);
                let s = [-(q[1] - p[1]) / length, (q[0] - p[0]) / length];
                let row = &mut program.constrain(0.0)[6 * a..6 * a + 6];
                row[2] = -(s[0] * p[0] + s[1] * p[1]);
                (row[3], row[4]) = (s[1], -s[0]);
            }
        }
        // A program that rounding defeats leaves the impulses as they are.
        if !program.solve() {
            return 0.0;
        }
        let mut changed = 0.0_f64;
        for (patch, found) in list.iter_mut().zip(program.solution.chunks_exact(6)) {
            changed = changed.max(patch.change(Vector6::from_column_slice(found), rows, v));
        }
        changed
    }

    /// Lets patches slide that friction does not hold. Returns how much that changed.
    fn slide(&mut self, options: &VolumeOptions, rows: &mut Rows, v: &mut [f64]) -> f64 {
        let Patches { list, count, friction, .. } = self;
        let mut changed = 0.0_f64;
        for patch in &mut list[..*count] {
            let wrench: Wrench = patch.impulse.into();
            if friction.holds(&wrench, &patch.outline, patch.static_friction, options) {
                continue;
            }
            let motion = [patch.free[0], patch.free[1], patch.free[5]];
            let slides =
                friction.sliding(&wrench, &patch.outline, patch.dynamic_friction, motion, options.kinetic);
            if let Some(next) = slides {
                changed = changed.max(patch.change(next.into(), rows, v));
            }
        }
        changed
    }
}

/// Adds the relaxation: a part of the diagonal, the same for both tangents.
fn relax(block: &mut Matrix6<f64>, own: &Matrix6<f64>, part: f64) {
    for first in [0, 3] {
        let tangent = 0.5 * (own[(first, first)] + own[(first + 1, first + 1)]);
        for (i, value) in [tangent, tangent, own[(first + 2, first + 2)]].into_iter().enumerate() {
            block[(first + i, first + i)] += part * value;
        }
    }
}

impl ContactSolver for VolumeContact {
    fn solve(
        &mut self,
        problem: &Problem,
        _tolerance: f64,
        solution: &mut Solution,
        _watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        let VolumeContact { options, own, patches } = self;
        let stopping = Stopping { max_sweeps: options.max_sweeps, tolerance: TOLERANCE };
        let rules = RowRules::at_the_end(problem.dt, CORRECTION);
        let mut sweeps = InTurns { patches, options, step: problem.dt, enough: 0.0, stage: Stage::Clear };
        sweeps::solve(problem, &rules, stopping, &mut sweeps, own, solution)
    }
}
