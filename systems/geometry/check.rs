//! Consistency check of a shape: one line in the tests of a shape that a program adds.

use super::any_normal::directions;
use super::{Aabb, CollisionShape, ContactFeature, Drawing, Ray, Shape, aabb};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// Number of directions that are tried.
const DIRECTIONS: usize = 200;

/// Displacement of a point by rounding, relative to the size of the shape.
const ROUNDING: f64 = 1e-9;

/// Number of rays along each side of the grid that measures the volume.
const GRID: usize = 48;

/// Error of a volume measured by the grid of rays, relative to the box around the shape.
const VOLUME_TOLERANCE: f64 = 0.03;

/// Two answers of a shape contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{shape}: {answer}: {why}")]
pub struct ShapeFault {
    /// Name of the shape.
    pub shape: &'static str,
    /// The contradicting answer, by the method of [`CollisionShape`].
    pub answer: &'static str,
    /// The contradiction.
    pub why: String,
}

/// Checks the answers of a bounded shape against each other, in some hundred directions: support points against widths
/// and boxes, features and plane contacts against support points, mass properties against rays, rays and the drawing
/// against all of them. Any bounded solid passes whose methods are right.
///
/// # Errors
/// The first contradiction.
pub fn check_shape(shape: &Shape) -> Result<(), ShapeFault> {
    shape
        .as_collision_shape(|shape| {
            let check = Check { shape, size: shape.bounding_radius() };
            check.sizes()?;
            check.supports()?;
            check.features()?;
            check.rays()?;
            check.mass()?;
            check.drawing()
        })
        .and_then(|()| placed_boxes(shape))
}

struct Check<'a> {
    shape: &'a dyn CollisionShape,
    size: f64,
}

