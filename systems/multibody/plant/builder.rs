//! Building a plant from models.

use super::actuator::PlacedActuator;
use super::belt::{self, Belt};
use super::block::{MultibodyPlant, PlantParts};
use super::buoyancy;
use super::collision::CollisionWorld;
use super::constraint::Constraint;
use super::couplings;
use super::dispatch;
use super::element::Element;
use super::error::{PlantError, PlantErrors};
use super::fibres;
use super::fluid;
use super::hydroelastic::{self, Hydroelastics};
use super::material::ContactParameters;
use super::mocap;
use super::model::{Actuated, PlantModel};
use super::overlaps;
use super::passive;
use super::ranges;
use super::scene;
use super::sensors::PlantSensors;
use super::single_axis::single_axis;
use super::spatial_tendon::{self, PlacedTendon};
use super::spring::{PlacedSpring, Spring};
use super::starts_inside;
use super::stop::StopLaw;
use super::tendon_friction;
use super::tendon_inertia;
use crate::fibre::Fibre;
use crate::{AssemblyWarning, Base, InertiaCheck, Model, ModelInstance, Tree, TreeJoint};
use nalgebra::{Isometry3, Vector3};

/// Default of [`PlantBuilder::correction_speed`] \[m/s, rad/s\].
pub const CORRECTION_SPEED: f64 = 2.0;

/// Collects the parts of a plant; [`build`](Self::build) checks everything at once.
#[derive(Clone, Debug)]
pub struct PlantBuilder {
    gravity: Vector3<f64>,
    contact: ContactParameters,
    hydroelastics: Hydroelastics,
    ground: Option<f64>,
    pub(super) models: Vec<PlantModel>,
    pub(super) fibres: Vec<Fibre>,
    springs: Vec<Spring>,
    belts: Vec<Belt>,
    pub(super) initial: Vec<(String, f64, f64)>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) locks: Vec<(String, bool)>,
    pub(super) stops: Vec<(String, StopLaw)>,
    pub(super) elements: Vec<Element>,
    correction_speed: f64,
    pub(super) check: InertiaCheck,
}

impl Default for PlantBuilder {
    fn default() -> Self {
        PlantBuilder {
            gravity: Vector3::new(0.0, 0.0, -9.81),
            contact: ContactParameters::default(),
            hydroelastics: Hydroelastics::default(),
            ground: None,
            models: Vec::new(),
            fibres: Vec::new(),
            springs: Vec::new(),
            belts: Vec::new(),
            initial: Vec::new(),
            constraints: Vec::new(),
            locks: Vec::new(),
            stops: Vec::new(),
            elements: Vec::new(),
            correction_speed: CORRECTION_SPEED,
            check: InertiaCheck::Strict,
        }
    }
}

impl PlantBuilder {
    /// An empty plant with gravity along -z.
    pub fn new() -> Self {
        Self::default()
    }

    /// Acceleration of gravity \[m/s²\].
    pub fn gravity(mut self, gravity: [f64; 3]) -> Self {
        self.gravity = gravity.into();
        self
    }

    /// Contact parameters.
    pub fn contact(mut self, contact: ContactParameters) -> Self {
        self.contact = contact;
        self
    }

    /// Contact model, and compliance of shapes.
    pub fn hydroelastics(mut self, hydroelastics: Hydroelastics) -> Self {
        self.hydroelastics = hydroelastics;
        self
    }

    /// A half-space `z <= height` \[m\].
    pub fn ground(mut self, height: f64) -> Self {
        self.ground = Some(height);
        self
    }

    /// Adds a model with default actuators, colliding with everything.
    pub fn model(self, name: impl Into<String>, model: Model, base: Base) -> Self {
        let (actuated, collisions, excluded, start) = Default::default();
        self.add(PlantModel { name: name.into(), model, base, actuated, collisions, excluded, start })
    }

    /// Adds a model.
    #[allow(clippy::should_implement_trait)] // a builder adds; nobody adds builders with `+`
    pub fn add(mut self, model: PlantModel) -> Self {
        self.models.push(model);
        self
    }

