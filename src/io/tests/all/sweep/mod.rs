//! Many runs of one diagram file.

mod distribution;
mod gauge;
mod measure;
mod spec;
mod values;
