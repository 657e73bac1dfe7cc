//! The equations of a network, solved for everything in terms of states and inputs.
//!
//! Modified nodal analysis: unknown are the across values e of the nodes and the through values j of the elements that
//! set their across value. With the conductances G of the resistances and the incidence A,
//!
//! ```text
//! A G A' e + A_a j = -A_t i       the sum of what leaves a node is zero
//! A_a' e           =  v           of elements that set what is across them
//! ```
//!
//! v and i are states (of capacities, of inertances) or inputs. One solution for each of them gives the matrices of a
//! linear system.

use super::domain::Domain;
use super::element::{ElementLaw, NetworkElement, numbered};
use super::fault::NetworkFault;
use super::graph::Graph;
use kinegraph_core::Scalar;
use nalgebra::DMatrix;

/// Coefficients that are smaller, relative to the largest one of their kind in a row, are rounding.
const ROUNDING: f64 = 4096.0 * f64::EPSILON;

/// A linear function of states, then inputs: indices with their coefficients.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row(Vec<(usize, f64)>);

impl Row {
    /// Value at states `x` and inputs `u`.
    pub fn of<S: Scalar>(&self, x: &[S], u: impl Fn(usize) -> S) -> S {
        let value = |i: usize| if i < x.len() { x[i] } else { u(i - x.len()) };
        self.0.iter().fold(S::zero(), |sum, &(i, by)| sum + value(i) * S::constant(by))
    }

    /// True if it depends on this input, with `states` states before the inputs.
    pub fn depends_on(&self, input: usize, states: usize) -> bool {
        self.0.iter().any(|&(i, _)| i == states + input)
    }

    fn times(mut self, by: f64) -> Self {
        self.0.iter_mut().for_each(|(_, coefficient)| *coefficient *= by);
        self
    }
}

/// Everything in a network by states and inputs.
#[derive(Debug)]
pub(super) struct Equations {
    /// Across value of each node; the first is ground.
    pub nodes: Vec<Row>,
    /// Across value of each element.
    pub across: Vec<Row>,
    /// Flow through each element.
    pub through: Vec<Row>,
    /// Rate of each state.
    pub rates: Vec<Row>,
}

impl Equations {
    /// Solves the network.
    pub fn solve(domain: &Domain, elements: &[NetworkElement], graph: &Graph) -> Result<Self, NetworkFault> {
        let states = numbered(elements, |law| law.initial().is_some());
        let inputs = numbered(elements, ElementLaw::has_input);
        let given: Vec<usize> = states.iter().chain(&inputs).copied().collect();
        let column_of = |element: usize| given.iter().position(|&i| i == element).unwrap_or(0);
        let across = numbered(elements, ElementLaw::gives_across);
        let (n, size) = (graph.nodes.len() - 1, graph.nodes.len() - 1 + across.len());
        let mut matrix = DMatrix::<f64>::zeros(size, size);
        let mut right = DMatrix::<f64>::zeros(size, given.len());
        // By motors and cylinders a speed becomes a value of the domain.
        let scale = |element: usize| elements[element].law.scale();
        for (element, &ends) in graph.ends.iter().enumerate() {
            let signed =
                || ends.into_iter().zip([1.0, -1.0]).filter(|(node, _)| *node > 0).map(|(node, s)| (node - 1, s));
            if let ElementLaw::Resistance(resistance) = elements[element].law {
                for (i, a) in signed() {
                    for (j, b) in signed() {
                        matrix[(i, j)] += a * b / resistance;
                    }
                }
            } else if elements[element].law.gives_through() {
                for (i, a) in signed() {
                    right[(i, column_of(element))] -= a * scale(element);
                }
            }
        }
        for (k, &element) in across.iter().enumerate() {
            for (node, sign) in graph.ends[element].into_iter().zip([1.0, -1.0]).filter(|(node, _)| *node > 0) {
                matrix[(node - 1, n + k)] += sign;
                matrix[(n + k, node - 1)] += sign;
            }
            right[(n + k, column_of(element))] = scale(element);
        }
        let found = matrix.lu().solve(&right).filter(|all| all.iter().all(|x| x.is_finite()));
        let found = found.ok_or_else(|| NetworkFault::unsolvable(domain))?;
        let is_across: Vec<bool> = given.iter().map(|&element| elements[element].law.gives_across()).collect();
        let at = |node: usize, column: usize| if node == 0 { 0.0 } else { found[(node - 1, column)] };
        // What is across a part is compared with what is across a source: small numbers beside one are rounding.
        let difference = |[a, b]: [usize; 2]| {
            let size = |column: usize| at(a, column).abs().max(at(b, column).abs());
            cleaned(&is_across, &|column| at(a, column) - at(b, column), &size, 1.0)
        };
        let nodes = (0..=n).map(|node| difference([node, 0])).collect();
        let own = |element: usize| Row(vec![(column_of(element), scale(element))]);
        let through_of = |element: usize| match elements[element].law {
            ElementLaw::Resistance(resistance) => difference(graph.ends[element]).times(1.0 / resistance),
            law if law.gives_through() => own(element),
            _ => {
                let k = across.iter().position(|&i| i == element).unwrap_or(0);
                let of = |column: usize| found[(n + k, column)];
                cleaned(&is_across, &of, &|column| of(column).abs(), 0.0)
            }
        };
        let across_of = |element: usize| match elements[element].law {
            law if law.gives_across() => own(element),
            _ => difference(graph.ends[element]),
        };
        let through: Vec<Row> = (0..elements.len()).map(through_of).collect();
        let across: Vec<Row> = (0..elements.len()).map(across_of).collect();
        let rate = |&element: &usize| match elements[element].law {
            ElementLaw::Capacity { capacity, .. } => through[element].clone().times(1.0 / capacity),
            ElementLaw::Inertance { inertance, .. } => across[element].clone().times(1.0 / inertance),
            _ => Row::default(),
        };
        Ok(Equations { nodes, rates: states.iter().map(rate).collect(), across, through })
    }
}

/// A row without the coefficients that are rounding of numbers of a `size`. Those of across values and of through
/// values have units of their own; the former are compared with `least` too.
fn cleaned(is_across: &[bool], of: &dyn Fn(usize) -> f64, size: &dyn Fn(usize) -> f64, least: f64) -> Row {
    let columns = 0..is_across.len();
    let largest = |kind: bool| {
        let sizes = columns.clone().filter(|&column| is_across[column] == kind).map(size);
        sizes.fold(if kind { least } else { 0.0 }, f64::max)
    };
    let largest = [largest(false), largest(true)];
    let kept = |column: &usize| of(*column).abs() > ROUNDING * largest[usize::from(is_across[*column])];
    Row(columns.clone().filter(kept).map(|column| (column, of(column))).collect())
}
