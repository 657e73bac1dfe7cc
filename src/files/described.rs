//! Facts about a block in a diagram file: a path and a text for each value. Snapshots compare these.

use super::item::{Item, Path};
use super::node::{Node, Value, show_number};
use kinegraph_diagram::{Digest, Fact};
use std::fmt::Write;

/// Values of a block, by their paths within it (`kp`, `contact.stiffness`), and checksums of the files they name.
pub(super) fn described(item: Item<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    describe(item, String::new(), &mut facts);
    facts
}

fn describe(item: Item<'_>, path: String, facts: &mut Vec<Fact>) {
    match &item.node.value {
        Value::Map(entries) => {
            for entry in entries {
                let inner = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
                describe(Item { node: &entry.node, path: &Path::Key(item.path, &entry.key), ..item }, inner, facts);
            }
        }
        Value::List(nodes) if nodes.iter().any(|node| matches!(node.value, Value::Map(_))) => {
            for (i, node) in nodes.iter().enumerate() {
                let name = match node.get("name").map(|name| &name.value) {
                    Some(Value::Text(name)) => name.clone(),
                    _ => i.to_string(),
                };
                describe(Item { node, path: &Path::Index(item.path, i), ..item }, format!("{path}.{name}"), facts);
            }
        }
        value => {
            if let Value::Text(written) = value
                && let Some(content) = item.loader.content(written, item.node.at)
            {
                facts.push(Fact(format!("{path} (content)"), content));
            }
            let mut text = Digest::default();
            // Writing to a digest does not fail.
            let _ = print(item.node, &mut text);
            facts.push(Fact(path, text.finish()));
        }
    }
}

fn print(node: &Node, text: &mut Digest) -> std::fmt::Result {
    match &node.value {
        Value::Null => text.write_str("nothing"),
        Value::Bool(flag) => write!(text, "{flag}"),
        Value::Number(x) => text.write_str(&show_number(*x)),
        Value::Text(written) => text.write_str(written),
        Value::List(nodes) => {
            text.write_str("[")?;
            for (i, node) in nodes.iter().enumerate() {
                text.write_str(if i == 0 { "" } else { ", " })?;
                print(node, text)?;
            }
            text.write_str("]")
        }
        Value::Map(entries) => {
            for entry in entries {
                write!(text, "{}: ", entry.key)?;
                print(&entry.node, text)?;
            }
            Ok(())
        }
    }
}
