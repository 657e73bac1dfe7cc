//! Blocks whose code is compiled in the crate that they stand in.
//!
//! The mathematics of a block is generic over its scalar, so it is compiled where the block becomes an
//! [`ErasedSystem`]. For a block of a program's own that is the program. A block that ships does so here, once, fully
//! optimized, whatever the crate that makes it is compiled for.

use crate::ErasedSystem;
use std::sync::Arc;

/// A block that ships with Kinegraph.
pub trait Shipped: ErasedSystem + Sized {
    /// The block as a diagram stores it.
    fn into_system(self) -> Arc<dyn ErasedSystem>;
}

/// Makes blocks [`Shipped`]: a line in the file of each.
#[macro_export]
macro_rules! shipped {
    ($($block:ty),+ $(,)?) => {$(
        impl $crate::Shipped for $block {
            #[inline(never)]
            fn into_system(self) -> std::sync::Arc<dyn $crate::ErasedSystem> {
                std::sync::Arc::new(self)
            }
        }
    )+};
}
