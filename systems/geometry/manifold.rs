//! The contact manifold of a pair of bounded solids, given the direction of contact.
//!
//! The touching features are intersected as seen along the normal n; the depth of a point is the length of the chord
//! along n between the two surfaces there. No chord is longer than the support overlap D(n), and the chord at the
//! deepest place is D(n) itself, so a manifold never exceeds the depth of the pair.

use super::direction::segment_segment;
use super::feature::{Feature, Outline};
use super::normal::contact_normal;
use super::parry;
use super::plane::NEGLIGIBLE;
use super::shares::{self, Turn};
use super::solid::{Kind, Solid, overlap, support};
use super::{Points, Touch};
use nalgebra::{Isometry3, Vector3};
use std::cell::{Cell, RefCell};

thread_local! {
    /// The points of the last pair, kept so that a query allocates nothing after warm-up; emptied before each use.
    static POINTS: Cell<Vec<Point>> = const { Cell::new(Vec::new()) };
    /// Kept likewise, for the computation of their shares.
    static OUTLINE: RefCell<Workspace> = RefCell::default();
}

/// Distance within which a corner lies on an outline, relative to the size of the pair.
const COINCIDENT: f64 = 1e-9;

/// Distance within which points are one, relative to the size of the pair. Wider than [`COINCIDENT`] seen at a slant.
const SAME_POINT: f64 = 1e-6;

/// Difference of depths that tie for the deepest, relative to the size of the pair.
pub(super) const TIE: f64 = 1e-7;

/// Part of the depth that a manifold may miss before the deepest point is added, relative to the size of the pair.
const DEPTH_TOLERANCE: f64 = 2e-6;

/// Displacement of a point by rounding of the normal, where outlines meet at a small angle, relative to the size of the
/// pair.
const POINT_SHIFT: f64 = 1e-4;

#[derive(Clone, Copy, Debug)]
struct Point {
    p: Vector3<f64>,
    depth: f64,
    /// Depth by which the deepest point is chosen; differs from `depth` for the middle point of two crossing rods.
    rank: f64,
    /// Share of the stiffness of the pair; NaN until it is known.
    share: f64,
    feature: u32,
}

/// Buffers for the shares of points.
#[derive(Default)]
struct Workspace {
    places: Vec<Vector3<f64>>,
    turns: Vec<Turn>,
    outline: Vec<[f64; 2]>,
}

/// Points found so far of one pair.
pub struct Contacts {
    /// Unit normal from A into B.
    pub normal: Vector3<f64>,
    /// Depth of the pair.
    pub deepest: f64,
    /// Size of the pair \[m\], for tolerances.
    pub scale: f64,
    margin: f64,
    points: Vec<Point>,
}

impl Drop for Contacts {
    fn drop(&mut self) {
        POINTS.set(std::mem::take(&mut self.points));
    }
}

impl Contacts {
    /// No points so far, for a query of gaps less than `margin` \[m\].
    pub fn new(margin: f64) -> Self {
        let mut points = POINTS.take();
        points.clear();
        Self { normal: Vector3::z(), deepest: f64::NEG_INFINITY, scale: 1.0, margin, points }
    }

    /// Adds a point unless one is at the same place.
    pub fn push(&mut self, p: Vector3<f64>, depth: f64, feature: u32) {
        self.push_share(p, depth, f64::NAN, feature);
    }

    /// Adds a point whose share of the stiffness is known, unless one is at the same place.
    pub fn push_share(&mut self, p: Vector3<f64>, depth: f64, share: f64, feature: u32) {
        self.push_ranked(Point { p, depth, rank: depth, share, feature });
    }

    fn push_ranked(&mut self, point: Point) {
        let near = SAME_POINT * self.scale;
        if !self.points.iter().any(|q| (q.p - point.p).norm_squared() <= near * near) {
            self.points.push(point);
        }
    }

    /// Replaces a point near the deepest one by it, or adds it.
    fn correct(&mut self, p: Vector3<f64>, depth: f64) {
        let near = POINT_SHIFT * self.scale;
        match self.points.iter_mut().find(|q| (q.p - p).norm_squared() <= near * near) {
            Some(q) => *q = Point { p, depth, rank: depth, share: f64::NAN, feature: q.feature },
            None => self.push(p, depth, 63),
        }
    }

