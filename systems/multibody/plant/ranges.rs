//! Ranges of tendons and of ball joints, as rows of the step.
//!
//! A rope is slack, then stiff: no slope at the start of a step determines the force at its end. So each range is a row
//! of the step, with the arms `J = dl/dq` of the tendon or the rotation axis of the ball joint, and with the law of its
//! stops: see [`RowRange`]. A spring that is slack between two lengths is handled likewise. Code that needs smooth
//! forces instead (the derivatives of the plant) includes them in the other forces of tendons and joints: [`Ranges`].

use super::passive::{Passive, slackens, turn};
use super::spatial_tendon::PlacedTendon;
use crate::scene_data::Stop;
use crate::thread_kinematics::lend;
use crate::{Kinematics, Tree};
use kinegraph_core::convex::{
    Compliance, ConstraintRows, NO_CONSTRAINT, PlantPoint, RangeGap, RowMeasure, RowRange, StopCompliance,
};

/// Treatment of the forces of ranges among other forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranges {
    /// They are included.
    Included,
    /// They are excluded: a step has them as rows.
    Excluded,
}

/// A range with its tendon or joint found.
#[derive(Clone, Debug)]
pub(super) struct PlacedRange {
    along: Along,
    range: RowRange,
}

/// The length or angle of a range.
#[derive(Clone, Debug)]
enum Along {
    /// A fixed tendon: positions, velocities and coefficients.
    Joints(Vec<(usize, usize, f64)>),
    /// A spatial tendon, by its number in the plant.
    Path(usize),
    /// The angle of the turn of the ball joint with this position and velocity.
    Turn { position: usize, velocity: usize },
}

/// The ranges of all tendons and ball joints.
pub(super) fn place(passive: &[Passive], tendons: &[PlacedTendon]) -> Vec<PlacedRange> {
    let mut placed = Vec::new();
    for passive in passive {
        match passive {
            Passive::Tendon { joints, law } => {
                let ranges = law.stop.map(|(range, stop)| stopped(range, stop)).into_iter();
                let ranges = ranges.chain(slackens(law.rest, law.stiffness).then(|| slack(law.rest, law.stiffness)));
                placed.extend(ranges.map(|range| PlacedRange { along: Along::Joints(joints.clone()), range }));
            }
            Passive::Cone { position, velocity, angle, stop } => {
                let along = Along::Turn { position: *position, velocity: *velocity };
                placed.push(PlacedRange { along, range: stopped((f64::NEG_INFINITY, *angle), *stop) });
            }
            Passive::Turn { .. } => {}
        }
    }
    for (i, tendon) in tendons.iter().enumerate() {
        let (rest, stiffness) = tendon.spring();
        let ranges = tendon.stop().map(|(range, stop)| stopped(range, stop)).into_iter();
        let ranges = ranges.chain(slackens(rest, stiffness).then(|| slack(rest, stiffness)));
        placed.extend(ranges.map(|range| PlacedRange { along: Along::Path(i), range }));
    }
    placed
}

/// The row of a range with stops at its ends.
fn stopped((least, most): (f64, f64), Stop { stiffness, dissipation }: Stop) -> RowRange {
    RowRange { least, most, stop: StopCompliance { stiffness, dissipation, damping: 0.0 } }
}

/// The row of a spring that is slack between two lengths.
fn slack((least, most): (f64, f64), stiffness: f64) -> RowRange {
    RowRange { least, most, stop: StopCompliance { stiffness, dissipation: 0.0, damping: 0.0 } }
}

impl PlacedRange {
    /// Measures the length or angle \[m, rad\], where `k` has the positions `q`. Leaves its arms on all velocities in
    /// `arms`.
    fn measure(
        &self,
        tree: &Tree,
        tendons: &[PlacedTendon],
        k: &Kinematics<f64>,
        q: &[f64],
        arms: &mut Vec<f64>,
    ) -> f64 {
        arms.clear();
        arms.resize(tree.num_velocities(), 0.0);
        match &self.along {
            Along::Joints(joints) => {
                joints.iter().for_each(|(_, velocity, by)| arms[*velocity] += by);
                joints.iter().map(|(position, _, by)| q[*position] * by).sum()
            }
            Along::Path(i) => tendons[*i].path.add_moment_arms(tree, k, arms),
            Along::Turn { position, velocity } => {
                let Some((angle, axis)) = turn(&q[*position..position + 4]) else { return 0.0 };
                arms[*velocity..velocity + 3].copy_from_slice(&axis);
                angle
            }
        }
    }
}

/// Adds the rows of all ranges to `point`, where `k` has the positions `q`.
pub(super) fn add_rows(
    ranges: &[PlacedRange],
    tree: &Tree,
    tendons: &[PlacedTendon],
    k: &Kinematics<f64>,
    q: &[f64],
    point: &mut PlantPoint,
) {
    lend(|arms: &mut Vec<f64>| {
        for of in ranges {
            let value = of.measure(tree, tendons, k, q, arms);
            let first = point.arms.len();
            point.arms.extend(arms.iter().copied().enumerate().filter(|(_, arm)| *arm != 0.0));
            let measure = RowMeasure::Arms { first, count: point.arms.len() - first };
            point.constraints.push(ConstraintRows {
                constraint: NO_CONSTRAINT,
                measure,
                violation: [value, 0.0, 0.0],
                compliance: Some([Compliance { stiffness: 0.0, damping: 0.0 }; 3]),
                material: false,
                friction: None,
                range: Some(of.range),
                curve: None,
            });
        }
    });
}

/// Calls `see` with the gaps of all ranges, where `k` has the positions `q` and velocities are `v`.
pub(super) fn for_each_gap(
    ranges: &[PlacedRange],
    tree: &Tree,
    tendons: &[PlacedTendon],
    k: &Kinematics<f64>,
    [q, v]: [&[f64]; 2],
    see: &mut dyn FnMut(RangeGap),
) {
    lend(|arms: &mut Vec<f64>| {
        for of in ranges {
            let value = of.measure(tree, tendons, k, q, arms);
            let rate = arms.iter().zip(v).map(|(arm, v)| arm * v).sum();
            see(RangeGap { gaps: [value - of.range.least, of.range.most - value], rate });
        }
    });
}
