//! `type: pid`.

use crate::form::{
    BlockType, Choice, Group, NUMBER, Needs, Optional, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec,
    WithDefault, needs, optional, recipe, with_default,
};
use kinegraph_systems::control::{AntiWindup, Pid, PidOnError, PidSettings};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "pid",
    group: Group::Controllers,
    about: "proportional, integral and derivative feedback per coordinate",
    example: "pid: {type: pid, kp: 60, ki: 40, kd: 15}",
    files: &[],
    read,
};

const GAIN: ScalarOrList = ScalarOrList(NUMBER);
const KP: Needs<ScalarOrList> = needs("kp", GAIN, "gain on the error, for all signals or one each").live();
const KI: WithDefault<ScalarOrList> =
    with_default("ki", GAIN, PerChannel::All(0.0), "gain on the integral of the error [1/s]").live();
const KD: WithDefault<ScalarOrList> =
    with_default("kd", GAIN, PerChannel::All(0.0), "gain on the rate of the error [s]").live();
const INPUT: WithDefault<Choice<Input>> = with_default(
    "input",
    Choice { what: "input", options: &[("state", Input::State), ("error", Input::Error)] },
    Input::State,
    "`state`: positions and rates, measured and desired; `error`: the error alone",
);
const DERIVATIVE_FILTER: Optional<ScalarOrList> = optional(
    "derivative_filter",
    ScalarOrList(POSITIVE),
    "none; kd/(10 kp) with `input: error`",
    "time constant of the low-pass on the rate [s]",
);
const LOWER: Optional<ScalarOrList> = optional("lower", ScalarOrList(NUMBER), "none", "smallest effort").live();
const UPPER: Optional<ScalarOrList> = optional("upper", ScalarOrList(NUMBER), "none", "largest effort").live();
const ANTI_WINDUP: WithDefault<Choice<Windup>> = with_default(
    "anti_windup",
    Choice {
        what: "protection against windup",
        options: &[
            ("back_calculation", Windup::BackCalculation),
            ("clamping", Windup::Clamping),
            ("none", Windup::Unprotected),
        ],
    },
    Windup::BackCalculation,
    "at a limit: `back_calculation` draws the integral back so that the effort returns to the limit with the tracking time; \
     `clamping` stops the integral; `none`",
);
const TRACKING_TIME: Optional<ScalarOrList> =
    optional("tracking_time", ScalarOrList(POSITIVE), "kp/ki", "how fast back calculation draws the integral back [s]");

/// Inputs of the controller.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Input {
    /// Measured and desired positions with their rates.
    State,
    /// The error alone.
    Error,
}

/// The choices of `anti_windup`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Windup {
    BackCalculation,
    Clamping,
    Unprotected,
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (kp, ki, kd) = (r.get(&KP), r.get(&KI), r.get(&KD));
    let input = r.get(&INPUT);
    let derivative_filter = r.get(&DERIVATIVE_FILTER);
    let (lower, upper) = (r.get(&LOWER), r.get(&UPPER));
    let windup = r.get(&ANTI_WINDUP);
    let tracking_time = r.get(&TRACKING_TIME);
    let width = r.width();
    if tracking_time.is_some() && windup != Windup::BackCalculation {
        r.conflict(TRACKING_TIME, "only `anti_windup: back_calculation` has a tracking time");
    }
    // Windup occurs only where there are limits.
    let is_limited = lower.is_some() || upper.is_some();
    let anti_windup = match windup {
        Windup::BackCalculation if is_limited => AntiWindup::BackCalculation(tracking_time),
        Windup::Clamping if is_limited => AntiWindup::Clamping,
        _ => AntiWindup::Off,
    };
    let settings = PidSettings { kp: kp?, ki, kd, derivative_filter, lower, upper, anti_windup };
    match input {
        Input::State => recipe(move || Pid::with(width, settings.clone())),
        Input::Error => recipe(move || PidOnError::new(width, settings.clone())),
    }
}
