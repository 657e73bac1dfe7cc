//! The picture as SVG: sizes from the inside out, then drawing.

use super::hierarchy::{End, Group, Node, Port, Role, Wire};
use super::layers::{Item, Link, Pin};
use super::legend::{LEGEND, color};
use super::place::{Placed, place};
use super::text::{SIZE, escape, width};
use std::fmt::{self, Display, Formatter};

/// Font size of notes and widths \[px\].
const NOTE_SIZE: f64 = 10.5;
/// Height of a row of ports.
pub(super) const ROW: f64 = 20.0;
const TITLE: f64 = 24.0;
const NOTE: f64 = 14.0;
/// Space between the names of inputs and outputs, for the lines of direct feedthrough.
const MIDDLE: f64 = 46.0;
/// Space around the contents of a group.
const PAD: f64 = 18.0;
const MARGIN: f64 = 24.0;

/// A group with all its contents placed.
pub(super) struct Sheet<'a> {
    pub group: &'a Group,
    placed: Placed,
    /// Size of each node.
    pub sizes: Vec<(f64, f64)>,
    pub inside: Vec<Option<Sheet<'a>>>,
    inputs: usize,
    /// Room on the left and right of the contents, where the border has no ports.
    sides: (f64, f64),
}

/// The diagram as an SVG document.
pub(super) struct Svg<'a> {
    pub name: &'a str,
    pub root: &'a Group,
}

impl Display for Svg<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Svg { name, root } = *self;
        let sheet = Sheet::new(root, &[], &[]);
        let legend_width = LEGEND.iter().map(|(_, text)| width(text, NOTE_SIZE) + 40.0).sum::<f64>();
        let notes = "dashed: the output follows the input at once (direct feedthrough)   ·   numbers on wires: widths";
        let inner = sheet.placed.width.max(legend_width).max(width(notes, NOTE_SIZE)).max(width(name, 18.0));
        let (w, h) = (inner + 2.0 * MARGIN, sheet.placed.height + 2.0 * MARGIN + 84.0);
        writeln!(
            f,
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0}" height="{h:.0}" viewBox="0 0 {w:.0} {h:.0}" font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="{SIZE}">
<title>{0}</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{MARGIN}" y="{1}" font-size="18" font-weight="bold" fill="#0f172a">{0}</text>"##,
            escape(name),
            MARGIN + 12.0
        )?;
        let top = MARGIN + 36.0;
        sheet.draw(MARGIN + 0.5 * (inner - sheet.placed.width), top, f)?;
        let (mut x, y) = (MARGIN, top + sheet.placed.height + 30.0);
        for (role, meaning) in LEGEND {
            let (border, fill) = color(role);
            writeln!(
                f,
                r#"<rect x="{x:.1}" y="{:.1}" width="16" height="11" rx="2" fill="{fill}" stroke="{border}"/>"#,
                y - 9.0
            )?;
            small(f, x + 22.0, y, "start", meaning)?;
            x += width(meaning, NOTE_SIZE) + 40.0;
        }
        small(f, MARGIN, y + 18.0, "start", notes)?;
        writeln!(f, "</svg>")
    }
}

fn small(f: &mut Formatter<'_>, x: f64, y: f64, anchor: &str, text: &str) -> fmt::Result {
    let text = escape(text);
    writeln!(
        f,
        r##"<text x="{x:.1}" y="{y:.1}" font-size="{NOTE_SIZE}" text-anchor="{anchor}" fill="#475569">{text}</text>"##
    )
}

fn port_text(port: &Port) -> String {
    match &port.value {
        Some(value) => format!("{} {value}", port.name),
        None => port.name.clone(),
    }
}

/// Height of the part of a block above its ports.
pub(super) fn head(node: &Node) -> f64 {
    TITLE + NOTE * node.notes.len() as f64 + 4.0
}

impl<'a> Sheet<'a> {
    /// Sizes and places the contents of a group whose border has these ports.
    pub fn new(group: &'a Group, inputs: &[Port], outputs: &[Port]) -> Self {
        let mut items = Vec::new();
        let (mut sizes, mut inside) = (Vec::new(), Vec::new());
        for node in &group.nodes {
            let sheet = node.inside.as_ref().map(|inside| Sheet::new(inside, &node.inputs, &node.outputs));
            let item = sheet.as_ref().map_or_else(|| block(node), |sheet| sheet.as_item(node));
            sizes.push((item.width, item.height));
            items.push(item);
            inside.push(sheet);
        }
        let border = |port: &Port, pin| {
            let ends = (vec![0.5 * ROW], Vec::new());
            let (outputs, inputs) = if pin == Pin::First { ends } else { (ends.1, ends.0) };
            Item { width: width(&port.name, SIZE) + 18.0, height: ROW, inputs, outputs, pin, last_in_loop: false }
        };
        let nodes = items.len();
        items.extend(inputs.iter().map(|port| border(port, Pin::First)));
        items.extend(outputs.iter().map(|port| border(port, Pin::Last)));
        let place_of = |end: End, first: usize| match end {
            End::Node(node, port) => (node, port),
            End::Border(port) => (first + port, 0),
        };
        let link = |wire: &Wire| Link { from: place_of(wire.from, nodes), to: place_of(wire.to, nodes + inputs.len()) };
        let links: Vec<Link> = group.wires.iter().map(link).collect();
        let placed = place(&items, &links);
        let side = |ports: &[Port]| if ports.is_empty() { PAD } else { 0.0 };
        Sheet { group, placed, sizes, inside, inputs: inputs.len(), sides: (side(inputs), side(outputs)) }
    }

