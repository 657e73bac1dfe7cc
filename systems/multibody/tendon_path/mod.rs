//! The path of a spatial tendon: sites, shapes to wrap over, pulleys; its length and the rate of its length.
//!
//! The string is straight between its points. Where it wraps over a shape, the points at which it meets and leaves the
//! shape are points of the shape's body. Since the path is the shortest, moving them along the surface does not change
//! the length to first order, so that the derivative of the length is that of the straight parts with these points
//! fixed in their bodies,
//!
//! ```text
//! dl/dq = Σ e' (J_Q - J_P) / divisor      (e: unit vector from P to Q)
//! ```
//!
//! A pulley begins a branch of the string, whose lengths are divided by its divisor.

pub mod wrap;

use super::frame::Frame;
use super::kinematics::Kinematics;
use super::product::{compose_constant, turn, turn_constant};
use super::scene_data::{PathPart, WrapForm};
use super::spatial::SpatialVector;
use super::tree::Tree;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Isometry3, Vector3};

/// Straight parts shorter than this \[m\] have no direction.
const MIN_LENGTH: f64 = 1e-15;

/// A point fixed in a body.
#[derive(Clone, Copy, Debug)]
struct Point {
    body: usize,
    p_BS: Vector3<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Site(Point),
    Wrap { body: usize, X_BG: Isometry3<f64>, form: WrapForm, radius: f64, side: Option<Point> },
    Pulley(f64),
}

/// A path on the bodies of a tree.
#[derive(Clone, Debug)]
pub struct TendonPath {
    parts: Vec<Part>,
}

/// A point of the string: a point of a body, in world axes.
#[derive(Clone, Copy, Debug)]
struct Place<S: Scalar> {
    body: usize,
    p_W: Vector3<S>,
}

impl<S: Scalar> Place<S> {
    /// Vector from the origin of its body to it, in world axes.
    fn arm(&self, tree: &Tree, k: &Kinematics<S>) -> Vector3<S> {
        self.p_W - tree.point_W(k, self.body, &Vector3::zeros())
    }

    fn velocity(&self, tree: &Tree, k: &Kinematics<S>) -> Vector3<S> {
        tree.V_WB(k, self.body).motion_at(&self.arm(tree, k)).linear
    }
}

/// A straight part between two bodies, from P to Q, with one over its divisor.
#[derive(Clone, Copy, Debug)]
struct Straight<S: Scalar> {
    from: Place<S>,
    to: Place<S>,
    direction: Vector3<S>,
    share: f64,
}

impl<S: Scalar> Straight<S> {
    /// Its contribution to the rate of the length of the string.
    fn rate(&self, tree: &Tree, k: &Kinematics<S>) -> S {
        self.direction.dot(&(self.to.velocity(tree, k) - self.from.velocity(tree, k))) * S::constant(self.share)
    }

    /// Adds the generalized forces of a force along the string that pushes its ends apart.
    fn push_apart(&self, tree: &Tree, k: &Kinematics<S>, force: S, forces: &mut [S]) {
        let pushed = self.direction * (force * S::constant(self.share));
        let ends = [(&self.to, pushed), (&self.from, -pushed)]
            .map(|(place, pushed)| (place.body, SpatialVector::new(place.arm(tree, k).cross(&pushed), pushed)));
        tree.add_opposite_forces(k, ends, forces);
    }
}

impl TendonPath {
    /// The path on the tree, whose links are called `model/link`.
    ///
    /// # Errors
    /// The name of a link that the tree does not have.
    pub fn new(tree: &Tree, model: &str, parts: &[PathPart]) -> Result<Self, String> {
        let body = |link: &str| {
            let full = format!("{model}/{link}");
            tree.body(&full).ok_or(full)
        };
        let point = |(link, p): &(String, Vector3<f64>)| Ok::<_, String>(Point { body: body(link)?, p_BS: *p });
        let place = |part: &PathPart| {
            Ok(match part {
                PathPart::Site { link, p_LS } => Part::Site(Point { body: body(link)?, p_BS: *p_LS }),
                PathPart::Wrap { link, X_LG, form, radius, side } => {
                    let side = side.as_ref().map(point).transpose()?;
                    Part::Wrap { body: body(link)?, X_BG: *X_LG, form: *form, radius: *radius, side }
                }
                PathPart::Pulley { divisor } => Part::Pulley(*divisor),
            })
        };
        Ok(TendonPath { parts: parts.iter().map(place).collect::<Result<_, String>>()? })
    }

    /// The bodies on its path.
    pub fn bodies(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().filter_map(|part| match part {
            Part::Site(point) => Some(point.body),
            Part::Wrap { body, .. } => Some(*body),
            Part::Pulley(_) => None,
        })
    }

