//! `block.output -> block.input`.

use crate::decode::{Text, is_name};
use crate::fault::FaultKind;
use crate::item::{Decode, Item};
use crate::node::{Position, shorten};
use kinegraph_diagram::{copies, selection};
use std::fmt;

/// A wire from an output to an input.
#[derive(Clone, Debug)]
pub struct ConnectionSpec {
    /// The output.
    pub from: PortName,
    /// The input.
    pub to: PortName,
    /// Place of the connection.
    pub at: Position,
}

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

impl fmt::Display for ConnectionSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} -> {}", self.from, self.to)
    }
}

/// One item of `connections`.
pub(super) struct Connection;

impl Decode for Connection {
    type Output = ConnectionSpec;
    fn expects(&self) -> String {
        "a connection `block.output -> block.input`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<ConnectionSpec> {
        let text = Text { about: "a connection `block.output -> block.input`" }.decode(item)?;
        match parse(&text) {
            Ok((from, to)) => Some(ConnectionSpec { from, to, at: item.node.at }),
            Err(reason) => {
                item.report(FaultKind::Connection { path: item.path.to_string(), text: shorten(&text), reason });
                None
            }
        }
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

fn parse(text: &str) -> Result<(PortName, PortName), String> {
    let parts: Vec<&str> = text.split("->").collect();
    match parts.as_slice() {
        [from, to] => {
            let (from, to) = (end(from)?, end(to)?);
            if from == to { Err("it leads from a port to itself".into()) } else { Ok((from, to)) }
        }
        [_] => Err("there is no `->`".into()),
        _ if text.contains(" - ") => {
            Err("there is more than one `->`: all items of a list begin in the same column".into())
        }
        _ => Err("there is more than one `->`".into()),
    }
}

/// A port, or parts of it: `controller.effort[2]`.
fn end(text: &str) -> Result<PortName, String> {
    let text = text.trim();
    let (plain, parts) = selection::split_path(text)?;
    let mut name = port(plain)?;
    if parts.is_some() {
        name.port.push_str(text[plain.len()..].trim_start());
    }
    Ok(name)
}

pub(super) fn port(text: &str) -> Result<PortName, String> {
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
pub(super) fn is_block(text: &str) -> bool {
    is_name(copies::split(text).map_or(text, |(all, _)| all))
}

pub(super) fn is_port(text: &str) -> bool {
    text.split('.').all(is_name)
}
