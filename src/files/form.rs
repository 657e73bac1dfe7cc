//! Everything needed to write the form of a block in diagram files: its parameters, how they are read, and how the
//! block is built from them.

pub use super::block_type::{BlockSpec, BlockType, Group, Site, SystemSpec, recipe};
pub use super::decode::{
    AT_LEAST_ONE, Choice, Count, FRACTION, FileName, Flag, MODEL_FILE, NON_NEGATIVE, NUMBER, Name, Number, POSITIVE,
    Text, UNIT, UPPER_HALF, WHOLE,
};
pub use super::fault::FaultKind;
pub use super::item::{Decode, Item, Parameter, Print};
pub use super::lists::{ListOf, MapOf, Named, Placed, ScalarOrList, Vector};
pub use super::loader::Loader;
pub use super::matrix::Matrix;
pub use super::node::{Node, Position, Value};
pub use super::parameter::{Key, Needs, Optional, WithDefault, needs, optional, with_default};
pub use super::reader::Reader;
pub use super::section::Section;
pub use super::width::{MAX_WIDTH, NamesWithWidths, WIDTH};
pub use kinegraph_core::parameter::PerChannel;
