//! Networks of elements with two ends: electrical, hydraulic and thermal circuits.

mod balance;
mod domain;
mod element;
mod equations;
mod fault;
mod graph;
mod groups;
mod law;
mod nonlinear;
mod solution;

pub use domain::Domain;
pub use element::{ElementLaw, GROUND, NetworkElement};
pub use fault::{NetworkError, NetworkFault};

use element::numbered;
use graph::Graph;
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use solution::{Part, Solution, Values};

/// A network of resistances, capacities, inertances and sources between nodes, solved as a whole.
///
/// Wires between elements have no direction: what flows into a node flows out of it, and all elements at a node see the
/// same value there. States are what is across capacities and what flows through inertances. All else follows from them
/// and from the inputs. Where all elements are linear, the equations are solved once, when the block is made. With
/// diodes, orifices, check valves or radiation they are solved at every evaluation, to rounding and with exact
/// derivatives; whatever the numbers are, they have exactly one solution.
///
/// A motor turns its speed, an input, into a voltage, and gives its torque; a cylinder takes the flow that its speed
/// asks for and gives its force. Either connects the network to a joint of a plant.
///
/// ```
/// use kinegraph_systems::dynamics::{Domain, ElementLaw, GROUND, Network, NetworkElement};
///
/// let low_pass = Network::new(Domain::ELECTRICAL, vec![
///     NetworkElement::new("source", ["in", GROUND], ElementLaw::AcrossSource(Some(5.0))),
///     NetworkElement::new("R", ["in", "out"], ElementLaw::Resistance(1e3)),
///     NetworkElement::new("C", ["out", GROUND], ElementLaw::Capacity { capacity: 1e-6, initial: 0.0 }),
/// ])?;
/// let voltage = low_pass.node("out").unwrap();
/// # Ok::<(), kinegraph_systems::dynamics::NetworkError>(())
/// ```
pub struct Network {
    elements: Vec<NetworkElement>,
    nodes: Vec<String>,
    inputs: Vec<Given>,
    outputs: Vec<Asked>,
    solution: Solution,
    ports: Ports,
}

/// An input, and its value where it is not connected.
struct Given {
    element: usize,
    port: In<Fixed<1>>,
    stated: Option<f64>,
}

/// An output.
struct Asked {
    port: Out<Fixed<1>>,
    what: Quantity,
    /// Numbers of the inputs that it depends on.
    of: Vec<usize>,
}

/// Quantity that an output has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    /// The across value of a node.
    Node(usize),
    /// Flow through an element.
    Through(usize),
    /// The power that an element takes up.
    Power(usize),
    /// Torque of a motor, force of a cylinder.
    Effort(usize),
}

impl Network {
    /// A network of these elements.
    ///
    /// # Errors
    /// All faults together: numbers that are not positive, nodes that float, loops and cuts that have no solution.
    pub fn new(domain: Domain, elements: Vec<NetworkElement>) -> Result<Self, NetworkError> {
        let graph = Graph::new(&domain, &elements).map_err(|faults| NetworkError { faults })?;
        let solution = Solution::new(&domain, &elements, &graph);
        let solution = solution.map_err(|fault| NetworkError { faults: vec![fault] })?;
        let mut ports = Ports::new();
        let driven = numbered(&elements, ElementLaw::has_input).into_iter();
        let inputs: Vec<Given> =
            driven.map(|element| Given::declare(&domain, &elements, element, &mut ports)).collect();
        let states = numbered(&elements, |law| law.initial().is_some());
        if !states.is_empty() {
            let names = states.iter().map(|&element| elements[element].name.clone()).collect();
            let initial = states.iter().filter_map(|&element| elements[element].law.initial()).collect();
            ports.named_continuous_state("state", names, initial);
        }
        let mut network = Network { nodes: graph.nodes, inputs, outputs: Vec::new(), solution, ports, elements };
        network.declare_outputs(&domain);
        Ok(network)
    }

    fn declare_outputs(&mut self, domain: &Domain) {
        for node in 1..self.nodes.len() {
            let name = format!("{}.{}", domain.across, self.nodes[node]);
            self.declare(name, domain.across_unit, Quantity::Node(node));
        }
        for element in 0..self.elements.len() {
            let name = self.elements[element].name.clone();
            self.declare(format!("{}.{name}", domain.through), domain.through_unit, Quantity::Through(element));
            if domain.has_power {
                self.declare(format!("power.{name}"), "W", Quantity::Power(element));
            }
            match self.elements[element].law {
                ElementLaw::Motor(_) => self.declare(format!("torque.{name}"), "N m", Quantity::Effort(element)),
                ElementLaw::Cylinder(_) => self.declare(format!("force.{name}"), "N", Quantity::Effort(element)),
                _ => {}
            }
        }
    }

