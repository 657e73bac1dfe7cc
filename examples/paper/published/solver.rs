//! Newton's method with exact line search and, if asked, factors that are used again \[Kurtz and Castro, CENIC, sec.
//! VI\].

use super::line_search::{Ends, STARTS, Start, search};
use super::problem::StepProblem;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Iterations of a solve, and those wanted with a factor that is used again.
const MAX_ITERATIONS: usize = 100;
const WANTED: i32 = 10;

/// Choices of the solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// True if factors of the Hessian are used again.
    pub reuse: bool,
    /// Where line searches start.
    pub start: Start,
    /// True if the other starts are tried beside `start`, to be counted.
    pub compare: bool,
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Steps taken.
    pub steps: usize,
    /// Attempts repeated with a shorter step.
    pub rejected: usize,
    /// Newton iterations.
    pub iterations: usize,
    /// Factorizations of the Hessian.
    pub factorizations: usize,
    /// Evaluations within line searches, had they started full, quadratic or cubic.
    pub line_search: [usize; 3],
}

/// Solves the problems of a run.
pub struct Solver {
    settings: Settings,
    factor: Option<Cholesky<f64, Dyn>>,
    /// The bodies that touch in the problem of the factor, and whether the factor has had its time.
    touching: Vec<(usize, usize)>,
    stale: bool,
    /// Counts so far.
    pub counts: Counts,
}

impl Solver {
    /// A solver.
    pub fn new(settings: Settings) -> Self {
        Solver { settings, factor: None, touching: Vec::new(), stale: true, counts: Counts::default() }
    }

    /// The velocities that minimize the cost; `None` if they are not found.
    pub fn solve(&mut self, problem: &StepProblem, guess: &[f64], tolerance: f64) -> Option<Vec<f64>> {
        let mut v = DVector::from_column_slice(guess);
        let scaled = |x: &DVector<f64>| x.component_mul(&problem.scale).norm();
        let tolerance = tolerance * scaled(&problem.momentum).max(1.0);
        let mut touching: Vec<(usize, usize)> = problem.contacts.iter().map(|contact| contact.bodies).collect();
        touching.dedup();
        let mut same = touching == self.touching && self.factor.is_some();
        self.touching = touching;
        let (mut rate, mut lengths) = (1.0, (f64::NAN, f64::NAN));
        for k in 0..MAX_ITERATIONS {
            let (gradient, hessian) = derivatives(problem, &v);
            if scaled(&gradient) < tolerance || (k > 0 && rate * lengths.1 < tolerance) {
                return Some(v.as_slice().to_vec());
            }
            if k > 1 {
                let theta = (lengths.1 / lengths.0).clamp(0.0, 0.9999);
                rate = theta / (1.0 - theta);
                self.stale |= theta.powi(WANTED - k as i32) / (1.0 - theta) * lengths.1 > tolerance;
            }
            if !(self.settings.reuse && same && !self.stale) {
                self.factor = Some(Cholesky::new(hessian)?);
                self.counts.factorizations += 1;
                (same, self.stale) = (true, false);
            }
            let direction = -self.factor.as_ref()?.solve(&gradient);
            let alpha = self.line_search(problem, &v, &direction, gradient.dot(&direction))?;
            let step = direction * alpha;
            lengths = (lengths.1, step.component_div(&problem.scale).norm());
            v += step;
            self.counts.iterations += 1;
        }
        None
    }

    /// The length of the step, and a count of what each start would have taken.
    fn line_search(&mut self, problem: &StepProblem, v: &DVector<f64>, w: &DVector<f64>, slope0: f64) -> Option<f64> {
        if slope0 >= 0.0 || !slope0.is_finite() {
            return None;
        }
        let product = &problem.inertia * w;
        let (curvature, linear) = (w.dot(&product), v.dot(&product) - w.dot(&problem.momentum));
        let pairs: Vec<_> = problem.contacts.iter().map(|c| (c, c.velocity(v), c.velocity(w))).collect();
        let cost = |alpha: f64| {
            let contact: f64 = pairs.iter().map(|(c, at, along)| c.cost(&(at + along * alpha), problem.dt)).sum();
            alpha * (linear + 0.5 * alpha * curvature) + contact
        };
        let rates = |alpha: f64| {
            let mut sum = (linear + alpha * curvature, curvature);
            for (contact, at, along) in &pairs {
                let (impulse, hessian) = contact.impulse_and_hessian(&(at + along * alpha), problem.dt);
                sum = (sum.0 - impulse.dot(along), sum.1 + along.dot(&(hessian * along)));
            }
            sum
        };
        let (slope1, curvature1) = rates(1.0);
        let ends = Ends { first: (cost(0.0), slope0), last: (cost(1.0), slope1, curvature1) };
        let mut taken = None;
        let Settings { start: own, compare, .. } = self.settings;
        let wanted = STARTS.into_iter().zip(&mut self.counts.line_search).filter(|(start, _)| compare || *start == own);
        for (start, count) in wanted {
            let (alpha, evaluations) = search(&ends, start, rates);
            *count += evaluations;
            if start == own {
                taken = Some(alpha);
            }
        }
        taken
    }
}

/// Gradient and Hessian of the cost.
fn derivatives(problem: &StepProblem, v: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let mut gradient = &problem.inertia * v - &problem.momentum;
    let mut hessian = problem.inertia.clone();
    for contact in problem.contacts {
        let (impulse, curvature) = contact.impulse_and_hessian(&contact.velocity(v), problem.dt);
        for (i, column) in &contact.columns {
            gradient[*i] -= column.dot(&impulse);
            let row = curvature * column;
            for (j, other) in &contact.columns {
                hessian[(*i, *j)] += row.dot(other);
            }
        }
    }
    (gradient, hessian)
}
