//! Parameters of a diagram file: numbers with names, and formulas of them in place of values.
//!
//! ```text
//! parameters: {m: 2 kg, w: "=2*pi/$m"}      declared (declared.rs), set from outside (set.rs), valued (table.rs)
//! kp: $w, ki: "=3*$w"                       in place of values (substitute.rs)
//! row: {type: diagram, repeat: 10, …}       row[0] … row[9], each with its `$index` (substitute.rs)
//! ```
//!
//! All of it changes the tree of the file before the values of blocks are read, so that every value may be a formula. A
//! fault of a value says which formula made it, and the `set` of which files led there (`Derivations`).

mod declared;
mod keys;
mod listed;
mod set;
mod substitute;
mod table;
mod written;

pub(crate) use keys::{MAX_COPIES, PARAMETERS};
pub use listed::FileParameter;
pub(crate) use set::{GIVEN, GivenNumber, SetFrom};
pub(crate) use written::{declared_number, keep_unit};

use crate::loader::Loader;
use crate::node::Node;

/// Replaces `$name` and formulas in `tree` by their values and repeated diagrams by their copies; `set` are the values
/// that the file around this one sets. Returns the parameters.
pub(crate) fn evaluate(tree: &mut Node, loader: &Loader, set: Option<&SetFrom<'_>>) -> Vec<FileParameter> {
    let declared = declared::read(tree.get(PARAMETERS), loader);
    let mut table = table::Table::new(declared, loader);
    if let Some(set) = set {
        table.set_from(set);
    }
    table.find_values();
    substitute::substitute(tree, &mut table);
    table.note_unused();
    table.listed()
}
