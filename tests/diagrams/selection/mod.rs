//! Wires from some numbers of a port, and to some.

mod block;
mod places;
mod syntax;
