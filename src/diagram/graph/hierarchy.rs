//! Contents of a picture of a diagram: blocks with ports in nested groups, and wires that cross the border of a group
//! at a port of it.

use crate::{Alias, Block, Diagram, Side, Source};
use kinegraph_core::port::{InputPort, Sampling};
use std::collections::HashMap;

/// Up to this many ports of a side are all shown; of more, only the connected ones.
const MAX_PORTS: usize = 4;
/// Up to this many single events of a block are listed.
const LISTED: usize = 4;

/// Role of a block in a convex step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A multibody plant.
    Plant,
    /// Advanced or evaluated together with a plant, and folded into its step.
    External,
    /// Neither.
    Other,
}

/// A port as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Port {
    pub name: String,
    pub width: usize,
    /// Fixed value that takes the place of a wire.
    pub value: Option<String>,
}

/// A block, or a group of blocks.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Full path.
    pub path: String,
    /// Its last part.
    pub title: String,
    /// Notes under the title: the type, the sample rates, the number of ports not shown.
    pub notes: Vec<String>,
    pub role: Role,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    /// Pairs of input and output (as shown) with direct feedthrough.
    pub feedthrough: Vec<(usize, usize)>,
    /// Contents of a group.
    pub inside: Option<Group>,
}

/// One end of a wire within a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum End {
    /// Port of a node of the group (index of the node, index of the port).
    Node(usize, usize),
    /// Port of the group itself.
    Border(usize),
}

/// A wire within a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wire {
    pub from: End,
    pub to: End,
    pub width: usize,
}

/// Nodes and the wires between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub nodes: Vec<Node>,
    pub wires: Vec<Wire>,
}

/// Location of a block: the path of nodes from the outermost group to it.
struct Place {
    route: Vec<usize>,
    /// Index, as shown, of each of its ports.
    inputs: Vec<Option<usize>>,
    outputs: Vec<Option<usize>>,
}

/// Ports of a group's border, by path of the group and by signal that crosses there.
type Borders = HashMap<(String, Passing), usize>;

/// Signal that crosses the border of a group, outwards or inwards.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Passing {
    Out((usize, usize)),
    In(String, (usize, usize)),
}

/// Builds the groups of a diagram.
pub(super) fn of(diagram: &Diagram) -> Group {
    let roles = roles(diagram);
    let used = used_outputs(diagram);
    let mut root = Group::default();
    let mut places = Vec::new();
    for (index, block) in diagram.blocks().iter().enumerate() {
        let (node, inputs, outputs) = node(diagram, block, roles[index], &used[index]);
        let route = insert(&mut root, "", &block.name, node);
        places.push(Place { route, inputs, outputs });
    }
    let mut borders = Borders::new();
    for (to, block) in diagram.blocks().iter().enumerate() {
        for (input, source) in block.sources.iter().enumerate() {
            if let Source::Output { block: from, port } = *source {
                let (a, b) = (&places[from], &places[to]);
                // Connected ports are always shown.
                if let (Some(out), Some(into)) = (a.outputs[port], b.inputs[input]) {
                    let wire = Route { from: (from, port), to: (to, input), out, into };
                    wire.draw(diagram, &mut root, a, b, &mut borders);
                }
            }
        }
    }
    root
}

fn roles(diagram: &Diagram) -> Vec<Role> {
    let blocks = diagram.blocks();
    let plants: Vec<usize> = (0..blocks.len()).filter(|&b| blocks[b].system.as_plant().is_some()).collect();
    let slice = diagram.slice_to(&plants);
    let mut roles = vec![Role::Other; blocks.len()];
    if !plants.is_empty() {
        slice.schedule.blocks().into_iter().chain(slice.stateful).for_each(|block| roles[block] = Role::External);
    }
    plants.into_iter().for_each(|block| roles[block] = Role::Plant);
    roles
}

/// For each output of each block, true if it drives something.
fn used_outputs(diagram: &Diagram) -> Vec<Vec<bool>> {
    let mut used: Vec<Vec<bool>> = diagram.blocks().iter().map(|block| vec![false; block.outputs.len()]).collect();
    for source in diagram.blocks().iter().flat_map(|block| &block.sources) {
        if let Source::Output { block, port } = *source {
            used[block][port] = true;
        }
    }
    used
}

