//! Picture of a diagram as data: positions of blocks and ports and corners of wires, for callers that draw it
//! themselves.

use super::hierarchy::{End, Group, Node, Port};
use super::svg::{ROW, Sheet, head};
use serde::{Deserialize, Serialize};

/// Blocks and wires in the plane, y downwards \[px\].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The blocks; nested diagrams come before what is in them.
    pub blocks: Vec<DrawnBlock>,
    /// The wires.
    pub wires: Vec<DrawnWire>,
}

/// A block, or the border of a nested diagram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnBlock {
    /// Full name.
    pub name: String,
    /// Its type; empty for a nested diagram.
    #[serde(rename = "type")]
    pub kind: String,
    /// True for a nested diagram.
    pub group: bool,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
    /// Inputs on its left edge.
    pub inputs: Vec<DrawnPort>,
    /// Outputs on its right edge.
    pub outputs: Vec<DrawnPort>,
}

/// A port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnPort {
    /// Name within the block.
    pub name: String,
    /// Where it is.
    pub x: f64,
    /// Where it is.
    pub y: f64,
    /// Indices of recorded channels that are numbers of it.
    #[serde(default)]
    pub channels: Vec<usize>,
    /// Names of the values 0, 1, … of an output that is a choice, such as the active state of a machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

/// A wire; one that crosses the border of a nested diagram is several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnWire {
    /// The output (`controller.effort`).
    pub from: String,
    /// The input.
    pub to: String,
    /// Its corners.
    pub points: Vec<(f64, f64)>,
}

/// Draws the groups of a diagram.
pub(super) fn of(root: &Group) -> Drawing {
    let sheet = Sheet::new(root, &[], &[]);
    let (width, height) = sheet.size();
    let mut drawing = Drawing { width, height, ..Drawing::default() };
    add(&sheet, 0.0, 0.0, &mut drawing);
    drawing
}

/// Adds the contents of `sheet`, with its left upper corner at x, y.
fn add(sheet: &Sheet<'_>, x: f64, y: f64, drawing: &mut Drawing) {
    let nodes = &sheet.group.nodes;
    for (i, node) in nodes.iter().enumerate() {
        let (corner, (w, h)) = (sheet.corner(i), sheet.sizes[i]);
        let (left, top) = (x + corner.0, y + corner.1);
        let inside = sheet.inside[i].as_ref();
        let port = |name: &str, x: f64, y: f64| DrawnPort {
            name: name.to_owned(),
            x,
            y,
            channels: Vec::new(),
            choices: Vec::new(),
        };
        let row = |k: usize| top + head(node) + ROW * (k as f64 + 0.5);
        let ports = |own: &[Port], x: f64, first: usize| -> Vec<DrawnPort> {
            let height = |k: usize| inside.map_or_else(|| row(k), |sheet| top + sheet.border_height(first + k));
            own.iter().enumerate().map(|(k, p)| port(&p.name, x, height(k))).collect()
        };
        drawing.blocks.push(DrawnBlock {
            name: node.path.clone(),
            kind: node.notes.first().cloned().unwrap_or_default(),
            group: inside.is_some(),
            x: left,
            y: top,
            w,
            h,
            inputs: ports(&node.inputs, left, 0),
            outputs: ports(&node.outputs, left + w, node.inputs.len()),
        });
        if let Some(inside) = inside {
            let (a, b) = inside.inner_corner();
            add(inside, left + a, top + b, drawing);
        }
    }
    for (wire, route) in sheet.group.wires.iter().zip(sheet.routes()) {
        let points = route.iter().map(|(a, b)| (x + a, y + b)).collect();
        let end = |end, output| name_of(nodes, end, output);
        drawing.wires.push(DrawnWire { from: end(wire.from, true), to: end(wire.to, false), points });
    }
}

/// Full name of one end of a wire; empty for a port of the border.
fn name_of(nodes: &[Node], end: End, output: bool) -> String {
    let End::Node(node, port) = end else { return String::new() };
    let node = &nodes[node];
    let ports = if output { &node.outputs } else { &node.inputs };
    ports.get(port).map_or_else(String::new, |port| format!("{}.{}", node.path, port.name))
}
