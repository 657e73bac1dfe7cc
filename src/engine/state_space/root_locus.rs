//! Poles over a parameter: branches, and the values at which they cross the edge of stability.

use super::model::beyond_stability;
use crate::choices::root_locus::{EDGE, ITERATIONS, RELATIVE};
use nalgebra::Complex;

/// Poles at several values of a parameter.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct RootLocus {
    /// Values of the parameter.
    pub values: Vec<f64>,
    /// For each value the poles: entry k of all of them is branch k. Where the number of states changes, branches end
    /// and begin.
    #[serde(skip)]
    pub branches: Vec<Vec<Complex<f64>>>,
    /// Crossings of the edge of stability, by value.
    pub crossings: Vec<Crossing>,
}

/// A crossing of the edge of stability.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Crossing {
    /// Value of the parameter.
    pub value: f64,
    /// The pole there: real and imaginary part.
    pub pole: (f64, f64),
    /// True if the pole is unstable at larger values.
    pub to_unstable: bool,
}

impl RootLocus {
    /// Follows `poles` over `values`; in discrete time the edge of stability is the unit circle.
    ///
    /// # Errors
    /// Errors of `poles`.
    pub fn of<E>(
        values: &[f64],
        discrete: bool,
        mut poles: impl FnMut(f64) -> Result<Vec<Complex<f64>>, E>,
    ) -> Result<Self, E> {
        let mut locus = RootLocus { values: values.to_vec(), ..RootLocus::default() };
        for &value in values {
            let found = poles(value)?;
            let ordered = locus.branches.last().map_or_else(|| found.clone(), |before| matched(before, &found));
            locus.branches.push(ordered);
        }
        // The last pole of each branch that is not at the edge: a value may be a crossing itself.
        let mut last: Vec<Option<(f64, Complex<f64>)>> = Vec::new();
        for (k, &value) in values.iter().enumerate() {
            let here = locus.branches[k].clone();
            if last.len() != here.len() {
                last = vec![None; here.len()];
            }
            let size = here.iter().fold(0.0, |most: f64, pole| most.max(pole.norm()));
            for (last, pole) in last.iter_mut().zip(here) {
                let end = beyond_stability(pole, discrete);
                if end.abs() <= EDGE * size {
                    continue;
                }
                let before = last.replace((value, pole));
                let Some((from, start)) = before.filter(|(_, start)| beyond_stability(*start, discrete) * end < 0.0)
                else {
                    continue;
                };
                // Of a pair of complex poles one is enough.
                if start.im + pole.im < 0.0 {
                    continue;
                }
                let (value, pole) = cross([(from, start), (value, pole)], discrete, &mut poles)?;
                locus.crossings.push(Crossing { value, pole: (pole.re, pole.im), to_unstable: end > 0.0 });
            }
        }
        locus.crossings.sort_by(|a, b| a.value.total_cmp(&b.value));
        Ok(locus)
    }
}

/// `found` in the order of the poles before, each the nearest one that is left, the nearest pairs first.
fn matched(before: &[Complex<f64>], found: &[Complex<f64>]) -> Vec<Complex<f64>> {
    let pairs = (0..before.len()).flat_map(|i| (0..found.len()).map(move |j| (i, j)));
    let mut pairs: Vec<(usize, usize)> = pairs.collect();
    let apart = |&(i, j): &(usize, usize)| (before[i] - found[j]).norm();
    pairs.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
    let (mut of, mut taken) = (vec![None; before.len()], vec![false; found.len()]);
    for (i, j) in pairs {
        if of[i].is_none() && !taken[j] {
            (of[i], taken[j]) = (Some(found[j]), true);
        }
    }
    let others = (0..found.len()).filter(|&j| !taken[j]).map(|j| found[j]);
    of.into_iter().flatten().chain(others).collect()
}

/// The value between two at which a pole crosses the edge: false position (Illinois), with halvings where it stalls.
fn cross<E>(
    [mut low, mut high]: [(f64, Complex<f64>); 2],
    discrete: bool,
    poles: &mut impl FnMut(f64) -> Result<Vec<Complex<f64>>, E>,
) -> Result<(f64, Complex<f64>), E> {
    let (mut at_low, mut at_high) = (beyond_stability(low.1, discrete), beyond_stability(high.1, discrete));
    let size = low.0.abs().max(high.0.abs());
    let mut last = high;
    for k in 0..ITERATIONS {
        if (high.0 - low.0).abs() <= RELATIVE * size {
            break;
        }
        let part = if k % 3 == 2 { 0.5 } else { (at_low / (at_low - at_high)).clamp(0.01, 0.99) }; // method
        let value = low.0 + part * (high.0 - low.0);
        let expected = low.1 + (high.1 - low.1) * part;
        let Some(pole) =
            poles(value)?.into_iter().min_by(|a, b| (a - expected).norm().total_cmp(&(b - expected).norm()))
        else {
            break;
        };
        let here = beyond_stability(pole, discrete);
        last = (value, pole);
        if here == 0.0 {
            break;
        }
        if (here > 0.0) == (at_low > 0.0) {
            (low, at_low, at_high) = (last, here, 0.5 * at_high);
        } else {
            (high, at_high, at_low) = (last, here, 0.5 * at_low);
        }
    }
    Ok(last)
}
