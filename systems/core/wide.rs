//! Arithmetic compiled for the widest instructions of the machine.
//!
//! Crates are built for any processor, which has two numbers to an instruction. Code in [`wide`] is compiled once more
//! for processors with four, as far as it is inlined, and chosen at run time. Products and sums stay separate
//! operations in the order written, so that results do not depend on the processor.

/// Runs `work`. The choice costs about twenty operations.
#[inline(always)]
pub fn wide<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}
