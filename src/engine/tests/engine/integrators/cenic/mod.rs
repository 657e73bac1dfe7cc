//! The step of CENIC and its rules.

mod energy_budget;
mod orders;
mod thirds;
mod transitions;
