//! Blocks whose code is compiled in their own crate.
//!
//! The mathematics of a block is generic over its scalar, and generic code is compiled in the crate that uses it: a
//! program that adds a plant to a diagram would compile all of multibody dynamics again. A diagram calls four methods
//! that are not generic. With [`compiled_here!`](crate::compiled_here) they are compiled once, fully optimized, in the
//! crate of the block; without it, in the crate that uses the block.

/// Compiles a block with its own crate, not again in each crate that adds it to a diagram: one line in the
/// `impl LeafSystem` of a block that other crates use. The block must have no type parameters.
///
/// ```
/// use kinegraph_core::{Context, LeafSystem, Outputs, Ports, Scalar};
///
/// struct Nothing(Ports);
/// impl LeafSystem for Nothing {
///     kinegraph_core::compiled_here!();
///
///     fn ports(&self) -> &Ports {
///         &self.0
///     }
///     fn outputs<S: Scalar>(&self, _ctx: &Context<S>, _out: &mut Outputs<S>) {}
/// }
/// ```
#[macro_export]
macro_rules! compiled_here {
    () => {
        #[inline(never)]
        fn outputs_f64(&self, ctx: &$crate::Context<f64>, out: &mut $crate::Outputs<f64>) {
            self.outputs(ctx, out);
        }
        #[inline(never)]
        fn outputs_jet(&self, ctx: &$crate::Context<$crate::Jet>, out: &mut $crate::Outputs<$crate::Jet>) {
            self.outputs(ctx, out);
        }
        #[inline(never)]
        fn derivatives_f64(&self, ctx: &$crate::Context<f64>, derivatives: &mut [f64]) {
            self.derivatives(ctx, derivatives);
        }
        #[inline(never)]
        fn derivatives_jet(&self, ctx: &$crate::Context<$crate::Jet>, derivatives: &mut [$crate::Jet]) {
            self.derivatives(ctx, derivatives);
        }
    };
}
