//! What the commands print and which files they write: the parts of the command line.

mod mass_table;
mod number_list;
mod numbers;
mod outputs;
mod progress;
mod report;
mod signals;
mod text_only;
