//! The parameters of a plant.

use super::belt::{self, BeltSpec};
use super::collisions::CollisionsOf;
use super::constraint::{self, ConstraintSpec};
use super::contact::{self, Contact};
use super::element::{JointOf, JointRef, ModelElement};
use super::fibre::{self, FibreSpec};
use super::hydroelastic;
use super::model::{self, ModelSpec};
use super::spec::{JointState, MultibodyPlant, Spring};
use super::stops;
use crate::blocks::gravity::gravity;
use crate::form::{
    Decode, FaultKind, Item, ListOf, MapOf, NON_NEGATIVE, NUMBER, Needs, Number, Optional, POSITIVE, Parameter, Reader,
    Section, SystemSpec, Value, Vector, WithDefault, needs, optional, with_default,
};
use crate::names::Names;
use crate::parameter::Declaration;
use crate::quantity;
use kinegraph_core::sizes::of_declaration;
use kinegraph_multibody::plant::{CORRECTION_SPEED as DEFAULT_CORRECTION_SPEED, StopLaw};

pub(super) const GRAVITY: WithDefault<Vector<3>> =
    gravity("in world axes [m/s²]; that of an MJCF file, where there is one");
const CONTACT: Optional<Section<Contact>> =
    optional("contact", contact::SECTION, "that of its keys", "the contact law of every pair of shapes").live();
const GROUND: Optional<Section<f64>> = optional(
    "ground",
    Section { about: "the ground, such as `{height: 0}`", read: |r| Some(r.get(&HEIGHT)) },
    "none",
    "a half-space that nothing moves",
);
const HEIGHT: WithDefault<Number> = with_default("height", NUMBER, 0.0, "it is below this z [m]");
pub(super) const MODELS: Needs<ListOf<Section<ModelSpec>>> = needs(
    "models",
    ListOf { each: model::SECTION, about: "a list of models" },
    "bodies with joints, each from a URDF, SDFormat or MJCF file",
);
pub(super) const FIBRES: Optional<ListOf<Section<FibreSpec>>> = optional(
    "fibres",
    ListOf { each: fibre::SECTION, about: "a list of fibres" },
    "none",
    "ropes, cables, strips and rings: chains of nodes `n0`, `n1`, … with a beam between each two",
);
pub(super) const INITIAL: Optional<MapOf<MapOf<StateOfJoint>>> = optional(
    "initial",
    MapOf {
        each: MapOf { each: StateOfJoint, about: "joints with their states" },
        about: "models with the states of their joints",
    },
    "zeros",
    "positions of joints at the start, `{MODEL: {JOINT: 0.1}}`, or positions and velocities, `{MODEL: {JOINT: {q: 0.1, \
     v: 0}}}`",
);
pub(super) const SPRINGS: Optional<ListOf<Section<Spring>>> = optional(
    "springs",
    ListOf {
        each: Section {
            about: "a spring, such as `{joint: hand/finger, stiffness: 1000, rest: 0}`",
            read: read_spring,
        },
        about: "a list of springs",
    },
    "none",
    "forces `-stiffness (q - rest)` on joints",
);
pub(super) const BELTS: Optional<ListOf<Section<BeltSpec>>> = optional(
    "belts",
    ListOf { each: belt::SECTION, about: "a list of belts" },
    "none",
    "surfaces that move; each has an `axis` or a `direction`",
);
pub(super) const COLLISIONS: Optional<MapOf<CollisionsOf>> = optional(
    "collisions",
    MapOf { each: CollisionsOf, about: "models with what they collide with" },
    "all",
    "what each model collides with: `{MODEL: all}`, `ground_only`, `none`, or a map",
);
pub(super) const CONSTRAINTS: Optional<ListOf<Section<ConstraintSpec>>> = optional(
    "constraints",
    ListOf { each: constraint::SECTION, about: "a list of constraints" },
    "none",
    "what holds links together, and joints",
);
pub(super) const LOCKED: Optional<ListOf<JointOf>> = optional(
    "locked",
    constraint::JOINT_LIST,
    "none",
    "`MODEL/JOINT` (a floating base by the name of its link) of what stands still to the last bit, unless its input \
     `MODEL.JOINT.lock` says otherwise",
);
pub(super) const LOCKABLE: Optional<ListOf<JointOf>> = optional(
    "lockable",
    constraint::JOINT_LIST,
    "none",
    "the same for joints that move unless that input says otherwise",
);
pub(super) const STOPS: Optional<MapOf<MapOf<Section<StopLaw>>>> = optional(
    "stops",
    MapOf {
        each: MapOf { each: stops::SECTION, about: "joints with the law of their stops" },
        about: "models with the stops of their joints",
    },
    "rigid, without restitution",
    "how joints meet their limits: `{MODEL: {JOINT: {restitution: 0.5}}}` or `{MODEL: {JOINT: {stiffness: 1e5}}}`",
);
const CORRECTION_SPEED: WithDefault<Number> = with_default(
    "correction_speed",
    POSITIVE,
    DEFAULT_CORRECTION_SPEED,
    "largest speed at which joint limits and rigid constraints remove a violation [m/s, rad/s]; a pose far off its \
     constraints returns instead of being thrown",
);

