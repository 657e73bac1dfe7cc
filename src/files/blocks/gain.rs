//! `type: gain`.

use super::width;
use crate::files::decode::{NUMBER, PerElement, ScalarOrList};
use crate::files::reader::Reader;
use crate::files::registry::{BlockSpec, BlockType, SystemSpec};

/// Each input times its factor.
#[derive(Clone, Debug)]
pub struct Gain {
    /// The factors.
    pub gain: PerElement,
    /// Number of signals in parallel.
    pub width: usize,
}

/// The registry entry.
pub const TYPE: BlockType = BlockType { name: "gain", about: "multiplies each input by a factor", read };

impl BlockSpec for Gain {
    fn type_name(&self) -> &'static str {
        TYPE.name
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let gain = r.required("gain", ScalarOrList(NUMBER));
    let width = width(r, &[("gain", gain.as_ref())]);
    Some(Box::new(Gain { gain: gain?, width }))
}
