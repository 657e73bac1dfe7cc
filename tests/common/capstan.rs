//! A cord over a drum: common part of the tests of its tensions.

use super::{contact, solid, weightless};
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::Base;
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreEnd, FibreMaterial, Section};
use kinegraph::systems::multibody::plant::{Belt, SurfaceMotion};
use nalgebra::Vector3;
use std::f64::consts::PI;

/// Half the thickness of the cord \[m\].
pub const THICK: f64 = 1e-4;

/// A cord without weight over half a turn of a drum whose surface slides under it, pulled by 1 N at one end and held at
/// the other.
pub struct Capstan {
    /// Elements on the drum.
    pub elements: usize,
    /// Elements of each hanging end.
    pub legs: u32,
    pub stiffness: f64,
    pub friction: f64,
    /// Stiffness of stretch and shear \[N\]; the bending stiffness keeps a node upright on the drum.
    pub stretch: f64,
    /// Mass per length \[kg/m\], and radius of the inertia about the axis \[m\].
    pub mass: f64,
    pub radius: f64,
    pub damping: f64,
}

impl Capstan {
    /// Builds the diagram; the cord is `cord`.
    pub fn build(self) -> Diagram {
        let Capstan { elements, legs, stiffness, friction, stretch, mass, radius, damping } = self;
        let drum = 0.1;
        let around = drum + THICK;
        let piece = 2.0 * around * (0.5 * PI / elements as f64).sin();
        let leg = f64::from(legs) * piece;
        let arc = (0..=elements).map(|i| PI * (1.0 - i as f64 / elements as f64));
        let mut points = vec![Vector3::new(-around, -leg, 0.0)];
        points.extend(arc.map(|at| Vector3::new(at.cos(), at.sin(), 0.0) * around));
        points.push(Vector3::new(around, -leg, 0.0));
        let all = elements + 2 * legs as usize;
        let material = FibreMaterial { young: 1.0, shear: 1.0, density: 1.0, damping };
        let section = Section::Given { stretch: [stretch; 3], bend: [piece * piece; 3], mass, radius };
        let ends = [FibreEnd::Clamped("world".into()), FibreEnd::Free];
        let cord = Fibre::new("cord", Curve::Polyline(points), all, section, material);
        let cord = Fibre { ends, contact_radius: Some(THICK), ..cord };
        let belt = Belt {
            name: "surface".into(),
            link: "drum/body".into(),
            motion: SurfaceMotion::Around([0.0, 0.0, 1.0]),
            speed: -0.5,
        };
        let plant = weightless()
            .contact(contact(stiffness, 10.0, friction))
            .model("drum", solid(Shape::Cylinder { radius: drum, half_length: 0.05 }, 1.0), Base::fixed())
            .belt(belt)
            .fibre(cord);
        let mut b = DiagramBuilder::new("capstan");
        let plant = b.add("plant", plant.build().unwrap_or_else(|e| panic!("{e}")));
        let mut pull = vec![0.0; 6 * all];
        pull[6 * all - 2] = -1.0;
        b.fix(plant.applied_generalized_force("cord"), pull);
        b.build().unwrap()
    }
}
