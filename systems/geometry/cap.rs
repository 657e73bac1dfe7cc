//! Support overlap of two solids along directions near a given one: of a hull, only the corners that can be farthest
//! there are examined. The results are the same to the last bit.

use super::ConvexHull;
use super::solid::{Kind, Solid, overlap, support};
use nalgebra::Vector3;

/// Maximum number of corners in a list.
const MAX_CORNERS: usize = 32;

/// The solids A and B along directions from A into B.
pub struct Caps<'s> {
    /// A.
    pub a: &'s Solid<'s>,
    /// B.
    pub b: &'s Solid<'s>,
    about: Vector3<f64>,
    /// Largest angle between a direction and `about` \[rad\].
    turn: f64,
    corners: [Option<Corners<'s>>; 2],
}

/// Corners of a hull, in their order.
struct Corners<'s> {
    hull: &'s ConvexHull,
    items: [u32; MAX_CORNERS],
    count: usize,
}

impl<'s> Caps<'s> {
    /// Caps of A and B for directions within `turn` \[rad\] of `about`.
    pub fn new(a: &'s Solid<'s>, b: &'s Solid<'s>, about: Vector3<f64>, turn: f64) -> Self {
        let of = |solid: &'s Solid<'s>, n: Vector3<f64>| match solid.kind {
            Kind::Hull(hull) => Corners::new(hull, &solid.turned(&n), turn),
            _ => None,
        };
        Caps { a, b, about, turn, corners: [of(a, about), of(b, -about)] }
    }

    /// The lists of corners, if they are valid for `n`.
    fn corners(&self, n: &Vector3<f64>) -> [Option<&Corners<'s>>; 2] {
        let holds = (n - self.about).norm_squared() <= self.turn * self.turn;
        [0, 1].map(|i| self.corners[i].as_ref().filter(|_| holds))
    }

    /// Support overlap, as [`overlap`].
    pub fn overlap(&self, n: &Vector3<f64>) -> f64 {
        let (a, b) = (self.a, self.b);
        let reach = |solid: &Solid, corners: Option<&Corners>, n: &Vector3<f64>| match corners {
            Some(corners) => corners.reach(&solid.turned(n)),
            None => solid.reach(n),
        };
        match self.corners(n) {
            [None, None] => overlap(a, b, n),
            [of_a, of_b] => reach(a, of_a, n) + reach(b, of_b, &-n) - (b.center - a.center).dot(n),
        }
    }

    /// Vector from the support point of B against `n` to that of A along `n`.
    pub fn between(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let point = |solid: &Solid, corners: Option<&Corners>, n: &Vector3<f64>| match corners {
            Some(corners) => solid.center + solid.unturned(&corners.middle(&solid.turned(n))),
            None => support(solid, n),
        };
        let [of_a, of_b] = self.corners(n);
        point(self.a, of_a, n) - point(self.b, of_b, &-n)
    }
}

impl<'s> Corners<'s> {
    /// The corners of a hull that can be farthest along directions that differ from `n` by `turn`: all that are lower
    /// than the farthest by at most `2 turn` times the radius.
    fn new(hull: &'s ConvexHull, n: &Vector3<f64>, turn: f64) -> Option<Self> {
        let mut corners = Corners { hull, items: [0; MAX_CORNERS], count: 0 };
        for i in hull.top(n, (2.0 * turn + 1e-6) * hull.radius) {
            *corners.items.get_mut(corners.count)? = i as u32;
            corners.count += 1;
        }
        Some(corners)
    }

    fn corners(&self) -> impl Iterator<Item = Vector3<f64>> + '_ {
        self.items[..self.count].iter().map(|&i| self.hull.corners()[i as usize])
    }

    fn reach(&self, n: &Vector3<f64>) -> f64 {
        self.corners().map(|v| v.x * n.x + v.y * n.y + v.z * n.z).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The mean of the farthest corners, like the support point of a hull.
    fn middle(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let least = self.reach(n) - ConvexHull::BAND * self.hull.radius;
        let (mut sum, mut count) = (Vector3::zeros(), 0.0);
        for v in self.corners().filter(|v| v.dot(n) >= least) {
            sum += v;
            count += 1.0;
        }
        sum / count
    }
}
