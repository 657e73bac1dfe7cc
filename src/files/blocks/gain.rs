//! `type: gain`.

use crate::form::{BlockType, Group, NUMBER, Needs, Reader, ScalarOrList, SystemSpec, needs, recipe};
use kinegraph_core::parameter::ParameterError;
use kinegraph_systems::operators::Gain;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "gain",
    group: Group::Operators,
    about: "multiplies each input by a factor",
    example: "scale: {type: gain, gain: [2, 0.5]}",
    files: &[],
    read,
};

const GAIN: Needs<ScalarOrList> =
    needs("gain", ScalarOrList(NUMBER), "factor of all signals, or one each [any]").live();

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let gain = r.get(&GAIN);
    let width = r.width();
    let (gain, units) = (gain?, r.units(GAIN));
    recipe(move || {
        let block = Gain::new(width, gain.clone())?;
        Ok::<_, ParameterError>(match &units {
            Some(units) => block.in_units(units.clone()),
            None => block,
        })
    })
}