impl Check<'_> {
    fn require(&self, holds: bool, answer: &'static str, why: impl FnOnce() -> String) -> Result<(), ShapeFault> {
        if holds { Ok(()) } else { Err(ShapeFault { shape: self.shape.name(), answer, why: why() }) }
    }

    /// Support function of the convex hull along `n`; infinite without a support mapping.
    fn reach(&self, n: &Vector3<f64>) -> f64 {
        self.shape.support(n).map_or(f64::INFINITY, |p| p.dot(n))
    }

    fn slack(&self) -> f64 {
        ROUNDING * self.size
    }

    fn sizes(&self) -> Result<(), ShapeFault> {
        let (radius, half) = (self.size, self.shape.half_thickness());
        let bounded = radius > 0.0 && radius.is_finite();
        self.require(bounded, "bounding_radius", || format!("{radius} m is no radius"))?;
        let fits = (0.0..=radius + self.slack()).contains(&half);
        self.require(fits, "half_thickness", || format!("{half} m in a ball of {radius} m"))
    }

    fn supports(&self) -> Result<(), ShapeFault> {
        let (shape, slack) = (self.shape, self.slack());
        for n in directions(DIRECTIONS) {
            let Some(p) = shape.support(&n) else { continue };
            let again = shape.support(&n).is_some_and(|q| q == p);
            self.require(again, "support", || format!("it differs from call to call along {n:?}"))?;
            let longer = shape.support(&(n * 8.0)).is_some_and(|q| (q - p).dot(&n).abs() <= slack);
            self.require(longer, "support", || format!("it depends on the length of the direction {n:?}"))?;
            let held = p.norm() <= self.size + slack;
            self.require(held, "support", || format!("{p:?} lies outside of the bounding radius {} m", self.size))?;
            let around_origin = p.dot(&n) >= -slack;
            self.require(around_origin, "support", || format!("the origin lies outside of the hull along {n:?}"))?;
            let width = p.dot(&n) + self.reach(&-n);
            let thick = width >= 2.0 * shape.half_thickness() - slack;
            self.require(thick, "half_thickness", || format!("the width along {n:?} is {width} m"))?;
            let farther = directions(DIRECTIONS).find(|m| p.dot(m) > self.reach(m) + slack);
            let why = || format!("the point {p:?} along {n:?} is farther along {farther:?} than the one there");
            self.require(farther.is_none(), "support", why)?;
        }
        Ok(())
    }

    fn features(&self) -> Result<(), ShapeFault> {
        for n in directions(DIRECTIONS) {
            let reach = self.reach(&n);
            if let Some(feature) = self.shape.feature(&n) {
                let top = top(&feature, &n);
                let reaches = (top - reach).abs() <= self.slack();
                self.require(reaches, "feature", || format!("{feature:?} reaches {top} m along {n:?}, not {reach} m"))?;
            }
            let (mut top, mut wrong) = (f64::NEG_INFINITY, None);
            self.shape.plane_contacts(&n, &mut |contact| {
                top = top.max(contact.p_GC.dot(&n));
                if !((0.0..=1.0 + ROUNDING).contains(&contact.share) && contact.feature < 64) {
                    wrong = Some(contact);
                }
            });
            self.require(wrong.is_none(), "plane_contacts", || format!("{wrong:?} has no proper share or number"))?;
            let reaches = !reach.is_finite() || (top - reach).abs() <= self.slack();
            self.require(reaches, "plane_contacts", || format!("they reach {top} m along {n:?}, not {reach} m"))?;
        }
        Ok(())
    }

    fn rays(&self) -> Result<(), ShapeFault> {
        let (shape, slack) = (self.shape, self.slack());
        for (i, from) in directions(DIRECTIONS).enumerate() {
            let target = directions(DIRECTIONS).nth((i * 37) % DIRECTIONS).unwrap_or_default() * (0.5 * self.size);
            let Some(ray) = Ray::new(from * (3.0 * self.size), target - from * (3.0 * self.size)) else { continue };
            let Some(hit) = shape.cast_ray(&ray) else { continue };
            let at = ray.at(hit.distance);
            let unit = (hit.normal.norm() - 1.0).abs() < ROUNDING;
            self.require(unit, "cast_ray", || format!("the normal {:?} has not the length one", hit.normal))?;
            let first = hit.distance >= 0.0 && at.norm() <= self.size + slack;
            self.require(first, "cast_ray", || format!("{hit:?} is not on the shape"))?;
            let within = directions(DIRECTIONS).all(|n| at.dot(&n) <= self.reach(&n) + 10.0 * slack);
            self.require(within, "cast_ray", || format!("{at:?} lies outside of the convex hull"))?;
            let again = shape.cast_ray(&ray).is_some_and(|second| second == hit);
            self.require(again, "cast_ray", || "it differs from call to call".into())?;
        }
        Ok(())
    }

    /// Checks the volume and its centre, by rays through a grid.
    fn mass(&self) -> Result<(), ShapeFault> {
        let Some(mass) = self.shape.mass_properties() else { return Ok(()) };
        let Aabb { min, max } = self.shape.aabb(&Isometry3::identity());
        let side = (max - min) / GRID as f64;
        let (mut volume, mut moment) = (0.0, Vector3::zeros());
        for k in 0..GRID * GRID {
            let x = min.x + side.x * ((k % GRID) as f64 + 0.5);
            let y = min.y + side.y * ((k / GRID) as f64 + 0.5);
            let mut z = min.z - self.size;
            // Hits from outside and from inside alternate.
            let mut entered = None;
            while let Some(ray) = Ray::new(Vector3::new(x, y, z), Vector3::z()) {
                let Some(hit) = self.shape.cast_ray(&ray).filter(|hit| z + hit.distance <= max.z + self.size) else {
                    break;
                };
                let at = z + hit.distance;
                match entered.take() {
                    Some(low) if hit.is_from_inside(&ray) => {
                        volume += at - low;
                        moment += Vector3::new(x, y, 0.5 * (at + low)) * (at - low);
                    }
                    _ => entered = (!hit.is_from_inside(&ray)).then_some(at),
                }
                z = at + 1e-6 * self.size;
            }
        }
        let (volume, moment) = (volume * side.x * side.y, moment * side.x * side.y);
        let whole = (max - min).product();
        let agrees = (mass.volume - volume).abs() <= VOLUME_TOLERANCE * whole;
        self.require(agrees, "mass_properties", || format!("the volume is {} m³, by rays {volume} m³", mass.volume))?;
        let center = mass.p_GoGcm;
        let agrees = (center * mass.volume - moment).amax() <= VOLUME_TOLERANCE * whole * self.size;
        self.require(agrees, "mass_properties", || format!("the centre {center:?} is not that of the rays"))?;
        let moments = mass.I_GGcm.symmetric_eigenvalues();
        let (sum, largest) = (moments.sum(), moments.max());
        let possible = moments.min() > 0.0 && largest <= (sum - largest) * (1.0 + ROUNDING);
        self.require(possible, "mass_properties", || format!("no solid has the moments {moments:?}"))
    }

    fn drawing(&self) -> Result<(), ShapeFault> {
        let (vertices, indices): (_, Vec<u32>) = match self.shape.drawing() {
            Drawing::Triangles { vertices, triangles } => (vertices, triangles.concat()),
            Drawing::Hull { vertices, faces } => (vertices, faces.concat()),
            _ => return Ok(()),
        };
        let known = indices.iter().all(|&i| (i as usize) < vertices.len());
        self.require(known, "drawing", || "it names a corner that is not there".into())?;
        let within =
            |v: &[f64; 3]| directions(DIRECTIONS).all(|n| Vector3::from(*v).dot(&n) <= self.reach(&n) + self.slack());
        let outside = vertices.iter().find(|v| !within(v));
        self.require(outside.is_none(), "drawing", || format!("{outside:?} lies outside of the convex hull"))
    }
}

/// Support function of a feature along `n`.
fn top(feature: &ContactFeature, n: &Vector3<f64>) -> f64 {
    match feature {
        ContactFeature::Point(p) => p.dot(n),
        ContactFeature::Segment([p, q]) => p.dot(n).max(q.dot(n)),
        ContactFeature::Rectangle { center, axes, half_lengths } => {
            center.dot(n) + axes.iter().zip(half_lengths).map(|(axis, half)| axis.dot(n).abs() * half).sum::<f64>()
        }
        ContactFeature::Disc { center, normal, radius } => center.dot(n) + radius * normal.cross(n).norm(),
    }
}

/// Checks the boxes around the shape at several orientations.
fn placed_boxes(shape: &Shape) -> Result<(), ShapeFault> {
    shape.as_collision_shape(|own| {
        let check = Check { shape: own, size: own.bounding_radius() };
        for turn in directions(20) {
            let X =
                Isometry3::from_parts(Translation3::new(1.0, 2.0, 3.0), UnitQuaternion::from_scaled_axis(turn * 2.0));
            let bounds = aabb(shape, &X).inflated(check.slack());
            let held = directions(DIRECTIONS).filter_map(|n| own.support(&n)).all(|p| {
                let p = X.rotation * p + X.translation.vector;
                bounds.contains(&Aabb { min: p, max: p })
            });
            check.require(held, "aabb", || format!("a support point lies outside of it, turned by {turn:?}"))?;
        }
        Ok(())
    })
}
