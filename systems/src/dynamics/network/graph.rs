//! The graph of a network: nodes by number, and the faults of its structure.
//!
//! With positive resistances, and laws that grow as they do, the equations have one solution if and only if every node
//! is connected to ground, no loop consists of elements that set their across values, and no cut of elements that set
//! their through values.

use super::domain::Domain;
use super::element::{GROUND, NetworkElement};
use super::fault::NetworkFault;
use super::nonlinear;
use kinegraph_core::names::nearest;
use kinegraph_core::parameter;
use std::collections::HashMap;

/// Largest number of elements: the equations are solved once, in cubic time.
const MAX_ELEMENTS: usize = 1000;

/// Nodes and ends of elements. Node 0 is ground.
#[derive(Debug)]
pub(super) struct Graph {
    /// Names of the nodes, in the order in which elements name them, after ground.
    pub nodes: Vec<String>,
    /// Both ends of each element.
    pub ends: Vec<[usize; 2]>,
}

impl Graph {
    /// The graph of these elements, or all faults.
    pub fn new(domain: &Domain, elements: &[NetworkElement]) -> Result<Self, Vec<NetworkFault>> {
        if elements.is_empty() {
            return Err(vec![NetworkFault::Empty]);
        }
        if elements.len() > MAX_ELEMENTS {
            return Err(vec![NetworkFault::TooMany { elements: elements.len(), most: MAX_ELEMENTS }]);
        }
        let bent = elements.iter().position(|element| element.law.is_nonlinear());
        if let Some(element) = bent.filter(|_| elements.len() > nonlinear::MAX_ELEMENTS) {
            let (name, most) = (elements[element].name.clone(), nonlinear::MAX_ELEMENTS);
            return Err(vec![NetworkFault::TooManyBeside { element, name, elements: elements.len(), most }]);
        }
        let mut graph = Graph { nodes: vec![GROUND.into()], ends: Vec::new() };
        let mut known = HashMap::from([(GROUND, 0)]);
        for element in elements {
            graph.ends.push(element.nodes.each_ref().map(|name| {
                *known.entry(name).or_insert_with(|| {
                    graph.nodes.push(name.clone());
                    graph.nodes.len() - 1
                })
            }));
        }
        let mut faults = Vec::new();
        let names: Vec<String> = elements.iter().map(|element| element.name.clone()).collect();
        faults.extend(parameter::distinct("elements", &names).err().map(NetworkFault::Name));
        for (element, of) in elements.iter().enumerate() {
            let wrong = [&of.name, &of.nodes[0], &of.nodes[1]].into_iter().find(|name| !is_name(name));
            faults.extend(wrong.map(|name| NetworkFault::NotAName { element, name: name.clone() }));
            faults.extend(of.law.check(&of.name).err().map(|fault| NetworkFault::Number { element, fault }));
            if of.nodes[0] == of.nodes[1] {
                let (name, node) = (of.name.clone(), of.nodes[0].clone());
                faults.push(NetworkFault::SameNode { element, name, node });
            }
        }
        graph.find_loose(elements, &mut faults);
        let floating = graph.find_floating(domain, &mut faults);
        graph.find_loops(domain, elements, &mut faults);
        graph.find_cuts(domain, elements, &floating, &mut faults);
        if faults.is_empty() { Ok(graph) } else { Err(faults) }
    }

    fn find_loose(&self, elements: &[NetworkElement], faults: &mut Vec<NetworkFault>) {
        let mut count = vec![0; self.nodes.len()];
        self.ends.iter().flatten().for_each(|&node| count[node] += 1);
        for (element, ends) in self.ends.iter().enumerate() {
            for node in ends.iter().copied().filter(|&node| node != 0 && count[node] == 1) {
                let others = self.nodes.iter().enumerate().filter(|(other, _)| *other != node).map(|(_, name)| name);
                let (name, node) = (elements[element].name.clone(), self.nodes[node].clone());
                let nearest = nearest(&node, others);
                faults.push(NetworkFault::Loose { element, name, node, nearest });
            }
        }
    }

    /// Reports parts without ground; returns whether each node is in one.
    fn find_floating(&self, domain: &Domain, faults: &mut Vec<NetworkFault>) -> Vec<bool> {
        let mut parts = Parts::new(self.nodes.len());
        self.ends.iter().for_each(|&[a, b]| parts.join(a, b));
        let floating: Vec<bool> = (0..self.nodes.len()).map(|node| parts.of(node) != parts.of(0)).collect();
        for part in parts.without_ground() {
            let element = self.ends.iter().position(|ends| part.contains(&ends[0])).unwrap_or(0);
            let nodes = self.listed(&part);
            faults.push(NetworkFault::Floating { element, nodes, across: domain.across });
        }
        floating
    }

