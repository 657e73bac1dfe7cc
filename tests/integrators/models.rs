//! Differential equations with known solutions, as blocks.

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::{Context, Crossing, Dyn, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar, Witness};
use std::marker::PhantomData;

/// `x' = f(t, x)`.
pub trait Equation: Send + Sync + 'static {
    /// x(0).
    fn initial() -> Vec<f64>;
    /// f.
    fn rates<S: Scalar>(t: S, x: &[S], rates: &mut [S]);
    /// x(t), where it has a closed form.
    fn exact(_t: f64) -> Vec<f64> {
        unimplemented!("no closed form")
    }
}

struct Block<E> {
    state: Out<Dyn>,
    ports: Ports,
    equation: PhantomData<E>,
}

impl<E: Equation> LeafSystem for Block<E> {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.state, ctx.continuous);
    }
    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        E::rates(ctx.time, ctx.continuous, derivatives);
    }
}

/// The equation as a diagram of one block.
pub fn diagram<E: Equation>() -> Diagram {
    let mut ports = Ports::new();
    let state = ports.output_of_width("state", E::initial().len());
    ports.continuous_state("x", E::initial());
    let mut b = DiagramBuilder::new("equation");
    b.add("block", Block { state, ports, equation: PhantomData::<E> });
    b.build().unwrap()
}

/// A block at rest: its state never changes.
struct Still(Ports);

impl LeafSystem for Still {
    fn ports(&self) -> &Ports {
        &self.0
    }
    fn outputs<S: Scalar>(&self, _ctx: &Context<S>, _out: &mut Outputs<S>) {}
    fn derivatives<S: Scalar>(&self, _ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives.fill(S::zero());
    }
}

/// The equation beside a block at rest, with continuous and discrete state.
pub fn beside<E: Equation>() -> Diagram {
    let (mut ports, mut still) = (Ports::new(), Ports::new());
    let state = ports.output_of_width("state", E::initial().len());
    ports.continuous_state("x", E::initial());
    still.continuous_state("x", vec![0.1, 1e-300, 30.0]);
    still.discrete_state("y", vec![0.3, -7.0]);
    let mut b = DiagramBuilder::new("beside");
    b.add("block", Block { state, ports, equation: PhantomData::<E> });
    b.add("still", Still(still));
    b.build().unwrap()
}

/// Counts the zero crossings of the first number of the equation, and records their times: a count, then the times.
struct Zeros {
    x: In<Dyn>,
    ports: Ports,
}

impl LeafSystem for Zeros {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, _ctx: &Context<S>, _out: &mut Outputs<S>) {}
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[0] = ctx.get(self.x)[0];
    }
    fn reset(&self, _witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        state.discrete[0] += 1.0;
        let count = state.discrete[0] as usize;
        if let Some(time) = state.discrete.get_mut(count) {
            *time = ctx.time;
        }
    }
}

/// The equation with a block that watches its first number cross zero.
pub fn watched<E: Equation>() -> Diagram {
    let (mut ports, mut zeros) = (Ports::new(), Ports::new());
    let width = E::initial().len();
    let state = ports.output_of_width("state", width);
    ports.no_feedthrough(state);
    ports.continuous_state("x", E::initial());
    let x = zeros.input_of_width("x", width);
    zeros.discrete_state("zeros", vec![0.0; 5]);
    zeros.witness("zero", Crossing::Either);
    let mut b = DiagramBuilder::new("watched");
    let block = b.add("block", Block { state, ports, equation: PhantomData::<E> });
    let zeros = b.add("zeros", Zeros { x, ports: zeros });
    b.connect(block.state, zeros.x);
    b.build().unwrap()
}

/// The largest deviation of `x` from the solution at `t`.
pub fn error_at<E: Equation>(t: f64, x: &[f64]) -> f64 {
    distance(&E::exact(t), x)
}

pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Smooth, nonlinear, dependent on time, two rates coupled: x = 1/(1 + t²), y = exp(sin t), z = x y.
pub struct Smooth;
impl Equation for Smooth {
    fn initial() -> Vec<f64> {
        vec![1.0, 1.0, 1.0]
    }
    fn rates<S: Scalar>(t: S, x: &[S], rates: &mut [S]) {
        rates[0] = -t * x[0] * x[0] * S::constant(2.0);
        rates[1] = x[1] * t.cos();
        rates[2] = x[1] * (x[0] * t.cos() - t * x[0] * x[0] * S::constant(2.0));
    }
    fn exact(t: f64) -> Vec<f64> {
        let (x, y) = (1.0 / (1.0 + t * t), t.sin().exp());
        vec![x, y, x * y]
    }
}