    fn declare(&mut self, name: String, unit: &'static str, what: Quantity) {
        let port: Out<Fixed<1>> = self.ports.output(name);
        if unit != "any" {
            self.ports.set_units(port, vec![unit]);
        }
        self.ports.no_feedthrough(port);
        let depends = |i: &usize| self.parts(what).into_iter().flatten().any(|part| self.solution.depends_on(part, *i));
        let of: Vec<usize> = (0..self.inputs.len()).filter(depends).collect();
        for &i in &of {
            self.ports.feedthrough(port, self.inputs[i].port);
        }
        self.outputs.push(Asked { port, what, of });
    }

    /// Values whose product is a quantity, but for a factor.
    fn parts(&self, what: Quantity) -> [Option<Part>; 2] {
        match what {
            Quantity::Node(node) => [Some(Part::Node(node)), None],
            Quantity::Through(element) => [Some(Part::Through(element)), None],
            Quantity::Power(element) => [Some(Part::Across(element)), Some(Part::Through(element))],
            Quantity::Effort(element) => match self.elements[element].law {
                ElementLaw::Cylinder(_) => [Some(Part::Across(element)), None],
                _ => [Some(Part::Through(element)), None],
            },
        }
    }

    fn find(&self, what: Quantity) -> Option<Out<Fixed<1>>> {
        self.outputs.iter().find(|output| output.what == what).map(|output| output.port)
    }

    fn index(&self, element: &str) -> Option<usize> {
        self.elements.iter().position(|of| of.name == element)
    }

    /// The across value of a node.
    pub fn node(&self, node: &str) -> Option<Out<Fixed<1>>> {
        self.find(Quantity::Node(self.nodes.iter().position(|name| name == node)?))
    }

    /// Flow through an element, from its first node to its second.
    pub fn through(&self, element: &str) -> Option<Out<Fixed<1>>> {
        self.find(Quantity::Through(self.index(element)?))
    }

    /// The power that an element takes up \[W\]; not in a thermal network.
    pub fn power(&self, element: &str) -> Option<Out<Fixed<1>>> {
        self.find(Quantity::Power(self.index(element)?))
    }

    /// The torque of a motor \[N m\], the force of a cylinder \[N\].
    pub fn effort(&self, element: &str) -> Option<Out<Fixed<1>>> {
        self.find(Quantity::Effort(self.index(element)?))
    }

    /// The value of a source, or the speed of a motor \[rad/s\] or a cylinder \[m/s\].
    pub fn input(&self, element: &str) -> Option<In<Fixed<1>>> {
        let element = self.index(element)?;
        self.inputs.iter().find(|input| input.element == element).map(|input| input.port)
    }

    /// Value of an input, connected or not.
    fn input_value<S: Scalar>(&self, ctx: &Context<S>, input: usize) -> S {
        let Given { port, stated, .. } = self.inputs[input];
        match stated {
            None => ctx.get(port)[0],
            Some(stated) => ctx.get_optional(port).map_or(S::constant(stated), |u| u[0]),
        }
    }
}

impl Given {
    fn declare(domain: &Domain, elements: &[NetworkElement], element: usize, ports: &mut Ports) -> Self {
        let NetworkElement { name, law, .. } = &elements[element];
        let (stated, unit) = match law {
            ElementLaw::AcrossSource(stated) => (*stated, domain.across_unit),
            ElementLaw::ThroughSource(stated) => (*stated, domain.through_unit),
            ElementLaw::Motor(_) => (None, "rad/s"),
            _ => (None, "m/s"),
        };
        let port = match stated {
            Some(_) => ports.optional_input_of_width(name, 1),
            None => ports.input(name),
        };
        if unit != "any" {
            ports.set_input_units(port, vec![unit]);
        }
        Given { element, port, stated }
    }
}

impl LeafSystem for Network {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let input = |input| self.input_value(ctx, input);
        // Outputs that do not depend on an input are found without it, since it may not be known yet.
        let mut solved: Vec<(&[usize], Values<'_, S>)> = Vec::new();
        for Asked { port, what, of } in &self.outputs {
            if !out.wanted(*port) {
                continue;
            }
            let at = solved.iter().position(|(known, _)| known == of).unwrap_or_else(|| {
                let values = self.solution.at(ctx.continuous, &input, |i| of.contains(&i));
                solved.push((of, values));
                solved.len() - 1
            });
            let values = &solved[at].1;
            let parts = self.parts(*what).into_iter().flatten();
            let product = parts.fold(S::one(), |product, part| product * values.of(part));
            let factor = match what {
                Quantity::Effort(element) => self.elements[*element].law.scale(),
                _ => 1.0,
            };
            out.set(*port, [product * S::constant(factor)]);
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let input = |input| self.input_value(ctx, input);
        let values = self.solution.at(ctx.continuous, &input, |_| true);
        for (state, rate) in derivatives.iter_mut().enumerate() {
            *rate = values.rate(state);
        }
    }
}