    fn find_loops(&self, domain: &Domain, elements: &[NetworkElement], faults: &mut Vec<NetworkFault>) {
        let mut parts = Parts::new(self.nodes.len());
        // The elements that joined the parts, by their nodes.
        let mut forest: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.nodes.len()];
        for (element, &[a, b]) in self.ends.iter().enumerate() {
            if a == b || !elements[element].law.gives_across() {
                continue;
            }
            if parts.of(a) != parts.of(b) {
                parts.join(a, b);
                forest[a].push((b, element));
                forest[b].push((a, element));
                continue;
            }
            let mut on_loop = path(&forest, a, b);
            on_loop.push(element);
            let names = quoted(on_loop.iter().map(|&i| &elements[i].name));
            faults.push(NetworkFault::AcrossLoop { element, names, across: domain.across });
        }
    }

    fn find_cuts(
        &self,
        domain: &Domain,
        elements: &[NetworkElement],
        floating: &[bool],
        faults: &mut Vec<NetworkFault>,
    ) {
        let mut parts = Parts::new(self.nodes.len());
        let gives = |element: usize| elements[element].law.gives_through();
        let others = self.ends.iter().enumerate().filter(|(element, _)| !gives(*element));
        others.for_each(|(_, &[a, b])| parts.join(a, b));
        for part in parts.without_ground().into_iter().filter(|part| !floating[part[0]]) {
            let crosses = |ends: &[usize; 2]| part.contains(&ends[0]) != part.contains(&ends[1]);
            let cut: Vec<usize> =
                self.ends.iter().enumerate().filter(|(_, ends)| crosses(ends)).map(|(element, _)| element).collect();
            // A loose end is reported as such.
            let is_loose = |element: usize| {
                let is_reported =
                    |fault: &NetworkFault| matches!(fault, NetworkFault::Loose { element: e, .. } if *e == element);
                faults.iter().any(is_reported)
            };
            let Some(&first) = cut.first().filter(|&&first| cut.len() > 1 || !is_loose(first)) else { continue };
            let names = quoted(cut.iter().map(|&i| &elements[i].name));
            let nodes = self.listed(&part);
            faults.push(NetworkFault::ThroughCut { element: first, names, nodes, through: domain.through });
        }
    }

    fn listed(&self, nodes: &[usize]) -> String {
        let shown = quoted(nodes.iter().take(MAX_NAMED).map(|&node| &self.nodes[node]));
        let kind = if nodes.len() == 1 { "node" } else { "nodes" };
        let more = if nodes.len() > MAX_NAMED { " and more" } else { "" };
        format!("{kind} {shown}{more}")
    }
}

/// Number of nodes of a fault that are named.
const MAX_NAMED: usize = 6;

/// Names become names of channels, in which dots separate parts.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

fn quoted<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Elements between two nodes of one tree.
fn path(forest: &[Vec<(usize, usize)>], from: usize, to: usize) -> Vec<usize> {
    let mut entered = vec![None; forest.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &(next, element) in &forest[node] {
            if next != from && entered[next].is_none() {
                entered[next] = Some((node, element));
                open.push(next);
            }
        }
    }
    let (mut elements, mut node) = (Vec::new(), to);
    while let Some((before, element)) = entered[node].filter(|_| node != from) {
        elements.push(element);
        node = before;
    }
    elements
}

/// Parts of a graph, joined edge by edge.
struct Parts(Vec<usize>);

impl Parts {
    fn new(nodes: usize) -> Self {
        Parts((0..nodes).collect())
    }

    fn of(&self, mut node: usize) -> usize {
        while self.0[node] != node {
            node = self.0[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b)] = a.min(b);
    }

    /// The nodes of each part but that of ground.
    fn without_ground(&self) -> Vec<Vec<usize>> {
        let mut parts: Vec<(usize, Vec<usize>)> = Vec::new();
        for node in 1..self.0.len() {
            let part = self.of(node);
            match parts.iter_mut().find(|(of, _)| *of == part) {
                _ if part == 0 => {}
                Some((_, nodes)) => nodes.push(node),
                None => parts.push((part, vec![node])),
            }
        }
        parts.into_iter().map(|(_, nodes)| nodes).collect()
    }
}
