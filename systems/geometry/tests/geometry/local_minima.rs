//! Local minima of shapes with known contact points.

use kinegraph_geometry::{ConvexHull, ExactMesh, MeshDefect, Points, Shape, Touch, touches};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::sync::Arc;

/// A prism along z over a polygon that may be hollow, anticlockwise, from `low` to `high`; caps by ears.
fn prism(outline: &[[f64; 2]], low: f64, high: f64) -> ExactMesh {
    let n = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |p| Vector3::new(p[0], p[1], z));
    let points: Vec<Vector3<f64>> = at(low).chain(at(high)).collect();
    let mut triangles = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, n + j], [i, n + j, n + i]]);
    }
    for [i, j, k] in ears(outline) {
        triangles.extend([[i, k, j], [n + i, n + j, n + k]]);
    }
    ExactMesh::new(&points, &triangles).unwrap()
}

/// Triangles of a polygon [Meisters 1975].
fn ears(outline: &[[f64; 2]]) -> Vec<[u32; 3]> {
    let mut left: Vec<u32> = (0..outline.len() as u32).collect();
    let turn = |i: u32, j: u32, k: u32| {
        let [p, q, r] = [i, j, k].map(|i| outline[i as usize]);
        (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0])
    };
    let mut found = Vec::new();
    while left.len() > 2 {
        let n = left.len();
        let ear = (0..n).find(|&at| {
            let [i, j, k] = [left[(at + n - 1) % n], left[at], left[(at + 1) % n]];
            let holds = |m: u32| turn(i, j, m) > 0.0 && turn(j, k, m) > 0.0 && turn(k, i, m) > 0.0;
            turn(i, j, k) > 0.0 && !left.iter().any(|&m| m != i && m != j && m != k && holds(m))
        });
        let at = ear.unwrap_or_default();
        found.push([left[(at + n - 1) % n], left[at], left[(at + 1) % n]]);
        left.remove(at);
    }
    found
}

fn cuboid(half: [f64; 3]) -> ExactMesh {
    let [x, y, z] = half;
    prism(&[[-x, -y], [x, -y], [x, y], [-x, y]], -z, z)
}

fn shape(mesh: &ExactMesh) -> Shape {
    Shape::Mesh(Arc::new(mesh.clone()))
}

fn found(a: &Shape, b: &Shape, X_AB: &Isometry3<f64>, margin: f64) -> Vec<Touch> {
    let mut out = Vec::new();
    touches(a, &Isometry3::identity(), b, X_AB, Points::LocalMinima, margin, &mut out);
    out
}

fn at(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Translation3::new(x, y, z).into()
}

/// A reproducible sequence of numbers between -1 and 1.
struct Numbers(u64);

impl Numbers {
    fn one(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn turn(&mut self) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(Vector3::new(self.one(), self.one(), self.one()) * 3.0)
    }
}

/// Moves B towards A along a line until they touch, and then by `beyond`.
fn nearing(a: &Shape, b: &Shape, way: Vector3<f64>, turn: UnitQuaternion<f64>, beyond: f64) -> Isometry3<f64> {
    let at = |t: f64| Isometry3::from_parts((way * t).into(), turn);
    let first = (0..500).map(|i| 3.0 - 0.006 * f64::from(i)).find(|&t| !found(a, b, &at(t), 0.01).is_empty());
    at(first.unwrap_or(0.0) - beyond)
}

/// A box on a table has its four corners, each with a quarter; beyond the rim, those of the supported part.
#[test]
fn a_box_on_a_table() {
    let (table, cube) = (shape(&cuboid([1.0, 1.0, 0.1])), shape(&cuboid([0.2, 0.3, 0.1])));
    for (x, depth) in [(0.0, 1e-4), (0.0, -1e-4), (0.9, 1e-4), (1.15, 1e-4), (0.9, -1e-4)] {
        let points = found(&table, &cube, &at(x, 0.1, 0.2 - depth), 1e-3);
        assert_eq!(points.len(), 4, "{x} {depth}: {points:#?}");
        for point in &points {
            assert!((point.normal - Vector3::z()).norm() < 1e-12, "{x} {depth}: {point:?}");
            assert!((point.depth - depth).abs() < 1e-12 && (point.share - 0.25).abs() < 1e-12, "{point:?}");
            assert!(point.p_WC.x <= 1.0 + 1e-9 && (point.p_WC.x - x).abs() <= 0.2 + 1e-9, "{point:?}");
        }
    }
}

