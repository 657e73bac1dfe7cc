//! Faults of networks.

use super::domain::Domain;
use kinegraph_core::names::did_you_mean;
use kinegraph_core::parameter::ParameterError;

/// A fault of a network, and the element by which it is shown.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum NetworkFault {
    /// A network without elements.
    #[error("the network has no elements")]
    Empty,
    /// More elements than a network may have.
    #[error("the network has {elements} elements; at most {most} are solved together")]
    TooMany {
        /// Number of elements.
        elements: usize,
        /// Maximum number.
        most: usize,
    },
    /// More elements than a network with one that is not linear may have.
    #[error(
        "the network has {elements} elements; beside one that is not linear, such as `{name}`, at most {most} are \
         solved together"
    )]
    TooManyBeside {
        /// Index of an element that is not linear.
        element: usize,
        /// Its name.
        name: String,
        /// Number of elements.
        elements: usize,
        /// Maximum number.
        most: usize,
    },
    /// Two elements of one name, or a name that is empty.
    #[error(transparent)]
    Name(ParameterError),
    /// An element or a node whose name cannot be that of a channel.
    #[error("`{name}` is no name of an element or a node: letters, digits, `_` and `-` are")]
    NotAName {
        /// Index of the element.
        element: usize,
        /// The name.
        name: String,
    },
    /// A wrong number of an element.
    #[error("{fault}")]
    Number {
        /// Index of the element.
        element: usize,
        /// The fault.
        fault: ParameterError,
    },
    /// An element with both ends at one node.
    #[error("both ends of `{name}` are at node `{node}`: give it two nodes, or leave it out")]
    SameNode {
        /// Index of the element.
        element: usize,
        /// Its name.
        name: String,
        /// The node.
        node: String,
    },
    /// A node of one element only.
    #[error("node `{node}` belongs to `{name}` alone, so that nothing can flow there{}", did_you_mean(nearest))]
    Loose {
        /// Index of the element.
        element: usize,
        /// Its name.
        name: String,
        /// The node.
        node: String,
        /// The most similar node there is.
        nearest: Option<String>,
    },
    /// Nodes without any connection to ground.
    #[error(
        "no element connects {nodes} to `ground`, where the {across} is 0: use the name `ground` for one of these nodes"
    )]
    Floating {
        /// Index of an element there.
        element: usize,
        /// The nodes.
        nodes: String,
        /// Name of the quantity that is measured against ground.
        across: &'static str,
    },
    /// A loop in which all across values are given.
    #[error(
        "{names} form a loop, and each of them sets the {across} across itself, which cannot all hold: put a \
         resistance into the loop, or make one element of those that are parallel"
    )]
    AcrossLoop {
        /// Index of the element that closes it.
        element: usize,
        /// Names of the elements.
        names: String,
        /// Name of the quantity that each sets.
        across: &'static str,
    },
    /// Nodes that only elements reach whose through values are given.
    #[error(
        "nothing but {names} leads to {nodes}, and each of them sets the {through} through itself, which cannot all \
         hold: put a resistance from there to `ground`, or make one element of those in series"
    )]
    ThroughCut {
        /// Index of one of the elements.
        element: usize,
        /// Names of the elements.
        names: String,
        /// The nodes.
        nodes: String,
        /// Name of the quantity that each sets.
        through: &'static str,
    },
    /// Numbers that differ by more than doubles can hold.
    #[error("the resistances differ by so much that the {across}s cannot be computed")]
    Unsolvable {
        /// Name of the quantity that cannot be computed.
        across: &'static str,
    },
}

kinegraph_core::debug_is_message!(NetworkFault);

impl NetworkFault {
    /// Index of the element by which the fault is shown; `None` if it is about the whole network.
    pub fn element(&self) -> Option<usize> {
        use NetworkFault::*;
        match self {
            TooManyBeside { element, .. }
            | NotAName { element, .. }
            | Number { element, .. }
            | SameNode { element, .. }
            | Loose { element, .. }
            | Floating { element, .. }
            | AcrossLoop { element, .. }
            | ThroughCut { element, .. } => Some(*element),
            Empty | TooMany { .. } | Name(_) | Unsolvable { .. } => None,
        }
    }

    pub(super) fn unsolvable(domain: &Domain) -> Self {
        NetworkFault::Unsolvable { across: domain.across }
    }
}

/// The faults of a network, all together.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{}", .faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct NetworkError {
    /// The faults, at least one.
    pub faults: Vec<NetworkFault>,
}

kinegraph_core::debug_is_message!(NetworkError);
