//! The graph of one model: the joint of each link, and an order with parents first.

use super::assembly_error::AssemblyError;
use super::model::Model;
use kinegraph_core::names::nearest;
use std::collections::HashMap;

/// A model known to be one tree.
#[derive(Debug)]
pub(crate) struct Topology {
    /// Links, parents first (depth first, children in document order), beginning with the root.
    pub order: Vec<usize>,
    /// For each link: its joint to the parent, and the parent link; `None` for the root.
    pub carrier: Vec<Option<(usize, usize)>>,
}

/// Finds the tree, or reports all its faults.
pub(crate) fn topology(name: &str, model: &Model, errors: &mut Vec<AssemblyError>) -> Option<Topology> {
    let before = errors.len();
    if model.links.is_empty() {
        errors.push(AssemblyError::NoLinks { model: name.into() });
    }
    let mut links = HashMap::new();
    for (i, link) in model.links.iter().enumerate() {
        if links.insert(link.name.as_str(), i).is_some() {
            errors.push(AssemblyError::DuplicateLink { model: name.into(), link: link.name.clone() });
        }
    }
    let mut joints = HashMap::new();
    let mut carrier: Vec<Option<(usize, usize)>> = vec![None; model.links.len()];
    let mut children = vec![Vec::new(); model.links.len()];
    for (j, joint) in model.joints.iter().enumerate() {
        if joints.insert(joint.name.as_str(), j).is_some() {
            errors.push(AssemblyError::DuplicateJoint { model: name.into(), joint: joint.name.clone() });
        }
        let mut find = |role, link: &str| {
            let found = links.get(link).copied();
            if found.is_none() {
                errors.push(AssemblyError::UnknownLink {
                    model: name.into(),
                    joint: joint.name.clone(),
                    role,
                    link: link.into(),
                    nearest: nearest(link, model.links.iter().map(|l| &l.name)),
                });
            }
            found
        };
        let (Some(parent), Some(child)) = (find("parent", &joint.parent), find("child", &joint.child)) else {
            continue;
        };
        if let Some((other, _)) = carrier[child] {
            errors.push(AssemblyError::TwoParents {
                model: name.into(),
                link: joint.child.clone(),
                first: model.joints[other].name.clone(),
                second: joint.name.clone(),
            });
            continue;
        }
        carrier[child] = Some((j, parent));
        children[parent].push(child);
    }
    find_rings(name, model, &carrier, errors);
    // Unknown links and the like leave links without a parent: several roots are reported only if there is no other
    // fault.
    if errors.len() > before {
        return None;
    }
    let roots: Vec<usize> = (0..carrier.len()).filter(|&l| carrier[l].is_none()).collect();
    if roots.len() > 1 {
        let roots = roots.iter().map(|&l| model.links[l].name.clone()).collect();
        errors.push(AssemblyError::SeveralRoots { model: name.into(), roots });
        return None;
    }
    let mut order = Vec::with_capacity(carrier.len());
    let mut stack = roots;
    while let Some(link) = stack.pop() {
        order.push(link);
        stack.extend(children[link].iter().rev());
    }
    Some(Topology { order, carrier })
}

/// Reports every ring once.
fn find_rings(name: &str, model: &Model, carrier: &[Option<(usize, usize)>], errors: &mut Vec<AssemblyError>) {
    // Number of the walk towards the root that first met the link; 0: none so far.
    let mut walk_of = vec![0; carrier.len()];
    for start in 0..carrier.len() {
        let walk = start + 1;
        let mut link = Some(start);
        while let Some(l) = link.filter(|&l| walk_of[l] == 0) {
            walk_of[l] = walk;
            link = carrier[l].map(|(_, parent)| parent);
        }
        let Some(first) = link.filter(|&l| walk_of[l] == walk) else { continue };
        let mut links = vec![model.links[first].name.clone()];
        let mut l = first;
        while let Some((_, parent)) = carrier[l].filter(|&(_, parent)| parent != first) {
            links.push(model.links[parent].name.clone());
            l = parent;
        }
        links.reverse();
        errors.push(AssemblyError::Ring { model: name.into(), links });
    }
}
