//! Wires from or to some numbers of a port.

mod block;
mod places;
mod syntax;