    /// Width and height of the contents.
    pub fn size(&self) -> (f64, f64) {
        (self.placed.width, self.placed.height)
    }

    /// The left upper corner of a node.
    pub fn corner(&self, node: usize) -> (f64, f64) {
        self.placed.corners[node]
    }

    /// The corners of each wire.
    pub fn routes(&self) -> &[Vec<(f64, f64)>] {
        &self.placed.routes
    }

    /// Corner of the contents, from the corner of the group.
    pub fn inner_corner(&self) -> (f64, f64) {
        (self.sides.0, TITLE + PAD)
    }

    /// Height of port `i` of the border below the upper edge of the group; inputs come first.
    pub fn border_height(&self, i: usize) -> f64 {
        self.placed.corners[self.group.nodes.len() + i].1 + TITLE + PAD + 0.5 * ROW
    }

    /// The group as an item of the group around it.
    fn as_item(&self, node: &Node) -> Item {
        let port = |i: usize| self.border_height(i);
        Item {
            width: (self.sides.0 + self.placed.width + self.sides.1).max(width(&node.title, SIZE) + 20.0),
            height: self.placed.height + TITLE + 2.0 * PAD,
            inputs: (0..node.inputs.len()).map(port).collect(),
            outputs: (self.inputs..self.inputs + node.outputs.len()).map(port).collect(),
            ..Item::default()
        }
    }

    fn draw(&self, x: f64, y: f64, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, node) in self.group.nodes.iter().enumerate() {
            let (left, top) = (x + self.placed.corners[i].0, y + self.placed.corners[i].1);
            match &self.inside[i] {
                None => draw_block(
                    node,
                    &Rectangle { x: left, y: top, width: self.sizes[i].0, height: self.sizes[i].1 },
                    f,
                )?,
                Some(sheet) => {
                    let (w, h) = self.sizes[i];
                    writeln!(
                        f,
                        r##"<rect x="{left:.1}" y="{top:.1}" width="{w:.1}" height="{h:.1}" rx="10" fill="#0f172a" fill-opacity="0.03" stroke="#64748b" stroke-dasharray="7 4"/>
<text x="{:.1}" y="{:.1}" font-weight="bold" fill="#334155">{}</text>"##,
                        left + 10.0,
                        top + 17.0,
                        escape(&node.title)
                    )?;
                    let (a, b) = sheet.inner_corner();
                    sheet.draw(left + a, top + b, f)?;
                    sheet.draw_border(node, left + a, top + b, f)?;
                }
            }
        }
        // A thick white line below, so that wires that cross do not look joined.
        for halo in [true, false] {
            for (i, (wire, route)) in self.group.wires.iter().zip(&self.placed.routes).enumerate() {
                let route: Vec<(f64, f64)> = route.iter().map(|(a, b)| (x + a, y + b)).collect();
                match halo {
                    true => draw_line(&route, "#ffffff", 5.0, f)?,
                    false => draw_wire(&route, wire, f)?,
                }
                // Wires of one port have one width.
                if let (false, Some(start)) = (halo, route.first())
                    && !self.group.wires[..i].iter().any(|earlier| earlier.from == wire.from)
                {
                    small(f, start.0 + 5.0, start.1 - 4.0, "start", &wire.width.to_string())?;
                }
            }
        }
        Ok(())
    }

    /// The names of the ports of a group, inside its border.
    fn draw_border(&self, node: &Node, x: f64, y: f64, f: &mut Formatter<'_>) -> fmt::Result {
        let first = self.group.nodes.len();
        let ports = node.inputs.iter().map(|port| (port, true)).chain(node.outputs.iter().map(|port| (port, false)));
        for (i, (port, input)) in ports.enumerate() {
            let (left, top) = self.placed.corners[first + i];
            let (left, top) = (x + left, y + top + 0.5 * ROW);
            let w = width(&port.name, SIZE) + 18.0;
            let (at, anchor) = if input { (left + 8.0, "start") } else { (left + w - 8.0, "end") };
            let edge = if input { left } else { left + w };
            writeln!(f, r##"<circle cx="{edge:.1}" cy="{top:.1}" r="3" fill="#64748b"/>"##)?;
            label(f, at, top + 4.5, anchor, &port.name)?;
        }
        Ok(())
    }
}

