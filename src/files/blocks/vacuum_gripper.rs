//! `type: vacuum_gripper`.

use super::plant_beside::{NamedLink, PLANT, has_link, plant_beside};
use crate::example_files::PENDULUM;
use crate::form::{
    BlockSpec, BlockType, FaultKind, Group, Key, ListOf, Needs, Number, Optional, POSITIVE, Position, Reader, Section,
    Site, SystemSpec, Text, Vector, WithDefault, needs, optional, with_default,
};
use kinegraph_core::ErasedSystem;
use kinegraph_systems::grippers::{self, Cup, Face, Suction, Target};
use std::sync::Arc;

/// Suction cups on links of a plant.
#[derive(Clone, Debug)]
pub struct VacuumGripper {
    /// Name of the plant's block.
    pub plant: String,
    /// Place where it is named.
    pub plant_at: Position,
    /// Force over distance.
    pub suction: Suction,
    /// The cups, each with the places of its attachment and its size.
    pub cups: Vec<(Cup, [Position; 2])>,
    /// The targets, each with the place of its link.
    pub targets: Vec<(Target, Position)>,
}

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "vacuum_gripper",
    group: Group::Machines,
    about: "suction cups on links of a plant that hold what they touch",
    example: "gripper:\n  type: vacuum_gripper\n  plant: plant\n  suction: {force: 15, reach: 0.005}\n  cups: [{link: pendulum/rod, point: [0, 0, -1]}]\n  targets: [{link: pendulum/base, plane: {point: [0, 0, -1.1]}}]\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const SUCTION: Needs<Section<Suction>> = needs(
    "suction",
    Section { about: "a force law, such as `{force: 20, reach: 0.005}`", read: read_suction },
    "force over the distance d: c/(d + d0), or falling smoothly from `force` to zero at `reach`",
);
/// A cup, and the places of its attachment and its size in the file.
type PlacedCup = (Cup, [Position; 2]);

const CUPS: Needs<ListOf<Section<PlacedCup>>> = needs(
    "cups",
    ListOf {
        each: Section { about: "a cup, such as `{link: tool/pad, point: [0, 0, -0.01]}`", read: read_cup },
        about: "a list of cups",
    },
    "the tips",
);
const TARGETS: Needs<ListOf<Section<(Target, Position)>>> = needs(
    "targets",
    ListOf {
        each: Section {
            about: "a target, such as `{link: crate/crate, box: {size: [0.2, 0.2, 0.1]}}`",
            read: read_target,
        },
        about: "a list of targets",
    },
    "the faces, each one of `plane`, `box` and `sphere` in link axes",
);

