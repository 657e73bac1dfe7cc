//! The condition on which a nested diagram runs: `enabled`, `triggered` or `reset`, each with its signal.

use super::decode::Choice;
use super::node::Position;
use super::parameter::{Optional, optional};
use super::port_name::{PortName, SignalName};
use super::reader::Reader;

use kinegraph_core::port::Crossing;
use kinegraph_diagram::{HeldAs, States, When};

/// A condition and the output that has its signal.
#[derive(Clone, Debug)]
pub struct RunCondition {
    /// The condition.
    pub when: When,
    /// The output.
    pub signal: PortName,
    /// Place where it is named.
    pub at: Position,
}

const SIGNAL: SignalName = SignalName { about: "an output with a logical signal, such as `mode.is_hold`" };
const ENABLED: Optional<SignalName> =
    optional("enabled", SIGNAL, "always", "output that lets the diagram run while it is above 0.5");
const TRIGGERED: Optional<SignalName> = optional(
    "triggered",
    SIGNAL,
    "by their periods",
    "output at whose edges its sampled blocks are updated; its outputs change there only",
);
const RESET: Optional<SignalName> =
    optional("reset", SIGNAL, "never", "output at whose edges all its states begin anew");
const WHEN_DISABLED: Optional<Choice<States>> = optional(
    "when_disabled",
    Choice { what: "treatment of states", options: &[("hold", States::Hold), ("reset", States::Reset)] },
    "hold",
    "with `enabled`: states go on from where they stood still, or begin anew",
);
const OUTPUTS: Optional<Choice<HeldAs>> = optional(
    "outputs",
    Choice { what: "treatment of outputs", options: &[("hold", HeldAs::Last), ("default", HeldAs::Zero)] },
    "hold",
    "with `enabled`: outputs keep their last values while it is not true, or are zero",
);
const ON: Optional<Choice<Crossing>> = optional(
    "on",
    Choice {
        what: "edge",
        options: &[("rising", Crossing::Rising), ("falling", Crossing::Falling), ("either", Crossing::Either)],
    },
    "rising",
    "with `triggered` and `reset`: the edge of the signal that counts, across 0.5",
);

/// Reads the keys of a condition; `None` without one, or after a fault was recorded.
pub(super) fn read(r: &mut Reader<'_>) -> Option<RunCondition> {
    let signals = [("enabled", r.get(&ENABLED)), ("triggered", r.get(&TRIGGERED)), ("reset", r.get(&RESET))];
    let (states, outputs, on) = (r.get(&WHEN_DISABLED), r.get(&OUTPUTS), r.get(&ON));
    let given: Vec<&str> = ["enabled", "triggered", "reset"].into_iter().filter(|key| r.has(key)).collect();
    if let [first, second, ..] = given[..] {
        r.conflict(second, format!("`{first}` is given too: nest one diagram in another to have both"));
        return None;
    }
    let is_enabled = given == ["enabled"];
    for (key, belongs, to) in [
        ("when_disabled", is_enabled, "`enabled`"),
        ("outputs", is_enabled, "`enabled`"),
        ("on", !given.is_empty() && !is_enabled, "`triggered` or `reset`"),
    ] {
        if r.has(key) && !belongs {
            r.conflict(key, format!("it belongs to {to}, which is not given"));
        }
    }
    let (key, signal) = signals.into_iter().find_map(|(key, signal)| Some((key, signal?)))?;
    let on = on.unwrap_or(Crossing::Rising);
    let when = match key {
        "enabled" => When::Enabled(states.unwrap_or_default(), outputs.unwrap_or_default()),
        "triggered" => When::Triggered(on),
        _ => When::Reset(on),
    };
    Some(RunCondition { when, signal, at: r.at_key(key) })
}