    /// Adds a spring.
    pub fn spring(mut self, joint: impl Into<String>, stiffness: f64, rest: f64) -> Self {
        self.springs.push(Spring { joint: joint.into(), stiffness, rest });
        self
    }

    /// Adds a moving surface of a link, or of the ground.
    pub fn belt(mut self, belt: Belt) -> Self {
        self.belts.push(belt);
        self
    }

    /// Initial position and velocity of a single-axis joint, by full name (`model/joint`).
    pub fn initial(mut self, joint: impl Into<String>, q: f64, v: f64) -> Self {
        self.initial.push((joint.into(), q, v));
        self
    }

    /// Adds a constraint.
    pub fn constraint(mut self, constraint: Constraint) -> Self {
        self.constraints.push(constraint);
        self
    }

    /// Makes a joint lockable, by full name (a floating base by that of its link). While the input `MODEL.JOINT.lock`
    /// is above 0.5, the joint stands still, to the last bit; `locked` holds while that input is not connected.
    pub fn lock(mut self, joint: impl Into<String>, locked: bool) -> Self {
        self.locks.push((joint.into(), locked));
        self
    }

    /// Largest speed at which joint limits and rigid constraints remove a violation \[m/s, rad/s\]. An unbounded
    /// correction would turn a bad initial pose into kinetic energy.
    pub fn correction_speed(mut self, speed: f64) -> Self {
        self.correction_speed = speed;
        self
    }

    /// Builds the plant.
    ///
    /// # Errors
    /// All faults together.
    pub fn build(self) -> Result<MultibodyPlant, PlantErrors> {
        self.build_with_warnings().map(|(plant, _)| plant)
    }

