//! Wire plants and controllers as typed blocks and simulate the whole diagram, contact included, to the
//! accuracy you ask for.

pub mod cli;
pub mod files;
pub mod record;
pub mod simulate;
