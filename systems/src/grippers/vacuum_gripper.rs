//! A vacuum gripper: suction cups that hold faces.
//!
//! Per cup, with the tip p in world, the distance d >= 0 to the nearest target face and its normal n there: the target
//! gets the force `+F n` at the point `p - d n` of its face, the cup `-F n` at its tip, F = on · law(d). Contact itself
//! is the plant's: the cup needs a collision shape to rest on.

use super::suction::{Face, Suction};
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::names::{did_you_mean, nearest};
use kinegraph_core::scene::{Marker, MarkerKind, Pose};
use kinegraph_core::signal::{BodyPoses, SpatialForces};
use kinegraph_core::{Context, Dyn, Fixed, In, Jet, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// The force of one cup over its distance from a face.
///
/// Since the distance is zero while the cup touches, the force there should be the cup's holding force, and fall
/// smoothly from it. If it falls faster than the springs behind the cup yield, the cup snaps on, as real ones do.
pub trait SuctionLaw: Send + Sync + 'static {
    /// The force \[N\] at `distance` \[m\], zero or more.
    fn force<S: Scalar>(&self, distance: S) -> S;

    // ---- The code of a gripper with this law, compiled in the crate of the law. Not written by hand. ----

    /// Outputs as plain values.
    #[doc(hidden)]
    fn outputs_f64(gripper: &VacuumGripper<Self>, ctx: &Context<f64>, out: &mut Outputs<f64>)
    where
        Self: Sized,
    {
        gripper.outputs(ctx, out);
    }
    /// Outputs with derivatives.
    #[doc(hidden)]
    fn outputs_jet(gripper: &VacuumGripper<Self>, ctx: &Context<Jet>, out: &mut Outputs<Jet>)
    where
        Self: Sized,
    {
        gripper.outputs(ctx, out);
    }
}

impl SuctionLaw for Suction {
    fn force<S: Scalar>(&self, distance: S) -> S {
        Suction::force(self, distance)
    }
    #[inline(never)]
    fn outputs_f64(gripper: &VacuumGripper, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        gripper.outputs(ctx, out);
    }
    #[inline(never)]
    fn outputs_jet(gripper: &VacuumGripper, ctx: &Context<Jet>, out: &mut Outputs<Jet>) {
        gripper.outputs(ctx, out);
    }
}

/// A cup.
#[derive(Clone, Debug, PartialEq)]
pub struct Cup {
    /// Full name of the link that carries it (`gripper/pad`).
    pub link: String,
    /// Tip of the cup, in link axes \[m\].
    pub point: [f64; 3],
    /// A link that gets the opposite of the force on the cup, at the same point: then the suction loads only the joints
    /// between the two.
    pub reaction: Option<String>,
}

/// A target of suction.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Full name of the link (`crate/crate`).
    pub link: String,
    /// Its face.
    pub face: Face,
}

/// A fault of a gripper's description.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum VacuumGripperError {
    /// A link that the plant does not have.
    #[error("the plant has no link `{link}`{}", did_you_mean(nearest))]
    UnknownLink {
        /// The name.
        link: String,
        /// The most similar name there is.
        nearest: Option<String>,
    },
    /// A gripper without cups, or without targets.
    #[error("a vacuum gripper needs at least one {what}")]
    None {
        /// The missing part.
        what: &'static str,
    },
    /// A number out of range.
    #[error("{what} is {value}, but must be {expected}")]
    OutOfRange {
        /// The quantity.
        what: String,
        /// Its value.
        value: f64,
        /// The valid values.
        expected: &'static str,
    },
}

kinegraph_core::debug_is_message!(VacuumGripperError);

/// All faults of a gripper.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct VacuumGripperErrors(pub Vec<VacuumGripperError>);

kinegraph_core::debug_is_message!(VacuumGripperErrors);

/// A cup with its links found, by index in `body_poses`.
#[derive(Clone, Copy, Debug)]
struct PlacedCup {
    link: usize,
    point: Vector3<f64>,
    reaction: Option<usize>,
}

/// Suction cups on links of a plant.
///
/// The block reads the poses of all links and outputs the spatial forces on all links: wire it to `body_poses` and
/// `applied_spatial_force` of the same plant. Each cup pulls at the target nearest to it. A second gripper on the plant
/// takes the first one's forces in `others` and outputs the sum.
pub struct VacuumGripper<L: SuctionLaw = Suction> {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// Suction: 0 is off, 1 is on, values between are weaker. On if not connected.
    pub on: In<Fixed<1>>,
    /// Forces to add to those of the cups; none if not connected.
    pub others: In<SpatialForces>,
    /// Torques and forces on all links of the plant.
    pub applied_spatial_force: Out<SpatialForces>,
    /// Force of each cup \[N\].
    pub force: Out<Dyn>,
    /// Distance of each cup from its nearest target \[m\]; zero in contact.
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
    /// A gripper on `plant` with a custom force law.
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
    fn outputs_f64(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        L::outputs_f64(self, ctx, out);
    }

    fn outputs_jet(&self, ctx: &Context<Jet>, out: &mut Outputs<Jet>) {
        L::outputs_jet(self, ctx, out);
    }

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
            // The world is not among the poses.
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