    /// Builds the plant, and returns doubtful properties of its models with it.
    ///
    /// # Errors
    /// All faults together.
    pub fn build_with_warnings(mut self) -> Result<(MultibodyPlant, Vec<AssemblyWarning>), PlantErrors> {
        let mut faults = Vec::new();
        self.check_numbers(&mut faults);
        let fibres = self.spin_fibres(&mut faults);
        let instances: Vec<ModelInstance> = self
            .models
            .iter()
            .map(|m| ModelInstance { name: m.name.clone(), model: &m.model, base: m.base.clone() })
            .collect();
        let (tree, mut warnings) = match Tree::assemble(&instances, self.check) {
            Ok(assembled) => assembled,
            Err(errors) => {
                faults.push(PlantError::Assembly(errors));
                return Err(PlantErrors(faults));
            }
        };
        let given = self.springs.iter().filter_map(|s| {
            let joint = single_axis(&tree, &s.joint, "a spring", &mut faults)?;
            let (position, velocity) = (joint.positions.start, joint.velocities.start);
            Some(PlacedSpring { position, velocity, stiffness: s.stiffness, rest: s.rest })
        });
        let mut springs: Vec<PlacedSpring> = given.collect();
        springs.extend(tree.springs.iter().map(|&(position, velocity, stiffness, rest)| PlacedSpring {
            position,
            velocity,
            stiffness,
            rest,
        }));
        let (mut q, mut v) = (tree.initial_positions().to_vec(), tree.initial_velocities().to_vec());
        self.start_models(&tree, &mut q, &mut v, &mut faults);
        for (name, q0, v0) in &self.initial {
            if let Some(joint) = single_axis(&tree, name, "an initial value", &mut faults) {
                q[joint.positions.start] = *q0;
                v[joint.velocities.start] = *v0;
            }
        }
        self.start_mimic_joints(&tree, &mut q, &mut v);
        let mut constraints = self.place_constraints(&tree, &mut faults);
        constraints.extend(couplings::place(&tree, &self.models, &mut faults));
        let (of_fibres, apart) = fibres::place(&tree, &fibres, &q, &mut faults);
        constraints.extend(of_fibres);
        let locks = self.place_locks(&tree, &mut faults);
        let mocaps = mocap::place(&tree, &self.models);
        let limits = self.place_stops(&tree, &mut faults);
        let elements = self.place_elements(&tree, &mut faults);
        let tendons = spatial_tendon::place(&tree, &self.models, &mut faults);
        let mut actuated: Vec<Vec<PlacedActuator>> =
            (0..self.models.len()).map(|m| self.place_actuators(&tree, m, &tendons, &mut faults)).collect();
        let passive = passive::place(&tree, &self.models, &mut faults);
        let tendon_inertias = tendon_inertia::place(&tree, &self.models, &tendons);
        let tendon_frictions = tendon_friction::place(&tree, &self.models, &tendons);
        let ranges = ranges::place(&passive, &tendons);
        let effort_ranges = self.place_effort_ranges(&tree, &mut faults);
        let carried = buoyancy::place(&tree, &self.models, &mut faults);
        let sensors = PlantSensors::place(&tree, &self.models, &tendons, &mut faults);
        let immersed = fluid::place(&tree, &self.models, &mut faults);
        let belts = belt::place(&self.belts, &tree, self.ground.is_some(), &mut faults);
        if !faults.is_empty() {
            return Err(PlantErrors(faults));
        }
        let ground = self.ground.map(|height| Isometry3::translation(0.0, 0.0, height));
        let mut collision = CollisionWorld::new(&tree, &self.models, ground, self.contact);
        if !apart.is_empty() {
            collision.exclude(apart);
        }
        collision.keep_apart(fibres::kept_apart(&tree, &fibres));
        collision.fade(fibres::fades(&tree, &fibres));
        hydroelastic::place(&mut collision, &self.hydroelastics, &tree, &self.models, &mut faults);
        let names: Vec<&str> = fibres.iter().map(|fibre| fibre.name.as_str()).collect();
        warnings.extend(overlaps::exclude(&mut collision, &tree, &self.models, &names, &q, &self.gravity));
        warnings.extend(starts_inside::find(&collision, &tree, &q, &self.gravity));
        warnings.extend(hydroelastic::check_pairs(&collision, &self.hydroelastics, &tree, &mut faults));
        dispatch::check(&collision, &tree, &mut faults);
        if !faults.is_empty() {
            return Err(PlantErrors(faults));
        }
        actuated.iter_mut().flatten().for_each(|actuator| actuator.find_touched(&tree, &collision));
        let visuals = scene::visuals(&tree, self.models);
        let parts = PlantParts {
            tree,
            gravity: self.gravity,
            springs,
            passive,
            tendons,
            tendon_inertias,
            tendon_frictions,
            ranges,
            effort_ranges,
            carried,
            immersed,
            belts,
            collision,
            visuals,
            actuated,
            initial: (q, v),
            constraints,
            locks,
            mocaps,
            limits,
            elements,
            correction_speed: self.correction_speed,
            sensors,
        };
        Ok((MultibodyPlant::new(parts), warnings))
    }

    fn check_numbers(&self, faults: &mut Vec<PlantError>) {
        let mut check = |what: &str, value: f64, valid: bool, expected| {
            if !valid {
                faults.push(PlantError::OutOfRange { what: what.into(), value, expected });
            }
        };
        let (pair, finite) = (&self.contact.pair, "a finite number");
        for g in self.gravity.iter() {
            check("gravity", *g, g.is_finite(), finite);
        }
        let not_negative = |x: f64| x >= 0.0 && x.is_finite();
        let expected = "a finite number, zero or more";
        check("contact stiffness", pair.stiffness, not_negative(pair.stiffness), expected);
        check("contact dissipation", pair.dissipation, not_negative(pair.dissipation), expected);
        check("static friction", pair.static_friction, not_negative(pair.static_friction), expected);
        check("dynamic friction", pair.dynamic_friction, not_negative(pair.dynamic_friction), expected);
        if pair.dynamic_friction > pair.static_friction {
            check("dynamic friction", pair.dynamic_friction, false, "at most the static friction");
        }
        for (what, length) in ["torsional friction", "rolling friction"].into_iter().zip(self.contact.resistance) {
            check(what, length, not_negative(length), expected);
        }
        let tolerance = self.contact.stiction_tolerance;
        check("stiction tolerance", tolerance, tolerance > 0.0 && tolerance.is_finite(), "a positive finite number");
        if let Some(height) = self.ground {
            check("ground height", height, height.is_finite(), finite);
        }
        let speed = self.correction_speed;
        check("correction speed", speed, speed > 0.0, "a number above zero");
        for s in &self.springs {
            check(
                &format!("stiffness of the spring on `{}`", s.joint),
                s.stiffness,
                not_negative(s.stiffness),
                expected,
            );
            check(&format!("rest position of the spring on `{}`", s.joint), s.rest, s.rest.is_finite(), finite);
        }
        for (joint, q, v) in &self.initial {
            check(&format!("initial position of `{joint}`"), *q, q.is_finite(), finite);
            check(&format!("initial velocity of `{joint}`"), *v, v.is_finite(), finite);
        }
    }

