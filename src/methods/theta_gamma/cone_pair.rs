//! Impulse and velocity of a contact, each within a cone, and the scaling that makes them equal.
//!
//! ```text
//! x = (μ λn, λt),   y = ((un - tn)/μ + |ut|, ut),   Q = {x : x0 >= |xt|}
//! Coulomb's law:    Q ∋ x  ⊥  y ∈ Q
//! W y⁻ = x⁺:        W² = β (2 w w' - J),   J = diag(1, -1, -1, …),   W x = W⁻¹ y    [Nesterov & Todd 1997]
//! ```
//!
//! Products are those of the algebra of Q, `a ∘ b = (a · b, a0 bt + b0 at)`. The eigenvectors of W² are (1, ±t)/√2 and
//! those orthogonal to them, with eigenvalues `β (w0 ± |wt|)²` and β. The inverse is computed from these, so that it
//! stays positive if x or y is near the boundary. Without friction Q is a half-line. [Vandenberghe 2010, "The CVXOPT
//! linear and quadratic cone program solvers"]

use nalgebra::{Matrix4, Vector4};

/// Normal and tangents; unused tangents are zero.
pub type Point = Vector4<f64>;

/// An impulse, a velocity, and their scaling.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConePair {
    /// Number of components.
    pub size: usize,
    /// x and y, within Q.
    pub impulse: Point,
    pub velocity: Point,
    w: Point,
    beta: f64,
}

fn mirrored(x: &Point) -> Point {
    Point::new(x[0], -x[1], -x[2], -x[3])
}

fn across(x: &Point) -> f64 {
    x.fixed_rows::<3>(1).norm()
}

/// Depth of a point within its cone, squared.
pub fn depth(x: &Point) -> f64 {
    let t = across(x);
    (x[0] - t) * (x[0] + t)
}

/// `a ∘ b`.
pub fn product(a: &Point, b: &Point) -> Point {
    let mut out = a[0] * b + b[0] * a;
    out[0] = a.dot(b);
    out
}

/// Solution x of `a ∘ x = b`.
fn quotient(a: &Point, b: &Point) -> Point {
    let along = (a.dot(&mirrored(b))) / depth(a);
    let mut out = (b - a * along) / a[0];
    out[0] = along;
    out
}

/// The largest fraction of `change` that keeps `x` in its cone; infinite if all do.
pub fn room(x: &Point, change: &Point) -> f64 {
    let size = depth(x).sqrt();
    let (x, change) = (x / size, change / size);
    let along = mirrored(&x).dot(&change);
    let rest = (along + change[0]) / (x[0] + 1.0);
    let outwards = across(&(change - x * rest)) - along;
    if outwards > 0.0 { 1.0 / outwards } else { f64::INFINITY }
}

impl ConePair {
    /// Creates the pair of a contact with this many components.
    pub fn new(size: usize) -> Self {
        ConePair { size, ..ConePair::default() }
    }

    /// Complementarity gap, the sum of products of both: zero where the law holds.
    pub fn gap(&self) -> f64 {
        self.impulse.dot(&self.velocity)
    }

    /// The largest fraction of these changes that keeps both in their cones.
    pub fn room(&self, impulse: &Point, velocity: &Point) -> f64 {
        room(&self.impulse, impulse).min(room(&self.velocity, velocity))
    }

    /// Computes the scaling; returns `false` if a point is on the boundary, up to rounding.
    pub fn scale(&mut self) -> bool {
        let (y, x) = (depth(&self.velocity), depth(&self.impulse));
        if !(y > 0.0 && x > 0.0 && (y / x).is_finite()) {
            return false;
        }
        let (a, b) = (self.velocity / y.sqrt(), self.impulse / x.sqrt());
        self.w = (a + mirrored(&b)) / (2.0 * (1.0 + a.dot(&b))).sqrt();
        self.beta = (y / x).sqrt();
        true
    }

    /// `(W² + compliance + normal e e')⁻¹`, where e is along the normal.
    pub fn weight(&self, compliance: f64, normal: f64) -> Matrix4<f64> {
        let length = across(&self.w);
        let far = self.w[0] + length;
        let mut out = Matrix4::zeros();
        if self.size == 1 {
            out[(0, 0)] = 1.0 / (self.beta + compliance);
        } else {
            let mut t = self.w;
            t[0] = 0.0;
            let t = if length > f64::MIN_POSITIVE { t / length } else { Point::y() };
            let [long, short] = [Point::x() + t, Point::x() - t];
            let [most, least] = [self.beta * far * far, self.beta / (far * far)].map(|axis| 0.5 / (axis + compliance));
            let middle = 1.0 / (self.beta + compliance);
            for i in 1..self.size {
                out[(i, i)] = middle;
            }
            out += long * long.transpose() * most + short * short.transpose() * least - t * t.transpose() * middle;
        }
        if normal > 0.0 {
            let column: Point = out.column(0).into_owned();
            out -= column * column.transpose() * (normal / (1.0 + normal * column[0]));
        }
        out
    }

    /// `W x`, or `W⁻¹ x`.
    pub fn scaled(&self, x: &Point, inverse: bool) -> Point {
        let (w, factor) =
            if inverse { (mirrored(&self.w), 1.0 / self.beta.sqrt()) } else { (self.w, self.beta.sqrt()) };
        let along = w.dot(x);
        let mut out = x + w * (x[0] + (along - w[0] * x[0]) / (1.0 + w[0]));
        out[0] = along;
        out * factor
    }

    /// `W q` with `Wx ∘ q = μ e - Wx ∘ Wx - W⁻¹ dy ∘ W dx`: Mehrotra's correction of the direction (dx, dy).
    pub fn correction(&self, gap: f64, impulse: &Point, velocity: &Point) -> Point {
        let at = self.scaled(&self.impulse, false);
        let mut rest = -product(&at, &at) - product(&self.scaled(velocity, true), &self.scaled(impulse, false));
        rest[0] += gap;
        self.scaled(&quotient(&at, &rest), false)
    }
}