    /// Computes the share of the stiffness of every point that has none.
    fn share(&mut self) {
        if self.points.iter().all(|q| !q.share.is_nan()) {
            return;
        }
        match self.points.as_mut_slice() {
            [] => return,
            [only] => only.share = 1.0,
            [p, q] => {
                let d = q.p - p.p;
                let apart = (d - self.normal * self.normal.dot(&d)).norm();
                p.share = shares::of_end(p.depth - q.depth, apart);
                q.share = 1.0 - p.share;
            }
            points => OUTLINE.with_borrow_mut(|Workspace { places, turns, outline }| {
                places.clear();
                places.extend(points.iter().map(|q| q.p));
                _ = shares::of_points(places, &self.normal, turns, outline, |i, share| points[i].share = share);
            }),
        }
        let reach = |q: &Point| shares::reach(q.depth, self.deepest, self.scale);
        let carried = self.points.iter().map(|q| q.share * reach(q)).sum();
        let factor = shares::least(carried, self.deepest, self.scale);
        self.points.iter_mut().for_each(|q| q.share *= factor);
    }

    /// Area of the outline of the points, seen along the normal; at least that of a strip of the same length and the
    /// width `width` \[m\].
    pub fn measure(&self, width: f64) -> f64 {
        let points = &self.points;
        let Some(first) = points.first() else { return 0.0 };
        let flat = |d: Vector3<f64>| d - self.normal * self.normal.dot(&d);
        let length = points.iter().map(|q| flat(q.p - first.p).norm()).fold(0.0, f64::max);
        let area = if points.len() < 3 {
            0.0
        } else {
            OUTLINE.with_borrow_mut(|Workspace { places, turns, outline }| {
                places.clear();
                places.extend(points.iter().map(|q| q.p));
                shares::of_points(places, &self.normal, turns, outline, |_, _| {})
            })
        };
        area.max(width * (length + width))
    }

    fn found(&self) -> &[Point] {
        &self.points
    }

    /// Appends the requested points, transformed by `X`.
    pub fn append(&self, points: Points, X: &Isometry3<f64>, out: &mut Vec<Touch>) {
        let normal = X.rotation * self.normal;
        let moved = |p: Vector3<f64>| X.rotation * p + X.translation.vector;
        match points {
            Points::Manifold | Points::LocalMinima => {
                let counts = |q: &&Point| q.depth > -self.margin && q.share > NEGLIGIBLE;
                out.extend(self.found().iter().filter(counts).map(|q| Touch {
                    p_WC: moved(q.p),
                    normal,
                    depth: q.depth,
                    share: q.share,
                    feature: q.feature,
                }));
            }
            Points::Deepest => {
                if self.points.is_empty() || self.deepest <= -self.margin {
                    return;
                }
                // Weights fade linearly to zero over the tie band, so that the mean moves without jumps.
                let top = self.found().iter().map(|q| q.rank).fold(f64::NEG_INFINITY, f64::max);
                let band = TIE * self.scale;
                let (mut sum, mut weights) = (Vector3::zeros(), 0.0);
                for q in self.found() {
                    let weight = (1.0 - (top - q.rank) / band).max(0.0);
                    sum += q.p * weight;
                    weights += weight;
                }
                if weights > 0.0 {
                    let p_WC = moved(sum / weights);
                    out.push(Touch { p_WC, normal, depth: self.deepest, share: 1.0, feature: 0 });
                }
            }
        }
    }
}

/// Fills `contacts` for two bounded solids.
pub fn touches(a: &Solid, b: &Solid, contacts: &mut Contacts) {
    contacts.scale = a.size() + b.size();
    let margin = contacts.margin;
    let distance = (b.center - a.center).norm();
    if !distance.is_finite() || distance >= contacts.scale + margin || are_apart_between_centers(a, b, margin) {
        return;
    }
    let Some((n, depth)) = contact_normal(a, b, margin) else { return };
    touches_along(a, b, n, depth, true, contacts);
}

