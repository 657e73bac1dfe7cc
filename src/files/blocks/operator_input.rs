//! `type: operator_input`.

use crate::form::{
    BlockSpec, BlockType, Count, Group, ListOf, NON_NEGATIVE, NUMBER, Name, Needs, Number, Optional, PerChannel,
    Reader, ScalarOrList, Section, Site, SystemSpec, Text, WithDefault, needs, optional, with_default,
};
use crate::operator::OperatorSignal;
use kinegraph_core::ErasedSystem;
use kinegraph_systems::sources::OperatorInput;
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "operator_input",
    group: Group::Sources,
    about: "what a person decides at a gamepad or by keys, on the page of a live run; zero in every other run",
    example: "stick: {type: operator_input, scale: [0.5, 1], dead_zone: 0.1, signals: [{name: forward, axis: 2, keys: [ArrowDown, ArrowUp]}, {name: grip, button: 1, keys: [Space]}]}",
    files: &[],
    read,
};

const SIGNALS: Needs<ListOf<Section<OperatorSignal>>> = needs(
    "signals",
    ListOf {
        each: Section { about: "a signal, such as `{name: turn, axis: 1, keys: [a, d]}`", read: read_signal },
        about: "a list of signals",
    },
    "one number each, from -1 to 1",
);
const SCALE: WithDefault<ScalarOrList> =
    with_default("scale", ScalarOrList(NUMBER), PerChannel::All(1.0), "what a signal of 1 gives [any]").live();
const DEAD_ZONE: WithDefault<Number> =
    with_default("dead_zone", NON_NEGATIVE, 0.1, "deflections of a stick below this give zero, of 1").live();

const NAME: Needs<Name> = needs("name", Name, "its name");
const LIMIT: Count = Count { limit: 64 };
const AXIS: Optional<Count> = optional("axis", LIMIT, "none", "number of an axis of the gamepad, from 1");
const BUTTON: Optional<Count> = optional("button", LIMIT, "none", "number of a button of the gamepad, from 1: 0 to 1");
const KEYS: Optional<ListOf<Text>> = optional(
    "keys",
    ListOf {
        each: Text { about: "the name of a key, such as `a`, `Space`, `ArrowUp`" },
        about: "the key of 1, or those of -1 and 1",
    },
    "none",
    "keys of the page: `[KEY]` for 1, `[KEY, KEY]` for -1 and 1",
);

fn read_signal(r: &mut Reader<'_>) -> Option<OperatorSignal> {
    let (name, axis, button, keys) = (r.get(&NAME), r.get(&AXIS), r.get(&BUTTON), r.get(&KEYS));
    let keys = keys.unwrap_or_default();
    if keys.len() > 2 || (keys.is_empty() && r.has(KEYS)) {
        r.wrong(KEYS, "one key or two", format!("{} keys", keys.len()));
    }
    if !r.has(AXIS) && !r.has(BUTTON) && !r.has(KEYS) {
        r.wrong(NAME, "an `axis`, a `button` or `keys` that move it", "none");
    }
    Some(OperatorSignal { name: name?, axis, button, keys })
}

/// Parameters of the block.
#[derive(Clone, Debug)]
struct Form {
    signals: Vec<OperatorSignal>,
    scale: PerChannel,
    dead_zone: f64,
}

impl BlockSpec for Form {
    fn operator(&self) -> &[OperatorSignal] {
        &self.signals
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let names: Vec<String> = self.signals.iter().map(|signal| signal.name.clone()).collect();
        site.built(OperatorInput::new(&names, self.scale.clone(), self.dead_zone))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (signals, scale, dead_zone) = (r.get(&SIGNALS), r.get(&SCALE), r.get(&DEAD_ZONE));
    Some(Box::new(Form { signals: signals?, scale, dead_zone }))
}
