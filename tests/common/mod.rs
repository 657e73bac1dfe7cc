//! Common models, plants and options of the tests of physics.
#![allow(dead_code)] // every test file uses some of it

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{ContactParameters, Material};
use kinegraph::systems::multibody::scene_data::Surface;
use kinegraph::systems::multibody::{
    Base, Collision, Inertia, Joint, JointKind, Link, Model, MultibodyPlant, PlantBuilder,
};
use nalgebra::{Isometry3, Matrix3, Vector3};

pub mod capstan;
pub mod meshes;

/// A single link `body` of a uniform solid, its frame at the centre.
pub fn solid(shape: Shape, mass: f64) -> Model {
    let box_like = |a: f64, b: f64, c: f64| Vector3::new(b * b + c * c, a * a + c * c, a * a + b * b) * (mass / 3.0);
    let round = |r: f64, l: f64| {
        let transverse = mass * (r * r / 4.0 + l * l / 3.0);
        Vector3::new(transverse, transverse, 0.5 * mass * r * r)
    };
    let moments = match &shape {
        Shape::Sphere { radius } => Vector3::repeat(0.4 * mass * radius * radius),
        Shape::Box { half_extents: h } => box_like(h.x, h.y, h.z),
        Shape::Cylinder { radius, half_length } => round(*radius, *half_length),
        // Close enough: a cylinder as long as the capsule.
        Shape::Capsule { radius, half_length } => round(*radius, half_length + radius),
        // Close enough: the box with the same extents.
        Shape::Convex(hull) => {
            let h = hull.vertices().fold(Vector3::zeros(), |h: Vector3<f64>, v| h.sup(&v.abs()));
            box_like(h.x, h.y, h.z)
        }
        Shape::Ellipsoid { semi_axes: s } => box_like(s.x, s.y, s.z) * 0.6,
        // Close enough: a cylinder with its radius at half height.
        Shape::Cone { radius, half_length } => round(0.5 * radius, *half_length),
        _ => panic!("a shape whose mass this helper does not know"),
    };
    let inertia = Inertia { mass, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::from_diagonal(&moments) };
    let collisions = vec![Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None }];
    let body = Link { name: "body".into(), inertia: Some(inertia), collisions, ..Link::default() };
    Model { name: "solid".into(), links: vec![body], ..Model::default() }
}

/// A uniform ball.
pub fn ball(mass: f64, radius: f64) -> Model {
    solid(Shape::Sphere { radius }, mass)
}

/// A uniform box.
pub fn cuboid(mass: f64, half_extents: [f64; 3]) -> Model {
    solid(Shape::Box { half_extents: half_extents.into() }, mass)
}

/// A block of 1 kg on four small balls under its corners, low enough not to tip.
pub fn block() -> Model {
    let mut model = cuboid(1.0, [0.2, 0.2, 0.05]);
    model.links[0].collisions = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
        .map(|(x, y)| Collision {
            name: String::new(),
            X_BG: Isometry3::translation(0.2 * x, 0.2 * y, -0.05),
            shape: Shape::Sphere { radius: 0.01 },
            surface: None,
        })
        .into();
    model
}

/// Floating base at rest at a point.
pub fn at(x: f64, y: f64, z: f64) -> Base {
    Base::floating(Isometry3::translation(x, y, z))
}

/// Floating base in motion: position, angular velocity, velocity.
pub fn thrown(p: [f64; 3], w: [f64; 3], v: [f64; 3]) -> Base {
    Base::Floating { X_WR: Isometry3::translation(p[0], p[1], p[2]), w_WR: w.into(), v_WR: v.into() }
}

/// A joint without limits, effort limit, damping or armature, its frames at the links' origins.
pub fn joint(name: &str, kind: JointKind, parent: &str, child: &str, axis: Vector3<f64>) -> Joint {
    Joint { axis, ..Joint::new(name, kind, parent, child) }
}

/// A link with a point mass and a little inertia at `com`.
pub fn link(name: &str, mass: f64, com: [f64; 3]) -> Link {
    let inertia = Inertia { mass, p_BoBcm: com.into(), I_BBcm: Matrix3::identity() * (0.01 * mass) };
    Link { name: name.into(), inertia: Some(inertia), ..Link::default() }
}

