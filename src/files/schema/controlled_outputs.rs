//! Checks the outputs that a file puts under error control against the ports of the built blocks.

use crate::fault::FaultKind;
use crate::loader::Loader;
use crate::names::unknown;
use crate::node::Position;
use kinegraph_core::Ports;
use kinegraph_core::parameter::PerChannel;

/// An output under error control.
#[derive(Clone, Debug)]
pub struct OutputAccuracy {
    /// Its path.
    pub output: String,
    /// Its place.
    pub at: Position,
    /// The largest error of a step, in the unit of the output.
    pub accuracy: PerChannel,
}

/// Checks that every output under error control exists, as far as its block could be built (`blocks`, as in
/// [`wiring::check`](super::wiring::check)); faults are recorded where the output is named.
pub fn check(accuracies: &[OutputAccuracy], blocks: &[(&str, Option<&Ports>)], loader: &Loader) -> bool {
    let mut known = true;
    for OutputAccuracy { output, at, .. } in accuracies {
        let Some((name, port)) = output.split_once('.') else {
            let (path, expected) = ("outputs.accuracy".into(), "an output `block.output`".into());
            loader.report(*at, FaultKind::Value { path, expected, found: format!("`{output}`") });
            known = false;
            continue;
        };
        let Some(ports) = blocks.iter().find(|(block, _)| *block == name).and_then(|(_, ports)| *ports) else {
            continue;
        };
        let valid: Vec<&str> = ports.outputs().iter().map(|port| port.name.as_str()).collect();
        if !valid.contains(&port) {
            let what = format!("output of {name}");
            loader.report(*at, unknown(port, &what, "outputs.accuracy".into(), valid.iter().copied(), loader));
            known = false;
        }
    }
    known
}