    /// The velocities that can change its length: those of joints that move some of its bodies, but not all.
    pub fn velocities(&self, tree: &Tree) -> Vec<usize> {
        let mut moved: Vec<Vec<usize>> = self.bodies().map(|body| tree.velocities_that_move(body).collect()).collect();
        moved.sort();
        moved.dedup();
        let mut found: Vec<usize> = moved.iter().flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|velocity| moved.iter().any(|of_body| !of_body.contains(velocity)));
        found
    }

    /// Its length \[m\], where `k` has the positions.
    pub fn length<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> S {
        self.for_each_straight(tree, k, |_| {})
    }

    /// Rate of its length \[m/s\], where `k` has positions and velocities.
    pub fn rate<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> S {
        let [_, rate] = self.motion(tree, k);
        rate
    }

    /// Its length \[m\] and the rate of its length \[m/s\], where `k` has positions and velocities.
    pub fn motion<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> [S; 2] {
        let mut rate = S::zero();
        let length = self.for_each_straight(tree, k, |straight| rate += straight.rate(tree, k));
        [length, rate]
    }

    /// `J̇ v`: second derivative of its length at constant joint velocities \[m/s²\], where `k` has positions and
    /// velocities; for a path without wrapping.
    pub fn bias_acceleration<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> S {
        let motion = |place: &Place<S>| {
            let arm = place.arm(tree, k);
            let V = tree.V_WB(k, place.body).motion_at(&arm);
            let A = tree.frame_acceleration(k, &Frame::new(place.body, &Isometry3::identity()), |_| S::zero());
            let turning = V.angular.cross(&V.angular.cross(&arm));
            (V.linear, A.linear + A.angular.cross(&arm) + turning)
        };
        let mut sum = S::zero();
        self.for_each_straight(tree, k, |Straight { from, to, direction, share }| {
            let ((v_P, a_P), (v_Q, a_Q)) = (motion(from), motion(to));
            let (w, length) = (v_Q - v_P, direction.dot(&(to.p_W - from.p_W)));
            let along = direction.dot(&w);
            let across = (w.norm_squared() - along * along) / length;
            sum += (direction.dot(&(a_Q - a_P)) + across) * S::constant(*share);
        });
        sum
    }

    /// Adds the generalized forces of a lengthening force \[N\]: `(dl/dq)' force`.
    pub fn push<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>, force: S, forces: &mut [S]) {
        self.for_each_straight(tree, k, |straight| straight.push_apart(tree, k, force, forces));
    }

    /// Adds its moment arms, `dl/dq`, where `k` has the positions. Returns its length \[m\].
    pub fn add_moment_arms<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>, arms: &mut [S]) -> S {
        self.for_each_straight(tree, k, |straight| straight.push_apart(tree, k, S::one(), arms))
    }

    /// Calls `see` with every straight part between two bodies. Returns the length.
    fn for_each_straight<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>, mut see: impl FnMut(&Straight<S>)) -> S {
        let (mut length, mut share) = (S::zero(), 1.0);
        let mut last: Option<Place<S>> = None;
        let mut over: Option<&Part> = None;
        let mut straight = |from: &Place<S>, to: &Place<S>, share: f64| {
            let way = to.p_W - from.p_W;
            let length = way.norm();
            if length.value() < MIN_LENGTH {
                return S::zero();
            }
            if from.body != to.body {
                see(&Straight { from: *from, to: *to, direction: way / length, share });
            }
            length * S::constant(share)
        };
        for part in &self.parts {
            match part {
                Part::Pulley(divisor) => (share, last, over) = (1.0 / divisor, None, None),
                Part::Wrap { .. } => over = Some(part),
                Part::Site(point) => {
                    let to = at(tree, k, point);
                    if let Some(from) = &last {
                        match over.and_then(|part| wrapped(tree, k, part, from, &to)) {
                            None => length += straight(from, &to, share),
                            Some((met, left, arc)) => {
                                length += straight(from, &met, share);
                                length += arc * S::constant(share);
                                length += straight(&left, &to, share);
                            }
                        }
                    }
                    (last, over) = (Some(to), None);
                }
            }
        }
        length
    }
}

fn at<S: Scalar>(tree: &Tree, k: &Kinematics<S>, point: &Point) -> Place<S> {
    Place { body: point.body, p_W: tree.point_W(k, point.body, &point.p_BS) }
}

/// The points at which the string meets and leaves a shape, and its length in between; `None`: it goes straight.
fn wrapped<S: Scalar>(
    tree: &Tree,
    k: &Kinematics<S>,
    part: &Part,
    from: &Place<S>,
    to: &Place<S>,
) -> Option<(Place<S>, Place<S>, S)> {
    let Part::Wrap { body, X_BG, form, radius, side } = part else { return None };
    let X = tree.X_WB(k, *body);
    let R_WG = compose_constant(&X.R_WB, X_BG.rotation.to_rotation_matrix().matrix());
    let p_WG = X.p_WB + turn_constant(&X.R_WB, &X_BG.translation.vector);
    let R_GW = R_WG.transpose();
    let local = |p_W: &Vector3<S>| turn(&R_GW, &(p_W - p_WG));
    let side = side.as_ref().map(|side| local(&at(tree, k, side).p_W));
    let (met, left, arc) = wrap::wrap(*form, *radius, &local(&from.p_W), &local(&to.p_W), side)?;
    let place = |p: Vector3<S>| Place { body: *body, p_W: p_WG + turn(&R_WG, &p) };
    Some((place(met), place(left), arc))
}
