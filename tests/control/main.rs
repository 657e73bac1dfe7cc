//! Controllers and feedback: closed loops against closed forms, and feedback that is implicit within a step.
#![allow(non_snake_case)] // quantity and frames, as the field writes them

#[path = "../common/mod.rs"]
mod common;

mod arms;
mod closed_forms;
mod contact_models;
mod coupled_feedback;
mod dc_motor;
mod diverging_loops;
mod impedance;
mod in_motion;
mod linearization;
mod networks;
mod nonlinear_networks;
mod operational_space;
mod pick_and_place;
mod recorded_efforts;
mod stiff_feedback;