/// A tongue in a groove touches the floor and, within its play, both walls, each along its own normal.
#[test]
fn a_tongue_in_a_groove_touches_floor_and_walls() {
    let groove = [[-0.5, -0.2], [0.5, -0.2], [0.5, 0.2], [0.1, 0.2], [0.1, 0.0], [-0.1, 0.0], [-0.1, 0.2], [-0.5, 0.2]];
    let groove = shape(&prism(&groove, -0.5, 0.5));
    for play in [1e-4, -1e-4] {
        let tongue = shape(&cuboid([0.1 - play, 0.2, 0.3]));
        // The floor is y = 0.
        let points = found(&groove, &tongue, &at(0.0, 0.2 + play, 0.0), 1e-3);
        for normal in [Vector3::y(), Vector3::x(), -Vector3::x()] {
            let wall: Vec<_> = points.iter().filter(|p| p.normal.dot(&normal) > 0.999).collect();
            assert!(wall.len() >= 4, "{play} {normal}: {points:#?}");
            assert!(wall.iter().all(|p| (p.depth + play).abs() < 1e-9), "{play} {normal}: {points:#?}");
            let sum: f64 = wall.iter().map(|p| p.share).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{play} {normal}: {sum}");
        }
    }
}

/// Two convex bodies that are apart have the distance of GJK, as parry finds it. Overlaps have the depth that the
/// search over all directions finds for their hulls.
#[test]
fn convex_meshes_agree_with_their_hulls() {
    let mut numbers = Numbers(5);
    let mut compared = 0;
    for _ in 0..120 {
        let mut half = || [0.0; 3].map(|_: f64| 0.4 + 0.2 * numbers.one());
        let (a, b) = (cuboid(half()), cuboid(half()));
        let hull = |mesh: &ExactMesh| Shape::Convex(Arc::new(ConvexHull::new(mesh.vertices()).unwrap()));
        let way = numbers.turn() * Vector3::x();
        let turn = numbers.turn();
        let depth_at = |t: f64| {
            let X = Isometry3::from_parts((way * t).into(), turn);
            let mut out = Vec::new();
            touches(&hull(&a), &Isometry3::identity(), &hull(&b), &X, Points::Deepest, 1.0, &mut out);
            (out[0].depth, out[0].normal, X)
        };
        let (mut apart, mut near) = (3.0, 0.0);
        for wanted in [-1e-2, 1e-3] {
            for _ in 0..60 {
                let middle = 0.5 * (apart + near);
                if depth_at(middle).0 > wanted { near = middle } else { apart = middle }
            }
            let (depth, normal, X) = depth_at(near);
            (apart, near) = (3.0, 0.0);
            let points = found(&shape(&a), &shape(&b), &X, 0.02);
            let deepest = points.iter().max_by(|p, q| p.depth.total_cmp(&q.depth)).unwrap();
            assert!((deepest.depth - depth).abs() < 1e-9, "{depth}: {points:#?}");
            assert!(deepest.normal.dot(&normal) > 1.0 - 1e-6, "{normal}: {points:#?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 240);
}

/// The pair in the other order has the same points with reversed normals, and nothing depends on the place of the pair.
#[test]
fn the_order_and_the_place_change_nothing() {
    let mut numbers = Numbers(8);
    let groove = [[-0.5, -0.2], [0.5, -0.2], [0.5, 0.2], [0.1, 0.2], [0.1, 0.0], [-0.1, 0.0], [-0.1, 0.2], [-0.5, 0.2]];
    let (a, b) = (shape(&prism(&groove, -0.5, 0.5)), shape(&prism(&groove, -0.3, 0.2)));
    let mut seen = 0;
    for _ in 0..50 {
        let X = nearing(&a, &b, numbers.turn() * Vector3::x(), numbers.turn(), 0.008 + 0.008 * numbers.one());
        let W = Isometry3::from_parts(Vector3::new(numbers.one(), 2.0, -1.0).into(), numbers.turn());
        let there = found(&a, &b, &X, 0.01);
        let mut back = Vec::new();
        touches(&b, &(W * X), &a, &W, Points::LocalMinima, 0.01, &mut back);
        assert_eq!(there.len(), back.len());
        seen += there.len();
        for p in &there {
            let q = back.iter().min_by(|q, r| {
                let miss = |t: &Touch| (W * nalgebra::Point3::from(p.p_WC) - t.p_WC).coords.norm();
                miss(q).total_cmp(&miss(r))
            });
            let q = q.unwrap();
            assert!(
                (W.rotation * p.normal + q.normal).norm() < 1e-9 && (p.depth - q.depth).abs() < 1e-9,
                "{p:?} {q:?}"
            );
            assert!((p.share - q.share).abs() < 1e-6, "{p:?} {q:?}");
        }
    }
    assert!(seen > 50, "{seen}");
}

/// A stool with four legs stands on them; the shorter leg in its middle is found as it comes near.
#[test]
fn a_plane_touches_every_leg() {
    let comb = [
        [-0.5, 0.0],
        [-0.4, 0.0],
        [-0.4, 0.3],
        [-0.05, 0.3],
        [-0.05, 0.001],
        [0.05, 0.001],
        [0.05, 0.3],
        [0.4, 0.3],
        [0.4, 0.0],
        [0.5, 0.0],
        [0.5, 0.4],
        [-0.5, 0.4],
    ];
    let stool = shape(&prism(&comb, -0.1, 0.1));
    // y is up.
    let up = Isometry3::rotation(Vector3::x() * std::f64::consts::FRAC_PI_2);
    let points = found(&Shape::HalfSpace, &stool, &up, 1e-2);
    let gaps = |gap: f64| points.iter().filter(|p| (p.depth + gap).abs() < 1e-12).count();
    assert_eq!((gaps(0.0), gaps(0.001), points.len()), (8, 4, 12), "{points:#?}");
}

#[test]
fn defects_name_their_edge() {
    let points: Vec<_> = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]
        .map(Vector3::from)
        .into();
    let defect = |triangles: &[[u32; 3]]| ExactMesh::new(&points, triangles).unwrap().is_manifold();
    let (start, end) = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(defect(&[[0, 1, 2], [1, 0, 3]]), Ok(()));
    assert_eq!(defect(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]), Err(MeshDefect::Branching { start, end }));
    assert_eq!(defect(&[[0, 1, 2], [0, 1, 3]]), Err(MeshDefect::Orientation { start, end }));
}

/// Results of random pairs are finite, and shares at most one.
#[test]
fn random_pairs_have_finite_points() {
    let mut numbers = Numbers(3);
    let mut seen = 0;
    for i in 0..200 {
        let star = |numbers: &mut Numbers, corners: u32| {
            let outline: Vec<[f64; 2]> = (0..corners)
                .map(|k| {
                    let (r, t) = (0.6 + 0.4 * numbers.one(), std::f64::consts::TAU * f64::from(k) / f64::from(corners));
                    [r * t.cos(), r * t.sin()]
                })
                .collect();
            shape(&prism(&outline, -0.3, 0.3))
        };
        let (a, b) = (star(&mut numbers, 3 + i % 9), star(&mut numbers, 3 + i % 7));
        let turn = if i % 5 == 0 { UnitQuaternion::identity() } else { numbers.turn() };
        let mut X = nearing(&a, &b, numbers.turn() * Vector3::x(), turn, 0.02 * numbers.one());
        // Also flush, and in one place.
        if i % 10 == 0 {
            X = Isometry3::translation(0.0, 0.0, 0.2 * f64::from(i % 4));
        }
        let points = found(&a, &b, &X, 0.05);
        seen += points.len();
        for p in points {
            assert!(p.depth.is_finite() && (p.normal.norm() - 1.0).abs() < 1e-9 && p.p_WC.norm() < 3.0, "{p:?}");
            assert!((0.0..=1.0 + 1e-9).contains(&p.share), "{p:?}");
        }
    }
    assert!(seen > 200, "{seen}");
}