/// True if the direction from centre to centre proves a gap of the margin between two solids whose direction of contact
/// takes a search. Most pairs whose boxes overlap are so far apart, and the search takes a hundred times as long.
fn are_apart_between_centers(a: &Solid, b: &Solid, margin: f64) -> bool {
    (a.takes_a_search() || b.takes_a_search())
        && (b.center - a.center).try_normalize(0.0).is_some_and(|n| overlap(a, b, &n) <= -margin)
}

/// A lower bound of the gap between two solids with corners or rims, if it is quickly shown to be at least `distance`.
pub(super) fn shown_gap(a: &Solid, b: &Solid, distance: f64) -> Option<f64> {
    let way = b.center - a.center;
    let between = way.norm();
    if !between.is_finite() || !distance.is_finite() {
        return None;
    }
    let of_balls = between - a.size() - b.size();
    if of_balls >= distance {
        return Some(of_balls);
    }
    let along = |n: Vector3<f64>| Some(-overlap(a, b, &n)).filter(|gap| *gap >= distance);
    way.try_normalize(0.0).and_then(along).or_else(|| parry::separating(a, b, distance).and_then(along))
}

/// Fills `contacts` for a given direction, in which the support overlap is `depth`. If it `reaches_all`, the deepest
/// place is among the points; otherwise only points within both outlines, seen along the direction, count.
pub(super) fn touches_along(
    a: &Solid,
    b: &Solid,
    n: Vector3<f64>,
    depth: f64,
    reaches_all: bool,
    contacts: &mut Contacts,
) {
    contacts.scale = a.size() + b.size();
    contacts.normal = n;
    contacts.deepest = depth;
    let (fa, fb) = (a.feature(&n), b.feature(&-n));
    match (&fa, &fb) {
        (face, Feature::Point(p)) if !reaches_all => {
            let tolerance = COINCIDENT * contacts.scale;
            if Outline::new(face, &n).is_some_and(|outline| outline.contains(p, tolerance)) {
                contacts.push(p + n * (0.5 * depth), depth, 0);
            }
        }
        (Feature::Point(p), _) => contacts.push(p - n * (0.5 * depth), depth, 0),
        (_, Feature::Point(p)) => contacts.push(p + n * (0.5 * depth), depth, 0),
        (Feature::Segment(_), Feature::Segment(_)) if a.is_symmetric() && b.is_symmetric() => rods(a, b, contacts),
        (Feature::Segment(ends_a), Feature::Segment(ends_b)) => sharp_edge(ends_a, ends_b, contacts),
        // A rim that is not flat on anything has one nearest point; clipping would find a lens of the size of rounding.
        _ if depth < 0.0
            && !(fa.is_flat(&n) || fb.is_flat(&n))
            && [&fa, &fb].iter().any(|f| matches!(f, Feature::Disc { .. })) =>
        {
            contacts.push(deepest_point(a, b, &n, depth), depth, 63);
        }
        _ => {
            let (face_a, face_b) = (Outline::new(&fa, &n), Outline::new(&fb, &n));
            if let Some(face) = &face_b {
                clip(&fa, face, -1.0, 0, contacts);
            }
            if let Some(face) = &face_a {
                clip(&fb, face, 1.0, 32, contacts);
            }
            if let (Some(face_a), Some(face_b)) = (&face_a, &face_b) {
                corners(&fa, face_b, -1.0, 16, contacts);
                corners(&fb, face_a, 1.0, 48, contacts);
                for (i, p) in face_a.rim_crossings(face_b).into_iter().flatten().enumerate() {
                    emit(&p, face_b, -1.0, 60 + i as u32, contacts);
                }
            }
        }
    }
    let top = contacts.found().iter().map(|q| q.rank).fold(f64::NEG_INFINITY, f64::max);
    if !reaches_all {
        contacts.deepest = top;
    } else if top < depth - DEPTH_TOLERANCE * contacts.scale {
        contacts.correct(deepest_point(a, b, &n, depth), depth);
    }
    contacts.share();
}

