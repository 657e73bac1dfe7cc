//! `type: integrator`.

use crate::form::{
    BlockType, Choice, Group, Key, NUMBER, Optional, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault,
    optional, recipe, with_default,
};
use kinegraph_core::port::Crossing;
use kinegraph_systems::dynamics::{Integrator, IntegratorSettings, Restart};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "integrator",
    group: Group::Dynamics,
    about: "integrates each input over time, within limits if they are given",
    example: "position: {type: integrator, initial: [0, 1]}",
    files: &[],
    read,
};

const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "integral at the start [any]");
const LOWER: Optional<ScalarOrList> = optional("lower", ScalarOrList(NUMBER), "none", "smallest integral [any]");
const UPPER: Optional<ScalarOrList> = optional("upper", ScalarOrList(NUMBER), "none", "largest integral [any]");
const RESET: WithDefault<Choice<Option<Crossing>>> = with_default(
    "reset",
    Choice {
        what: "reset",
        options: &[
            ("none", None),
            ("rising", Some(Crossing::Rising)),
            ("falling", Some(Crossing::Falling)),
            ("either", Some(Crossing::Either)),
        ],
    },
    None,
    "an input `reset` that starts the integral anew when it crosses zero `rising`, `falling` or `either` way",
);
const RESET_TO: WithDefault<Choice<bool>> = with_default(
    "reset_to",
    Choice { what: "value", options: &[("initial", false), ("input", true)] },
    false,
    "what it starts anew from: its `initial` value, or from the `input` named `reset_value`",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let initial = r.get(&INITIAL);
    let (lower, upper) = (r.get(&LOWER), r.get(&UPPER));
    let (reset, from_input) = (r.get(&RESET), r.get(&RESET_TO));
    if from_input && reset.is_none() {
        r.conflict(RESET_TO, "there is no reset: say when, `reset: rising`, `falling` or `either`");
    }
    let reset = reset.map(|on| Restart { on, from_input });
    let width = r.width();
    let settings = IntegratorSettings { lower, upper, reset };
    recipe(move || Integrator::with(initial.clone().expand(INITIAL.key(), width)?, settings.clone()))
}
