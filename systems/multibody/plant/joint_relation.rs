//! Couplers of joints: `Σ a q - P(Σ b q - r) = offset` with a polynomial P.

use super::error::PlantError;
use super::single_axis::single_axis;
use crate::Tree;
use kinegraph_core::convex::{MAX_COORDINATES, RowCurve, RowMeasure};

/// Coefficients of a polynomial, from the constant on.
type Curve = [f64; 5];

/// A relation between sums of joint positions.
#[derive(Clone, Debug)]
pub(super) struct JointRelation {
    terms: Vec<Term>,
    reference: f64,
    curve: Curve,
}

/// A joint in it.
#[derive(Clone, Copy, Debug)]
struct Term {
    position: usize,
    velocity: usize,
    /// Coefficients in the sums a and b.
    by: [f64; 2],
}

impl JointRelation {
    /// Finds the joints of both sums by their full names; `None` after a fault.
    pub fn place(
        tree: &Tree,
        sums: [&[(String, f64)]; 2],
        reference: f64,
        curve: Curve,
        faults: &mut Vec<PlantError>,
    ) -> Option<Self> {
        let before = faults.len();
        let mut terms: Vec<Term> = Vec::new();
        for (which, sum) in sums.into_iter().enumerate() {
            for (name, coefficient) in sum {
                let Some(joint) = single_axis(tree, name, "a coupler", faults) else { continue };
                let (position, velocity) = (joint.positions.start, joint.velocities.start);
                let known = terms.iter().position(|term| term.velocity == velocity).unwrap_or(terms.len());
                if known == terms.len() {
                    terms.push(Term { position, velocity, by: [0.0; 2] });
                }
                terms[known].by[which] += coefficient;
            }
        }
        (faults.len() == before && !terms.is_empty()).then_some(JointRelation { terms, reference, curve })
    }

    /// A weighted sum of positions alone.
    pub fn sum(tree: &Tree, joints: &[(String, f64)], faults: &mut Vec<PlantError>) -> Option<Self> {
        Self::place(tree, [joints, &[]], 0.0, [0.0; 5], faults)
    }

    /// The offset that is met at positions `q`, and the first two derivatives of P there.
    fn at(&self, q: &[f64]) -> [f64; 3] {
        let sum = |which: usize| self.terms.iter().map(|term| term.by[which] * q[term.position]).sum::<f64>();
        let [value, slope, second] = polynomial(&self.curve, sum(1) - self.reference);
        [sum(0) - value, slope, second]
    }

    /// The offset that is met at positions `q`.
    pub fn measure(&self, q: &[f64]) -> f64 {
        self.at(q)[0]
    }

    /// Its row at positions `q`, for an offset; what is of any length goes to `arms`.
    pub fn row(&self, offset: f64, q: &[f64], arms: &mut Vec<(usize, f64)>) -> RelationRow {
        let [value, slope, second] = self.at(q);
        let entries = self.terms.iter().map(|term| (term.velocity, term.by[0] - slope * term.by[1]));
        let measure = if self.terms.len() > MAX_COORDINATES {
            let first = arms.len();
            arms.extend(entries.filter(|(_, arm)| *arm != 0.0));
            RowMeasure::Arms { first, count: arms.len() - first }
        } else {
            let mut row = [(self.terms[0].velocity, 0.0); MAX_COORDINATES];
            row.iter_mut().zip(entries).for_each(|(of, entry)| *of = entry);
            RowMeasure::Coordinates(row)
        };
        let curve = (second != 0.0).then(|| {
            let first = arms.len();
            arms.extend(self.terms.iter().map(|term| (term.velocity, term.by[1])).filter(|(_, by)| *by != 0.0));
            RowCurve { second: -second, first, count: arms.len() - first }
        });
        RelationRow { measure, gap: value - offset, curve }
    }
}

/// The row of a relation at a state.
pub(super) struct RelationRow {
    pub measure: RowMeasure,
    /// Violation of the relation.
    pub gap: f64,
    /// Its curvature, where it has one.
    pub curve: Option<RowCurve>,
}

/// Value and first two derivatives of `Σ aᵢ xⁱ`.
fn polynomial(curve: &Curve, x: f64) -> [f64; 3] {
    let [value, slope, half] = curve
        .iter()
        .rev()
        .fold([0.0, 0.0, 0.0], |[value, slope, half], a| [value * x + a, slope * x + value, half * x + slope]);
    [value, slope, 2.0 * half]
}
