//! `<drake:collision_filter_group>`: links without contact among them, by groups.
//!
//! A group has links, and those of other groups. Its links do not collide with those of the groups that it ignores; the
//! links of a group that ignores itself do not collide with each other. URDF has names as attributes, SDFormat as text.

use crate::faults::FaultKind;
use crate::report::Report;
use crate::xml::{Attribute, Element, Known};
use kinegraph_multibody::Model;
use std::collections::{BTreeSet, HashMap};

pub(crate) const GROUP: &str = "drake:collision_filter_group";
const MEMBER: &str = "drake:member";
const MEMBER_GROUP: &str = "drake:member_group";
const IGNORED: &str = "drake:ignored_collision_filter_group";

const KNOWN: Known = Known {
    attributes: &["name"],
    once: &[],
    many: &[MEMBER, MEMBER_GROUP, IGNORED],
    ignored: &[],
    ignored_attributes: &["ignore"],
};

/// A group as written.
#[derive(Default)]
struct Group {
    links: BTreeSet<usize>,
    groups: Vec<usize>,
    ignores: Vec<usize>,
}

/// Adds the pairs of links that groups exclude; names are those in `scope`.
pub(crate) fn read(parent: Element<'_, '_>, model: &mut Model, scope: &str, report: &mut Report<'_>) {
    let elements: Vec<_> =
        parent.children().filter(|child| child.name() == GROUP && !child.is_skipped(report)).collect();
    if elements.is_empty() {
        return;
    }
    let mut indices = HashMap::new();
    for (i, element) in elements.iter().enumerate() {
        element.check(&KNOWN, report);
        let name = element.required_name("collision filter group", report);
        indices.entry(name).or_insert(i);
    }
    let links: HashMap<String, usize> =
        model.links.iter().enumerate().map(|(i, link)| (link.name.clone(), i)).collect();
    let mut groups = Vec::with_capacity(elements.len());
    for element in &elements {
        let mut group = Group::default();
        for child in element.children() {
            let (key, what) = if child.name() == MEMBER { ("link", "link") } else { ("name", "group") };
            let Some(name) = named(child, key, report) else { continue };
            let found = match child.name() {
                MEMBER => links.get(&format!("{scope}{}", name.value)),
                MEMBER_GROUP | IGNORED => indices.get(name.value),
                _ => continue,
            };
            let Some(&found) = found else {
                let known: Vec<&str> = match what {
                    "link" => links.keys().map(String::as_str).collect(),
                    _ => indices.keys().map(String::as_str).collect(),
                };
                let nearest = report.nearest(name.value, known);
                let (element, name_of) = (element.describe(), name.value.to_owned());
                report.fault(name.span, FaultKind::UnknownName { element, what, name: name_of, nearest });
                continue;
            };
            match child.name() {
                MEMBER => drop(group.links.insert(found)),
                MEMBER_GROUP => group.groups.push(found),
                _ => group.ignores.push(found),
            }
        }
        groups.push(group);
    }
    let all: Vec<BTreeSet<usize>> = (0..groups.len()).map(|group| members(group, &groups)).collect();
    let mut pairs = BTreeSet::new();
    for (group, of) in groups.iter().enumerate() {
        for &other in &of.ignores {
            for &a in &all[group] {
                pairs.extend(all[other].iter().filter(|b| **b != a).map(|&b| (a.min(b), a.max(b))));
            }
        }
    }
    let name = |link: usize| model.links[link].name.clone();
    let apart: Vec<[String; 2]> = pairs.into_iter().map(|(a, b)| [name(a), name(b)]).collect();
    model.scene.apart.extend(apart);
}

/// The name in a child.
fn named<'a, 'i>(child: Element<'a, 'i>, key: &'static str, report: &mut Report<'_>) -> Option<Attribute<'a, 'i>> {
    let text = child.content();
    if text.value.is_empty() { child.required(key, report) } else { Some(text) }
}

/// The links of a group and of its member groups, at any depth.
fn members(group: usize, groups: &[Group]) -> BTreeSet<usize> {
    let (mut links, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![group]);
    while let Some(group) = open.pop() {
        if seen.insert(group) {
            links.extend(&groups[group].links);
            open.extend(&groups[group].groups);
        }
    }
    links
}
