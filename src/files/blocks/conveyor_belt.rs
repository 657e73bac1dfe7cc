//! `type: conveyor_belt`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, Number, POSITIVE, Reader, SystemSpec, WithDefault, needs, recipe, with_default,
};
use kinegraph_systems::machines::ConveyorBelt;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "conveyor_belt",
    group: Group::Machines,
    about: "the drive of a belt: speed within a largest acceleration",
    example: "drive: {type: conveyor_belt, acceleration: 2}",
    files: &[],
    read,
};

const ACCELERATION: Needs<Number> = needs("acceleration", POSITIVE, "the largest one [m/s²]");
const TIME_CONSTANT: WithDefault<Number> = with_default("time_constant", POSITIVE, 0.02, "of the speed control [s]");
const INITIAL_SPEED: WithDefault<Number> = with_default("initial_speed", NUMBER, 0.0, "speed at the start [m/s]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let acceleration = r.get(&ACCELERATION);
    let time_constant = r.get(&TIME_CONSTANT);
    let initial_speed = r.get(&INITIAL_SPEED);
    let acceleration = acceleration?;
    recipe(move || ConveyorBelt::new(initial_speed, acceleration, time_constant))
}
