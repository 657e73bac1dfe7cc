//! Links and joints as a graph: names are unique, and the graph is one tree.

use super::joints::Edge;
use crate::common::inertia::check_rigid_bodies;
use crate::faults::FaultKind;
use crate::notes::NoteKind;
use crate::report::Report;
use crate::xml::Element;
use kinegraph_multibody::{JointKind, Model};
use std::collections::HashMap;

/// Indices into the model's links and joints by name; for duplicates, the first.
pub(crate) struct Names {
    pub(crate) links: HashMap<String, usize>,
    pub(crate) joints: HashMap<String, usize>,
}

/// Collects the names and reports duplicates as faults.
pub(super) fn unique_names(
    model: &Model,
    links: &[Element<'_, '_>],
    edges: &[Edge<'_, '_>],
    report: &mut Report<'_>,
) -> Names {
    let links: Vec<_> = model.links.iter().map(|link| link.name.as_str()).zip(links.iter().copied()).collect();
    let joints: Vec<_> = edges.iter().map(|edge| edge.element).collect();
    let joints: Vec<_> = model.joints.iter().map(|joint| joint.name.as_str()).zip(joints).collect();
    Names { links: index("link", &links, report), joints: index("joint", &joints, report) }
}

fn index(element: &'static str, named: &[(&str, Element<'_, '_>)], report: &mut Report<'_>) -> HashMap<String, usize> {
    let mut indices = HashMap::with_capacity(named.len());
    for (index, (name, at)) in named.iter().enumerate().filter(|(_, (name, _))| !name.is_empty()) {
        if let Some(first) = indices.get(*name).copied() {
            let (_, first): (_, Element<'_, '_>) = named[first];
            let first = report.place(first.span().start);
            report.fault(at.span(), FaultKind::DuplicateName { element, name: (*name).to_owned(), first });
        } else {
            indices.insert((*name).to_owned(), index);
        }
    }
    indices
}

/// The links without a parent. Joints to unknown links, links with two parents, and loops are reported as faults.
pub(super) fn check(
    model: &Model,
    links: &[Element<'_, '_>],
    edges: &[Edge<'_, '_>],
    names: &Names,
    report: &mut Report<'_>,
) -> Vec<usize> {
    let ends: Vec<_> = (0..edges.len()).map(|joint| find_ends(joint, model, edges, names, report)).collect();
    let parents = find_parents(model, edges, &ends, report);
    find_loops(model, edges, &ends, &parents, report);

    // A joint that names an unknown child may be the one that connects a seeming root: then only its own fault is
    // reported.
    let whole = ends.iter().all(|(_, child)| child.is_some()) && names.links.len() == model.links.len();
    let roots: Vec<_> = (0..links.len()).filter(|link| parents[*link].is_none()).collect();
    if !whole || roots.is_empty() {
        return Vec::new();
    }
    if roots.len() > 1 {
        let names = roots.iter().map(|link| model.links[*link].name.clone()).collect();
        report.note(links[roots[1]].span(), NoteKind::SeveralRoots { roots: names });
    }
    check_floating(model, edges, &ends, &roots, report);
    check_rigid_bodies(model, links, report);
    roots
}

/// Indices of a joint's parent and child link; unknown names are reported as faults.
type Ends = (Option<usize>, Option<usize>);

fn find_ends(joint: usize, model: &Model, edges: &[Edge<'_, '_>], names: &Names, report: &mut Report<'_>) -> Ends {
    let name = &model.joints[joint].name;
    let mut find = |role: &'static str| {
        let written = if role == "parent" { &edges[joint].parent } else { &edges[joint].child };
        let written = written.as_ref()?;
        let found = names.links.get(written.value).copied();
        if found.is_none() {
            let nearest = report.nearest(written.value, model.links.iter().map(|link| link.name.as_str()));
            let (joint, name) = (name.clone(), written.value.to_owned());
            report.fault(written.span.clone(), FaultKind::UnknownLink { joint, role, name, nearest });
        }
        found
    };
    let (parent, child) = (find("parent"), find("child"));
    if let (Some(parent), true, Some(written)) = (parent, parent == child, &edges[joint].child) {
        let kind = FaultKind::SelfJoint { joint: name.clone(), link: model.links[parent].name.clone() };
        report.fault(written.span.clone(), kind);
    }
    (parent, child)
}

/// The joint above each link; links with two of them are reported as faults.
fn find_parents(model: &Model, edges: &[Edge<'_, '_>], ends: &[Ends], report: &mut Report<'_>) -> Vec<Option<usize>> {
    let mut parents = vec![None::<usize>; model.links.len()];
    for (joint, (_, child)) in ends.iter().enumerate() {
        let Some(child) = *child else { continue };
        let Some(first) = parents[child] else {
            parents[child] = Some(joint);
            continue;
        };
        if let (Some(first_written), Some(written)) = (&edges[first].child, &edges[joint].child) {
            let kind = FaultKind::TwoParents {
                link: model.links[child].name.clone(),
                first: model.joints[first].name.clone(),
                first_place: report.place(first_written.span.start),
                second: model.joints[joint].name.clone(),
            };
            report.fault(written.span.clone(), kind);
        }
    }
    parents
}

/// Reports each ring of joints once as a fault. (A joint from a link to itself has its own fault.)
fn find_loops(
    model: &Model,
    edges: &[Edge<'_, '_>],
    ends: &[Ends],
    parents: &[Option<usize>],
    report: &mut Report<'_>,
) {
    // Each upward walk marks its links with its own number; meeting its own mark is a ring, another's has been visited
    // before.
    let mut marks = vec![usize::MAX; parents.len()];
    for start in 0..parents.len() {
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(link) = at.filter(|link| marks[*link] == usize::MAX) {
            marks[link] = start;
            path.push(link);
            at = parents[link].and_then(|joint| ends[joint].0);
        }
        let Some(entry) = at.filter(|link| marks[*link] == start) else { continue };
        let mut ring: Vec<_> = path.into_iter().skip_while(|link| *link != entry).collect();
        if let (true, Some(joint)) = (ring.len() > 1, parents[entry]) {
            // The walk went from child to parent; report it from parent to child, starting at the same link.
            ring[1..].reverse();
            let links = ring.iter().map(|link| model.links[*link].name.clone()).collect();
            report.fault(edges[joint].element.span(), FaultKind::Loop { links });
        }
    }
}

/// Reports floating joints below the root as faults: a floating joint is only supported as the base of a robot.
fn check_floating(model: &Model, edges: &[Edge<'_, '_>], ends: &[Ends], roots: &[usize], report: &mut Report<'_>) {
    for (joint, (parent, _)) in ends.iter().enumerate() {
        if let (JointKind::Floating, Some(parent)) = (model.joints[joint].kind, *parent)
            && !roots.contains(&parent)
            && let Some(written) = &edges[joint].parent
        {
            let kind = FaultKind::FloatingNotFromRoot {
                joint: model.joints[joint].name.clone(),
                parent: model.links[parent].name.clone(),
                root: model.links[roots[0]].name.clone(),
            };
            report.fault(written.span.clone(), kind);
        }
    }
}
