//! Contracts of the diagram.

mod evaluation;
