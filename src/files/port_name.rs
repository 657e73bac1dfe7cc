//! Ports by name: `block.port`.

use super::decode::{Text, is_name};
use super::fault::FaultKind;
use super::item::{Decode, Item};
use super::node::shorten;
use kinegraph_diagram::{copies, selection};
use std::fmt;

/// A port by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PortName {
    /// The block, a key of `systems`, or a copy of a diagram (`row[3]`).
    pub block: String,
    /// The port within the block; may hold dots (`arm.state`) and, in a wire, parts (`effort[2]`).
    pub port: String,
}

impl fmt::Display for PortName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{}", self.block, self.port)
    }
}

/// The output at which something listens: `block.output`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignalName {
    /// Meaning of the text, in words that fit "expected …".
    pub about: &'static str,
}

impl Decode for SignalName {
    type Output = PortName;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<PortName> {
        let text = Text { about: self.about }.decode(item)?;
        let read = if text.contains("->") { Err("it is one output, not a wire".into()) } else { end(&text) };
        match read {
            Ok(port) => Some(port),
            Err(reason) => {
                item.report(FaultKind::Connection { path: item.path.to_string(), text: shorten(&text), reason });
                None
            }
        }
    }
}

/// A port, or parts of it: `controller.effort[2]`.
pub(crate) fn end(text: &str) -> Result<PortName, String> {
    let text = text.trim();
    let (plain, parts) = selection::split_path(text)?;
    let mut name = port(plain)?;
    if parts.is_some() {
        name.port.push_str(text[plain.len()..].trim_start());
    }
    Ok(name)
}

pub(crate) fn port(text: &str) -> Result<PortName, String> {
    let text = text.trim();
    match text.split_once('.') {
        _ if text.is_empty() => Err("one side is empty".into()),
        None => Err(format!("`{}` names no port", shorten(text))),
        Some((block, _)) if !is_block(block) => Err(format!("`{}` is not the name of a block", shorten(block))),
        Some((_, port)) if !is_port(port) => Err(format!("`{}` is not the name of a port", shorten(port))),
        Some((block, port)) => Ok(PortName { block: block.into(), port: port.into() }),
    }
}

/// True if `text` may name a block: a name, or a copy of a diagram such as `row[3]`.
pub(crate) fn is_block(text: &str) -> bool {
    is_name(copies::split(text).map_or(text, |(all, _)| all))
}

pub(crate) fn is_port(text: &str) -> bool {
    text.split('.').all(is_name)
}
