//! Values of a network: by rows that were solved once, or solved at the state.

use super::domain::Domain;
use super::element::{ElementLaw, NetworkElement, numbered};
use super::equations::{Equations, Row};
use super::fault::NetworkFault;
use super::graph::Graph;
use super::law::Flow;
use super::nonlinear::{Nonlinear, Solved};
use kinegraph_core::Scalar;

/// Values below this part of the largest are rounding, where dependence is asked.
const NOTHING: f64 = 1e-9;

/// A value in a network.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// The across value of a node.
    Node(usize),
    /// Across value of an element.
    Across(usize),
    /// Flow through an element.
    Through(usize),
}

/// How the values follow from states and inputs.
#[derive(Debug)]
pub(super) enum Solution {
    /// All elements are linear.
    Linear(Equations),
    /// Some are not.
    Nonlinear {
        equations: Nonlinear,
        laws: Vec<ElementLaw>,
        ends: Vec<[usize; 2]>,
        /// The element of each state.
        states: Vec<usize>,
        /// For each input, what depends on it: values of nodes, and flows.
        depend: Vec<[Vec<bool>; 2]>,
    },
}

impl Solution {
    /// Solves the network once and for all, or prepares it.
    pub fn new(domain: &Domain, elements: &[NetworkElement], graph: &Graph) -> Result<Self, NetworkFault> {
        if !elements.iter().any(|element| element.law.is_nonlinear()) {
            return Equations::solve(domain, elements, graph).map(Solution::Linear);
        }
        let laws: Vec<ElementLaw> = elements.iter().map(|element| element.law).collect();
        let states = numbered(elements, |law| law.initial().is_some());
        let inputs = numbered(elements, ElementLaw::has_input);
        let given: Vec<_> = states.iter().chain(&inputs).map(|&element| (element, laws[element].scale())).collect();
        let equations = Nonlinear::new(elements, graph, &given);
        let depend = (0..inputs.len()).map(|input| dependence(&equations, &laws, states.len() + input)).collect();
        Ok(Solution::Nonlinear { equations, laws, ends: graph.ends.clone(), states, depend })
    }

    /// True if a value depends on an input at the same instant.
    pub fn depends_on(&self, part: Part, input: usize) -> bool {
        match self {
            Solution::Linear(equations) => row(equations, part).depends_on(input, equations.rates.len()),
            Solution::Nonlinear { ends, depend, .. } => {
                let [nodes, through] = &depend[input];
                match part {
                    Part::Node(node) => nodes[node],
                    Part::Across(element) => ends[element].iter().any(|node| nodes[*node]),
                    Part::Through(element) => through[element],
                }
            }
        }
    }

    /// The values at states `x` and inputs `u`; only those count that depend on known inputs alone.
    pub fn at<'a, S: Scalar>(
        &'a self,
        x: &'a [S],
        u: &'a dyn Fn(usize) -> S,
        known: impl Fn(usize) -> bool,
    ) -> Values<'a, S> {
        let given = |i: usize| match i.checked_sub(x.len()) {
            None => x[i],
            Some(input) if known(input) => u(input),
            Some(_) => S::zero(),
        };
        match self {
            Solution::Linear(equations) => Values::Rows { equations, x, u },
            Solution::Nonlinear { equations, laws, ends, states, .. } => {
                let solved = equations.solve(&|element, at| laws[element].flow(at), given);
                Values::Solved { solved, laws, ends, states }
            }
        }
    }
}

/// The values of a network at one state.
pub(super) enum Values<'a, S> {
    /// By rows.
    Rows { equations: &'a Equations, x: &'a [S], u: &'a dyn Fn(usize) -> S },
    /// All of them.
    Solved { solved: Solved<S>, laws: &'a [ElementLaw], ends: &'a [[usize; 2]], states: &'a [usize] },
}

impl<S: Scalar> Values<'_, S> {
    /// A value.
    pub fn of(&self, part: Part) -> S {
        match self {
            Values::Rows { equations, x, u } => row(equations, part).of(x, u),
            Values::Solved { solved, ends, .. } => match part {
                Part::Node(node) => solved.nodes[node],
                Part::Across(element) => solved.nodes[ends[element][0]] - solved.nodes[ends[element][1]],
                Part::Through(element) => solved.through[element],
            },
        }
    }

    /// Rate of a state.
    pub fn rate(&self, state: usize) -> S {
        match self {
            Values::Rows { equations, x, u } => equations.rates[state].of(x, u),
            Values::Solved { laws, states, .. } => match laws[states[state]] {
                ElementLaw::Capacity { capacity, .. } => self.of(Part::Through(states[state])) / S::constant(capacity),
                ElementLaw::Inertance { inertance, .. } => {
                    self.of(Part::Across(states[state])) / S::constant(inertance)
                }
                _ => S::zero(),
            },
        }
    }
}

fn row(equations: &Equations, part: Part) -> &Row {
    match part {
        Part::Node(node) => &equations.nodes[node],
        Part::Across(element) => &equations.across[element],
        Part::Through(element) => &equations.through[element],
    }
}

/// Which nodes and flows depend on a given number. Laws with slopes that no two elements share stand for all others:
/// with these, nothing cancels by chance.
fn dependence(equations: &Nonlinear, laws: &[ElementLaw], given: usize) -> [Vec<bool>; 2] {
    let slope = |i: usize| 1.0 + (i as f64 * 0.618_033_988_749_895).fract();
    let law = |element: usize, [a, b]: [f64; 2]| {
        let of = &laws[element];
        of.flow([0.0; 2])?;
        let first = slope(2 * element);
        let second = if of.is_radiation() { slope(2 * element + 1) } else { first };
        let value = if first == second { first * (a - b) } else { first * a - second * b };
        Some(Flow { value, slopes: [first, second] })
    };
    let solved = equations.solve(&law, |i| if i == given { 1.0 } else { 0.0 });
    [solved.nodes, solved.through].map(|values| {
        let largest = values.iter().fold(1.0, |most: f64, x: &f64| most.max(x.abs()));
        // What could not be found may depend.
        values.iter().map(|x| x.is_nan() || x.abs() > NOTHING * largest).collect()
    })
}