/// Adds the contact point at `p` on one shape, seen along the normal; the other shape's face is `face`. `sign` is -1 if
/// `p` is on A.
fn emit(p: &Vector3<f64>, face: &Outline, sign: f64, feature: u32, contacts: &mut Contacts) {
    let partner = face.project(p);
    let depth = sign * contacts.normal.dot(&(partner - p));
    contacts.push((p + partner) * 0.5, depth, feature);
}

/// Clips edges (or the one segment) of `feature` by the outline of the other shape's face, and adds both ends of each
/// remaining part.
fn clip(feature: &Feature, face: &Outline, sign: f64, base: u32, contacts: &mut Contacts) {
    let tolerance = COINCIDENT * contacts.scale;
    let mut edge = |p: Vector3<f64>, q: Vector3<f64>, id: u32| {
        if let Some(range) = face.clip(&p, &q, tolerance) {
            for (i, t) in range.into_iter().enumerate() {
                emit(&(p + (q - p) * t), face, sign, base + numbered(2 * id + i as u32), contacts);
            }
        }
    };
    match feature {
        Feature::Segment([p, q]) => edge(*p, *q, 0),
        Feature::Rectangle { .. } | Feature::Polygon { .. } => {
            let count = feature.num_corners();
            for i in 0..count {
                edge(feature.corner(i), feature.corner((i + 1) % count), i as u32);
            }
        }
        _ => {}
    }
}

/// Spreads the numbers of a feature with many corners, so that ranges of 16 with different bases do not overlap.
fn numbered(i: u32) -> u32 {
    64 * (i / 16) + i % 16
}

/// Adds corners or rim points of `feature` within the outline of the other shape's face. (Corners of a rectangle or
/// polygon are found by [`clip`] too; those on the very edge of an outline are not always.)
fn corners(feature: &Feature, face: &Outline, sign: f64, base: u32, contacts: &mut Contacts) {
    let tolerance = COINCIDENT * contacts.scale;
    for i in 0..feature.num_corners() {
        let p = feature.corner(i);
        if face.contains(&p, tolerance) {
            emit(&p, face, sign, base + numbered(i as u32), contacts);
        }
    }
}

impl Feature<'_> {
    /// True if `n` is the normal of this face.
    fn is_flat(&self, n: &Vector3<f64>) -> bool {
        match self {
            Feature::Rectangle { axes: [x, y], .. }
            | Feature::Polygon { axes: [x, y], .. }
            | Feature::Disc { axes: [x, y], .. } => x.dot(n).hypot(y.dot(n)) < SAME_POINT,
            _ => false,
        }
    }

    fn num_corners(&self) -> usize {
        match self {
            Feature::Point(_) => 1,
            Feature::Segment(_) => 2,
            Feature::Rectangle { .. } | Feature::Disc { .. } => 4,
            Feature::Polygon { face, .. } => face.corners.len(),
        }
    }

    /// Corner `i` of [`num_corners`](Self::num_corners), in order; for a disc, rim points.
    fn corner(&self, i: usize) -> Vector3<f64> {
        match *self {
            Feature::Point(p) => p,
            Feature::Segment(ends) => ends[i],
            Feature::Rectangle { center, axes: [x, y], half: [a, b] } => {
                let (u, v) = [(-a, -b), (a, -b), (a, b), (-a, b)][i];
                center + x * u + y * v
            }
            Feature::Polygon { hull, face, pose, .. } => {
                pose.rotation * hull.corners()[face.corners[i] as usize] + pose.translation.vector
            }
            Feature::Disc { rim, .. } => rim[i],
        }
    }
}

