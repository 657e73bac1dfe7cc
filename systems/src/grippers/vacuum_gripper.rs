//! A vacuum gripper: cups that suck at faces.
//!
//! Per cup, with the tip p in world, the distance d >= 0 to the nearest target face and its normal n there: the target
//! gets the force `+F n` at the point `p - d n` of its face, the cup `-F n` at its tip, F = on · law(d). Contact itself
//! is the plant's: the cup needs a collision shape to rest on.

use super::suction::{Face, Suction, SuctionLaw};
use crate::convex::ConvexPlant;
use crate::names::{did_you_mean, nearest};
use crate::scene::{Marker, MarkerKind, Pose};
use crate::signal::{BodyPoses, SpatialForces};
use crate::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// A cup.
#[derive(Clone, Debug, PartialEq)]
pub struct Cup {
    /// Full name of the link that carries it (`gripper/pad`).
    pub link: String,
    /// Its tip, in link axes \[m\].
    pub point: [f64; 3],
    /// A link that gets the opposite of the force on the cup, at the same point: then only the joints between the two
    /// feel the suction.
    pub reaction: Option<String>,
}

/// What can be sucked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Full name of the link (`crate/crate`).
    pub link: String,
    /// Its face.
    pub face: Face,
}

/// A fault of a gripper's description.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VacuumGripperError {
    /// A link that the plant does not have.
    #[error("the plant has no link `{link}`{}", did_you_mean(nearest))]
    UnknownLink {
        /// The name.
        link: String,
        /// The most similar name there is.
        nearest: Option<String>,
    },
    /// Nothing to suck with, or nothing to suck at.
    #[error("a vacuum gripper needs at least one {what}")]
    None {
        /// What is missing.
        what: &'static str,
    },
    /// A number out of range.
    #[error("{what} is {value}, but must be {expected}")]
    OutOfRange {
        /// The quantity.
        what: String,
        /// Its value.
        value: f64,
        /// What would be valid.
        expected: &'static str,
    },
}

/// All faults of a gripper.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct VacuumGripperErrors(pub Vec<VacuumGripperError>);

/// A cup in its place; links by their place in `body_poses`.
#[derive(Clone, Copy, Debug)]
struct PlacedCup {
    link: usize,
    point: Vector3<f64>,
    reaction: Option<usize>,
}

/// Suction cups on links of a plant.
///
/// It reads the poses of all links and gives the spatial forces on all links: wire it to `body_poses` and
/// `applied_spatial_force` of the same plant. Each cup sucks at the target nearest to it. A second gripper on the plant
/// takes the first one's forces in `others` and passes the sum on.
pub struct VacuumGripper<L: SuctionLaw = Suction> {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// 0: off, 1: on, between: weaker. On where nothing is connected.
    pub on: In<Fixed<1>>,
    /// Forces to add to those of the cups; none where nothing is connected.
    pub others: In<SpatialForces>,
    /// Torques and forces on all links of the plant.
    pub applied_spatial_force: Out<SpatialForces>,
    /// Force of each cup \[N\].
    pub force: Out<Dyn>,
    /// Distance of each cup from its nearest target \[m\]; zero in touch.
    pub distance: Out<Dyn>,
    law: L,
    cups: Vec<PlacedCup>,
    first_target: (usize, Face),
    other_targets: Vec<(usize, Face)>,
    ports: Ports,
}

impl VacuumGripper<Suction> {
    /// A gripper on `plant` with a named force law.
    ///
    /// # Errors
    /// All faults together: links that the plant does not have, numbers out of range, no cups, no targets.
    pub fn new(
        plant: &dyn ConvexPlant,
        cups: &[Cup],
        targets: &[Target],
        suction: Suction,
    ) -> Result<Self, VacuumGripperErrors> {
        let mut faults = Vec::new();
        for (what, value) in suction.parameters() {
            check(what, value, value > 0.0 && value.is_finite(), "a positive finite number", &mut faults);
        }
        let made = Self::with_law(plant, cups, targets, suction);
        match (made, faults.is_empty()) {
            (Err(more), _) => Err(VacuumGripperErrors([faults, more.0].concat())),
            (Ok(gripper), true) => Ok(gripper),
            (Ok(_), false) => Err(VacuumGripperErrors(faults)),
        }
    }
}

