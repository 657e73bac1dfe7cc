//! Diagrams: wires, faults, order, evaluation, loops, nesting.

mod blocks;
mod channels;
mod copies;
mod elimination;
mod evaluation;
mod fact;
mod facts;
mod faults;
#[cfg(feature = "graph")]
mod graph;
mod loops;
mod nested;
mod parts;
mod random;
mod replace;
mod selection;
mod size;
mod slices;
mod solved_loops;
