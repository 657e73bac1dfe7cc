//! Diagram files and the documents that contain them: their values take effect, and every fault is reported at its
//! place.

#[path = "../common/command.rs"]
mod command;

mod actuators;
mod bad_diagrams;
mod bad_files;
mod blocks_in_files;
mod degrees;
mod documents;
mod dynamics_files;
mod every_key;
mod first_steps;
mod fit_mistakes;
mod found_models;
mod gradient_mistakes;
mod guides;
mod import_models;
mod logic_mistakes;
mod lost_bodies;
mod model_values;
mod mutations;
mod nested_files;
mod network_mistakes;
mod newcomers;
mod numbers;
mod option_units;
mod parameter_mistakes;
mod parameters;
mod places;
mod plant_models;
mod playback_mistakes;
mod read_diagram;
mod requirement_mistakes;
mod section_mistakes;
mod sensors;
mod small_models;
mod unit_mistakes;
mod units;
mod wires_of_parts;
