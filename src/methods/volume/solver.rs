//! Solver of volume-based contact: a program for all patches of an island, in alternation with sweeps over all other
//! rows.

use super::friction::{Friction, Wrench};
use super::options::VolumeOptions;
use super::patch::{self, Patch};
use super::qp::QuadraticProgram;
use crate::choices::volume::{DIAGONAL_PART, LEAST_PART, MAX_HALVINGS, MAX_TURNS, SETTLED, TOLERANCE};
use crate::inertia_groups::Groups;
use crate::sweeps::{self, CORRECTION, IslandRows, RowRules, Rows, Stopping, Sweeps, change, row_sweep, scale};
use kinegraph_convex::contact::{Island, Problem, Solution};
use kinegraph_convex::profile::Stopwatch;
use kinegraph_convex::solvers::{ContactSolver, SolveFailure, SolveReport};
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

/// Rounding of the work with friction, relative to the work without.
const GIVEN: f64 = 1e-9; // rounding

/// Components of an impulse that are normal, and those of friction.
const NORMAL: [usize; 3] = [2, 3, 4];
const FRICTION: [usize; 3] = [0, 1, 5];

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
    /// For every row, true if it belongs to a patch.
    taken: Vec<bool>,
    mobilities: Vec<Matrix6<f64>>,
    products: Vec<Matrix6<f64>>,
    /// Terms of normal velocities and of velocities in the plane in the program.
    sides: [Side; 2],
    /// Impulses found, and those before an alternation.
    found: Vec<Vector6<f64>>,
    before: Vec<Vector6<f64>>,
    program: QuadraticProgram,
    friction: Friction,
    /// Number of alternations left for the sweeps of an island.
    turns: usize,
    /// Change by the last alternation, as impulse \[N s\], and relative to the impulses.
    left: [f64; 2],
}

/// Blocks of a Hessian, patch by patch, and of a gradient.
#[derive(Clone, Debug, Default)]
struct Side {
    hessian: Vec<Matrix6<f64>>,
    gradient: Vec<Vector6<f64>>,
}

struct InTurns<'a> {
    patches: &'a mut Patches,
    options: &'a VolumeOptions,
    step: f64,
    enough: f64,
    begun: bool,
}

impl Sweeps for InTurns<'_> {
    fn start(&mut self, problem: &Problem, island: &Island, own: &mut IslandRows, v: &mut [f64]) -> bool {
        self.enough = TOLERANCE * scale(problem, island, v);
        self.begun = false;
        self.patches.turns = self.options.max_sweeps;
        self.patches.enter(problem, &own.rows, &own.groups);
        own.rows.all.is_empty()
    }

    fn sweep(&mut self, rows: &mut Rows, groups: &Groups, v: &mut [f64], report: &mut SolveReport) -> (f64, bool) {
        let patches = &mut *self.patches;
        if !self.begun {
            // The initial impulses of these rows are removed.
            for i in (0..rows.all.len()).filter(|&i| patches.taken[i]) {
                change(rows, i, 0.0, groups, v);
            }
            patches.couple();
            self.begun = true;
        }
        let mut changed = 0.0_f64;
        if patches.count > 0 {
            changed = patches.solve(self.options, [self.step, self.enough], rows, v, report);
        }
        let others = row_sweep::sweep(rows, groups, v, |i| !patches.taken[i]);
        // If nothing else acts, the program has all elements.
        let alone = others == 0.0 && patches.count > 0;
        let ends = alone || patches.turns == 0;
        (changed.max(others), ends || changed.max(others) <= self.enough)
    }

    fn residual(&mut self, _rows: &mut Rows, _groups: &Groups, _v: &[f64]) -> f64 {
        self.patches.left[0]
    }
}

impl Patches {
    fn enter(&mut self, problem: &Problem, rows: &Rows, groups: &Groups) {
        self.taken.clear();
        self.taken.resize(rows.all.len(), false);
        let Patches { list, count, contacts, taken, .. } = self;
        *count = 0;
        patch::find(problem, rows, contacts, |points, overlaps| {
            if list.len() == *count {
                list.push(Patch::default());
            }
            let fills = overlaps && list[*count].fill(problem, rows, groups, points);
            *count += usize::from(fills);
            if fills || !overlaps {
                points.iter().for_each(|&row| taken[row..row + 3].fill(true));
            }
        });
    }

