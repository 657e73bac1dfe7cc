//! Curvature of constraints: the acceleration along their rows while no velocity changes.

use kinegraph_core::convex::{ConstraintRows, PlantPoint, RowCurve, RowMeasure};
use nalgebra::Vector3;

/// `J' v` of a run of rows, at the state of `data` with the velocities `v`; the accelerations of the bodies are known
/// there.
pub(super) fn curvature(rows: &ConstraintRows, data: &PlantPoint, v: &[f64]) -> Vector3<f64> {
    let halves = |x: &[f64; 6]| (Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]));
    // Velocity and acceleration of the material point of a body at C.
    let at = |body: usize, p_WC: &[f64; 3]| {
        let ((w, v), (alpha, a)) = (halves(&data.V_WB[body]), halves(&data.A_WB[body]));
        let r = Vector3::from(*p_WC) - Vector3::from(data.p_WB[body]);
        (v + w.cross(&r), a + alpha.cross(&r) + w.cross(&w.cross(&r)))
    };
    match &rows.measure {
        RowMeasure::Orientation { body_a, body_b } => halves(&data.A_WB[*body_b]).0 - halves(&data.A_WB[*body_a]).0,
        RowMeasure::Point { body_a, body_b, p_WC } => at(*body_b, p_WC).1 - at(*body_a, p_WC).1,
        RowMeasure::Distance { body_a, body_b, p_WP, p_WQ, direction } => {
            let ((vp, ap), (vq, aq)) = (at(*body_a, p_WP), at(*body_b, p_WQ));
            let (along, v) = (Vector3::from(*direction), vq - vp);
            let across = v - along * along.dot(&v);
            let length = (Vector3::from(*p_WQ) - Vector3::from(*p_WP)).norm();
            let turning = if length > 0.0 { across.norm_squared() / length } else { 0.0 };
            Vector3::new(along.dot(&(aq - ap)) + turning, 0.0, 0.0)
        }
        RowMeasure::Coordinates(_) | RowMeasure::Arms { .. } => {
            let along = |curve: &RowCurve| {
                let entries = data.arms.get(curve.first..curve.first + curve.count).unwrap_or_default();
                let rate: f64 = entries.iter().map(|&(i, by)| by * v.get(i).copied().unwrap_or(0.0)).sum();
                curve.second * rate * rate
            };
            Vector3::new(rows.curve.as_ref().map_or(0.0, along), 0.0, 0.0)
        }
        // Never rigid.
        RowMeasure::Turn { .. } | RowMeasure::Shift { .. } => Vector3::zeros(),
    }
}
