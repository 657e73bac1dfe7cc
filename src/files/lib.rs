//! The diagram file: YAML (or JSON) text -> a checked description, with every fault of the file reported together.
//!
//! [`load`] reads a file and the values given on the command line into a [`DiagramFile`]. Nothing is built here: a
//! description holds plain numbers and names with their places in the file, so that faults found while blocks are built
//! are reported at the right line ([`Loader::report`]).
//!
//! ```text
//! text --parse--> Node tree --overrides, parameters--> Node tree --Reader, Catalog--> DiagramFile
//! ```
//!
//! The block types that a file can name are those of a [`Catalog`]: [`Catalog::standard`], to which a program may add
//! its own. The module [`form`] has everything needed to write a block type.

mod block_type;
pub mod blocks;
mod catalog;
mod connection;
mod decode;
#[doc(hidden)]
pub mod degrees;
mod derivations;
mod described;
mod example_files;
mod examples;
mod fault;
mod fault_log;
mod file_cache;
mod file_numbers;
pub mod fitted;
pub mod form;
mod given;
mod gradient_by;
mod item;
mod level;
mod limits;
mod lists;
mod live_number;
mod load;
mod loader;
mod machine_states;
mod matrix;
mod model_diagram;
pub mod names;
mod nearby;
pub mod node;
mod notes;
mod number_at;
mod number_help;
mod one_block;
mod operator;
pub mod overrides;
mod parameter;
mod parameters;
#[doc(hidden)]
pub mod parse;
mod port_name;
mod quantity;
mod reader;
pub mod recording;
mod rows;
mod run_condition;
pub mod schema;
mod section;
mod stated_unit;
#[doc(hidden)]
pub mod synonyms;
mod text_file;
mod trim;
mod width;
pub mod words;
mod yaml_help;

pub use block_type::{BlockSpec, BlockType, Group, NamedKeyframe, NestedSpec, Site, Surroundings, SystemSpec};
pub use catalog::{Catalog, CatalogError};
pub use connection::ConnectionSpec;
pub use example_files::ExampleFile;
pub use fault::{FaultKind, FileFault, FileFaults};
pub use file_cache::FileCache;
pub use file_numbers::FileNumber;
pub use given::Given;
pub use gradient_by::GradientBy;
pub use item::{IfMissing, Parameter};
pub use level::{Level, alike};
pub use limits::MAX_BYTES;
pub use live_number::LiveNumber;
pub use load::{LoadError, Loaded, load, load_str};
pub use loader::Loader;
pub use model_diagram::{ImportBase, ModelDiagram};
pub use nearby::nearest_file;
pub use node::Position;
pub use notes::{FileNote, condensed};
pub use number_at::{NoNumber, number_at, with_entries, with_numbers};
pub use operator::OperatorSignal;
pub use overrides::Override;
pub use parameters::FileParameter;
pub use port_name::PortName;
pub use quantity::{in_one_unit, number_in, with_unit};
pub use schema::controlled_outputs::OutputAccuracy;
pub use schema::diagram::{DiagramFile, GraphSpec, NestedFile, VERSION};
pub use schema::exports::{ExportSpec, ExportsSpec};
pub use schema::fit::FitSpec;
pub use schema::gradient::GradientSpec;
pub use schema::nested::Nested;
pub use schema::record::RecordSpec;
pub use schema::requirements::{Asks, ChannelName, Limit, LimitRows, RequirementSpec, When};
pub use schema::simulation::SimulationSpec;
pub use schema::system::NamedSystem;
pub use schema::written::Written;
pub use schema::{controlled_outputs, wiring};
pub use text_file::read_text;
pub use trim::{TrimName, TrimSpec};
