//! `type: pid_2dof`.

use super::pid_settings::{gains, settings};
use crate::form::{
    BlockType, Flag, Group, NUMBER, Optional, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault,
    optional, recipe, with_default,
};
use kinegraph_systems::control::{Pid2Dof, SetpointWeights};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "pid_2dof",
    group: Group::Controllers,
    about: "a PID controller with setpoint weights and a manual mode with bumpless transfer",
    example: "position_loop: {type: pid_2dof, kp: 60, ki: 40, kd: 15, b: 0.6, manual: false}",
    files: &[],
    read,
};

const B: WithDefault<ScalarOrList> = with_default(
    "b",
    ScalarOrList(NUMBER),
    PerChannel::All(1.0),
    "weight of the reference in the proportional part kp (b r - y)",
)
.live();
const C: WithDefault<ScalarOrList> = with_default(
    "c",
    ScalarOrList(NUMBER),
    PerChannel::All(0.0),
    "weight of the reference in the derivative part, kd times the rate of c r - y",
)
.live();
const MANUAL: WithDefault<Flag> = with_default(
    "manual",
    Flag,
    false,
    "`true`: inputs `manual` and `track`; while the first is above 0.5, the effort is the second",
);
const DERIVATIVE_FILTER: Optional<ScalarOrList> = optional(
    "derivative_filter",
    ScalarOrList(POSITIVE),
    "kd/(10 kp)",
    "time constant of the low-pass on the rate [s]",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let gains = gains(r);
    let weights = SetpointWeights { b: r.get(&B), c: r.get(&C) };
    let has_manual = r.get(&MANUAL);
    let (settings, width) = settings(r, gains, &DERIVATIVE_FILTER);
    let settings = settings?;
    recipe(move || Pid2Dof::new(width, settings.clone(), weights.clone(), has_manual))
}
