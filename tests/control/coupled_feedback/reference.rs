//! References by the classical Runge-Kutta method, and runs compared with them.

use kinegraph::diagram::Diagram;
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use nalgebra::DVector;

/// Solution of `x' = f(t, x)` by the classical Runge-Kutta method, x = (q, v, ...); cubic between its points.
pub struct Reference {
    h: f64,
    pub n: usize,
    x: Vec<DVector<f64>>,
}

impl Reference {
    pub fn new(
        x0: Vec<f64>,
        n: usize,
        end: f64,
        steps: usize,
        mut f: impl FnMut(f64, &DVector<f64>) -> DVector<f64>,
    ) -> Self {
        let h = end / steps as f64;
        let mut x = vec![DVector::from_vec(x0)];
        for i in 0..steps {
            let (t, a) = (i as f64 * h, x[i].clone());
            let k1 = f(t, &a);
            let k2 = f(t + 0.5 * h, &(&a + &k1 * (0.5 * h)));
            let k3 = f(t + 0.5 * h, &(&a + &k2 * (0.5 * h)));
            let k4 = f(t + h, &(&a + &k3 * h));
            x.push(a + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0));
        }
        Reference { h, n, x }
    }

    pub fn positions(&self, t: f64) -> DVector<f64> {
        let i = ((t / self.h) as usize).min(self.x.len() - 2);
        let (u, n, h) = (t / self.h - i as f64, self.n, self.h);
        let (a, b) = (&self.x[i], &self.x[i + 1]);
        a.rows(0, n) * ((1.0 + 2.0 * u) * (1.0 - u) * (1.0 - u))
            + a.rows(n, n) * (u * (1.0 - u) * (1.0 - u) * h)
            + b.rows(0, n) * (u * u * (3.0 - 2.0 * u))
            + b.rows(n, n) * (u * u * (u - 1.0) * h)
    }
}

/// Cost of a run, and its deviation from the reference.
#[derive(Debug)]
pub struct Outcome {
    pub attempts: usize,
    pub end: f64,
    pub largest: f64,
}

pub fn follow(diagram: &Diagram, options: Options, end: f64, reference: &Reference) -> Outcome {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    let mut outcome = Outcome { attempts: 0, end: 0.0, largest: 0.0 };
    while simulation.time() < end {
        simulation.step(end).unwrap();
        let q = DVector::from_column_slice(&simulation.state().continuous[..reference.n]);
        outcome.end = (q - reference.positions(simulation.time())).amax();
        outcome.largest = outcome.largest.max(outcome.end);
    }
    outcome.attempts = simulation.statistics().steps + simulation.statistics().rejected_steps;
    outcome
}
