//! `block.output -> block.input`.

use crate::decode::Text;
use crate::fault::FaultKind;
use crate::item::{Decode, Item};
use crate::node::{Position, shorten};
use crate::port_name::{PortName, end};
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