/// The harmonic oscillator.
pub struct Oscillator;
impl Equation for Oscillator {
    fn initial() -> Vec<f64> {
        vec![1.0, 0.0]
    }
    fn rates<S: Scalar>(_t: S, x: &[S], rates: &mut [S]) {
        (rates[0], rates[1]) = (x[1], -x[0]);
    }
    fn exact(t: f64) -> Vec<f64> {
        vec![t.cos(), -t.sin()]
    }
}

/// Constant state: every error estimate is zero.
pub struct Rest;
impl Equation for Rest {
    fn initial() -> Vec<f64> {
        vec![1.0]
    }
    fn rates<S: Scalar>(_t: S, _x: &[S], rates: &mut [S]) {
        rates[0] = S::zero();
    }
}

/// `x' = x²` from 1: at infinity at t = 1.
pub struct FiniteEscape;
impl Equation for FiniteEscape {
    fn initial() -> Vec<f64> {
        vec![1.0]
    }
    fn rates<S: Scalar>(_t: S, x: &[S], rates: &mut [S]) {
        rates[0] = x[0] * x[0];
    }
}

/// `x' = sqrt(1/2 - t)`: not a number after t = 1/2.
pub struct Breaks;
impl Equation for Breaks {
    fn initial() -> Vec<f64> {
        vec![1.0]
    }
    fn rates<S: Scalar>(t: S, _x: &[S], rates: &mut [S]) {
        rates[0] = (S::constant(0.5) - t).sqrt();
    }
}

/// The stiff test equation of Prothero and Robinson: `x' = -1e6 (x - cos t) - sin t`, x = cos t.
pub struct Stiff;
impl Equation for Stiff {
    fn initial() -> Vec<f64> {
        vec![1.0]
    }
    fn rates<S: Scalar>(t: S, x: &[S], rates: &mut [S]) {
        rates[0] = (t.cos() - x[0]) * S::constant(1e6) - t.sin();
    }
    fn exact(t: f64) -> Vec<f64> {
        vec![t.cos()]
    }
}

/// Van der Pol's oscillator, mu = 1000, over two time units of 1000: the test set for IVP solvers (Mazzia & Magherini)
/// gives the reference.
pub struct VanDerPol;
impl Equation for VanDerPol {
    fn initial() -> Vec<f64> {
        vec![2.0, 0.0]
    }
    fn rates<S: Scalar>(_t: S, x: &[S], rates: &mut [S]) {
        // Time in units of mu: slope z = mu y'.
        let mu2 = S::constant(1e6);
        rates[0] = x[1];
        rates[1] = mu2 * ((S::one() - x[0] * x[0]) * x[1] - x[0]);
    }
}
/// y(2).
pub const VAN_DER_POL_AT_2: f64 = 1.706167732170483;

/// Seven stars in a plane, masses 1 to 7 \[Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I,
/// II.10\]: positions x, y, velocities x', y'.
pub struct Pleiades;
impl Equation for Pleiades {
    fn initial() -> Vec<f64> {
        let x = [3.0, 3.0, -1.0, -3.0, 2.0, -2.0, 2.0];
        let y = [3.0, -3.0, 2.0, 0.0, 0.0, -4.0, 4.0];
        let vx = [0.0, 0.0, 0.0, 0.0, 0.0, 1.75, -1.5];
        let vy = [0.0, 0.0, 0.0, -1.25, 1.0, 0.0, 0.0];
        [x, y, vx, vy].concat()
    }
    fn rates<S: Scalar>(_t: S, s: &[S], rates: &mut [S]) {
        rates[..14].copy_from_slice(&s[14..]);
        rates[14..].fill(S::zero());
        for i in 0..7 {
            for j in (0..7).filter(|&j| j != i) {
                let (dx, dy) = (s[j] - s[i], s[7 + j] - s[7 + i]);
                let r2 = dx * dx + dy * dy;
                let pull = S::constant((j + 1) as f64) / (r2 * r2.sqrt());
                rates[14 + i] += pull * dx;
                rates[21 + i] += pull * dy;
            }
        }
    }
}
/// The reference solution of the test set for IVP solvers (Mazzia & Magherini) at t = 3.
#[rustfmt::skip]
#[allow(clippy::excessive_precision)] // as published
pub const PLEIADES_AT_3: [f64; 28] = [
    0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310, 0.3425581707156584, 1.562172101400631, -0.7003092922212495,
    -3.943437585517392, -3.271380973972550, 5.225081843456543, -2.590612434977470, 1.198213693392275, -0.2429682344935824, 1.091449240428980,
    3.417003806314313, 1.354584501625501, -2.590065597810775, 2.025053734714242, -1.155815100160448, -0.8072988170223021, 0.5952396354208710,
    -3.741244961234010, 0.3773459685750630, 0.9386858869551073, 0.3667922227200571, -0.3474046353808490, 2.344915448180937, -1.947020434263292,
];
