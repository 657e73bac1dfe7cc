//! The picture for Graphviz: `dot -Tpdf x.dot`.

use super::hierarchy::{End, Group, Node, Port, Role};
use super::legend::{LEGEND, color};
use super::text::escape;
use std::fmt::{self, Display, Formatter};

/// The diagram as a Graphviz graph: blocks as tables with a row per port, nested diagrams as clusters.
pub(super) struct Dot<'a> {
    pub name: &'a str,
    pub root: &'a Group,
}

impl Display for Dot<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let font = r#"fontname="Helvetica" fontsize=11"#;
        let legend: Vec<String> = LEGEND
            .iter()
            .map(|(role, meaning)| format!(r##"<FONT COLOR="{}">■</FONT> {}"##, color(*role).0, escape(meaning)))
            .collect();
        writeln!(f, "digraph {{")?;
        writeln!(
            f,
            "  graph [rankdir=LR nodesep=0.35 ranksep=0.9 {font} labelloc=b label=<<B>{}</B><BR/>{}<BR/>→ output with direct feedthrough of an input: it follows the input at once>];",
            escape(self.name),
            legend.join(" &#160; ")
        )?;
        writeln!(f, "  node [shape=plain {font}];\n  edge [{font} fontsize=9 arrowsize=0.7];")?;
        let mut ids = Ids::default();
        let mut wires = Vec::new();
        group(self.root, 1, &mut ids, f)?;
        trace(self.root, &mut wires);
        for (from, to, width) in wires {
            let (from, to) = (ids.of(&from), ids.of(&to));
            writeln!(f, "  {from}:e -> {to}:w [label=\"{width}\"];")?;
        }
        writeln!(f, "}}")
    }
}

/// Ids of nodes, since paths may contain characters with a meaning in Graphviz.
#[derive(Default)]
struct Ids(std::collections::HashMap<String, usize>);

impl Ids {
    fn node(&mut self, path: &str) -> usize {
        let next = self.0.len();
        *self.0.entry(path.to_owned()).or_insert(next)
    }

    fn of(&mut self, (path, port): &(String, String)) -> String {
        format!("b{}:{port}", self.node(path))
    }
}

fn group(group: &Group, depth: usize, ids: &mut Ids, f: &mut Formatter<'_>) -> fmt::Result {
    let indent = "  ".repeat(depth);
    // Graphviz cuts loops at the nodes that are listed last.
    let (plants, others): (Vec<&Node>, Vec<&Node>) = group.nodes.iter().partition(|node| node.role == Role::Plant);
    for node in others.into_iter().chain(plants) {
        match &node.inside {
            None => {
                writeln!(f, "{indent}b{} [label=<{}>];", ids.node(&node.path), table(node))?;
            }
            Some(inside) => {
                writeln!(
                    f,
                    "{indent}subgraph cluster_{} {{\n{indent}  label=<<B>{}</B>>; labelloc=t; labeljust=l; style=rounded; color=\"#64748b\";",
                    ids.node(&node.path),
                    escape(&node.title)
                )?;
                self::group(inside, depth + 1, ids, f)?;
                writeln!(f, "{indent}}}")?;
            }
        }
    }
    Ok(())
}

fn table(node: &Node) -> String {
    let (border, fill) = color(node.role);
    let mut table = format!(
        r#"<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="3" COLOR="{border}" BGCOLOR="{fill}"><TR><TD COLSPAN="2"><B>{}</B></TD></TR>"#,
        escape(&node.title)
    );
    for note in &node.notes {
        table +=
            &format!(r##"<TR><TD COLSPAN="2"><FONT POINT-SIZE="9" COLOR="#475569">{}</FONT></TD></TR>"##, escape(note));
    }
    for row in 0..node.inputs.len().max(node.outputs.len()) {
        let cell = |port: Option<&Port>, id: &str, align: &str, through: bool| match port {
            Some(port) => format!(
                r#"<TD PORT="{id}{row}" ALIGN="{align}">{}{} [{}]{}</TD>"#,
                if through { "→ " } else { "" },
                escape(&port.name),
                port.width,
                port.value.as_ref().map_or(String::new(), |value| format!(" {}", escape(value)))
            ),
            None => "<TD></TD>".to_owned(),
        };
        let through = node.feedthrough.iter().any(|&(_, output)| output == row);
        let (input, output) =
            (cell(node.inputs.get(row), "i", "LEFT", false), cell(node.outputs.get(row), "o", "RIGHT", through));
        table += &format!("<TR>{input}{output}</TR>");
    }
    table + "</TABLE>"
}

/// A port of a block: path of the block and name of the cell.
type Cell = (String, String);

/// Collects all wires from block to block, through the borders of groups.
fn trace(group: &Group, wires: &mut Vec<(Cell, Cell, usize)>) {
    for wire in &group.wires {
        // Every wire is drawn once, from the group that holds both of its ends.
        if let (End::Node(..), End::Node(..)) = (wire.from, wire.to) {
            for from in sources(group, wire.from) {
                for to in targets(group, wire.to) {
                    wires.push((from.clone(), to, wire.width));
                }
            }
        }
    }
    group.nodes.iter().filter_map(|node| node.inside.as_ref()).for_each(|inside| trace(inside, wires));
}

fn sources(group: &Group, end: End) -> Vec<Cell> {
    let End::Node(index, port) = end else { return Vec::new() };
    let node = &group.nodes[index];
    match &node.inside {
        None => vec![(node.path.clone(), format!("o{port}"))],
        Some(inside) => {
            let led =
                inside.wires.iter().filter(|wire| wire.to == End::Border(port) && matches!(wire.from, End::Node(..)));
            led.flat_map(|wire| sources(inside, wire.from)).collect()
        }
    }
}

fn targets(group: &Group, end: End) -> Vec<Cell> {
    let End::Node(index, port) = end else { return Vec::new() };
    let node = &group.nodes[index];
    match &node.inside {
        None => vec![(node.path.clone(), format!("i{port}"))],
        Some(inside) => {
            let led = inside.wires.iter().filter(|wire| wire.from == End::Border(port));
            led.flat_map(|wire| targets(inside, wire.to)).collect()
        }
    }
}
