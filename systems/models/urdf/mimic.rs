//! Mimic joints that follow mimic joints: `q_a = m_a q_b + o_a` and `q_b = m_b q_c + o_b` give
//! `q_a = m_a m_b q_c + (m_a o_b + o_a)`, so that every mimic joint ends up following an independent one.

use super::joints::{Edge, has_one_coordinate, kind_name};
use crate::faults::FaultKind;
use crate::report::Report;
use kinegraph_multibody::{Joint, Mimic};
use std::collections::HashMap;

/// State of a joint in the search for its final leader.
#[derive(Clone, Copy, PartialEq)]
enum Visit {
    Unseen,
    OnPath,
    Done,
}

/// Checks the leaders of mimic joints and resolves chains; `indices` are the joints by name.
pub(crate) fn resolve(
    joints: &mut [Joint],
    edges: &[Edge<'_, '_>],
    indices: &HashMap<String, usize>,
    report: &mut Report<'_>,
) {
    let leaders: Vec<_> = (0..joints.len()).map(|follower| leader(follower, joints, edges, indices, report)).collect();
    let mut stages = vec![Visit::Unseen; joints.len()];
    for start in 0..joints.len() {
        // Walk to the end of the chain, then back, so that each leader is final when its follower reads it.
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(joint) = at.filter(|joint| stages[*joint] == Visit::Unseen) {
            stages[joint] = Visit::OnPath;
            path.push(joint);
            at = leaders[joint];
        }
        if let Some(entry) = at.filter(|joint| stages[*joint] == Visit::OnPath) {
            let ring = path.iter().skip_while(|joint| **joint != entry);
            let ring = ring.map(|joint| joints[*joint].name.clone()).collect();
            report.fault(edges[entry].element.span(), FaultKind::MimicLoop { joints: ring });
        } else {
            for follower in path.iter().rev() {
                let leading = leaders[*follower].and_then(|leader| joints[leader].mimic.clone());
                if let (Some(own), Some(next)) = (&mut joints[*follower].mimic, leading) {
                    *own = compose(own, next);
                }
            }
        }
        for joint in path {
            stages[joint] = Visit::Done;
        }
    }
}

/// Composes `own` with `next`: the result follows the leader of `next`.
fn compose(own: &Mimic, next: Mimic) -> Mimic {
    Mimic {
        joint: next.joint,
        multiplier: own.multiplier * next.multiplier,
        offset: own.multiplier * next.offset + own.offset,
    }
}

/// The joint that `follower` names; names that cannot be followed are reported as faults.
fn leader(
    follower: usize,
    joints: &[Joint],
    edges: &[Edge<'_, '_>],
    indices: &HashMap<String, usize>,
    report: &mut Report<'_>,
) -> Option<usize> {
    let written = edges[follower].mimic.as_ref()?;
    let Some(leader) = indices.get(written.value).copied() else {
        let element = format!("<mimic> of {}", edges[follower].element.describe());
        // A joint cannot follow itself.
        let others = joints.iter().map(|joint| joint.name.as_str()).filter(|name| *name != joints[follower].name);
        let nearest = report.nearest(written.value, others.clone());
        let kind = FaultKind::UnknownJoint { element, name: written.value.to_owned(), nearest };
        report.fault(written.span.clone(), kind);
        return None;
    };
    let target = &joints[leader];
    if !has_one_coordinate(target.kind) {
        let (joint, kind) = (joints[follower].name.clone(), kind_name(target.kind));
        let kind = FaultKind::MimicTarget { joint, target: target.name.clone(), kind };
        report.fault(written.span.clone(), kind);
        return None;
    }
    Some(leader)
}
