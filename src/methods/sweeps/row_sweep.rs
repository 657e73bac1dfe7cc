//! Sweeps over the rows of an island.

use super::{IMMOVABLE, Owner, Row, Rows, change};
use crate::inertia_groups::Groups;

/// Solves every row for which `acts` is true once for its own impulse. Returns the largest change of the velocities, in
/// the norm of A \[sqrt(J)\].
pub(crate) fn sweep(rows: &mut Rows, groups: &Groups, v: &mut [f64], acts: impl Fn(usize) -> bool) -> f64 {
    let mut largest = 0.0_f64;
    for i in (0..rows.all.len()).filter(|&i| acts(i)) {
        let Row { owner, target, softness, lower, upper, mobility, impulse, .. } = rows.all[i];
        if owner == Owner::Tangent || mobility + softness < IMMOVABLE {
            continue;
        }
        let away = rows.velocity(i, groups, v) + softness * impulse - target;
        let next = (impulse - away / (mobility + softness)).clamp(lower, upper);
        largest = largest.max(change(rows, i, next, groups, v));
        if let Owner::Contact { .. } = owner {
            largest = largest.max(slide(rows, i, groups, v));
        }
    }
    largest
}

/// Solves the tangents of the contact at row `i` together.
fn slide(rows: &mut Rows, i: usize, groups: &Groups, v: &mut [f64]) -> f64 {
    let radius = rows.all[i].friction * rows.all[i].impulse;
    let (first, second) = (i + 1, i + 2);
    let (a, c) = (rows.all[first].mobility, rows.all[second].mobility);
    let b = rows.coupling(first, second);
    let mobility = 0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt(); // formula
    if mobility < IMMOVABLE {
        return 0.0;
    }
    let mut next = [first, second].map(|k| rows.all[k].impulse - rows.velocity(k, groups, v) / mobility);
    let length = next[0].hypot(next[1]);
    if length > radius {
        next = next.map(|x| x * (radius / length));
    }
    change(rows, first, next[0], groups, v).max(change(rows, second, next[1], groups, v))
}
