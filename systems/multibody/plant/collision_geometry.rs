//! A collision shape of a plant, with its contact properties.

use super::grain::ShapeGrain;
use super::material::Material;
use super::model::Collisions;
use super::pressure_field::PressureField;
use super::volume::VolumeSide;
use crate::fibre::Fade;
use crate::proximity::Proximity;
use crate::scene_data::Surface;
use kinegraph_geometry::Shape;
use nalgebra::Isometry3;

/// A shape on a body.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub name: String,
    pub body: usize,
    pub X_BG: Isometry3<f64>,
    pub shape: Shape,
    pub material: Material,
    /// Contact properties that the file states for it; `None` for the ground, and if the file states none.
    pub surface: Option<Surface>,
    /// Grain of its surface, if its friction depends on the direction of sliding.
    pub grain: Option<ShapeGrain>,
    pub collisions: Collisions,
    /// True for the ground.
    pub ground: bool,
    /// Pressure field, if it touches by a contact surface (hydroelastic contact).
    pub pressure: Option<PressureField>,
    /// Solid, if it touches by its volume.
    pub volume: Option<VolumeSide>,
    /// Largest distance outside of the shape at which contact begins \[m\].
    pub skin: f64,
    /// Fading of its stiffness towards its ends, if it is a piece of a fibre whose contact passes smoothly to the next.
    pub fade: Option<Fade>,
}

impl Geometry {
    /// Distance by which its contact mesh or hull extends beyond its shape \[m\].
    pub fn bulge(&self) -> f64 {
        let of_volume = self.volume.as_ref().map_or(0.0, |volume| volume.bulge);
        self.pressure.as_ref().map_or(of_volume, |pressure| pressure.bulge)
    }

    /// Replaces the values of the material that `said` gives.
    pub fn set_material(&mut self, said: &Proximity) {
        let material = &mut self.material;
        material.stiffness = said.stiffness.unwrap_or(material.stiffness);
        material.dissipation = said.dissipation.unwrap_or(material.dissipation);
        material.static_friction = said.static_friction.unwrap_or(material.static_friction);
        material.dynamic_friction = said.dynamic_friction.unwrap_or(material.dynamic_friction);
        self.grain = self.grain.or(said.grain.map(|grain| ShapeGrain::new(&grain, &self.X_BG)));
    }
}
