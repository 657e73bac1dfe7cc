//! Random models, the same in every run.

use kinegraph_engine::linearize::state_space::LinearModel;
use nalgebra::DMatrix;

/// Numbers in (0, 1).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }

    pub fn matrix(&mut self, rows: usize, columns: usize, size: f64) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |_, _| self.between(-size, size))
    }
}

/// A model with as many inputs as outputs, in discrete time if there is a period.
pub fn model(numbers: &mut Numbers, n: usize, ports: usize, period: Option<f64>, stable: bool) -> LinearModel {
    let mut a = numbers.matrix(n, n, 1.0);
    if stable {
        let poles = a.complex_eigenvalues();
        match period {
            None => {
                let right = poles.iter().fold(f64::NEG_INFINITY, |most: f64, pole| most.max(pole.re));
                a -= DMatrix::identity(n, n) * (right + numbers.between(0.05, 1.0));
            }
            Some(_) => {
                let far = poles.iter().fold(0.0, |most: f64, pole| most.max(pole.norm()));
                a *= numbers.between(0.3, 0.97) / far;
            }
        }
    }
    let names = |what: &str, count: usize| (0..count).map(|i| format!("{what}{i}")).collect::<Vec<String>>();
    LinearModel {
        a,
        b: numbers.matrix(n, ports, 1.0),
        c: numbers.matrix(ports, n, 1.0),
        d: numbers.matrix(ports, ports, 0.3),
        rates: vec![0.0; n],
        output_values: vec![0.0; ports],
        state_names: names("x", n),
        input_names: names("u", ports),
        output_names: names("y", ports),
        cut_by: Vec::new(),
        flat: Vec::new(),
        period,
    }
}