impl<L: SuctionLaw> VacuumGripper<L> {
    /// A gripper on `plant` with a force law of one's own.
    ///
    /// # Errors
    /// As [`new`](VacuumGripper::new).
    pub fn with_law(
        plant: &dyn ConvexPlant,
        cups: &[Cup],
        targets: &[Target],
        law: L,
    ) -> Result<Self, VacuumGripperErrors> {
        let bodies = &plant.structure().bodies[1..];
        let mut faults = Vec::new();
        for (what, none) in [("cup", cups.is_empty()), ("target", targets.is_empty())] {
            if none {
                faults.push(VacuumGripperError::None { what });
            }
        }
        let find = |link: &str, faults: &mut Vec<VacuumGripperError>| {
            let found = bodies.iter().position(|b| b.name == link);
            if found.is_none() {
                let names = bodies.iter().map(|b| b.name.as_str());
                let nearest = nearest(link, names);
                faults.push(VacuumGripperError::UnknownLink { link: link.into(), nearest });
            }
            found
        };
        let mut placed = Vec::new();
        for (i, cup) in cups.iter().enumerate() {
            check_vector(&format!("cups[{i}].point"), cup.point, &mut faults);
            let link = find(&cup.link, &mut faults);
            let reaction = cup.reaction.as_ref().map(|link| find(link, &mut faults));
            if let (Some(link), Some(reaction)) = (link, reaction.map_or(Some(None), |found| found.map(Some))) {
                placed.push(PlacedCup { link, point: cup.point.into(), reaction });
            }
        }
        let mut faces = Vec::new();
        for (i, target) in targets.iter().enumerate() {
            check_face(&format!("targets[{i}]"), &target.face, &mut faults);
            faces.extend(find(&target.link, &mut faults).map(|link| (link, target.face)));
        }
        let mut targets = faces.into_iter();
        let Some(first_target) = targets.next().filter(|_| faults.is_empty()) else {
            return Err(VacuumGripperErrors(faults));
        };
        let mut ports = Ports::new();
        let body_poses = ports.input_of_width("body_poses", 7 * bodies.len());
        let on = ports.optional_input_of_width("on", 1);
        let others = ports.optional_input_of_width("others", 6 * bodies.len());
        let applied_spatial_force = ports.output_of_width("applied_spatial_force", 6 * bodies.len());
        let (force, distance) =
            (ports.output_of_width("force", cups.len()), ports.output_of_width("distance", cups.len()));
        ports.feedthrough(force, body_poses);
        ports.feedthrough(force, on);
        ports.feedthrough(distance, body_poses);
        Ok(VacuumGripper {
            body_poses,
            on,
            others,
            applied_spatial_force,
            force,
            distance,
            law,
            cups: placed,
            first_target,
            other_targets: targets.collect(),
            ports,
        })
    }

    /// Distance of the point `tip` (in world) to the nearest target, the target's link, and the normal of its face
    /// there, in world.
    fn nearest<S: Scalar>(&self, tip: &Vector3<S>, poses: &[S]) -> (S, usize, Vector3<S>) {
        let to_target = |(link, face): &(usize, Face)| {
            let (p, R) = pose(poses, *link);
            let (distance, normal) = face.distance(&R.inverse_transform_vector(&(tip - p)));
            (distance, *link, R * normal)
        };
        let mut best = to_target(&self.first_target);
        for target in &self.other_targets {
            let next = to_target(target);
            if next.0 < best.0 {
                best = next;
            }
        }
        best
    }
}

/// Origin and orientation of a link.
fn pose<S: Scalar>(poses: &[S], link: usize) -> (Vector3<S>, UnitQuaternion<S>) {
    let x = &poses[7 * link..7 * link + 7];
    (Vector3::new(x[0], x[1], x[2]), UnitQuaternion::new_unchecked(Quaternion::new(x[3], x[4], x[5], x[6])))
}

/// Adds a force at a point to the spatial forces.
fn add<S: Scalar>(forces: &mut [S], poses: &[S], link: usize, at: &Vector3<S>, force: &Vector3<S>) {
    let torque = (at - pose(poses, link).0).cross(force);
    let sum = &mut forces[6 * link..6 * link + 6];
    sum.iter_mut().zip(torque.iter().chain(force.iter())).for_each(|(sum, x)| *sum += *x);
}

