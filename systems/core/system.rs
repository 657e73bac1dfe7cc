//! The two traits of a block: [`LeafSystem`], which authors implement, and [`ErasedSystem`], which diagrams store.

use crate::context::{Context, Outputs};
use crate::convex::ConvexPlant;
use crate::port::{Ports, Tick, Witness};
use crate::scalar::{Jet, Scalar};
use crate::scene::Marker;
use crate::variation::TimeVariation;

/// A block as its author writes it: structure and `f64` parameters in the struct, mathematics generic over the scalar.
///
/// ```
/// use kinegraph_systems::{Context, In, LeafSystem, Out, Outputs, Ports, Scalar, Fixed};
///
/// /// y = u^2
/// pub struct Square {
///     /// The number to square.
///     pub input: In<Fixed<1>>,
///     /// Its square.
///     pub output: Out<Fixed<1>>,
///     ports: Ports,
/// }
/// impl Square {
///     /// A new block.
///     pub fn new() -> Self {
///         let mut ports = Ports::new();
///         Square { input: ports.input("input"), output: ports.output("output"), ports }
///     }
/// }
/// impl LeafSystem for Square {
///     fn ports(&self) -> &Ports {
///         &self.ports
///     }
///     fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
///         let [u] = ctx.get(self.input);
///         out.set(self.output, [u * u]);
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a block",
    label = "a block is needed here",
    note = "a block implements `LeafSystem`; one that knows plain numbers only implements `RealSystem` and is wrapped, `Real(block)`",
    note = "the constructor of a block gives a `Result`: put `?` behind it"
)]
pub trait LeafSystem: Send + Sync + 'static {
    /// The declaration made in the constructor.
    fn ports(&self) -> &Ports;
    /// Computes the outputs from time, state and inputs.
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>);

    // ---- Needed only by blocks with state or special abilities. ----

    /// Computes the time derivative of the continuous state; `derivatives` has its width.
    fn derivatives<S: Scalar>(&self, _ctx: &Context<S>, _derivatives: &mut [S]) {}

    /// Computes the discrete state after a periodic event; `next` holds the current state on entry. All updates at one
    /// time read the values just before that time, so their order does not matter.
    fn update(&self, _tick: Tick, _ctx: &Context<f64>, _next: &mut [f64]) {}

    /// Computes the witness functions, one value each in order of declaration. A crossing between two steps is located
    /// to rounding; then [`reset`](Self::reset) is called.
    fn witnesses(&self, _ctx: &Context<f64>, _values: &mut [f64]) {}

    /// Changes the block's own state where a witness function crosses zero; `state` holds the current values on entry.
    ///
    /// The located state lies just behind zero. A block whose witness function is its own state must set it to zero:
    /// otherwise a bounce too weak to cross zero again goes unnoticed.
    fn reset(&self, _witness: Witness, _ctx: &Context<f64>, _state: &mut Reset) {}

    /// The plant interface for convex integrators; `None` for every other block.
    fn as_plant(&self) -> Option<&dyn ConvexPlant> {
        None
    }

    /// Parts of the block on bodies of the plant that it is wired to, for drawing.
    fn markers(&self) -> Vec<Marker> {
        Vec::new()
    }

    /// A block that belongs to this one and stands beside it in every diagram; see [`Companion`].
    fn companion(&self) -> Option<Companion> {
        None
    }

    /// True if outputs or derivatives have kinks or jumps that no witness function marks. The error estimate of a
    /// method of high order may miss such a place, so these methods check the steps over it twice.
    fn has_kinks(&self) -> bool {
        false
    }

    /// Reports the kinks of outputs and derivatives: calls `see` with numbers, always as many and in the same order,
    /// each of which crosses zero where an output or derivative has a kink. Steps in which feedback takes part end
    /// there, if the motion behind it is fast and can be seen. A jump, as of a sign, is not a kink.
    fn kinks(&self, _ctx: &Context<f64>, _see: &mut dyn FnMut(f64)) {}

    /// Rate of change of the outputs with time alone between two times \[s\]. A block that reads
    /// [`Context::time`](crate::Context::time) declares it here; step lengths are limited accordingly. A block without
    /// inputs and state that does not declare it is sampled at many times.
    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        let ports = self.ports();
        let is_source = ports.inputs().is_empty() && ports.continuous_width() == 0;
        if is_source { TimeVariation::Unknown } else { TimeVariation::Steady }
    }

    /// The first level between two values of element `element` of input `input`, the end included, at which outputs
    /// have a kink or a jump; `None` if there is none. If the input is a function of time alone, steps end at that
    /// instant.
    fn next_level(&self, _input: usize, _element: usize, _way: (f64, f64)) -> Option<f64> {
        None
    }

    /// Delay \[s\] of a block with one input and one output whose output is its input that much earlier; `None` for
    /// all others. A linear model of it has no states, but its frequency response is `e^(-s delay)`.
    fn pure_delay(&self) -> Option<f64> {
        None
    }

    /// True if [`jumped`](Self::jumped) should be called.
    fn watches_jumps(&self) -> bool {
        false
    }

    /// Called after an event that changed the block's inputs or state from `before` to `after`; `next` holds the
    /// block's discrete state on entry.
    fn jumped(&self, _before: &Context<f64>, _after: &Context<f64>, _next: &mut [f64]) {}

    /// Name of the state that a block with several ones, such as a state machine, is in, for messages and recordings;
    /// `discrete` is its discrete state. `None` for all others.
    fn mode(&self, _discrete: &[f64]) -> Option<&str> {
        None
    }

    /// Names of conditions that end a run: condition i does where discrete state i of the block is above 0.5.
    fn endings(&self) -> &[String] {
        &[]
    }

    // ---- Given by `compiled_here!` in blocks that other crates use; not written by hand. ----

    /// [`outputs`](Self::outputs) as plain values.
    #[doc(hidden)]
    fn outputs_f64(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        self.outputs(ctx, out);
    }
    /// [`outputs`](Self::outputs) with derivatives.
    #[doc(hidden)]
    fn outputs_jet(&self, ctx: &Context<Jet>, out: &mut Outputs<Jet>) {
        self.outputs(ctx, out);
    }
    /// [`derivatives`](Self::derivatives) as plain values.
    #[doc(hidden)]
    fn derivatives_f64(&self, ctx: &Context<f64>, derivatives: &mut [f64]) {
        self.derivatives(ctx, derivatives);
    }
    /// [`derivatives`](Self::derivatives) with derivatives.
    #[doc(hidden)]
    fn derivatives_jet(&self, ctx: &Context<Jet>, derivatives: &mut [Jet]) {
        self.derivatives(ctx, derivatives);
    }
}

