//! Runs as started by programs and users: the command line, states, switching diagrams, scenarios, examples.

#[path = "../common/command.rs"]
mod command;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/reference.rs"]
mod reference;

mod arms;
mod book;
mod cli;
mod compare;
mod console;
mod derivative_kinds;
mod derivatives;
mod determinism;
mod differential;
mod endings;
mod examples;
mod figures;
mod fits;
mod hybrid;
mod linear_analysis;
mod linearize;
mod live;
mod live_parameters;
mod logic;
mod observers;
mod other_tools;
mod page_schema;
mod profile;
mod recorded;
mod recordings;
mod regulators;
mod requirements;
mod robustness;
mod scenarios;
mod scene;
mod state;
mod sweeps;
mod thrown;
mod verify;
