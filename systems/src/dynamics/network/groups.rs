//! Nodes that elements with a given across value tie together: one unknown for each group.

use super::element::NetworkElement;
use super::graph::Graph;

/// An element that sets its across value, seen from the root of its group.
#[derive(Debug)]
pub(super) struct Tie {
    /// The node that it ties.
    pub node: usize,
    /// The node to which.
    pub to: usize,
    /// Index of the element.
    pub element: usize,
    /// 1 if `node` is the first node of the element, -1 otherwise.
    pub sign: f64,
}

/// The groups of a network.
#[derive(Debug)]
pub(super) struct Groups {
    /// The group of each node; `None` is that of ground.
    pub of: Vec<Option<usize>>,
    /// Number of groups but for that of ground.
    pub count: usize,
    /// All ties, those near the roots first.
    pub ties: Vec<Tie>,
}

impl Groups {
    /// The groups of a graph without loops of given across values.
    pub fn new(elements: &[NetworkElement], graph: &Graph) -> Self {
        let nodes = graph.nodes.len();
        let mut groups = Groups { of: vec![None; nodes], count: 0, ties: Vec::new() };
        let mut seen = vec![false; nodes];
        for root in 0..nodes {
            if seen[root] {
                continue;
            }
            let group = (root > 0).then_some(groups.count);
            groups.count += usize::from(root > 0);
            (seen[root], groups.of[root]) = (true, group);
            let mut open = vec![root];
            while let Some(to) = open.pop() {
                for (element, &[a, b]) in graph.ends.iter().enumerate() {
                    let (node, sign) = if b == to { (a, 1.0) } else { (b, -1.0) };
                    if (a != to && b != to) || seen[node] || !elements[element].law.gives_across() {
                        continue;
                    }
                    (seen[node], groups.of[node]) = (true, group);
                    groups.ties.push(Tie { node, to, element, sign });
                    open.push(node);
                }
            }
        }
        groups
    }
}
