//! `type: waypoints`.

use crate::form::{
    BlockType, Group, ListOf, NON_NEGATIVE, NUMBER, Needs, Number, Optional, POSITIVE, Reader, ScalarOrList,
    SystemSpec, WithDefault, needs, optional, recipe, with_default,
};
use kinegraph_systems::sources::{WaypointSettings, Waypoints};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "waypoints",
    group: Group::Sources,
    about: "the fastest path from waypoint to waypoint within limits of velocity, acceleration and jerk",
    example: "tour: {type: waypoints, points: [[0, 0], [0.5, -1]], velocity: 1, acceleration: 4, jerk: 40, dwell: 0.1}",
    files: &[],
    read,
};

const POINTS: Needs<ListOf<ListOf<Number>>> = needs(
    "points",
    ListOf {
        each: ListOf { each: NUMBER, about: "the numbers of one waypoint" },
        about: "a list with the numbers of each waypoint",
    },
    "numbers at each waypoint, at which the path rests [any]",
);
const VELOCITY: Needs<ScalarOrList> =
    needs("velocity", ScalarOrList(POSITIVE), "largest velocity, for all signals or one each [1/s]");
const ACCELERATION: Needs<ScalarOrList> = needs("acceleration", ScalarOrList(POSITIVE), "largest acceleration [1/s²]");
const JERK: Optional<ScalarOrList> = optional("jerk", ScalarOrList(POSITIVE), "no limit", "largest jerk [1/s³]");
const START: WithDefault<Number> =
    with_default("start", NUMBER, 0.0, "time at which the path leaves the first waypoint [s]");
const DWELL: WithDefault<Number> =
    with_default("dwell", NON_NEGATIVE, 0.0, "rest at each waypoint between the first and the last [s]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let points = r.get(&POINTS);
    let (velocity, acceleration, jerk) = (r.get(&VELOCITY), r.get(&ACCELERATION), r.get(&JERK));
    let (start, dwell) = (r.get(&START), r.get(&DWELL));
    let (points, velocity, acceleration) = (points?, velocity?, acceleration?);
    let settings = WaypointSettings { velocity, acceleration, jerk, start, dwell };
    recipe(move || Waypoints::new(&points, settings.clone()))
}
