//! The two tiers of a block: [`LeafSystem`], which authors write, and [`ErasedSystem`], which diagrams store.

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

    /// New values of the discrete state at a periodic event; `next` holds the current ones on entry. All updates at one
    /// time read the values just before that time, so their order does not matter.
    fn update(&self, _tick: Tick, _ctx: &Context<f64>, _next: &mut [f64]) {}

    /// Computes the witness functions, one value each in order of declaration. A crossing is found between two steps
    /// and located to rounding; then [`reset`](Self::reset) is called.
    fn witnesses(&self, _ctx: &Context<f64>, _values: &mut [f64]) {}

    /// Changes the block's own state where a witness function crosses zero; `state` holds the current values on entry.
    ///
    /// The crossing is found just behind zero: a block that watches its own state sets it to zero, else a bounce too
    /// weak to return across it is not seen again.
    fn reset(&self, _witness: Witness, _ctx: &Context<f64>, _state: &mut Reset) {}

    /// What a convex integrator may ask of a plant; `None` for every other block.
    fn as_plant(&self) -> Option<&dyn ConvexPlant> {
        None
    }

    /// What the block has on bodies of the plant that it is wired to, for a picture of it.
    fn markers(&self) -> Vec<Marker> {
        Vec::new()
    }

    /// A block that belongs to this one and stands beside it in every diagram; see [`Companion`].
    fn companion(&self) -> Option<Companion> {
        None
    }

    /// Whether outputs or derivatives bend or jump somewhere that no witness function shows. Methods of high order look
    /// twice at steps over such a place, which an estimate of error of theirs may miss.
    fn has_kinks(&self) -> bool {
        false
    }

    /// Says where outputs or derivatives bend: calls `see` with numbers, always as many and in the same order, each of
    /// which crosses zero where one of them bends. Steps that feedback takes part in end there, if what begins is fast
    /// and can be seen. A place where something jumps, as a sign does, is no such place.
    fn kinks(&self, _ctx: &Context<f64>, _see: &mut dyn FnMut(f64)) {}

    /// How fast the outputs change by the time alone between two times \[s\]. A block that reads
    /// [`Context::time`](crate::Context::time) says it here: no step is longer than what changes that fast allows. A
    /// block without inputs and state that does not say it is looked at at many times.
    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        let ports = self.ports();
        let is_source = ports.inputs().is_empty() && ports.continuous_width() == 0;
        if is_source { TimeVariation::Unknown } else { TimeVariation::Steady }
    }

    /// The first level that element `element` of input `input` meets on its way from one value to another at which
    /// outputs bend or jump, that of the end included; `None` where there is none. Where the input is a function of
    /// the time alone, steps end at that instant.
    fn next_level(&self, _input: usize, _element: usize, _way: (f64, f64)) -> Option<f64> {
        None
    }

    /// True if [`jumped`](Self::jumped) is to be called.
    fn watches_jumps(&self) -> bool {
        false
    }

    /// An event has changed what the block reads from what it was `before` to what it is `after`; `next` holds the
    /// block's discrete state on entry.
    fn jumped(&self, _before: &Context<f64>, _after: &Context<f64>, _next: &mut [f64]) {}

    // ---- Given by `compiled_here!` in blocks that other crates use; nobody writes them by hand. ----

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

/// A block as a diagram stores it: object safe, one concrete method per scalar. Every [`LeafSystem`] is one.
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
    /// How the derivatives of the block come about.
    fn policy(&self) -> DerivativePolicy;
    /// Full name of the block's Rust type, for people: pictures and messages.
    fn type_name(&self) -> &'static str {
        std::any::type_name::<Self>()
    }
    /// What a convex integrator may ask of a plant.
    fn as_plant(&self) -> Option<&dyn ConvexPlant>;
    /// What the block has on bodies of the plant that it is wired to.
    fn markers(&self) -> Vec<Marker> {
        Vec::new()
    }
    /// A block that belongs to this one and stands beside it in every diagram.
    fn companion(&self) -> Option<Companion> {
        None
    }
    /// Whether outputs or derivatives bend or jump somewhere that no witness function shows.
    fn has_kinks(&self) -> bool {
        false
    }
    /// Says where outputs or derivatives bend: see [`LeafSystem::kinks`].
    fn kinks(&self, _ctx: &Context<f64>, _see: &mut dyn FnMut(f64)) {}
    /// How fast the outputs change by the time alone between two times \[s\].
    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Unknown
    }
    /// The first level at which outputs bend or jump on the way of a number of an input from one value to another.
    fn next_level(&self, _input: usize, _element: usize, _way: (f64, f64)) -> Option<f64> {
        None
    }
    /// True if [`jumped`](Self::jumped) is to be called.
    fn watches_jumps(&self) -> bool {
        false
    }
    /// An event has changed what the block reads.
    fn jumped(&self, _before: &Context<f64>, _after: &Context<f64>, _next: &mut [f64]) {}
}

/// A block that belongs to another one: what that has of state that is not its own. A diagram adds it as
/// `BLOCK/name`, gives each of its inputs what the input of the same name of the other block gets, and lets its output
/// drive an input of that block.
#[derive(Clone)]
pub struct Companion {
    /// Its name within that of the other block.
    pub name: &'static str,
    /// The block.
    pub system: std::sync::Arc<dyn ErasedSystem>,
    /// The output that drives the other block, by index.
    pub output: usize,
    /// The name of the input of the other block that it drives.
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

/// Where the derivatives of a block come from.
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
    /// It counts as constant over a step.
    Explicit,
}

// What is no block is reported as such, not that it is no `LeafSystem`, with a list of those that are.
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
    fn watches_jumps(&self) -> bool {
        LeafSystem::watches_jumps(self)
    }
    fn jumped(&self, before: &Context<f64>, after: &Context<f64>, next: &mut [f64]) {
        LeafSystem::jumped(self, before, after, next);
    }
}

/// The erased methods under one name for both scalars: diagrams are evaluated by code generic over this trait.
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
