//! `type: thermal`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, needs,
    recipe, with_default,
};
use kinegraph_systems::dynamics::Thermal;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "thermal",
    group: Group::Dynamics,
    about: "the temperature of a thermal mass that loses heat through a resistance",
    example: "winding: {type: thermal, capacity: 50, resistance: 2, initial: 20}",
    files: &[],
    read,
};

const CAPACITY: Needs<ScalarOrList> = needs("capacity", ScalarOrList(POSITIVE), "heat per temperature [J/K]");
const RESISTANCE: Needs<ScalarOrList> =
    needs("resistance", ScalarOrList(POSITIVE), "temperature over `ambient` per heat that flows out [K/W]");
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "temperature at the start [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (capacity, resistance, initial) = (r.get(&CAPACITY), r.get(&RESISTANCE), r.get(&INITIAL));
    let width = r.width();
    let (capacity, resistance) = (capacity?, resistance?);
    recipe(move || Thermal::new(width, capacity.clone(), resistance.clone(), initial.clone()))
}