    /// Computes the mobilities between all pairs of patches.
    fn couple(&mut self) {
        let list = &self.list[..self.count];
        self.mobilities.clear();
        self.mobilities.extend(list.iter().flat_map(|a| list.iter().map(|b| a.mobility(b))));
    }

    /// Solves for all patches with all other impulses fixed. Returns the size of the change.
    fn solve(
        &mut self,
        options: &VolumeOptions,
        [step, enough]: [f64; 2],
        rows: &mut Rows,
        v: &mut [f64],
        report: &mut SolveReport,
    ) -> f64 {
        let n = self.count;
        for a in 0..n {
            let list = &self.list;
            let by = (0..n).fold(Vector6::zeros(), |sum, b| sum + self.mobilities[a * n + b] * list[b].impulse);
            self.list[a].free = self.list[a].velocity(v) - by;
        }
        self.assemble(options, step);
        self.left = [0.0; 2];
        report.factorizations += 1;
        let all = [0, 1, 2, 3, 4, 5];
        let held = self.minimize(&all, &[]) && (0..n).all(|a| self.holds(a, options)) && !self.friction_gives();
        if !held {
            self.stagger(options, enough, report);
        }
        let mut changed = 0.0_f64;
        for (patch, found) in self.list[..n].iter_mut().zip(&self.found) {
            changed = changed.max(patch.change(*found, rows, v));
        }
        changed
    }

    /// Computes the blocks of the Hessian and of the gradient, for normal velocities and for velocities in the plane.
    fn assemble(&mut self, options: &VolumeOptions, step: f64) {
        let Patches { list, count, mobilities, products, sides, found, .. } = self;
        let (n, list) = (*count, &list[..*count]);
        found.clear();
        found.resize(n, Vector6::zeros());
        for (Side { hessian, gradient }, kept) in sides.iter_mut().zip([NORMAL, FRICTION]) {
            let weight = |a: usize| {
                Matrix6::from_fn(|i, j| if kept.contains(&i) && kept.contains(&j) { list[a].q[(i, j)] } else { 0.0 })
            };
            products.clear();
            products.extend((0..n * n).map(|ab| weight(ab / n) * mobilities[ab]));
            hessian.clear();
            gradient.clear();
            for a in 0..n {
                let mut slope = Vector6::zeros();
                for (c, patch) in list.iter().enumerate() {
                    let mut wanted = Vector6::zeros();
                    if kept == NORMAL {
                        wanted[2] = options.correction / step * patch.c;
                    }
                    slope += mobilities[c * n + a].transpose() * (weight(c) * patch.free - wanted);
                }
                gradient.push(slope);
                for b in 0..n {
                    let mut block = (0..n)
                        .fold(Matrix6::zeros(), |sum, c| sum + mobilities[c * n + a].transpose() * products[c * n + b]);
                    if a == b {
                        let own = mobilities[a * n + a].transpose() * products[a * n + a];
                        relax(&mut block, &own, options.relaxation);
                    }
                    hessian.push(block);
                }
            }
        }
    }

    /// Solves the program for these components of all patches with the others fixed. Returns `false` if that fails, or
    /// if it is for all components and a centre of pressure is bounded by the rim.
    fn minimize(&mut self, parts: &[usize], fixed: &[usize]) -> bool {
        let Patches { list, count, sides: [press, rub], found, program, .. } = self;
        let (n, size) = (*count, parts.len());
        // The program of all components has both terms, that of normal forces only its own.
        let whole = if size == 6 { 1.0 } else { 0.0 };
        program.start(size * n);
        for a in 0..n {
            for (i, &p) in parts.iter().enumerate() {
                let mut slope = press.gradient[a][p] + whole * rub.gradient[a][p];
                for (b, other) in found.iter().enumerate() {
                    let block = press.hessian[a * n + b] + rub.hessian[a * n + b] * whole;
                    slope += fixed.iter().map(|&q| block[(p, q)] * other[q]).sum::<f64>();
                    for (j, &q) in parts.iter().enumerate() {
                        program.hessian[(size * b + j) * size * n + size * a + i] = block[(p, q)];
                    }
                }
                program.gradient[size * a + i] = slope;
            }
        }
        // Indices of the normal force and the moments of pressure among the parts.
        let place = |part: usize| parts.iter().position(|&p| p == part).unwrap_or(0);
        let [normal, first, second] = [2, 3, 4].map(place);
        for (a, patch) in list[..n].iter().enumerate() {
            program.constrain(0.0)[size * a + normal] = 1.0;
            let next = patch.outline.iter().cycle().skip(1);
            for (p, q) in patch.outline.iter().zip(next) {
                // Inward normal s of the side; the centre of pressure is (-t2, t1)/fn.
                let length = (q[0] - p[0]).hypot(q[1] - p[1]);
                let s = [-(q[1] - p[1]) / length, (q[0] - p[0]) / length];
                let row = &mut program.constrain(0.0)[size * a..size * a + size];
                row[normal] = -(s[0] * p[0] + s[1] * p[1]);
                (row[first], row[second]) = (s[1], -s[0]);
            }
        }
        if !program.solve() {
            return false;
        }
        for (to, from) in found.iter_mut().zip(program.solution.chunks_exact(size)) {
            parts.iter().zip(from).for_each(|(&p, x)| to[p] = *x);
        }
        size < 6 || program.is_free()
    }

