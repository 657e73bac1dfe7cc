//! One file per block type: its parameters as the diagram file states them.

pub mod adder;
pub mod constant;
pub mod diagram;
pub mod gain;
pub mod integrator;
pub mod inverse_dynamics_controller;
pub mod multibody_plant;
pub mod pid;
pub mod trajectory;

use super::decode::{Count, PerElement, counted};
use super::reader::Reader;
use kinegraph_systems::parameter::PerChannel;

/// Widest signal of a block \[scalars\].
const WIDEST: usize = 1_000_000;

/// Reads `width`, the number of signals in parallel, which lists of parameters fix as well; 1 where nothing states it.
fn width(r: &mut Reader<'_>, parameters: &[(&str, Option<&PerElement>)]) -> usize {
    let stated = r.optional("width", Count { limit: WIDEST });
    let mut known = stated.map(|width| ("width", width));
    for (key, value) in parameters {
        let Some(found) = value.and_then(PerElement::width) else { continue };
        match known {
            Some((by, width)) if width != found => {
                r.conflict(key, format!("{} here, but `{by}` makes the width {width}", counted(found, "number")));
            }
            _ => known = Some((key, found)),
        }
    }
    known.map_or(1, |(_, width)| width)
}

/// The same parameter as blocks take it.
fn per_channel(value: &PerElement) -> PerChannel {
    match value {
        PerElement::All(value) => PerChannel::from(*value),
        PerElement::Each(values) => PerChannel::from(values.clone()),
    }
}