/// Node of a block, and the index of each of its ports among those shown.
fn node(diagram: &Diagram, block: &Block, role: Role, used: &[bool]) -> (Node, Vec<Option<usize>>, Vec<Option<usize>>) {
    let ports = block.system.ports();
    let driven: Vec<bool> = block.sources.iter().map(|source| *source != Source::Unconnected).collect();
    // A number of another input is shown as a port only if it is connected by itself.
    let is_port = |i: usize| driven[i] || ports.inputs()[i].element_of.is_none();
    let width = |(i, port): (usize, &InputPort)| if is_port(i) { port.width } else { 0 };
    let inputs = shown(ports.inputs().iter().enumerate().map(width), &driven);
    let outputs = shown(ports.outputs().iter().map(|port| port.width), used);
    let mut feedthrough = Vec::new();
    for (o, output) in ports.outputs().iter().enumerate() {
        for i in 0..ports.inputs().len() {
            // Feedthrough is drawn only from inputs that are driven.
            if let (Some(from), Some(to)) = (inputs[i], outputs[o])
                && driven[i]
                && output.feedthrough.contains(i)
            {
                feedthrough.push((from, to));
            }
        }
    }
    let mut notes = vec![short_type(block.system.type_name())];
    notes.extend(times_of_events(ports.ticks()));
    let hidden = |shown: &[Option<usize>]| shown.iter().filter(|place| place.is_none()).count();
    let elements = (0..inputs.len()).filter(|&i| !is_port(i)).count();
    match hidden(&inputs) + hidden(&outputs) - elements {
        0 => {}
        1 => notes.push("1 more port".into()),
        n => notes.push(format!("{n} more ports")),
    }
    let value = |i: usize| {
        let is_input = |(range, _): &&(std::ops::Range<usize>, Vec<f64>)| block.inputs[i].as_ref() == Some(range);
        let fixed = (block.sources[i] == Source::Fixed).then(|| diagram.inner.fixed.iter().find(is_input));
        fixed.flatten().map(|(_, values)| listed(values))
    };
    let node = Node {
        path: block.name.clone(),
        title: block.name.rsplit('/').next().unwrap_or(&block.name).to_owned(),
        notes,
        role,
        inputs: (0..inputs.len())
            .filter(|&i| inputs[i].is_some())
            .map(|i| Port { name: ports.inputs()[i].name.clone(), width: ports.inputs()[i].width, value: value(i) })
            .collect(),
        outputs: (0..outputs.len())
            .filter(|&o| outputs[o].is_some())
            .map(|o| Port { name: ports.outputs()[o].name.clone(), width: ports.outputs()[o].width, value: None })
            .collect(),
        feedthrough,
        inside: None,
    };
    (node, inputs, outputs)
}

/// Index of each port among those shown; `None` for a port that is not shown.
fn shown(widths: impl Iterator<Item = usize> + Clone, connected: &[bool]) -> Vec<Option<usize>> {
    let all = widths.clone().filter(|width| *width > 0).count() <= MAX_PORTS;
    let mut next = 0;
    let place = |(width, connected): (usize, &bool)| {
        (*connected || (all && width > 0)).then(|| {
            next += 1;
            next - 1
        })
    };
    widths.zip(connected).map(place).collect()
}

/// Short text of fixed values: `= 1`, `= [1, 0]`, `= [1, 0, … 7 in all]`.
fn listed(values: &[f64]) -> String {
    match values {
        [one] => format!("= {one}"),
        few if few.len() <= 3 => format!("= {few:?}"),
        many => format!("= [{}, {}, … {} in all]", many[0], many[1], many.len()),
    }
}

/// Type name without modules: `a::b::Block<c::Inner>` -> `Block<Inner>`.
pub fn short_type(full: &str) -> String {
    let mut short = String::new();
    for part in full.split_inclusive(['<', '>', ',', ' ']) {
        short.push_str(part.rsplit("::").next().unwrap_or(part));
    }
    short
}

/// Inserts a node at its path and creates missing groups. Returns the route to it.
fn insert(group: &mut Group, scope: &str, path: &str, node: Node) -> Vec<usize> {
    let Some((first, rest)) = path.split_once('/') else {
        group.nodes.push(node);
        return vec![group.nodes.len() - 1];
    };
    let full = if scope.is_empty() { first.to_owned() } else { format!("{scope}/{first}") };
    let at = group.nodes.iter().position(|n| n.inside.is_some() && n.path == full).unwrap_or_else(|| {
        group.nodes.push(Node {
            path: full.clone(),
            title: first.to_owned(),
            notes: Vec::new(),
            role: Role::Other,
            inputs: Vec::new(),
            outputs: Vec::new(),
            feedthrough: Vec::new(),
            inside: Some(Group::default()),
        });
        group.nodes.len() - 1
    });
    let mut route = vec![at];
    if let Some(inside) = &mut group.nodes[at].inside {
        route.extend(insert(inside, &full, rest, node));
    }
    route
}

