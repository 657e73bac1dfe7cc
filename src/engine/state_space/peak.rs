//! Peak gain of a model over all frequencies, the norm H∞ of a stable one.
//!
//! A gain γ above that at infinite frequency is reached exactly at those w for which i w is an eigenvalue of a
//! Hamiltonian matrix \[Bruinsma & Steinbuch 1990, A fast algorithm to compute the H∞-norm of a transfer function
//! matrix\]. So the frequencies between which the gain is larger than the largest one known are found, the middles of
//! these intervals have larger gains, and where there are none the peak is found: no grid can miss it. In discrete time
//! the same on the model by `s = (z - 1)/(z + 1)`.

use super::LinearModel;
use super::model::eigenvalues;
use super::scaling::Matrices;
use crate::choices::peak::{AXIS, GRID, ON_AXIS, RELATIVE, ROUNDS};
use nalgebra::{Complex, DMatrix};

/// The largest gain.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct PeakGain {
    /// Largest singular value of the response \[1\].
    pub gain: f64,
    /// Its frequency \[rad/s\]; infinite if the gain rises up to there.
    pub frequency: f64,
    /// True if only frequencies of a grid were looked at: signals are delayed, and the peak may be larger.
    pub lower_bound: bool,
}

impl LinearModel {
    /// The largest gain over all frequencies, whether the model is stable or not. `None` if there is a pole at the edge
    /// of stability, or an iteration does not converge.
    pub fn peak_gain(&self) -> Option<PeakGain> {
        if self.b.is_empty() || self.c.is_empty() {
            return None;
        }
        let mut matrices = Matrices::of(self);
        matrices.scale();
        if self.period.is_some() {
            matrices = matrices.to_continuous()?;
        }
        let (gain, w) = peak(&matrices)?;
        let frequency = self.period.map_or(w, |period| 2.0 * w.atan() / period);
        Some(PeakGain { gain, frequency, lower_bound: false })
    }

    /// Sensitivity `1/(1 + L)` and complementary sensitivity `L/(1 + L)` of the loop that negative feedback from one
    /// output to the one input closes, times `sign`. `None` if D is -1.
    pub fn sensitivities(&self, sign: f64) -> Option<[LinearModel; 2]> {
        let d = self.d[(0, 0)] * sign;
        let whole = 1.0 / (1.0 + d);
        if !whole.is_finite() || self.d.len() != 1 {
            return None;
        }
        let c = &self.c * sign;
        let (a, b) = (&self.a - &self.b * &c * whole, &self.b * whole);
        let model = |c: DMatrix<f64>, d: f64| LinearModel {
            a: a.clone(),
            b: b.clone(),
            c,
            d: DMatrix::from_element(1, 1, d),
            ..self.clone()
        };
        Some([model(&c * -whole, whole), model(&c * whole, d * whole)])
    }
}

/// Largest gain and its frequency.
fn peak(model: &Matrices) -> Option<(f64, f64)> {
    let gain = |w: f64| largest(&response(model, w));
    let poles = eigenvalues(&model.a)?;
    let fastest = poles.iter().fold(0.0, |most: f64, pole| most.max(pole.norm()));
    if poles.iter().any(|pole| pole.re.abs() <= ON_AXIS * fastest.max(f64::MIN_POSITIVE)) {
        return None;
    }
    let (mut best, mut at) = (largest(&model.d.map(|x| Complex::new(x, 0.0))), f64::INFINITY);
    let mut meet = |w: f64, best: &mut f64| {
        let found = gain(w);
        if found > *best {
            (*best, at) = (found, w);
        }
    };
    meet(0.0, &mut best);
    for pole in &poles {
        meet(pole.norm(), &mut best);
        meet(pole.im.abs(), &mut best);
        (1..GRID).for_each(|k| meet(pole.norm() * (f64::from(k) / f64::from(GRID)).exp2(), &mut best));
    }
    if best == 0.0 {
        return Some((0.0, 0.0));
    }
    for _ in 0..ROUNDS {
        let level = best * (1.0 + RELATIVE);
        let crossings = crossings(model, level)?;
        let before = best;
        for pair in crossings.windows(2) {
            meet(0.5 * (pair[0] + pair[1]), &mut best);
        }
        crossings.iter().for_each(|w| meet(*w, &mut best));
        if best <= before {
            break;
        }
    }
    Some((best, at))
}

/// Frequencies at which a singular value of the response is `level`, increasing, with zero before them.
fn crossings(model: &Matrices, level: f64) -> Option<Vec<f64>> {
    let Matrices { a, b, c, d } = model;
    let (n, inputs) = (a.nrows(), b.ncols());
    let rest = (DMatrix::identity(inputs, inputs) * level.powi(2) - d.transpose() * d).try_inverse()?;
    let through = a + b * &rest * d.transpose() * c;
    let back = c.transpose() * (DMatrix::identity(d.nrows(), d.nrows()) + d * &rest * d.transpose()) * c;
    let mut hamiltonian = DMatrix::zeros(2 * n, 2 * n);
    // Both off-diagonal blocks of about one size.
    hamiltonian.view_mut((0, 0), (n, n)).copy_from(&through);
    hamiltonian.view_mut((0, n), (n, n)).copy_from(&(b * &rest * b.transpose() * level));
    hamiltonian.view_mut((n, 0), (n, n)).copy_from(&(back * (-1.0 / level)));
    hamiltonian.view_mut((n, n), (n, n)).copy_from(&-through.transpose());
    let on_axis = eigenvalues(&hamiltonian)?.into_iter().filter(|value| value.re.abs() <= AXIS * value.norm());
    let mut found: Vec<f64> = on_axis.map(|value| value.im.abs()).chain(std::iter::once(0.0)).collect();
    found.sort_by(f64::total_cmp);
    found.dedup();
    Some(found)
}

fn response(model: &Matrices, w: f64) -> DMatrix<Complex<f64>> {
    let complex = |matrix: &DMatrix<f64>| matrix.map(|x| Complex::new(x, 0.0));
    let mut pencil = -complex(&model.a);
    (0..pencil.nrows()).for_each(|i| pencil[(i, i)] += Complex::new(0.0, w));
    match pencil.lu().solve(&complex(&model.b)) {
        Some(x) => complex(&model.c) * x + complex(&model.d),
        None => complex(&model.d).map(|_| Complex::new(f64::NAN, f64::NAN)),
    }
}

/// Largest singular value of a response.
pub fn largest(response: &DMatrix<Complex<f64>>) -> f64 {
    if response.len() == 1 {
        return response[(0, 0)].norm();
    }
    if response.iter().any(|x| !x.re.is_finite() || !x.im.is_finite()) {
        return f64::NAN;
    }
    response.singular_values().max()
}