pub(super) fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let gravity = r.get(&GRAVITY);
    let gravity = r.has(GRAVITY).then_some(gravity);
    let contact = r.get(&CONTACT).unwrap_or_default();
    let hydroelastic = r.get(&hydroelastic::SHAPES).unwrap_or_default();
    let ground = r.get(&GROUND);
    let models = r.get(&MODELS);
    let fibres = r.get(&FIBRES).unwrap_or_default();
    let initial = r.get(&INITIAL).unwrap_or_default();
    let springs = r.get(&SPRINGS).unwrap_or_default();
    let belts = r.get(&BELTS).unwrap_or_default();
    let collisions = r.get(&COLLISIONS).unwrap_or_default();
    let constraints = r.get(&CONSTRAINTS).unwrap_or_default();
    let locked = r.get(&LOCKED).unwrap_or_default();
    let lockable = r.get(&LOCKABLE).unwrap_or_default();
    let stops = r.get(&STOPS).unwrap_or_default();
    let correction_speed = r.get(&CORRECTION_SPEED);

    let models = models?;
    if models.is_empty() && fibres.is_empty() && !r.has(FIBRES) {
        r.wrong(MODELS, "at least one model", "an empty list");
    }
    model::check(r, MODELS, &models);
    let of_models: Names = models.iter().map(|m| m.name.as_str()).collect();
    fibre::check(r, FIBRES, &fibres, &of_models);
    let of_fibres = fibres.iter().map(|f| f.fibre.name.as_str());
    let names: Names = models.iter().map(|m| m.name.as_str()).chain(of_fibres).collect();
    let loader = r.loader();
    for one in &initial {
        names.check(&one.name, "model", || r.path_of(INITIAL), one.at, loader);
    }
    for one in &stops {
        names.check(&one.name, "model", || r.path_of(STOPS), one.at, loader);
    }
    for one in &collisions {
        names.check(&one.name, "model", || r.path_of(COLLISIONS), one.at, loader);
    }
    for spring in &springs {
        names.check(&spring.model, "model", || r.path_of(SPRINGS), spring.at, loader);
    }
    for (i, belt) in belts.iter().enumerate() {
        let path = || format!("{}[{i}]", r.path_of(BELTS));
        match &belt.link {
            Some((model, _)) => names.check(model, "model", path, belt.at, loader),
            None if ground.is_none() => {
                let message = "the plant has no `ground`".into();
                r.report(belt.at, FaultKind::Conflict { path: path(), message });
            }
            None => {}
        }
        if belts[..i].iter().any(|other| other.name == belt.name) {
            let message = format!("an earlier belt is named `{}` too", belt.name);
            r.report(belt.at, FaultKind::Conflict { path: path(), message });
        }
    }
    constraint::check(r, CONSTRAINTS, &constraints, &names);
    check_locks(r, [(&LOCKED, &locked), (&LOCKABLE, &lockable)], &names);
    Some(Box::new(MultibodyPlant {
        gravity,
        contact,
        hydroelastic,
        ground,
        models,
        fibres,
        initial,
        springs,
        belts,
        collisions,
        constraints,
        locked,
        lockable,
        stops,
        correction_speed,
    }))
}

const Q: WithDefault<Number> = with_default("q", NUMBER, 0.0, "position [rad, m]");
const V: WithDefault<Number> = with_default("v", NUMBER, 0.0, "velocity [rad/s, m/s]");

/// `{q, v}`, or the position alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateOfJoint;

impl StateOfJoint {
    const SECTION: Section<JointState> =
        Section { about: "a joint's state, such as `0.1` or `{q: 0.1, v: 0}`", read: read_joint_state };
}

impl Decode for StateOfJoint {
    type Output = JointState;
    fn expects(&self) -> String {
        Self::SECTION.expects()
    }
    fn decode(&self, item: Item<'_>) -> Option<JointState> {
        match &item.node.value {
            value if matches!(value, Value::Number(_)) || quantity::is_written(value) => {
                let ranges = &of_declaration(Q.about());
                NUMBER.decode(Item { ranges, ..item }).map(|q| JointState { q, v: V.default() })
            }
            _ => Self::SECTION.decode(item),
        }
    }
    fn keys(&self) -> Vec<Parameter> {
        Self::SECTION.keys()
    }
}

fn read_joint_state(r: &mut Reader<'_>) -> Option<JointState> {
    let (q, v) = (r.get(&Q), r.get(&V));
    Some(JointState { q, v })
}

pub(super) const JOINT: Needs<ModelElement> = needs("joint", ModelElement { what: "joint" }, "`MODEL/JOINT`");
const STIFFNESS: Needs<Number> = needs("stiffness", NON_NEGATIVE, "force per displacement [N m/rad, N/m]");
const REST_POSITION: WithDefault<Number> = with_default("rest", NUMBER, 0.0, "position without force [rad, m]");

fn read_spring(r: &mut Reader<'_>) -> Option<Spring> {
    let (joint, stiffness, rest) = (r.get(&JOINT), r.get(&STIFFNESS), r.get(&REST_POSITION));
    let at = r.at_key(JOINT);
    let (model, joint) = joint?;
    Some(Spring { model, joint, at, stiffness: stiffness?, rest })
}

/// Checks that the models of joints exist and that no joint is listed twice.
fn check_locks(r: &Reader<'_>, locks: [(&Optional<ListOf<JointOf>>, &[JointRef]); 2], models: &Names<'_>) {
    let mut seen = Vec::new();
    for (key, joint) in locks.iter().flat_map(|(key, joints)| joints.iter().map(move |joint| (*key, joint))) {
        models.check(&joint.model, "model", || r.path_of(key), joint.at, r.loader());
        if seen.contains(&(&joint.model, &joint.joint)) {
            let message = format!("joint `{}/{}` is listed already", joint.model, joint.joint);
            r.report(joint.at, FaultKind::Conflict { path: r.path_of(key), message });
        }
        seen.push((&joint.model, &joint.joint));
    }
}