/// One wire of the diagram on its way through borders.
struct Route {
    from: (usize, usize),
    to: (usize, usize),
    /// The two ports as shown.
    out: usize,
    into: usize,
}

impl Route {
    fn draw(&self, diagram: &Diagram, root: &mut Group, a: &Place, b: &Place, borders: &mut Borders) {
        let block = &diagram.blocks()[self.to.0];
        let width = block.system.ports().inputs()[self.to.1].width;
        let common = a.route.iter().zip(&b.route).take_while(|(x, y)| x == y).count();
        let common = common.min(a.route.len() - 1).min(b.route.len() - 1);
        // Outwards from the source, up to the group that contains both ends.
        let mut port = self.out;
        for level in (common + 1..a.route.len()).rev() {
            let outer = node_at(root, &a.route[..level]);
            let name = self.border_name(diagram, &outer.path, Side::Output);
            let passing = Passing::Out(self.from);
            let border = border(&mut outer.outputs, &outer.path, name, width, passing, borders);
            let wire = Wire { from: End::Node(a.route[level], port), to: End::Border(border), width };
            add(outer.inside.as_mut(), wire);
            port = border;
        }
        // Inwards to the target.
        let mut into = self.into;
        for level in (common + 1..b.route.len()).rev() {
            let outer = node_at(root, &b.route[..level]);
            let name = self.border_name(diagram, &outer.path, Side::Input);
            let passing = Passing::In(name.clone(), self.from);
            let border = border(&mut outer.inputs, &outer.path, name, width, passing, borders);
            let wire = Wire { from: End::Border(border), to: End::Node(b.route[level], into), width };
            add(outer.inside.as_mut(), wire);
            into = border;
        }
        let wire = Wire { from: End::Node(a.route[common], port), to: End::Node(b.route[common], into), width };
        let within = if common == 0 { Some(root) } else { node_at(root, &a.route[..common]).inside.as_mut() };
        add(within, wire);
    }

    /// Exported name of the port, or its path within the group.
    fn border_name(&self, diagram: &Diagram, group: &str, side: Side) -> String {
        let port = if side == Side::Input { self.to } else { self.from };
        let exported = |a: &&Alias| a.diagram == group && a.side == side && a.ports.contains(&port);
        if let Some(alias) = diagram.aliases().iter().find(exported) {
            return alias.name.clone();
        }
        let block = &diagram.blocks()[port.0];
        let ports = block.system.ports();
        let name = if side == Side::Input { &ports.inputs()[port.1].name } else { &ports.outputs()[port.1].name };
        let within = block.name.get(group.len() + 1..).unwrap_or(&block.name);
        format!("{within}.{name}")
    }
}

/// Port of a group's border for a signal; created if there is none yet.
fn border(
    ports: &mut Vec<Port>,
    group: &str,
    name: String,
    width: usize,
    passing: Passing,
    borders: &mut Borders,
) -> usize {
    *borders.entry((group.to_owned(), passing)).or_insert_with(|| {
        ports.push(Port { name, width, value: None });
        ports.len() - 1
    })
}

fn node_at<'a>(root: &'a mut Group, route: &[usize]) -> &'a mut Node {
    let node = &mut root.nodes[route[0]];
    match route.len() {
        1 => node,
        _ => node_at(node.inside.get_or_insert_default(), &route[1..]),
    }
}

fn add(group: Option<&mut Group>, wire: Wire) {
    if let Some(group) = group
        && !group.wires.contains(&wire)
    {
        group.wires.push(wire);
    }
}

/// Notes on periodic events; one on all those that fire once, where these are many.
fn times_of_events(ticks: &[Sampling]) -> Vec<String> {
    let once: Vec<f64> = ticks.iter().filter(|tick| tick.is_once()).map(|tick| tick.offset).collect();
    if once.len() <= LISTED {
        return ticks.iter().map(ToString::to_string).collect();
    }
    let (first, last) = once.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &t| (a.min(t), b.max(t)));
    let mut notes = vec![format!("at {} times from {first} s to {last} s", once.len())];
    notes.extend(ticks.iter().filter(|tick| !tick.is_once()).map(ToString::to_string));
    notes
}
