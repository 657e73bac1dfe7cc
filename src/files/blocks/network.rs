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
    Diode,
    Orifice,
    CheckValve,
    Radiation,
}

/// A parameter of the elements of some kinds.
pub(super) struct Of {
    /// The kinds that have it.
    pub kinds: &'static [Kind],
    /// Its key.
    pub key: Optional<Number>,
    /// Its value if it is left out.
    pub missing: Missing,
}

/// Value of a parameter that is left out.
pub(super) enum Missing {
    /// None: a fault.
    Refused,
    /// An input has it.
    Input,
    /// A number.
    Is(f64),
}

/// Words of a domain in files.
pub(super) trait Vocabulary: Sized + 'static {
    const DOMAIN: Domain;
    const TYPE: Needs<Choice<Kind>>;
    /// Parameters of the elements, those of one kind in the order of its law.
    const PARAMETERS: &'static [Of];
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
    let mut numbers = Vec::new();
    for Of { kinds, key, missing } in V::PARAMETERS {
        let given = match (kind, missing) {
            (Some(kind), _) if !kinds.contains(&kind) => continue,
            (Some(_), Missing::Refused) => r.get_required(key),
            (_, Missing::Is(value)) => r.get(key).or(Some(*value)),
            _ => r.get(key),
        };
        numbers.push(given);
    }
    let given = numbers.first().copied().flatten();
    let nth = |i: usize| numbers.get(i).copied().flatten();
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
        Kind::Diode => ElementLaw::Diode { saturation_current: given?, thermal_voltage: nth(1)? },
        Kind::Orifice => {
            ElementLaw::Orifice { area: given?, discharge: nth(1)?, density: nth(2)?, transition: nth(3)? }
        }
        Kind::CheckValve => ElementLaw::CheckValve { resistance: given?, opening: nth(1)?, transition: nth(2)? },
        Kind::Radiation => ElementLaw::Radiation { area: given?, emissivity: nth(1)? },
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
