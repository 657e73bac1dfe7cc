//! Small hybrid blocks.

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::port::{Crossing, Sampling, Tick, Witness};
use kinegraph::systems::system::Reset;
use kinegraph::systems::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// A diagram of one block.
pub fn alone(block: impl LeafSystem) -> Diagram {
    let mut b = DiagramBuilder::new("alone");
    b.add("block", block);
    b.build().unwrap()
}

/// `y = u` held since the last tick, zero before the first.
pub struct Hold {
    pub input: In<Fixed<1>>,
    pub output: Out<Fixed<1>>,
    ports: Ports,
}

impl Hold {
    pub fn new(sampling: Sampling) -> Self {
        let mut ports = Ports::new();
        let (input, output) = (ports.input("input"), ports.output("output"));
        ports.no_feedthrough(output);
        ports.discrete_state("held", vec![0.0]);
        ports.periodic(sampling);
        Hold { input, output, ports }
    }
}

impl LeafSystem for Hold {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, [S::constant(ctx.discrete[0])]);
    }
    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        next.copy_from_slice(&ctx.get(self.input));
    }
}

/// Counts its ticks and outputs the count. Records the time of the last tick.
pub struct Counter {
    pub output: Out<Fixed<1>>,
    ports: Ports,
}

impl Counter {
    pub fn new(samplings: &[Sampling]) -> Self {
        let mut ports = Ports::new();
        let output = ports.output("count");
        ports.discrete_state("count", vec![0.0]);
        ports.discrete_state("last", vec![f64::NEG_INFINITY]);
        for sampling in samplings {
            ports.periodic(*sampling);
        }
        Counter { output, ports }
    }
}

impl LeafSystem for Counter {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, [S::constant(ctx.discrete[0])]);
    }
    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        (next[0], next[1]) = (next[0] + 1.0, ctx.time);
    }
}

/// `x' = a x + b u`, output x.
pub struct Lag {
    pub input: In<Fixed<1>>,
    pub output: Out<Fixed<1>>,
    a: f64,
    b: f64,
    ports: Ports,
}

impl Lag {
    pub fn new(a: f64, b: f64, initial: f64) -> Self {
        let mut ports = Ports::new();
        let (input, output) = (ports.input("input"), ports.output("output"));
        ports.no_feedthrough(output);
        ports.continuous_state("x", vec![initial]);
        Lag { input, output, a, b, ports }
    }
}

impl LeafSystem for Lag {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, ctx.continuous);
    }
    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let [u] = ctx.get(self.input);
        derivatives[0] = ctx.continuous[0] * S::constant(self.a) + u * S::constant(self.b);
    }
}

/// `x' = 1`; witness functions `x - level`, whose crossings it counts and times: discrete state is a count and a time
/// per level.
pub struct Levels {
    pub output: Out<Fixed<1>>,
    levels: Vec<f64>,
    ports: Ports,
}

impl Levels {
    pub fn new(levels: &[f64]) -> Self {
        let mut ports = Ports::new();
        let output = ports.output("x");
        ports.continuous_state("x", vec![0.0]);
        ports.discrete_state("crossed", levels.iter().flat_map(|_| [0.0, f64::NAN]).collect());
        for level in levels {
            ports.witness(format!("level {level}"), Crossing::Either);
        }
        Levels { output, levels: levels.to_vec(), ports }
    }
}

impl LeafSystem for Levels {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, ctx.continuous);
    }
    fn derivatives<S: Scalar>(&self, _ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives[0] = S::one();
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values.iter_mut().zip(&self.levels).for_each(|(value, level)| *value = ctx.continuous[0] - level);
    }
    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        state.discrete[2 * witness.index] += 1.0;
        state.discrete[2 * witness.index + 1] = ctx.time;
    }
}

/// Counts the sign changes of its input minus a level, and times the last.
pub struct Watch {
    pub input: In<Fixed<1>>,
    level: f64,
    ports: Ports,
}

impl Watch {
    pub fn new(level: f64, crossing: Crossing) -> Self {
        let mut ports = Ports::new();
        let input = ports.input("input");
        ports.discrete_state("seen", vec![0.0, f64::NAN]);
        ports.witness("level", crossing);
        Watch { input, level, ports }
    }
}

impl LeafSystem for Watch {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, _ctx: &Context<S>, _out: &mut Outputs<S>) {}
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[0] = ctx.get(self.input)[0] - self.level;
    }
    fn reset(&self, _witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        (state.discrete[0], state.discrete[1]) = (state.discrete[0] + 1.0, ctx.time);
    }
}