    fn holds(&mut self, a: usize, options: &VolumeOptions) -> bool {
        let (patch, mut wrench) = (&self.list[a], Wrench::from(self.found[a]));
        wrench[5] /= patch.friction_arm;
        self.friction.holds(&wrench, &patch.outline, patch.static_friction, options)
    }

    /// Alternates between normal forces with friction fixed, and friction with normal forces fixed. Friction is the
    /// wrench that holds a patch if its limit allows, otherwise that of sliding.
    ///
    /// The change must decrease with each alternation. If friction presses bodies down, which increases friction, full
    /// changes diverge: whenever the change does not decrease, the fraction of it that friction makes is halved.
    fn stagger(&mut self, options: &VolumeOptions, enough: f64, report: &mut SolveReport) {
        let n = self.count;
        self.found.iter_mut().for_each(|found| *found = Vector6::zeros());
        let (mut part, mut before) = (1.0_f64, f64::INFINITY);
        let mut without = None;
        for _ in 0..MAX_TURNS.min(self.turns.max(1)) {
            self.turns = self.turns.saturating_sub(1);
            report.factorizations += 1;
            if !self.minimize(&NORMAL, &FRICTION) {
                break;
            }
            let without = *without.get_or_insert_with(|| self.work());
            let (mut moved, mut largest, mut impulse) = (0.0_f64, 0.0_f64, 0.0_f64);
            self.before.clone_from(&self.found);
            let together = self.hold_together(options);
            for a in 0..n {
                let before = self.before[a];
                if !together {
                    self.rub(a, options);
                }
                let by = self.found[a] - before;
                let scale = |f: &Vector6<f64>| f.dot(&(self.mobilities[a * n + a] * f)).max(0.0).sqrt();
                moved = moved.max(scale(&by));
                largest = largest.max(scale(&self.found[a]));
                impulse = impulse.max(by.fixed_rows::<3>(0).norm());
                self.found[a] = before + by * part;
            }
            if moved <= (SETTLED * largest).max(enough) {
                self.left = [0.0; 2];
                report.unsettled += usize::from(!self.give_nothing(without));
                return;
            }
            self.left = [impulse, moved / largest];
            if moved >= before {
                part = (0.5 * part).max(LEAST_PART);
            }
            before = moved;
        }
        report.unsettled += 1;
        self.give_nothing(without.unwrap_or_default());
    }

    /// Work of the impulses found on the bodies \[J\].
    fn work(&self) -> f64 {
        let n = self.count;
        let moved =
            |a: usize| (0..n).fold(self.list[a].free, |sum, b| sum + self.mobilities[a * n + b] * self.found[b] * 0.5);
        (0..n).map(|a| self.found[a].dot(&moved(a))).sum()
    }

    /// True if the impulses found supply energy to the bodies, and more than those without friction. This is possible,
    /// since the program weights velocities by Q, and not by inertia.
    fn friction_gives(&mut self) -> bool {
        let work = self.work();
        if work <= 0.0 {
            return false;
        }
        self.before.clone_from(&self.found);
        self.found.iter_mut().for_each(|found| *found = Vector6::zeros());
        let without = if self.minimize(&NORMAL, &FRICTION) { self.work() } else { 0.0 };
        std::mem::swap(&mut self.found, &mut self.before);
        work > without + GIVEN * without.abs()
    }

