//! Rows of constraints, of dry friction along rows and of ranges, for solvers that sweep.

use super::elements::{SweepRow, row_of_compliant_stop, row_of_friction};
use super::row_rules::RowRules;
use kinegraph_convex::contact::{RowCompliance, RowGroup};

/// Row `k` of a group in a step of length `dt` \[s\]. Dry friction acts on each row by itself.
pub(super) fn row_of_group(group: &RowGroup, k: usize, rules: &RowRules, dt: f64) -> SweepRow {
    if let Some(friction) = &group.friction {
        return row_of_friction(dt * friction.largest[k]);
    }
    let speed = (rules.correction * group.violation.norm()).max(f64::MIN_POSITIVE);
    let slowed = (group.correction_speed / speed).min(1.0);
    let target = -rules.correction * group.violation[k] * slowed / rules.ratio;
    let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
    let rigid = SweepRow { sign: 1.0, target, softness: 0.0, lower, upper, rigid: true };
    let Some(RowCompliance { stiffness, damping }) = group.compliance.map(|laws| laws[k]) else { return rigid };
    let gain = dt * stiffness + damping;
    if gain == 0.0 {
        return SweepRow { lower: 0.0, upper: 0.0, rigid: false, ..rigid };
    }
    let (softness, target) = (1.0 / (dt * gain), -group.violation[k] * stiffness / gain);
    SweepRow { softness, target, rigid: false, ..rigid }
}

/// Passes to `add` the rows of the two ends of a group's range in a step of length `dt` \[s\].
pub(super) fn rows_of_range(group: &RowGroup, dt: f64, add: &mut dyn FnMut(SweepRow)) {
    let turns = group.bend / dt;
    group.stops().for_each(|stop| {
        let row = row_of_compliant_stop(&stop, dt);
        add(SweepRow { target: row.target - row.sign * turns, ..row });
    });
}
