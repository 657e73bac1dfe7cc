//! The step of CENIC and its rules.

mod energy;
mod orders;
mod thirds;
mod transition;
mod tuning;
