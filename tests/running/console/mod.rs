//! Output and files of the commands: parts of the command line.

mod mass_table;
mod number_list;
mod numbers;
mod outputs;
mod progress;
mod report;
mod signals;
mod text_only;
mod waiting_acts;
