//! How a program names the ends of a wire: by typed handle, by path, or by the exported name of a nested diagram.

use super::fault::Side;
use kinegraph_core::port::BlockId;
use kinegraph_core::signal::Feeds;
use kinegraph_core::{In, Out, Signal};
use std::sync::atomic::{AtomicU64, Ordering};

/// Identity of a builder within the process, so that a handle of a nested diagram knows its diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiagramId(u64);

impl DiagramId {
    pub(super) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        DiagramId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Default for DiagramId {
    fn default() -> Self {
        Self::fresh()
    }
}

/// Reference to a port, as the user gave it.
#[derive(Clone, Debug)]
pub enum PortRef {
    /// By typed handle.
    Handle(BlockId, usize),
    /// By path `block.port`.
    Path(String),
    /// By the name under which a nested diagram exports it.
    Export(DiagramId, String),
}

impl PortRef {
    /// Reference to the same port from an outer diagram, in which its diagram is nested as `name`.
    pub(super) fn inside(self, name: &str) -> Self {
        match self {
            PortRef::Path(path) => PortRef::Path(format!("{name}/{path}")),
            handle => handle,
        }
    }
}

/// One port that a diagram exports; inputs of the same name are driven together.
#[derive(Clone, Debug)]
pub(super) struct Export {
    /// The diagram that exports it.
    pub owner: DiagramId,
    /// Path of that diagram; empty for the diagram itself.
    pub scope: String,
    pub name: String,
    pub side: Side,
    /// The port inside.
    pub port: PortRef,
}

/// The handle of a nested diagram: access to what it exports.
///
/// A name that it does not export is a fault of the build, like any other misspelt port.
#[derive(Clone, Copy, Debug)]
pub struct SubDiagram {
    pub(super) id: DiagramId,
}

impl SubDiagram {
    /// The exported input `name`. Its meaning and width are checked by the build.
    pub fn input(&self, name: impl Into<String>) -> ExportedInput {
        ExportedInput { diagram: self.id, name: name.into() }
    }

    /// The exported output `name`. Its meaning and width are checked by the build; for a check by the compiler use the
    /// handle that was exported, which stays valid.
    pub fn output(&self, name: impl Into<String>) -> ExportedOutput {
        ExportedOutput { diagram: self.id, name: name.into() }
    }
}

/// An exported input of a nested diagram; see [`SubDiagram::input`].
#[derive(Clone, Debug)]
pub struct ExportedInput {
    diagram: DiagramId,
    name: String,
}

/// An exported output of a nested diagram; see [`SubDiagram::output`].
#[derive(Clone, Debug)]
pub struct ExportedOutput {
    diagram: DiagramId,
    name: String,
}

/// End of a wire that may be driven: the handle of an input, or an exported input.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an input",
    label = "an input is needed here",
    note = "an input is the handle `In<…>` that a block has as a field (`pid.measured`) or gives by name (`plant.actuation(\"arm\")`), or an exported one (`servo.input(\"goal\")`); for paths there are `connect_paths`, `fix_path` and `export_input_path`"
)]
pub trait InputEnd {
    #[doc(hidden)]
    fn port(&self) -> PortRef;
}

/// End of a wire that may drive: the handle of an output, or an exported output.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an output",
    label = "an output is needed here",
    note = "an output is the handle `Out<…>` that a block has as a field (`pid.effort`) or gives by name (`plant.state(\"arm\")`), or an exported one (`servo.output(\"effort\")`); for paths there are `connect_paths` and `export_output_path`"
)]
pub trait OutputEnd {
    #[doc(hidden)]
    fn port(&self) -> PortRef;
}

impl<T: Signal> InputEnd for In<T> {
    fn port(&self) -> PortRef {
        PortRef::Handle(self.block, self.index)
    }
}

impl<T: Signal> OutputEnd for Out<T> {
    fn port(&self) -> PortRef {
        PortRef::Handle(self.block, self.index)
    }
}

impl InputEnd for ExportedInput {
    fn port(&self) -> PortRef {
        PortRef::Export(self.diagram, self.name.clone())
    }
}

impl OutputEnd for ExportedOutput {
    fn port(&self) -> PortRef {
        PortRef::Export(self.diagram, self.name.clone())
    }
}

/// `Self` may drive `I`, as far as the compiler can check: typed handles must fit ([`Feeds`]), exported names are
/// checked by the build.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot drive `{I}`: a wire leads from an output to an input",
    label = "these are not an output and an input",
    note = "write `connect(output, input)`, with the driving `Out<…>` first and the driven `In<…>` second; both are fields or methods of blocks (`pid.effort`, `plant.state(\"arm\")`), paths go to `connect_paths`"
)]
pub trait Drives<I: InputEnd>: OutputEnd {}
impl<A: Feeds<B>, B: Signal> Drives<In<B>> for Out<A> {}
impl<A: Signal> Drives<ExportedInput> for Out<A> {}
impl<B: Signal> Drives<In<B>> for ExportedOutput {}
impl Drives<ExportedInput> for ExportedOutput {}