    /// Ranges of efforts that differ between the directions: velocity and range.
    fn place_effort_ranges(&self, tree: &Tree, faults: &mut Vec<PlantError>) -> Vec<(usize, (f64, f64))> {
        let all = self.models.iter().flat_map(|m| m.model.scene.effort_ranges.iter().map(move |of| (&m.name, of)));
        let place = |(model, (joint, range)): (&String, &(String, (f64, f64)))| {
            let joint = single_axis(tree, &format!("{model}/{joint}"), "a range of efforts", faults)?;
            Some((joint.velocities.start, *range))
        };
        all.filter_map(place).collect()
    }

    /// The actuators of a model: those of its file, or one on each of its actuated joints in joint order.
    fn place_actuators(
        &self,
        tree: &Tree,
        model: usize,
        tendons: &[PlacedTendon],
        faults: &mut Vec<PlantError>,
    ) -> Vec<PlacedActuator> {
        let config = &self.models[model];
        let scene = &config.model.scene;
        // A scene without transmissions has only the actuators that it describes.
        let own = scene.root_is_world && config.model.transmissions.is_empty() || !scene.actuators.is_empty();
        if config.actuated == Actuated::Default && own {
            return scene
                .actuators
                .iter()
                .map(|a| PlacedActuator::of(tree, &config.name, a, tendons, faults))
                .collect();
        }
        let part = &tree.models()[model];
        let joints = &tree.joints()[part.joints.clone()];
        let local = |joint: &TreeJoint| joint.name[config.name.len() + 1..].to_string();
        let wanted = |joint: &TreeJoint| match &config.actuated {
            Actuated::All => true,
            Actuated::None => false,
            Actuated::Joints(names) => names.contains(&local(joint)),
            Actuated::Default if !config.model.transmissions.is_empty() => {
                config.model.transmissions.contains(&local(joint))
            }
            Actuated::Default => joint.mimic.is_none(),
        };
        if let Actuated::Joints(names) = &config.actuated {
            for name in names {
                single_axis(tree, &format!("{}/{name}", config.name), "an actuator", faults);
            }
        }
        let driven = joints.iter().filter(|j| j.velocities.len() == 1 && wanted(j));
        driven
            .map(|j| PlacedActuator::motor(j.name.replacen('/', ".", 1), j.positions.start, j.velocities.start))
            .collect()
    }

    /// Sets the initial states of models that have one of their own.
    fn start_models(&self, tree: &Tree, q: &mut [f64], v: &mut [f64], faults: &mut Vec<PlantError>) {
        for (config, part) in self.models.iter().zip(tree.models()) {
            let Some((positions, velocities)) = &config.start else { continue };
            if positions.len() != part.positions.len() || velocities.len() != part.velocities.len() {
                faults.push(PlantError::WrongStart {
                    model: config.name.clone(),
                    found: (positions.len(), velocities.len()),
                    expected: (part.positions.len(), part.velocities.len()),
                });
                continue;
            }
            q[part.positions.clone()].copy_from_slice(positions);
            v[part.velocities.clone()].copy_from_slice(velocities);
        }
    }
}
