//! The shortest and the longest that a string can be within the ranges of its joints, for muscles that do not state
//! between which lengths they work.
//!
//! From the references the joints follow the moment arms, or go against them, within their ranges, as if the string
//! pushed or pulled them slowly: that finds the extremum in whose basin the references are, as the simulation does by
//! which MuJoCo finds it.

use super::inertias::Inertias;
use super::joints::Joints;
use kinegraph_multibody::{Kinematics, TendonPath};

/// Ways of less than this \[rad, m\] have arrived.
const MIN_WAY: f64 = 1e-10;
const MAX_STEPS: usize = 10_000;

/// The range of lengths of a path; `None` where a joint that changes it has no range.
pub(super) fn of_path(inertias: &Inertias, joints: &Joints<'_>, path: &TendonPath) -> Option<(f64, f64)> {
    let tree = &inertias.tree;
    let mut moved = Vec::new();
    for velocity in path.velocities(tree) {
        let joint = tree.joints().iter().find(|joint| joint.velocities.contains(&velocity))?;
        let written = joints.all.iter().find(|written| joint.name == format!("m/{}", written.name))?;
        moved.push((velocity, joint.positions.start, written.limits.filter(|_| joint.velocities.len() == 1)?));
    }
    let mut k = Kinematics::default();
    let mut extremum = |sign: f64| {
        let mut q = tree.initial_positions().to_vec();
        let mut length = |q: &[f64]| {
            tree.position_kinematics(q, &mut k);
            let mut arms = vec![0.0; tree.num_velocities()];
            path.push(tree, &k, 1.0, &mut arms);
            (path.length(tree, &k), arms)
        };
        moved.iter().for_each(|(_, at, (least, most))| q[*at] = q[*at].clamp(*least, *most));
        let ((mut best, mut arms), mut pace) = (length(&q), 1.0);
        for _ in 0..MAX_STEPS {
            let mut next = q.clone();
            for (velocity, at, (least, most)) in &moved {
                next[*at] = (q[*at] + sign * pace * arms[*velocity]).clamp(*least, *most);
            }
            let way = next.iter().zip(&q).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            if way < MIN_WAY {
                break;
            }
            let (found, its_arms) = length(&next);
            if sign * (found - best) > 0.0 {
                (q, best, arms) = (next, found, its_arms);
                pace *= 2.0;
            } else {
                pace *= 0.25;
            }
        }
        best
    };
    let (least, most) = (extremum(-1.0), extremum(1.0));
    (least < most).then_some((least, most))
}
