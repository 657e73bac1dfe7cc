//! Networks in a diagram file: the part that all domains share.

use crate::fault::FaultKind;
use crate::form::{
    BlockSpec, Choice, ListOf, MapOf, Name, Needs, Number, Optional, Position, Reader, Section, Site, SystemSpec, needs,
};
use kinegraph_core::ErasedSystem;
use kinegraph_systems::dynamics::{Domain, ElementLaw, GROUND, Network, NetworkElement, NetworkError};
use std::sync::Arc;

/// Types of elements, of whatever domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Resistance,
    Capacity,
    Inertance,
    AcrossSource,
    ThroughSource,
    Motor,
    Cylinder,
}

/// Words of a domain in files.
pub(super) trait Vocabulary: Sized + 'static {
    const DOMAIN: Domain;
    const TYPE: Needs<Choice<Kind>>;
    /// Parameter of each kind of element: of resistances, capacities, … as far as the domain has them. Those of sources
    /// may be left out.
    const PARAMETERS: &'static [(Kind, Optional<Number>)];
    const INITIAL: Optional<Number>;
    const ELEMENTS: Needs<MapOf<Section<Element>>>;
}

/// An element as a file has it.
#[derive(Clone, Debug)]
pub(super) struct Element {
    nodes: [String; 2],
    law: ElementLaw,
}

/// The section of an element.
pub(super) const fn section<V: Vocabulary>(about: &'static str) -> MapOf<Section<Element>> {
    MapOf { each: Section { about, read: read_element::<V> }, about: "elements by name" }
}

const NODES: Needs<ListOf<Name>> = needs(
    "nodes",
    ListOf { each: Name, about: "a list of one or two names" },
    "the nodes at its ends; what flows through it is positive from the first to the second, which is `ground` if it is \
     left out",
);

/// Reads a network.
pub(super) fn read<V: Vocabulary>(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let elements = r.get(&V::ELEMENTS)?;
    let at = elements.iter().map(|element| element.at).collect();
    let elements = elements.into_iter().map(|element| {
        let Element { nodes, law } = element.value;
        NetworkElement { name: element.name, nodes, law }
    });
    Some(Box::new(Spec { domain: V::DOMAIN, elements: elements.collect(), at, whole: r.at_key(V::ELEMENTS) }))
}

fn read_element<V: Vocabulary>(r: &mut Reader<'_>) -> Option<Element> {
    let (kind, nodes) = (r.get(&V::TYPE), r.get(&NODES));
    let mut given = None;
    for (of, key) in V::PARAMETERS {
        let is_source = matches!(of, Kind::AcrossSource | Kind::ThroughSource);
        match kind {
            Some(kind) if kind != *of => {}
            Some(_) if !is_source => given = r.get_required(key),
            _ => given = r.get(key),
        }
    }
    let has_state = kind.is_none_or(|kind| matches!(kind, Kind::Capacity | Kind::Inertance));
    let initial = if has_state { r.get(&V::INITIAL).unwrap_or(0.0) } else { 0.0 };
    let found = nodes.as_ref().map_or(0, Vec::len);
    let nodes = match nodes?.as_slice() {
        [a] => [a.clone(), GROUND.into()],
        [a, b] => [a.clone(), b.clone()],
        _ => {
            r.wrong(NODES, "one or two nodes", found.to_string());
            return None;
        }
    };
    let law = match kind? {
        Kind::Resistance => ElementLaw::Resistance(given?),
        Kind::Capacity => ElementLaw::Capacity { capacity: given?, initial },
        Kind::Inertance => ElementLaw::Inertance { inertance: given?, initial },
        Kind::AcrossSource => ElementLaw::AcrossSource(given),
        Kind::ThroughSource => ElementLaw::ThroughSource(given),
        Kind::Motor => ElementLaw::Motor(given?),
        Kind::Cylinder => ElementLaw::Cylinder(given?),
    };
    Some(Element { nodes, law })
}

/// A network and the places of its elements.
#[derive(Debug)]
struct Spec {
    domain: Domain,
    elements: Vec<NetworkElement>,
    at: Vec<Position>,
    whole: Position,
}

impl BlockSpec for Spec {
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        match Network::new(self.domain, self.elements.clone()) {
            Ok(network) => Some(Arc::new(network)),
            Err(NetworkError { faults }) => {
                for fault in &faults {
                    let at = fault.element().and_then(|element| self.at.get(element)).unwrap_or(&self.whole);
                    let path = site.path.to_owned();
                    site.loader.report(*at, FaultKind::Build { path, message: fault.to_string() });
                }
                None
            }
        }
    }
}
