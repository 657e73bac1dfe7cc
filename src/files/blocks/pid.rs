//! `type: pid`.

use super::pid_settings::{KP, gains, settings};
use crate::form::{
    BlockType, Choice, Group, Optional, POSITIVE, Reader, ScalarOrList, SystemSpec, WithDefault, optional, recipe,
    with_default,
};
use kinegraph_core::parameter::ParameterError;
use kinegraph_systems::control::{Pid, PidOnError};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "pid",
    group: Group::Controllers,
    about: "proportional, integral and derivative feedback per coordinate",
    example: "pid: {type: pid, kp: 60, ki: 40, kd: 15}",
    files: &[],
    read,
};

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

/// Inputs of the controller.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Input {
    /// Measured and desired positions with their rates.
    State,
    /// The error alone.
    Error,
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let gains = gains(r);
    let input = r.get(&INPUT);
    let (settings, width) = settings(r, gains, &DERIVATIVE_FILTER);
    let (settings, units) = (settings?, r.units(KP));
    match input {
        Input::State => recipe(move || {
            let block = Pid::with(width, settings.clone())?;
            Ok::<_, ParameterError>(match &units {
                Some(units) => block.in_units(units.clone()),
                None => block,
            })
        }),
        Input::Error => recipe(move || PidOnError::new(width, settings.clone())),
    }
}