/// A block as a diagram stores it: object safe, with one concrete method per scalar. Every [`LeafSystem`] is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a block",
    label = "a block is needed here",
    note = "a block implements `LeafSystem`; one that knows plain numbers only implements `RealSystem` and is wrapped, `Real(block)`",
    note = "the constructor of a block gives a `Result`: put `?` behind it"
)]
pub trait ErasedSystem: Send + Sync + 'static {
    /// The block's declaration.
    fn ports(&self) -> &Ports;
    /// Outputs as plain values.
    fn outputs_f64(&self, ctx: &Context<f64>, out: &mut Outputs<f64>);
    /// Outputs with derivatives.
    fn outputs_jet(&self, ctx: &Context<Jet>, out: &mut Outputs<Jet>);
    /// State derivatives as plain values.
    fn derivatives_f64(&self, ctx: &Context<f64>, derivatives: &mut [f64]);
    /// State derivatives with derivatives.
    fn derivatives_jet(&self, ctx: &Context<Jet>, derivatives: &mut [Jet]);
    /// New values of the discrete state at a periodic event.
    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]);
    /// The witness functions.
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]);
    /// The change of state at a crossing.
    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset);
    /// Source of the block's derivatives.
    fn policy(&self) -> DerivativePolicy;
    /// Full name of the block's Rust type, for pictures and messages.
    fn type_name(&self) -> &'static str {
        std::any::type_name::<Self>()
    }
    /// The plant interface for convex integrators; `None` for every other block.
    fn as_plant(&self) -> Option<&dyn ConvexPlant>;
    /// Parts of the block on bodies of the plant that it is wired to.
    fn markers(&self) -> Vec<Marker> {
        Vec::new()
    }
    /// A block that belongs to this one and stands beside it in every diagram.
    fn companion(&self) -> Option<Companion> {
        None
    }
    /// True if outputs or derivatives have kinks or jumps that no witness function marks.
    fn has_kinks(&self) -> bool {
        false
    }
    /// Reports the kinks of outputs and derivatives: see [`LeafSystem::kinks`].
    fn kinks(&self, _ctx: &Context<f64>, _see: &mut dyn FnMut(f64)) {}
    /// Rate of change of the outputs with time alone between two times \[s\].
    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Unknown
    }
    /// The first level between two values of an element of an input at which outputs have a kink or a jump.
    fn next_level(&self, _input: usize, _element: usize, _way: (f64, f64)) -> Option<f64> {
        None
    }
    /// Delay \[s\] of a block whose output is its input that much earlier.
    fn pure_delay(&self) -> Option<f64> {
        None
    }
    /// True if [`jumped`](Self::jumped) should be called.
    fn watches_jumps(&self) -> bool {
        false
    }
    /// Called after an event that changed the block's inputs or state.
    fn jumped(&self, _before: &Context<f64>, _after: &Context<f64>, _next: &mut [f64]) {}
    /// Name of the state that a block with several ones is in.
    fn mode(&self, _discrete: &[f64]) -> Option<&str> {
        None
    }
    /// Names of conditions that end a run.
    fn endings(&self) -> &[String] {
        &[]
    }
}