impl<L: SuctionLaw> LeafSystem for VacuumGripper<L> {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let poses = ctx.get(self.body_poses);
        let on = ctx.get_optional(self.on).map_or(S::one(), |[on]| on.clamp(S::zero(), S::one()));
        let total = out.slice(self.applied_spatial_force);
        match ctx.get_optional(self.others) {
            Some(others) => total.copy_from_slice(others),
            None => total.fill(S::zero()),
        }
        for (i, cup) in self.cups.iter().enumerate() {
            let (p, R) = pose(poses, cup.link);
            let tip = p + R * cup.point.map(S::constant);
            let (distance, link, normal) = self.nearest(&tip, poses);
            let force = on * self.law.force(distance);
            out.slice(self.force)[i] = force;
            out.slice(self.distance)[i] = distance;
            let pull = normal * force;
            let total = out.slice(self.applied_spatial_force);
            add(total, poses, link, &(tip - normal * distance), &pull);
            add(total, poses, cup.link, &tip, &-pull);
            if let Some(reaction) = cup.reaction {
                add(total, poses, reaction, &tip, &pull);
            }
        }
    }

    fn markers(&self) -> Vec<Marker> {
        let (kind, poses) = (MarkerKind::SuctionCup, self.body_poses.index);
        let tip = |cup: &PlacedCup| Pose { xyz: cup.point.into(), ..Pose::default() };
        let marker = |(i, cup): (usize, &PlacedCup)| {
            // The world has no place among the poses.
            Marker { name: format!("cups[{i}]"), kind, poses, body: cup.link + 1, pose: tip(cup) }
        };
        self.cups.iter().enumerate().map(marker).collect()
    }
}

fn check(what: &str, value: f64, valid: bool, expected: &'static str, faults: &mut Vec<VacuumGripperError>) {
    if !valid {
        faults.push(VacuumGripperError::OutOfRange { what: what.into(), value, expected });
    }
}

fn check_vector(what: &str, vector: [f64; 3], faults: &mut Vec<VacuumGripperError>) {
    for (i, x) in vector.into_iter().enumerate() {
        check(&format!("{what}[{i}]"), x, x.is_finite(), "a finite number", faults);
    }
}

