//! Units of numbers that a request writes for states and inputs.

use kinegraph_core::unit::Dimension;
use kinegraph_diagram::Diagram;
use kinegraph_engine::simulate::{LinearizeError, WrittenUnit};

/// Compares the units of a request with those of the diagram; a state or an input whose unit is not known takes any.
///
/// # Errors
/// [`LinearizeError::Request`] with the first unit that is another one.
pub(super) fn check(written: &[WrittenUnit], diagram: &Diagram) -> Result<(), LinearizeError> {
    for WrittenUnit { option, name, unit } in written {
        let Some((known, shown)) = unit_of(name, diagram) else { continue };
        if !unit.gives(known) {
            let of = &unit.name;
            return Err(LinearizeError::Request(format!("{option}: `{name}` is in {shown}, and this number in {of}")));
        }
    }
    Ok(())
}

/// Unit of a state or of an input, as `block.port` or `block.port[2]`.
fn unit_of(name: &str, diagram: &Diagram) -> Option<(Dimension, String)> {
    if let Some(channel) = diagram.channels().into_iter().find(|channel| channel.name == name) {
        return known(&channel.unit);
    }
    let (port, place) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((port, place)) => (port, place.parse().ok()?),
        None => (name, 0),
    };
    let inputs = diagram.inputs(port).ok()?;
    let input = inputs.first()?;
    known(input.declaration.unit(place)).or_else(|| {
        let unit = diagram.unit_at(input.range.as_ref()?.start + place)?;
        Some((unit, unit.to_string()))
    })
}

fn known(unit: &str) -> Option<(Dimension, String)> {
    Dimension::read(unit).map(|dimension| (dimension, unit.to_owned()))
}