impl BlockSpec for VacuumGripper {
    fn beside(&self) -> Option<(&str, Position)> {
        Some((&self.plant, self.plant_at))
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = plant_beside(site, "a gripper", &self.plant)?;
        let mut known = true;
        let mut check =
            |link: &str, key: &str, at: Position| known &= has_link(site, plant, &NamedLink { link, key, at });
        for (cup, [at, reaction_at]) in &self.cups {
            check(&cup.link, CUPS.key(), *at);
            if let Some(reaction) = &cup.reaction {
                check(reaction, CUPS.key(), *reaction_at);
            }
        }
        for (target, at) in &self.targets {
            check(&target.link, TARGETS.key(), *at);
        }
        if !known {
            return None;
        }
        let cups: Vec<Cup> = self.cups.iter().map(|(cup, _)| cup.clone()).collect();
        let targets: Vec<Target> = self.targets.iter().map(|(target, _)| target.clone()).collect();
        site.built(grippers::VacuumGripper::new(plant, &cups, &targets, self.suction))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (plant, suction) = (r.get(&PLANT), r.get(&SUCTION));
    let (cups, targets) = (r.get(&CUPS), r.get(&TARGETS));
    let plant_at = r.at_key(PLANT);
    Some(Box::new(VacuumGripper { plant: plant?, plant_at, suction: suction?, cups: cups?, targets: targets? }))
}

const METRES: Vector<3> = Vector { about: "[x, y, z] in m" };
const LINK_NAME: Text = Text { about: "a link as `model/link`" };
const LINK: Needs<Text> = needs("link", LINK_NAME, "the link it is on");
const POINT: WithDefault<Vector<3>> = with_default("point", METRES, [0.0; 3], "a point, in link axes [m]");
const CENTER: WithDefault<Vector<3>> = with_default("center", METRES, [0.0; 3], "its middle, in link axes [m]");

const REACTION: Optional<Text> = optional(
    "reaction",
    LINK_NAME,
    "none",
    "a link that gets the opposite of the force on the cup, so that only the joints between the two feel it",
);

fn read_cup(r: &mut Reader<'_>) -> Option<(Cup, [Position; 2])> {
    let (link, point, reaction) = (r.get(&LINK), r.get(&POINT), r.get(&REACTION));
    Some((Cup { link: link?, point, reaction }, [r.at_key(LINK), r.at_key(REACTION)]))
}

const PLANE: Optional<Section<Face>> = optional(
    "plane",
    Section {
        about: "a plane, such as `{point: [0, 0, 0.1], normal: [0, 0, 1]}`",
        read: |r| {
            let (point, normal) = (r.get(&POINT), r.get(&NORMAL));
            Some(Face::Plane { point, normal })
        },
    },
    "none",
    "an unbounded plane",
);
const NORMAL: WithDefault<Vector<3>> =
    with_default("normal", Vector { about: "[x, y, z]" }, [0.0, 0.0, 1.0], "outward direction, in link axes");
const BOX: Optional<Section<Face>> = optional(
    "box",
    Section {
        about: "a box, such as `{size: [0.2, 0.2, 0.1]}`",
        read: |r| {
            let (size, center) = (r.get(&SIZE), r.get(&CENTER));
            Some(Face::Box { center, size: size? })
        },
    },
    "none",
    "a box along the link's axes",
);
const SIZE: Needs<Vector<3>> = needs("size", METRES, "lengths of its edges [m]");
const SPHERE: Optional<Section<Face>> = optional(
    "sphere",
    Section {
        about: "a sphere, such as `{radius: 0.1}`",
        read: |r| {
            let (radius, center) = (r.get(&RADIUS), r.get(&CENTER));
            Some(Face::Sphere { center, radius: radius? })
        },
    },
    "none",
    "a sphere",
);
const RADIUS: Needs<Number> = needs("radius", POSITIVE, "its radius [m]");

fn read_target(r: &mut Reader<'_>) -> Option<(Target, Position)> {
    let link = r.get(&LINK);
    let faces = [r.get(&PLANE), r.get(&BOX), r.get(&SPHERE)];
    if [PLANE, BOX, SPHERE].iter().filter(|key| r.has(key)).count() != 1 {
        r.conflict(LINK, "a target has one face: `plane`, `box` or `sphere`");
        return None;
    }
    let face = faces.into_iter().flatten().next()?;
    Some((Target { link: link?, face }, r.at_key(LINK)))
}

const C: Optional<Number> = optional("c", POSITIVE, "see `force`", "c of the force c/(d + d0) [N m]");
const D0: Optional<Number> = optional("d0", POSITIVE, "see `force`", "d0 of the force c/(d + d0) [m]");
const FORCE: Optional<Number> = optional("force", POSITIVE, "see `c`", "the force in touch [N]");
const REACH: Optional<Number> = optional("reach", POSITIVE, "see `c`", "where it has fallen to zero [m]");

fn read_suction(r: &mut Reader<'_>) -> Option<Suction> {
    let (c, d0) = (r.get(&C), r.get(&D0));
    let (force, reach) = (r.get(&FORCE), r.get(&REACH));
    let has = |keys: [Optional<Number>; 2]| keys.map(|key| r.has(key));
    match (has([C, D0]), has([FORCE, REACH])) {
        ([true, true], [false, false]) => Some(Suction::InverseDistance { c: c?, d0: d0? }),
        ([false, false], [true, true]) => Some(Suction::Seal { force: force?, reach: reach? }),
        _ => {
            let message = "a force law is `{c, d0}` or `{force, reach}`".into();
            r.report(r.at(), FaultKind::Conflict { path: r.path_of(C), message });
            None
        }
    }
}
