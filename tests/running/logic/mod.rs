//! Diagrams with logic: state machines, parts that run on a condition, conditions that end a run.

mod conditions;
mod random_machines;
mod recorded;
mod reference;
mod stops;
