//! Units of rounds on all impulses of an island, contacts and other rows, with their laws.

use super::cone::{Cone, Impulse};
use crate::inertia_groups::Groups;
use crate::sweeps::{Row, Rows};
use kinegraph_convex::linear_algebra::Places;

/// A contact or another row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub row: usize,
    pub count: usize,
    pub law: Law,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Law {
    /// A contact: its cone, and the normal velocity at which the impulse vanishes. The normal compliance is that of the
    /// contact plus that of the proximal term, which is the fraction `proximal` of the sum.
    Contact { cone: Cone, target: f64, proximal: f64 },
    /// A row with bounds: the compliance of the proximal term, and the total compliance.
    Bounded { proximal: f64, all: f64 },
}

impl Unit {
    /// True if its impulse is linear in its velocity.
    pub fn is_linear(&self, rows: &Rows) -> bool {
        let Row { lower, upper, .. } = rows.all[self.row];
        matches!(self.law, Law::Bounded { .. }) && lower == f64::NEG_INFINITY && upper == f64::INFINITY
    }

    /// Adds `J' slope J` to a matrix; `lengths` begin at its first row.
    pub fn add_to(
        &self,
        h: &mut [f64],
        places: &Places<'_>,
        slope: &[[f64; 4]; 4],
        lengths: &[f64],
        rows: &Rows,
        groups: &Groups,
    ) {
        for k in 0..self.count {
            for l in 0..self.count {
                let weight = slope[k][l] * lengths[k] * lengths[l];
                if weight == 0.0 {
                    continue;
                }
                for a in &rows.parts[rows.all[self.row + k].parts.clone()] {
                    for b in &rows.parts[rows.all[self.row + l].parts.clone()] {
                        if a.group < b.group {
                            continue;
                        }
                        let block = places.block(a.group, b.group);
                        let (m, n) = (size(groups, a.group), size(groups, b.group));
                        for (j, y) in rows.jacobian[b.start..b.start + n].iter().enumerate() {
                            let first = if a.group == b.group { j } else { 0 };
                            let x = &rows.jacobian[a.start..a.start + m];
                            for (i, x) in x.iter().enumerate().skip(first) {
                                h[block.entry(i, j)] += weight * x * y;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Impulse of a unit at the velocities of its rows, and its negative slope.
pub(super) fn answer(
    unit: &Unit,
    rows: &Rows,
    start: &[f64],
    velocity: impl Fn(usize) -> f64,
) -> (Impulse, [[f64; 4]; 4]) {
    match unit.law {
        Law::Contact { cone, target, proximal } => {
            let mut y: Impulse = [0.0; 4];
            let (along, across) = cone.compliance;
            y[0] = proximal * start[unit.row] + (target - velocity(unit.row)) / along;
            for (k, y) in y.iter_mut().enumerate().take(unit.count).skip(1) {
                let i = unit.row + k;
                *y = start[i] - velocity(i) / across;
            }
            cone.project(&y)
        }
        Law::Bounded { proximal, all } => {
            let Row { target, lower, upper, .. } = rows.all[unit.row];
            let free = (target - velocity(unit.row) + proximal * start[unit.row]) / all;
            let (mut out, mut slope) = ([0.0; 4], [[0.0; 4]; 4]);
            out[0] = free.clamp(lower, upper);
            if out[0] == free {
                slope[0][0] = 1.0 / all;
            }
            (out, slope)
        }
    }
}

pub(super) fn size(groups: &Groups, group: usize) -> usize {
    groups.all()[group].velocities.len()
}