/// A block that holds part of the state of another one. A diagram adds it as `BLOCK/name`, connects each of its inputs
/// to the source of the input of the same name of the other block, and lets its output drive an input of that block.
#[derive(Clone)]
pub struct Companion {
    /// Its name within the other block.
    pub name: &'static str,
    /// The block.
    pub system: std::sync::Arc<dyn ErasedSystem>,
    /// The output that drives the other block, by index.
    pub output: usize,
    /// Name of the input of the other block that the output drives.
    pub drives: &'static str,
}

/// A block's own state, to be changed at an event.
#[derive(Debug)]
pub struct Reset<'a> {
    /// Continuous state, all runs in order of declaration.
    pub continuous: &'a mut [f64],
    /// Discrete state, all runs in order of declaration.
    pub discrete: &'a mut [f64],
}

/// Source of the derivatives of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DerivativePolicy {
    /// Its mathematics runs on dual numbers.
    #[default]
    Exact,
    /// The block supplies its own Jacobian.
    Given,
    /// Central differences of its values.
    Differences,
    /// None: the block counts as constant over a step.
    Explicit,
}

// A type that is not a block is reported as such, not as a missing `LeafSystem` with a list of the types that have it.
#[diagnostic::do_not_recommend]
impl<T: LeafSystem> ErasedSystem for T {
    fn ports(&self) -> &Ports {
        LeafSystem::ports(self)
    }
    fn outputs_f64(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        LeafSystem::outputs_f64(self, ctx, out);
    }
    fn outputs_jet(&self, ctx: &Context<Jet>, out: &mut Outputs<Jet>) {
        LeafSystem::outputs_jet(self, ctx, out);
    }
    fn derivatives_f64(&self, ctx: &Context<f64>, derivatives: &mut [f64]) {
        LeafSystem::derivatives_f64(self, ctx, derivatives);
    }
    fn derivatives_jet(&self, ctx: &Context<Jet>, derivatives: &mut [Jet]) {
        LeafSystem::derivatives_jet(self, ctx, derivatives);
    }
    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        LeafSystem::update(self, tick, ctx, next);
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        LeafSystem::witnesses(self, ctx, values);
    }
    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        LeafSystem::reset(self, witness, ctx, state);
    }
    fn policy(&self) -> DerivativePolicy {
        DerivativePolicy::Exact
    }
    fn as_plant(&self) -> Option<&dyn ConvexPlant> {
        LeafSystem::as_plant(self)
    }
    fn markers(&self) -> Vec<Marker> {
        LeafSystem::markers(self)
    }
    fn companion(&self) -> Option<Companion> {
        LeafSystem::companion(self)
    }
    fn has_kinks(&self) -> bool {
        LeafSystem::has_kinks(self)
    }
    fn kinks(&self, ctx: &Context<f64>, see: &mut dyn FnMut(f64)) {
        LeafSystem::kinks(self, ctx, see);
    }
    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        LeafSystem::time_variation(self, times)
    }
    fn next_level(&self, input: usize, element: usize, way: (f64, f64)) -> Option<f64> {
        LeafSystem::next_level(self, input, element, way)
    }
    fn pure_delay(&self) -> Option<f64> {
        LeafSystem::pure_delay(self)
    }
    fn watches_jumps(&self) -> bool {
        LeafSystem::watches_jumps(self)
    }
    fn jumped(&self, before: &Context<f64>, after: &Context<f64>, next: &mut [f64]) {
        LeafSystem::jumped(self, before, after, next);
    }
    fn mode(&self, discrete: &[f64]) -> Option<&str> {
        LeafSystem::mode(self, discrete)
    }
    fn endings(&self) -> &[String] {
        LeafSystem::endings(self)
    }
}