fn label(f: &mut Formatter<'_>, x: f64, y: f64, anchor: &str, text: &str) -> fmt::Result {
    let text = escape(text);
    writeln!(f, r##"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="#1e293b">{text}</text>"##)
}

/// The size of a block and the heights of its ports.
fn block(node: &Node) -> Item {
    let widest = |ports: &[Port]| ports.iter().map(|port| width(&port_text(port), SIZE)).fold(0.0, f64::max);
    let (left, right) = (widest(&node.inputs), widest(&node.outputs));
    let ports = left + right + 20.0 + if left > 0.0 && right > 0.0 { MIDDLE } else { 16.0 };
    let title = 1.08 * width(&node.title, SIZE) + 24.0;
    let notes = node.notes.iter().map(|note| width(note, NOTE_SIZE) + 20.0).fold(0.0, f64::max);
    let rows = node.inputs.len().max(node.outputs.len());
    let at = |i: usize| head(node) + ROW * (i as f64 + 0.5);
    Item {
        width: ports.max(title).max(notes).max(70.0).round(),
        height: head(node) + ROW * rows as f64 + 6.0,
        inputs: (0..node.inputs.len()).map(at).collect(),
        outputs: (0..node.outputs.len()).map(at).collect(),
        last_in_loop: node.role == Role::Plant,
        ..Item::default()
    }
}

/// Border of a block; x and y are its left upper corner.
struct Rectangle {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

fn draw_block(node: &Node, border: &Rectangle, f: &mut Formatter<'_>) -> fmt::Result {
    let Rectangle { x, y, width: w, height: h } = *border;
    let (border, fill) = color(node.role);
    let (middle, path) = (x + 0.5 * w, escape(&node.path));
    writeln!(
        f,
        r##"<g><title>{path}</title>
<rect x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" rx="5" fill="{fill}" stroke="{border}" stroke-width="1.5"/>
<text x="{middle:.1}" y="{:.1}" font-weight="bold" text-anchor="middle" fill="#0f172a">{}</text>"##,
        y + 17.0,
        escape(&node.title)
    )?;
    for (i, note) in node.notes.iter().enumerate() {
        small(f, middle, y + TITLE + NOTE * i as f64 + 7.0, "middle", note)?;
    }
    let row = |i: usize| y + head(node) + ROW * (i as f64 + 0.5);
    let reach = |port: &Port| width(&port_text(port), SIZE) + 13.0;
    for &(input, output) in &node.feedthrough {
        let (from, to) = (x + reach(&node.inputs[input]), x + w - reach(&node.outputs[output]));
        writeln!(
            f,
            r##"<line x1="{from:.1}" y1="{:.1}" x2="{to:.1}" y2="{:.1}" stroke="{border}" stroke-opacity="0.55" stroke-dasharray="3 3"/>"##,
            row(input),
            row(output)
        )?;
    }
    for (i, port) in node.inputs.iter().enumerate() {
        label(f, x + 9.0, row(i) + 4.5, "start", &port_text(port))?;
    }
    for (i, port) in node.outputs.iter().enumerate() {
        label(f, x + w - 9.0, row(i) + 4.5, "end", &port_text(port))?;
    }
    writeln!(f, "</g>")
}

fn draw_line(points: &[(f64, f64)], color: &str, thickness: f64, f: &mut Formatter<'_>) -> fmt::Result {
    let line = points.iter().map(|(a, b)| format!("{a:.1},{b:.1}")).collect::<Vec<_>>().join(" ");
    writeln!(
        f,
        r##"<polyline points="{line}" fill="none" stroke="{color}" stroke-width="{thickness}" stroke-linejoin="round"/>"##
    )
}

/// A wire, thicker for more than one number, with an arrow where it ends at a block.
fn draw_wire(points: &[(f64, f64)], wire: &Wire, f: &mut Formatter<'_>) -> fmt::Result {
    draw_line(points, "#334155", if wire.width > 1 { 1.8 } else { 1.1 }, f)?;
    if let (End::Node(..), Some((a, b))) = (wire.to, points.last()) {
        writeln!(
            f,
            r##"<polygon points="{a:.1},{b:.1} {0:.1},{1:.1} {0:.1},{2:.1}" fill="#334155"/>"##,
            a - 8.0,
            b - 4.0,
            b + 4.0
        )?;
    }
    Ok(())
}