fn check_face(what: &str, face: &Face, faults: &mut Vec<VacuumGripperError>) {
    let positive = "a positive finite number";
    match *face {
        Face::Plane { point, normal } => {
            check_vector(&format!("{what}.point"), point, faults);
            check_vector(&format!("{what}.normal"), normal, faults);
            let length = Vector3::from(normal).norm();
            check(&format!("length of {what}.normal"), length, length != 0.0, "not zero", faults);
        }
        Face::Box { center, size } => {
            check_vector(&format!("{what}.center"), center, faults);
            for (i, x) in size.into_iter().enumerate() {
                check(&format!("{what}.size[{i}]"), x, x > 0.0 && x.is_finite(), positive, faults);
            }
        }
        Face::Sphere { center, radius } => {
            check_vector(&format!("{what}.center"), center, faults);
            check(&format!("{what}.radius"), radius, radius > 0.0 && radius.is_finite(), positive, faults);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Shape;
    use crate::multibody::{Base, Collision, Inertia, Link, Model, MultibodyPlant, PlantBuilder};
    use crate::testing::{Bench, conformance};
    use nalgebra::{Isometry3, Matrix3};

    fn plant(names: &[&str]) -> MultibodyPlant {
        let inertia = Some(Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() });
        let shape = Shape::Sphere { radius: 0.1 };
        let collisions = vec![Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None }];
        let link = Link { name: "body".into(), inertia, collisions, ..Link::default() };
        let model = Model { name: "m".into(), links: vec![link], ..Model::default() };
        let base = Base::floating(Isometry3::identity());
        names.iter().fold(PlantBuilder::new(), |p, name| p.model(*name, model.clone(), base.clone())).build().unwrap()
    }

    fn cup(link: &str, point: [f64; 3]) -> Cup {
        Cup { link: link.into(), point, reaction: None }
    }

    fn target(link: &str, face: Face) -> Target {
        Target { link: link.into(), face }
    }

    const LAW: Suction = Suction::InverseDistance { c: 0.01, d0: 0.001 };
    const CEILING: Face = Face::Plane { point: [0.0, 0.0, 0.1], normal: [0.0, 0.0, 1.0] };

    #[test]
    fn conforms() {
        let plant = plant(&["tool", "a", "b", "c"]);
        let cups =
            [cup("tool/body", [0.1, 0.2, -0.3]), Cup { reaction: Some("c/body".into()), ..cup("b/body", [0.0; 3]) }];
        let targets = [
            target("a/body", CEILING),
            target("b/body", Face::Sphere { center: [0.1, 0.0, 0.0], radius: 0.05 }),
            target("c/body", Face::Box { center: [0.0; 3], size: [0.2, 0.1, 0.3] }),
        ];
        conformance::check(&VacuumGripper::new(&plant, &cups, &targets, LAW).unwrap());
    }

    const AT: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

    /// Two cups over a plate: forces c/(d + d0) along its normal, and nothing that could turn the two together.
    #[test]
    fn action_is_reaction() {
        let plant = plant(&["tool", "plate"]);
        let cups = [cup("tool/body", [0.1, 0.0, -0.2]), cup("tool/body", [-0.1, 0.0, -0.2])];
        let gripper = VacuumGripper::new(&plant, &cups, &[target("plate/body", CEILING)], LAW).unwrap();
        let mut poses = [AT, AT].concat();
        poses[2] = 0.309; // tips at 0.109, the face at 0.1
        let bench = Bench::new(&gripper).input(gripper.body_poses, &poses);
        let close = |found: &[f64], expected: &[f64]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
        };
        close(&bench.clone().eval(gripper.distance), &[0.009, 0.009]);
        close(&bench.clone().eval(gripper.force), &[1.0, 1.0]);
        close(&bench.clone().eval(gripper.applied_spatial_force), &[0., 0., 0., 0., 0., -2., 0., 0., 0., 0., 0., 2.]);
        let half = bench.clone().input(gripper.on, [0.5]).input(gripper.others, [1.0; 12]);
        close(&half.clone().eval(gripper.applied_spatial_force), &[1., 1., 1., 1., 1., 0., 1., 1., 1., 1., 1., 2.]);
        close(&half.clone().input(gripper.on, [0.0]).eval(gripper.force), &[0.0, 0.0]);
    }

    #[test]
    fn a_cup_sucks_at_the_nearest_target_only() {
        let plant = plant(&["tool", "near", "far"]);
        let ball = Face::Sphere { center: [0.0; 3], radius: 0.1 };
        let targets = [target("far/body", ball), target("near/body", ball)];
        let gripper = VacuumGripper::new(&plant, &[cup("tool/body", [0.0; 3])], &targets, LAW).unwrap();
        let mut poses = [AT, AT, AT].concat();
        (poses[7], poses[14]) = (0.11, -0.15);
        let forces = Bench::new(&gripper).input(gripper.body_poses, &poses).eval(gripper.applied_spatial_force);
        let pull = 0.01 / 0.011;
        assert!(
            (forces[3] - pull).abs() < 1e-12 && (forces[9] + pull).abs() < 1e-12 && forces[15] == 0.0,
            "{forces:?}"
        );
    }

    /// The generator of a force law of one's own.
    struct Constant;
    impl SuctionLaw for Constant {
        fn force<S: Scalar>(&self, _distance: S) -> S {
            S::constant(3.0)
        }
    }

    #[test]
    fn the_law_is_a_parameter() {
        let plant = plant(&["tool", "plate"]);
        let targets = [target("plate/body", CEILING)];
        let gripper = VacuumGripper::with_law(&plant, &[cup("tool/body", [0.0; 3])], &targets, Constant).unwrap();
        assert_eq!(Bench::new(&gripper).input(gripper.body_poses, [AT, AT].concat()).eval(gripper.force), [3.0]);
    }

    #[test]
    fn all_faults_come_together() {
        let plant = plant(&["tool", "plate"]);
        let cups = [cup("tol/body", [f64::NAN, 0.0, 0.0])];
        let targets = [target("plate/body", Face::Sphere { center: [0.0; 3], radius: 0.0 })];
        let law = Suction::Seal { force: -1.0, reach: 0.1 };
        let text = VacuumGripper::new(&plant, &cups, &targets, law).err().unwrap().to_string();
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "suction.force is -1, but must be a positive finite number",
                "cups[0].point[0] is NaN, but must be a finite number",
                "the plant has no link `tol/body`; did you mean `tool/body`?",
                "targets[0].radius is 0, but must be a positive finite number",
            ]
        );
        let none = VacuumGripper::new(&plant, &[], &[], LAW).err().unwrap();
        assert_eq!(none.0.len(), 2);
    }
}
