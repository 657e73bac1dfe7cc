//! `type: variable_delay`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, Number, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault,
    needs, recipe, with_default,
};
use crate::node::show_number;
use kinegraph_systems::dynamics::VariableDelay;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "variable_delay",
    group: Group::Dynamics,
    about: "its input some time ago, the time being an input",
    example: "link: {type: variable_delay, longest: 0.2, period: 0.01}",
    files: &[],
    read,
};

const LONGEST: Needs<Number> = needs("longest", POSITIVE, "longest delay that the input `delay` may ask for [s]");
const PERIOD: Needs<Number> =
    needs("period", POSITIVE, "time between the samples that it keeps; the shortest delay [s]");
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "input before the start [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (longest, period) = (r.get(&LONGEST), r.get(&PERIOD));
    let initial = r.get(&INITIAL);
    let width = r.width();
    let (longest, period) = (longest?, period?);
    if period > longest {
        let message =
            format!("{} s is longer than the longest delay of {} s", show_number(period), show_number(longest));
        r.conflict(PERIOD, message);
    }
    recipe(move || VariableDelay::new(width, longest, period, initial.clone()))
}