/// Two capsules or cylinders side by side.
///
/// Parallel rods touch along a line: two points, at the ends of the common length, each with half the stiffness.
/// Crossing rods touch at one point. In between, the total must not jump, so the middle point carries only the part
/// that the ends do not: `D - (depth_1 + depth_2) / 2`, with all the stiffness. The pair carries `K D` throughout. The
/// middle point fades in from zero as rods leave the parallel position, to the full depth once the ends have parted;
/// its reported depth is therefore less than the geometric one while the ends touch.
fn rods(a: &Solid, b: &Solid, contacts: &mut Contacts) {
    let (n, depth) = (contacts.normal, contacts.deepest);
    let ((skin_a, la), (skin_b, lb)) = (rod(a, &n), rod(b, &-n));
    let ua = a.axis();
    // The same direction, as far as possible.
    let ub = if ua.dot(&b.axis()) < 0.0 { -b.axis() } else { b.axis() };
    let mut carried = 0.0_f64;
    if ua.dot(&ub) > 0.9 {
        // The common length, along the mean of the two axes.
        let m = (ua + ub).normalize();
        let (start_a, start_b) = (m.dot(&a.center), m.dot(&b.center));
        let (rate_a, rate_b) = (m.dot(&ua), m.dot(&ub));
        let from = (start_a - la * rate_a).max(start_b - lb * rate_b);
        let to = (start_a + la * rate_a).min(start_b + lb * rate_b);
        if to - from > TIE * contacts.scale {
            for (i, s) in [from, to].into_iter().enumerate() {
                let pa = a.center + ua * ((s - start_a) / rate_a);
                let pb = b.center + ub * ((s - start_b) / rate_b);
                // Along n the two sections overlap by skins - w·n, at most D; by less where they are beside each other.
                let w = pb - pa;
                let rank = ((skin_a - skin_b).dot(&n) - w.norm().copysign(w.dot(&n))).min(depth);
                carried += 0.5 * rank.max(0.0);
                contacts.push_share((pa + skin_a + pb + skin_b) * 0.5, rank, 0.5, i as u32);
            }
        }
    }
    // In a gap there is no force to share: the middle point is left out only if an end is as near.
    let near = TIE * contacts.scale;
    let left = if depth > 0.0 { depth - carried } else { depth };
    let shown = if depth > 0.0 { left > near } else { !contacts.found().iter().any(|q| q.rank >= depth - near) };
    if shown {
        let p = deepest_point(a, b, &n, depth);
        contacts.push_ranked(Point { p, depth: left, rank: depth, share: 1.0, feature: 2 });
    }
}

/// Adds the contact of an edge that is too sharp for its faces to touch with another segment: at their crossing, seen
/// along the normal.
fn sharp_edge(ends_a: &[Vector3<f64>; 2], ends_b: &[Vector3<f64>; 2], contacts: &mut Contacts) {
    let half = |[p, q]: &[Vector3<f64>; 2]| ((p + q) * 0.5, (q - p) * 0.5);
    let ((middle_a, reach_a), (middle_b, reach_b)) = (half(ends_a), half(ends_b));
    let lift = contacts.normal * contacts.deepest;
    let (pa, pb) = segment_segment(&middle_a, &reach_a, &(middle_b + lift), &reach_b);
    contacts.push((pa + pb - lift) * 0.5, contacts.deepest, 0);
}

/// Vector from the axis of a rod to its surface towards `n`, and half of its length; zero for other solids.
fn rod(solid: &Solid, n: &Vector3<f64>) -> (Vector3<f64>, f64) {
    solid.rod(n).unwrap_or_default()
}

/// Midpoint of the deepest chord: from the support point of A or of B, or from the nearest points of the axes of two
/// rods, whichever chord ends best on the other solid.
fn deepest_point(a: &Solid, b: &Solid, n: &Vector3<f64>, depth: f64) -> Vector3<f64> {
    let (pa, pb) = (support(a, n), support(b, &-n));
    let miss = |solid: &Solid, p: Vector3<f64>| {
        let out = p - solid.nearest(&p);
        if let Kind::Round(round) = solid.kind { (out.norm() - round.radius).abs() } else { out.norm() }
    };
    let mut best = (miss(b, pa - n * depth), pa - n * (0.5 * depth));
    let mut offer = |miss: f64, p: Vector3<f64>| {
        if miss < best.0 {
            best = (miss, p);
        }
    };
    offer(miss(a, pb + n * depth), pb + n * (0.5 * depth));
    if let (Some((skin_a, la)), Some((skin_b, lb))) = (a.rod(n), b.rod(&-n)) {
        let (pa, pb) = segment_segment(&a.center, &(a.axis() * la), &b.center, &(b.axis() * lb));
        let (pa, pb) = (pa + skin_a, pb + skin_b);
        offer((pa - pb - n * depth).norm(), (pa + pb) * 0.5);
    }
    best.1
}