    /// Halves all friction until the bodies have no more energy than `without` it, where the correction of their
    /// overlap supplies it. Returns true if nothing had to be reduced.
    fn give_nothing(&mut self, without: f64) -> bool {
        let most = without + GIVEN * without.abs();
        if self.work() <= most {
            return true;
        }
        for halving in 0..=MAX_HALVINGS {
            let part = if halving == MAX_HALVINGS { 0.0 } else { 0.5 };
            self.found.iter_mut().for_each(|found| FRICTION.iter().for_each(|&p| found[p] *= part));
            if !self.minimize(&NORMAL, &FRICTION) || self.work() <= most {
                break;
            }
        }
        false
    }

    /// Computes the friction that would hold all patches at once, with normal forces fixed. Returns `false`, without
    /// changes, if it exceeds the friction of a patch. One patch at a time would converge slowly for patches of one
    /// body, which share the forces between them.
    fn hold_together(&mut self, options: &VolumeOptions) -> bool {
        let n = self.count;
        let Patches { sides: [_, rub], found, program, .. } = self;
        program.start(3 * n);
        for a in 0..n {
            for (i, &p) in FRICTION.iter().enumerate() {
                let mut slope = rub.gradient[a][p];
                for (b, other) in found.iter().enumerate() {
                    let block = &rub.hessian[a * n + b];
                    slope += NORMAL.iter().map(|&q| block[(p, q)] * other[q]).sum::<f64>();
                    for (j, &q) in FRICTION.iter().enumerate() {
                        program.hessian[(3 * b + j) * 3 * n + 3 * a + i] = block[(p, q)];
                    }
                }
                program.gradient[3 * a + i] = slope;
            }
        }
        if !program.solve() {
            return false;
        }
        for (to, from) in found.iter_mut().zip(program.solution.chunks_exact(3)) {
            FRICTION.iter().zip(from).for_each(|(&p, x)| to[p] = *x);
        }
        let holds = (0..n).all(|a| self.holds(a, options));
        if !holds {
            self.found.clone_from(&self.before);
        }
        holds
    }

    /// Computes the friction of patch `a` with all else fixed.
    fn rub(&mut self, a: usize, options: &VolumeOptions) {
        let n = self.count;
        let mut without = self.found[a];
        FRICTION.iter().for_each(|&p| without[p] = 0.0);
        self.found[a] = without;
        let Side { hessian, gradient } = &self.sides[1];
        let slope = (0..n).fold(gradient[a], |sum, b| sum + hessian[a * n + b] * self.found[b]);
        let block = &hessian[a * n + a];
        let own = Matrix3::from_fn(|i, j| block[(FRICTION[i], FRICTION[j])]);
        let Some(inverse) = own.try_inverse() else { return };
        let holding = inverse * Vector3::from_fn(|i, _| -slope[FRICTION[i]]);
        let mut wrench = without;
        FRICTION.iter().zip(holding.iter()).for_each(|(&p, x)| wrench[p] = *x);
        self.found[a] = wrench;
        if self.holds(a, options) {
            return;
        }
        // Motion of the patch without its friction.
        self.found[a] = without;
        let motion = (0..n).fold(self.list[a].free, |sum, b| sum + self.mobilities[a * n + b] * self.found[b]);
        let (patch, mut wrench) = (&self.list[a], Wrench::from(wrench));
        // Friction acts at a fraction of the corners' arms, so their rotation is scaled by it.
        let (arm, mu) = (patch.friction_arm, patch.dynamic_friction);
        let motion = [motion[0], motion[1], motion[5] * arm];
        wrench[5] /= arm;
        if let Some(mut next) = self.friction.sliding(&wrench, &patch.outline, mu, motion, options.kinetic) {
            next[5] *= arm;
            self.found[a] = next.into();
        }
    }
}

/// Adds the relaxation: a part of the block of the patch, and of its diagonal, equal for both tangents, which keeps the
/// program regular where a body cannot move.
fn relax(block: &mut Matrix6<f64>, own: &Matrix6<f64>, part: f64) {
    *block += own * part;
    for first in [0, 3] {
        let tangent = 0.5 * (own[(first, first)] + own[(first + 1, first + 1)]);
        for (i, value) in [tangent, tangent, own[(first + 2, first + 2)]].into_iter().enumerate() {
            block[(first + i, first + i)] += DIAGONAL_PART * part * value;
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
        let rules = RowRules::at_the_end(problem.step_terms.dt, CORRECTION);
        let mut sweeps = InTurns { patches, options, step: problem.step_terms.dt, enough: 0.0, begun: false };
        sweeps::solve(problem, &rules, stopping, &mut sweeps, own, solution)
    }
}
