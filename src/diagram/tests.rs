//! Contracts of the diagram.

mod blocks;
mod channels;
mod evaluation;
mod faults;
mod loops;
mod nested;
mod parts;
mod random;
mod replace;
mod size;
mod slices;
mod solved_loops;