/// A carriage of the given mass on a prismatic joint `x` along x.
pub fn slider(mass: f64) -> Model {
    Model {
        name: "slider".into(),
        links: vec![Link { name: "base".into(), ..Link::default() }, link("carriage", mass, [0.0; 3])],
        joints: vec![joint("x", JointKind::Prismatic, "base", "carriage", Vector3::x())],
        ..Model::default()
    }
}

/// Two links of 1 kg and 1 m on joints `j1`, `j2` about y, without friction, hanging along -z at zero.
pub fn double_pendulum() -> Model {
    let mut j2 = joint("j2", JointKind::Continuous, "upper", "lower", Vector3::y());
    j2.X_PF = Isometry3::translation(0.0, 0.0, -1.0);
    Model {
        name: "double_pendulum".into(),
        links: vec![
            Link { name: "base".into(), ..Link::default() },
            link("upper", 1.0, [0.0, 0.0, -0.5]),
            link("lower", 1.0, [0.0, 0.0, -0.5]),
        ],
        joints: vec![joint("j1", JointKind::Continuous, "base", "upper", Vector3::y()), j2],
        ..Model::default()
    }
}

/// Point contact of the given stiffness \[N/m\], dissipation \[s/m\] and friction coefficient.
pub fn contact(stiffness: f64, dissipation: f64, friction: f64) -> ContactParameters {
    let pair = Material { stiffness, dissipation, static_friction: friction, dynamic_friction: friction };
    ContactParameters { pair, ..ContactParameters::default() }
}

/// Surface of a shape of this stiffness \[N/m\] and dissipation \[s/m\], without friction.
pub fn plain_surface(stiffness: f64, dissipation: f64) -> Surface {
    Surface {
        kind: 1,
        touches: 1,
        stiffness,
        dissipation,
        friction: 0.0,
        grain: None,
        resistance: [0.0; 2],
        resists: [false; 2],
        priority: 0,
        margin: 0.0,
        gap: 0.0,
        adhesion: 0.0,
        sheet: None,
    }
}

/// A plant without gravity.
pub fn weightless() -> PlantBuilder {
    PlantBuilder::new().gravity([0.0; 3])
}

/// A diagram with only the plant, as block `plant`.
pub fn alone(plant: PlantBuilder) -> Diagram {
    let plant: MultibodyPlant = plant.build().unwrap();
    let mut builder = DiagramBuilder::new("alone");
    builder.add("plant", plant);
    builder.build().unwrap()
}

/// The convex step with a fixed step.
pub fn icf(step: f64) -> Options {
    Options::icf(step)
}

/// The convex step with error control, of first order: published figures of feedback and friction refer to it.
pub fn plain_cenic(accuracy: f64) -> Options {
    Options { accuracy, extrapolate: false, ..Options::default() }
}

/// The convex step with error control.
pub fn cenic(accuracy: f64) -> Options {
    Options { accuracy, ..Options::default() }
}

/// A simulation that has been run to `time`.
pub fn run(diagram: &Diagram, options: Options, time: f64) -> Simulation {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    simulation.advance_to(time).unwrap();
    simulation
}

/// Attempts at a step: accepted and rejected.
pub fn attempts(simulation: &Simulation) -> usize {
    simulation.statistics().steps + simulation.statistics().rejected_steps
}

/// Position of the origin of a free body (model `name`, link `body`) in a plant called `plant`.
pub fn position(simulation: &mut Simulation, name: &str) -> Vector3<f64> {
    let mut get = |axis: &str| simulation.channel(&format!("plant.{name}.body.pose.{axis}")).unwrap();
    Vector3::new(get("px"), get("py"), get("pz"))
}

/// Angular velocity and velocity of a free body.
pub fn velocity(simulation: &mut Simulation, name: &str) -> (Vector3<f64>, Vector3<f64>) {
    let mut get = |axis: &str| simulation.channel(&format!("plant.{name}.body.velocity.{axis}")).unwrap();
    (Vector3::new(get("wx"), get("wy"), get("wz")), Vector3::new(get("vx"), get("vy"), get("vz")))
}

/// Pseudorandom numbers from a seed.
pub struct Random(pub u64);

impl Random {
    /// A number in [0, 1).
    pub fn part(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.part()
    }

    /// A positive number between two others, with uniform logarithm.
    pub fn log(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.part())
    }
}
