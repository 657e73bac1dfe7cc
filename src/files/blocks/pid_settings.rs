//! Parameters that the PID blocks share.

use crate::form::{
    Choice, NUMBER, Needs, Optional, POSITIVE, PerChannel, Reader, ScalarOrList, WithDefault, needs, optional,
    with_default,
};
use kinegraph_systems::control::{AntiWindup, PidSettings};

const GAIN: ScalarOrList = ScalarOrList(NUMBER);
pub(super) const KP: Needs<ScalarOrList> =
    needs("kp", GAIN, "gain on the error, for all signals or one each [any]").live();
const KI: WithDefault<ScalarOrList> =
    with_default("ki", GAIN, PerChannel::All(0.0), "gain on the integral of the error [1/s]").live();
const KD: WithDefault<ScalarOrList> =
    with_default("kd", GAIN, PerChannel::All(0.0), "gain on the rate of the error [any]").live();
const LOWER: Optional<ScalarOrList> = optional("lower", ScalarOrList(NUMBER), "none", "smallest effort [any]").live();
const UPPER: Optional<ScalarOrList> = optional("upper", ScalarOrList(NUMBER), "none", "largest effort [any]").live();
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

/// The choices of `anti_windup`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Windup {
    BackCalculation,
    Clamping,
    Unprotected,
}

/// Gains as they are read.
pub(super) struct Gains {
    kp: Option<PerChannel>,
    ki: PerChannel,
    kd: PerChannel,
}

/// Reads the gains.
pub(super) fn gains(r: &mut Reader<'_>) -> Gains {
    let (kp, ki, kd) = (r.get(&KP), r.get(&KI), r.get(&KD));
    Gains { kp, ki, kd }
}

/// Reads derivative filter, limits and anti-windup, and the number of signals.
pub(super) fn settings(
    r: &mut Reader<'_>,
    gains: Gains,
    derivative_filter: &Optional<ScalarOrList>,
) -> (Option<PidSettings>, usize) {
    let derivative_filter = r.get(derivative_filter);
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
    let Gains { kp, ki, kd } = gains;
    let settings = kp.map(|kp| PidSettings { kp, ki, kd, derivative_filter, lower, upper, anti_windup });
    (settings, width)
}
