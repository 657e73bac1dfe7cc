//! The gain `K = -(dt G_q N + G_v + dt G_z W F~)` of a group, and sparse factors of `W^-1 = I - dt F_z`. For the
//! symbols, see `law.rs`.

use crate::linearize::group_matrix::GroupMatrix;
use crate::linearize::groups::Group;
use crate::linearize::jacobian::ForceJacobian;
use kinegraph_convex::linear_algebra::SparseLu;

/// Factors `I - dt F_z` for the external states of a group; `place[z]` is the place of state z in the group.
pub(super) fn factor_sparse(w: &mut SparseLu, f: &GroupMatrix, states: &[usize], place: &[usize], dt: f64) {
    w.factor(states.len(), |column| {
        let (rows, values) = f.column(states[column]);
        let own = rows.binary_search(&states[column]).is_err().then_some((column, 1.0));
        let entries = rows.iter().zip(values).map(move |(&z, f)| {
            let row = place[z];
            (row, if row == column { 1.0 } else { 0.0 } - dt * f)
        });
        entries.chain(own)
    });
}

/// True if no external state of a group acts on another one, so that W is diagonal: for example the activations of
/// muscles. The columns of `f` must have all rows of the group.
pub(super) fn is_diagonal(f: &GroupMatrix, states: &[usize]) -> bool {
    let is_alone = |(j, &z): (usize, &usize)| f.column(z).1.iter().enumerate().all(|(i, x)| i == j || *x == 0.0);
    states.iter().enumerate().all(is_alone)
}

/// Computes the block of a group in K, for one kind of forces (efforts, or all others) and a step of length `dt`.
/// `response` is `W F~`.
pub(super) fn gain(part: &ForceJacobian, group: &Group, response: &GroupMatrix, dt: f64, k: &mut GroupMatrix) {
    for &c in &group.columns {
        let ((rows, q), (_, v)) = (part.q.column(c), part.v.column(c));
        if group.sparse_forces {
            k.column_mut(c).fill(0.0);
            for ((&row, q), v) in rows.iter().zip(q).zip(v) {
                let at = k.place(row);
                k.column_mut(c)[at] = -(dt * q + v);
            }
            for &z in &group.external {
                let ((rows, g), x) = (part.z.column(z), response[(z, c)]);
                for (&row, g) in rows.iter().zip(g) {
                    let at = k.place(row);
                    k.column_mut(c)[at] -= dt * g * x;
                }
            }
            continue;
        }
        let k = k.column_mut(c);
        k.iter_mut().zip(q.iter().zip(v)).for_each(|(k, (q, v))| *k = -(dt * q + v));
        let (states, response) = response.column(c);
        for (&z, &x) in states.iter().zip(response).filter(|(_, x)| **x != 0.0) {
            let g = part.z.column(z).1;
            k.iter_mut().zip(g).for_each(|(k, g)| *k -= dt * g * x);
        }
    }
}