/// The erased methods under one name for both scalars, so that a diagram can be evaluated by code generic over the
/// scalar.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar",
    label = "expected `f64` or `Jet`",
    note = "the mathematics of blocks runs on `f64` and on `Jet`, which carries derivatives"
)]
pub trait ErasedScalar: Scalar {
    /// Outputs of `system`.
    fn outputs(system: &dyn ErasedSystem, ctx: &Context<Self>, out: &mut Outputs<Self>);
    /// State derivatives of `system`.
    fn derivatives(system: &dyn ErasedSystem, ctx: &Context<Self>, derivatives: &mut [Self]);
    /// Generalized forces that a plant takes from its inputs.
    fn input_forces(plant: &dyn ConvexPlant, ctx: &Context<Self>, actuation: &mut [Self], applied: &mut [Self]);
}

impl ErasedScalar for f64 {
    fn outputs(system: &dyn ErasedSystem, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        system.outputs_f64(ctx, out);
    }
    fn derivatives(system: &dyn ErasedSystem, ctx: &Context<f64>, derivatives: &mut [f64]) {
        system.derivatives_f64(ctx, derivatives);
    }
    fn input_forces(plant: &dyn ConvexPlant, ctx: &Context<f64>, actuation: &mut [f64], applied: &mut [f64]) {
        plant.input_forces_f64(ctx, actuation, applied);
    }
}

impl ErasedScalar for Jet {
    fn outputs(system: &dyn ErasedSystem, ctx: &Context<Jet>, out: &mut Outputs<Jet>) {
        system.outputs_jet(ctx, out);
    }
    fn derivatives(system: &dyn ErasedSystem, ctx: &Context<Jet>, derivatives: &mut [Jet]) {
        system.derivatives_jet(ctx, derivatives);
    }
    fn input_forces(plant: &dyn ConvexPlant, ctx: &Context<Jet>, actuation: &mut [Jet], applied: &mut [Jet]) {
        plant.input_forces_jet(ctx, actuation, applied);
    }
}
