//! Mass properties of solids and of their surfaces, about the centre, along the axes of the shape.
//!
//! A capsule is a cylinder of height h and two half balls, whose centres of mass are h/2 + 3r/8 from the middle; a half
//! sphere's surface has its centre of mass at r/2. Sources: tables of moments of inertia; the sums are derived here.

use nalgebra::Vector3;
use std::f64::consts::PI;

/// A primitive with its sizes \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// A ball.
    Sphere {
        /// Radius.
        r: f64,
    },
    /// A cylinder with two half balls.
    Capsule {
        /// Radius.
        r: f64,
        /// Half length without the caps.
        l: f64,
    },
    /// A cylinder.
    Cylinder {
        /// Radius.
        r: f64,
        /// Half length.
        l: f64,
    },
    /// Semi-axes.
    Ellipsoid(Vector3<f64>),
    /// Half edges.
    Box(Vector3<f64>),
}

impl Solid {
    /// Its volume, or the area of its surface.
    pub fn amount(&self, shell: bool) -> f64 {
        if shell {
            return self.area();
        }
        match *self {
            Solid::Sphere { r } => 4.0 / 3.0 * PI * r.powi(3),
            Solid::Capsule { r, l } => PI * r * r * (2.0 * l + 4.0 / 3.0 * r),
            Solid::Cylinder { r, l } => PI * r * r * 2.0 * l,
            Solid::Ellipsoid(s) => 4.0 / 3.0 * PI * s.x * s.y * s.z,
            Solid::Box(s) => 8.0 * s.x * s.y * s.z,
        }
    }

    fn area(&self) -> f64 {
        match *self {
            Solid::Sphere { r } => 4.0 * PI * r * r,
            Solid::Capsule { r, l } => 4.0 * PI * r * (r + l),
            Solid::Cylinder { r, l } => 2.0 * PI * r * (r + 2.0 * l),
            // Thomsen's formula, within 1.1 % for every ellipsoid.
            Solid::Ellipsoid(s) => {
                let p = 1.6075;
                let [a, b, c] = [s.x, s.y, s.z].map(|x: f64| x.powf(p));
                4.0 * PI * ((a * b + a * c + b * c) / 3.0).powf(1.0 / p)
            }
            Solid::Box(s) => 8.0 * (s.x * s.y + s.y * s.z + s.z * s.x),
        }
    }

    /// Moments of inertia of the mass `m`.
    pub fn moments(&self, m: f64, shell: bool) -> Vector3<f64> {
        let round = |across: f64, along: f64| Vector3::new(across, across, along);
        match (*self, shell) {
            (Solid::Sphere { r }, false) => Vector3::repeat(0.4 * m * r * r),
            (Solid::Sphere { r }, true) => Vector3::repeat(2.0 / 3.0 * m * r * r),
            (Solid::Capsule { r, l }, false) => {
                let h = 2.0 * l;
                let ball = m * 4.0 * r / (4.0 * r + 3.0 * h);
                let rod = m - ball;
                let own = 0.4 * ball * r * r;
                let across = rod * (3.0 * r * r + h * h) / 12.0 + own + ball * h * (3.0 * r + 2.0 * h) / 8.0;
                round(across, rod * r * r / 2.0 + own)
            }
            (Solid::Capsule { r, l }, true) => {
                let h = 2.0 * l;
                let ball = m * r / (r + l);
                let tube = m - ball;
                let own = 2.0 / 3.0 * ball * r * r;
                let across = tube * (6.0 * r * r + h * h) / 12.0 + own + ball * (h * h / 4.0 + r * h / 2.0);
                round(across, tube * r * r + own)
            }
            (Solid::Cylinder { r, l }, false) => round(m * (3.0 * r * r + 4.0 * l * l) / 12.0, m * r * r / 2.0),
            (Solid::Cylinder { r, l }, true) => {
                let lids = m * r / (r + 2.0 * l);
                let tube = m - lids;
                let across = tube * (6.0 * r * r + 4.0 * l * l) / 12.0 + lids * (r * r / 4.0 + l * l);
                round(across, tube * r * r + lids * r * r / 2.0)
            }
            (Solid::Ellipsoid(s), false) => {
                let [a, b, c] = [s.x * s.x, s.y * s.y, s.z * s.z];
                Vector3::new(b + c, c + a, a + b) * (m / 5.0)
            }
            // The layer between this ellipsoid and one whose semi-axes are all longer by the same little, as the format
            // has it: the derivatives of `V (b² + c²)/5` by that over those of V.
            (Solid::Ellipsoid(s), true) => {
                let [a, b, c] = [s.x * s.x, s.y * s.y, s.z * s.z];
                let per_volume = s.x * s.y * s.z / (s.x * s.y + s.y * s.z + s.z * s.x);
                let of = |squares: f64, sum: f64| m / 5.0 * (squares + 2.0 * sum * per_volume);
                Vector3::new(of(b + c, s.y + s.z), of(c + a, s.z + s.x), of(a + b, s.x + s.y))
            }
            (Solid::Box(s), false) => {
                let [a, b, c] = [s.x * s.x, s.y * s.y, s.z * s.z];
                Vector3::new(b + c, c + a, a + b) * (m / 3.0)
            }
            (Solid::Box(s), true) => {
                // Second moments of the six faces: of x², two faces at ±x and four across it.
                let faces = [s.y * s.z, s.z * s.x, s.x * s.y];
                let total: f64 = faces.iter().sum();
                let second = |i: usize| s[i] * s[i] * (faces[i] + (total - faces[i]) / 3.0) / total * m;
                let [a, b, c] = [second(0), second(1), second(2)];
                Vector3::new(b + c, c + a, a + b)
            }
        }
    }
}
