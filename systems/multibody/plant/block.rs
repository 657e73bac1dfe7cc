//! The plant block.

use super::activation;
use super::actuator::PlacedActuator;
use super::belt::PlacedBelt;
use super::buoyancy::Carried;
use super::collision::CollisionWorld;
use super::constraints::{Constraints, PlacedConstraint, PlacedLock};
use super::fluid::Immersed;
use super::mocap::Mocap;
use super::passive::Passive;
use super::ports::{ModelPorts, PlantPorts};
use super::ranges::{PlacedRange, Ranges};
use super::scene::BodyVisuals;
use super::sensors::{PlantSensors, Surroundings};
use super::spatial_tendon::PlacedTendon;
use super::spring::PlacedSpring;
use super::tendon_friction::TendonFriction;
use super::tendon_inertia::{Moved, TendonInertia};
use crate::{Armature, SpatialVector, Tree, with_kinematics};
use kinegraph_core::convex::{
    BodyStructure, ConstraintStructure, ConvexPlant, JointElement, JointLimit, PlantStructure,
};
use kinegraph_core::signal::{BodyPoses, BodyVelocities, Dyn, MultibodyState, SpatialForces};
use kinegraph_core::system::Companion;
use kinegraph_core::{Context, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar, Tick, Witness};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

/// Rigid bodies on joints, with contact: `M(q) v̇ + k(q, v) = Bᵀ u + Jᵀ f`, `q̇ = N(q) v`.
///
/// Built by [`PlantBuilder`](super::PlantBuilder). A convex integrator ([`ConvexPlant`]) solves for its motion together
/// with its contacts.
///
/// Ports, for every model: `MODEL.state` (positions then velocities), `MODEL.actuation` (one effort per actuated joint,
/// limited by the joint's effort limit; for a model whose file has actuators, the control of each), `MODEL.JOINT` or
/// `MODEL.ACTUATOR` (a single effort or control; if neither this nor `MODEL.actuation` is connected, it is zero),
/// `MODEL.applied_generalized_force` (one force per velocity, not limited), `MODEL.applied_spatial_force` (torque and
/// force per link, in world axes, about the link's origin). For the plant: `state`, `body_poses`, `body_velocities`
/// (all links), `applied_spatial_force` (on all links), `BELT.speed` (of every belt). An unconnected input is zero.
/// `constraints.NAME.active` switches a constraint and `MODEL.JOINT.lock` a lock: on above 0.5; while unconnected they
/// are as built.
///
/// Results of the last accepted step of a convex integrator, zero before the first: `contact_results` (sum of the
/// contact forces on every link), `reaction_forces` (force on every link from its parent through joint or weld), both
/// as torque and force, in world axes, about the link's origin; `net_actuation` and `MODEL.net_actuation` (efforts
/// within their limits); `constraint_forces` (force of the stops of every limited joint, then of every constraint).
/// These are sampled: they change at the end of a step. Sensors of a model file are outputs, too: `MODEL.sensors`, and
/// `MODEL.step_sensors` for forces and accelerations of the last step.
pub struct MultibodyPlant {
    pub(super) tree: Tree,
    /// For each model, the nodes of its bodies and their ancestors.
    pub(super) carriers: Vec<Vec<usize>>,
    pub(super) gravity: Vector3<f64>,
    pub(super) springs: Vec<PlacedSpring>,
    pub(super) passive: Vec<Passive>,
    pub(super) tendons: Vec<PlacedTendon>,
    pub(super) tendon_inertias: Vec<TendonInertia>,
    pub(super) tendon_frictions: Vec<TendonFriction>,
    pub(super) ranges: Vec<PlacedRange>,
    /// Velocity and range of the total effort on a joint, if it differs between the directions.
    effort_ranges: Vec<(usize, (f64, f64))>,
    /// True if any force acts through moment arms that turn with the bodies.
    has_paths: bool,
    /// True if these are forces of spatial tendons only.
    pub(super) has_strings_alone: bool,
    /// True if surfaces have adhesion of their own; true if there is any adhesion.
    pub(super) sticks: bool,
    pub(super) adheres: bool,
    pub(super) carried: Vec<Carried>,
    pub(super) immersed: Vec<Immersed>,
    pub(super) belts: Vec<PlacedBelt>,
    pub(super) collision: CollisionWorld,
    pub(super) visuals: Vec<BodyVisuals>,
    pub(super) structure: PlantStructure,
    /// For each model, the actuators of its actuation port.
    pub(super) actuated: Vec<Vec<PlacedActuator>>,
    pub(super) own: OwnForces,
    pub(super) plant_ports: PlantPorts,
    pub(super) constraints: Constraints,
    pub(super) sensors: PlantSensors,
}

/// Velocities on which forces of the plant itself act. Found once, since plants of many bodies ask for each.
pub(super) struct OwnForces {
    /// True for a velocity on which a force acts without any input.
    pub alone: Vec<bool>,
    /// True for a velocity on which a force acts that depends on the motion.
    pub feedback: Vec<bool>,
}

impl OwnForces {
    fn of(
        velocities: usize,
        actuated: &[Vec<PlacedActuator>],
        passive: &[Passive],
        tendons: &[PlacedTendon],
        immersed: &[Immersed],
    ) -> Self {
        let (mut alone, mut feedback) = (vec![false; velocities], vec![false; velocities]);
        for actuator in actuated.iter().flatten() {
            for velocity in actuator.velocities() {
                alone[velocity] |= actuator.acts_alone();
                feedback[velocity] |= actuator.is_feedback();
            }
        }
        let passive = passive.iter().filter(|passive| passive.acts_within()).flat_map(Passive::velocities);
        let tendons =
            tendons.iter().filter(|tendon| tendon.acts_within()).flat_map(|tendon| tendon.velocities.iter().copied());
        let immersed = immersed.iter().flat_map(|immersed| immersed.velocities.iter().copied());
        for velocity in passive.chain(tendons).chain(immersed) {
            (alone[velocity], feedback[velocity]) = (true, true);
        }
        OwnForces { alone, feedback }
    }
}

/// The parts that the builder of a plant has placed on its tree.
pub(super) struct PlantParts {
    pub tree: Tree,
    pub gravity: Vector3<f64>,
    pub springs: Vec<PlacedSpring>,
    pub passive: Vec<Passive>,
    pub tendons: Vec<PlacedTendon>,
    pub tendon_inertias: Vec<TendonInertia>,
    pub tendon_frictions: Vec<TendonFriction>,
    pub ranges: Vec<PlacedRange>,
    pub effort_ranges: Vec<(usize, (f64, f64))>,
    pub carried: Vec<Carried>,
    pub immersed: Vec<Immersed>,
    pub belts: Vec<PlacedBelt>,
    pub collision: CollisionWorld,
    pub visuals: Vec<BodyVisuals>,
    pub actuated: Vec<Vec<PlacedActuator>>,
    /// Initial positions and velocities.
    pub initial: (Vec<f64>, Vec<f64>),
    pub constraints: Vec<PlacedConstraint>,
    pub locks: Vec<PlacedLock>,
    pub mocaps: Vec<Mocap>,
    pub limits: Vec<JointLimit>,
    pub elements: Vec<JointElement>,
    /// Correction speed \[m/s, rad/s\].
    pub correction_speed: f64,
    pub sensors: PlantSensors,
}

impl MultibodyPlant {
    pub(super) fn new(parts: PlantParts) -> Self {
        let PlantParts {
            tree,
            gravity,
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
            initial,
            constraints,
            locks,
            mocaps,
            limits,
            elements,
            correction_speed,
            mut sensors,
        } = parts;
        let described = |c: &PlacedConstraint| ConstraintStructure { name: c.name.clone(), kind: c.law.kind() };
        let described: Vec<ConstraintStructure> = constraints.iter().map(described).collect();
        let mut plant_ports = PlantPorts::new(&tree, &actuated, &belts, &described, initial);
        let constraints = Constraints::new(constraints, locks, &mocaps, tree.num_velocities(), &mut plant_ports.ports);
        plant_ports.name_actuators(&actuated, &tree.velocity_units());
        sensors.declare(&mut plant_ports.ports);
        let mut at = 0;
        let bodies = (0..tree.bodies().len())
            .map(|b| {
                let free = tree.is_free(b);
                let size = if free { 0 } else { tree.body_jacobian_len(b) };
                at += size;
                let body = &tree.bodies()[b];
                let (center_of_mass, moments) =
                    body.inertia.map_or(([0.0; 3], [0.0; 3]), |i| (i.p_BoBcm.into(), i.I_BBcm.diagonal().into()));
                BodyStructure {
                    name: body.name.clone(),
                    clique: body.clique,
                    mass: tree.body_mass(b),
                    center_of_mass,
                    moments,
                    free,
                    jacobian: at - size..at,
                }
            })
            .collect();
        let structure = PlantStructure {
            num_positions: tree.num_positions(),
            num_velocities: tree.num_velocities(),
            cliques: tree.cliques().collect(),
            gravity: gravity.into(),
            bodies,
            damping: tree.damping().to_vec(),
            joint_friction: tree.joint_friction().to_vec(),
            springs: springs.iter().map(|spring| (spring.velocity, spring.stiffness)).collect(),
            elements,
            effort_limits: tree.effort_limits().to_vec(),
            limits,
            constraints: described,
            correction_speed,
            spins: tree.spins(),
            quaternions: tree.quaternions().to_vec(),
            coordinates: tree.coordinates(),
            position_names: tree.position_names(),
            velocity_names: tree.velocity_names(),
        };
        let mut own = OwnForces::of(structure.num_velocities, &actuated, &passive, &tendons, &immersed);
        let sticks = collision.sticks();
        let adheres = sticks || actuated.iter().flatten().any(PlacedActuator::adheres);
        if sticks {
            own.alone.fill(true);
        }
        let has_paths = adheres || !tendons.is_empty() || actuated.iter().flatten().any(PlacedActuator::drives_path);
        let has_others = adheres || !immersed.is_empty() || actuated.iter().flatten().any(PlacedActuator::pushes);
        MultibodyPlant {
            own,
            has_paths,
            has_strings_alone: has_paths && !has_others,
            sticks,
            adheres,
            carriers: tree.models().iter().map(|part| tree.carriers(part.bodies.clone())).collect(),
            tree,
            gravity,
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
            structure,
            actuated,
            plant_ports,
            constraints,
            sensors,
        }
    }

    /// The tree of bodies.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Acceleration of gravity \[m/s²\].
    pub fn gravity(&self) -> Vector3<f64> {
        self.gravity
    }

    fn model_index(&self, name: &str) -> usize {
        let models = self.tree.models();
        models.iter().position(|m| m.name == name).unwrap_or_else(|| {
            let names: Vec<_> = models.iter().map(|m| m.name.as_str()).collect();
            panic!("this plant has no model `{name}`; it has {}", names.join(", "));
        })
    }

    fn model(&self, name: &str) -> &ModelPorts {
        &self.plant_ports.models[self.model_index(name)]
    }

    /// Positions then velocities of a model.
    ///
    /// # Panics
    /// If the plant has no such model (the functions for the following ports panic likewise).
    pub fn state(&self, model: &str) -> Out<MultibodyState> {
        self.model(model).state
    }

    /// Efforts of the actuators of a model, one per actuated joint \[N m, N\].
    pub fn actuation(&self, model: &str) -> In<Dyn> {
        self.model(model).actuation
    }

    /// The effort or control of one actuator of a model, by its name or that of its joint; used while
    /// [`actuation`](Self::actuation) is not connected.
    ///
    /// # Panics
    /// If the model has no such actuator.
    pub fn actuator(&self, model: &str, actuator: &str) -> In<Dyn> {
        let (m, full) = (self.model_index(model), format!("{model}.{actuator}"));
        let own = self.actuated[m].iter().zip(&self.plant_ports.actuators[m]);
        let mut found = own.filter(|(actuator, _)| actuator.name == full).filter_map(|(_, port)| *port);
        found.next().unwrap_or_else(|| panic!("model `{model}` of this plant has no actuator `{actuator}`"))
    }

    /// Generalized forces on the velocities of a model, without limits.
    pub fn applied_generalized_force(&self, model: &str) -> In<Dyn> {
        self.model(model).applied_generalized_force
    }

    /// Spatial forces on the links of a model.
    pub fn applied_spatial_force(&self, model: &str) -> In<SpatialForces> {
        self.model(model).applied_spatial_force
    }

    /// The switch of a constraint: active above 0.5.
    ///
    /// # Panics
    /// If the plant has no such constraint.
    pub fn constraint_active(&self, constraint: &str) -> In<Dyn> {
        let port = self.constraints.active(constraint);
        port.unwrap_or_else(|| panic!("this plant has no constraint `{constraint}` that can be switched"))
    }

    /// The lock of a joint, by full name, `model/joint`: locked above 0.5.
    ///
    /// # Panics
    /// If the joint was not made lockable ([`PlantBuilder::lock`](super::PlantBuilder::lock)).
    pub fn joint_lock(&self, joint: &str) -> In<Dyn> {
        let port = self.constraints.lock(joint);
        port.unwrap_or_else(|| panic!("joint `{joint}` of this plant cannot be locked"))
    }

    /// Positions then velocities of the whole plant.
    pub fn full_state(&self) -> Out<MultibodyState> {
        self.plant_ports.state
    }

    /// Poses of all links.
    pub fn body_poses(&self) -> Out<BodyPoses> {
        self.plant_ports.body_poses
    }

    /// Velocities of all links.
    pub fn body_velocities(&self) -> Out<BodyVelocities> {
        self.plant_ports.body_velocities
    }

    /// Spatial forces on all links, in the order of [`body_poses`](Self::body_poses); added to the inputs per model.
    pub fn applied_spatial_force_on_all(&self) -> In<SpatialForces> {
        self.plant_ports.applied_spatial_force
    }

    /// Sum of the contact forces on each link in the last step.
    pub fn contact_results(&self) -> Out<SpatialForces> {
        self.plant_ports.read_outs.contact_results
    }

    /// Force on each link from its parent in the last step.
    pub fn reaction_forces(&self) -> Out<SpatialForces> {
        self.plant_ports.read_outs.reaction_forces
    }

    /// Efforts of all actuators in the last step, within their limits \[N m, N\].
    pub fn net_actuation(&self) -> Out<Dyn> {
        self.plant_ports.read_outs.net_actuation
    }

    /// Efforts of the actuators of a model in the last step, within their limits \[N m, N\].
    pub fn net_actuation_of(&self, model: &str) -> Out<Dyn> {
        self.plant_ports.read_outs.net_actuation_of[self.model_index(model)]
    }

    /// Forces of joint stops, then of constraints, in the last step \[N m, N\].
    pub fn constraint_forces(&self) -> Out<Dyn> {
        self.plant_ports.read_outs.constraint_forces
    }

    /// The speed of a belt \[m/s\].
    ///
    /// # Panics
    /// If the plant has no such belt.
    pub fn belt_speed(&self, belt: &str) -> In<Dyn> {
        let Some(index) = self.belts.iter().position(|b| b.name == belt) else {
            panic!("this plant has no belt `{belt}`");
        };
        self.plant_ports.belt_speeds[index]
    }

    /// The inertias along tendons, with their tree and tendons.
    pub(super) fn moved_with_tendons(&self) -> Moved<'_> {
        Moved { tree: &self.tree, tendons: &self.tendons, inertias: &self.tendon_inertias }
    }

    /// The data of the plant that sensors of the state read.
    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            tree: &self.tree,
            gravity: &self.gravity,
            springs: &self.springs,
            tendons: &self.tendons,
            tendon_inertias: &self.tendon_inertias,
            limits: &self.structure.limits,
        }
    }

    /// Generalized forces of all inputs: from actuators, and from all others; with or without those of ranges.
    pub(super) fn input_forces<S: Scalar>(
        &self,
        ctx: &Context<S>,
        ranges: Ranges,
        actuation: &mut [S],
        applied: &mut [S],
    ) {
        for (m, part) in self.tree.models().iter().enumerate() {
            let ports = &self.plant_ports.models[m];
            let (q, v) = ctx.continuous.split_at(self.tree.num_positions());
            for (i, actuator) in self.actuated[m].iter().enumerate().filter(|(_, a)| !a.drives_path()) {
                if let Some(control) = self.control(ctx, m, i) {
                    actuator.add_efforts(control, q, v, actuation);
                }
            }
            if let Some(forces) = ctx.get_optional(ports.applied_generalized_force) {
                for (velocity, force) in part.velocities.clone().zip(forces) {
                    applied[velocity] += *force;
                }
            }
        }
        let (q, v) = ctx.continuous.split_at(self.tree.num_positions());
        for passive in &self.passive {
            passive.add(q, v, ranges, applied);
        }
        if self.has_paths || !self.immersed.is_empty() {
            self.add_path_forces(ctx, ranges, actuation, applied);
        }
        for (velocity, (least, most)) in &self.effort_ranges {
            actuation[*velocity] = actuation[*velocity].clamp(S::constant(*least), S::constant(*most));
        }
        if self.spatial_forces(ctx).next().is_none() {
            return;
        }
        with_kinematics(|k| {
            self.place_pushed(ctx, k);
            for (body, force) in self.spatial_forces(ctx) {
                self.tree.add_spatial_force(k, body, &SpatialVector::from_slice(force), applied);
            }
        });
    }

    /// Control or activation of actuator `i` of model `m`; `None` if nothing is connected and it exerts no force alone.
    pub(super) fn control<S: Scalar>(&self, ctx: &Context<S>, m: usize, i: usize) -> Option<S> {
        if let Some(activation) = self.actuated[m][i].activation {
            let given = self.plant_ports.activations.and_then(|port| ctx.get_optional(port));
            let own = self.plant_ports.activation_of[m][i].zip(given).map(|(index, all)| all[index]);
            return Some(own.unwrap_or(S::constant(activation.initial)));
        }
        let whole = ctx.get_optional(self.plant_ports.models[m].actuation).map(|u| u[i]);
        let own = self.plant_ports.actuators[m][i].and_then(|port| ctx.get_optional(port)).map(|u| u[0]);
        // A diagram connects at most one of the two.
        match (whole, own) {
            (Some(whole), Some(own)) => Some(whole + own),
            (whole, own) => {
                let actuator = &self.actuated[m][i];
                whole.or(own).or_else(|| actuator.acts_alone().then(|| S::constant(actuator.idle)))
            }
        }
    }
}

impl LeafSystem for MultibodyPlant {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.plant_ports.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (q, v) = ctx.continuous.split_at(self.tree.num_positions());
        for (part, ports) in self.tree.models().iter().zip(&self.plant_ports.models) {
            if out.wanted(ports.state) {
                let (to_q, to_v) = out.slice(ports.state).split_at_mut(part.positions.len());
                to_q.copy_from_slice(&q[part.positions.clone()]);
                to_v.copy_from_slice(&v[part.velocities.clone()]);
            }
        }
        let (state, poses, velocities) =
            (self.plant_ports.state, self.plant_ports.body_poses, self.plant_ports.body_velocities);
        if out.wanted(state) {
            out.slice(state).copy_from_slice(ctx.continuous);
        }
        self.plant_ports.read_outs.write(ctx, out);
        if !self.sensors.is_empty() {
            self.sensors.write(self.surroundings(), ctx, out);
        }
        if !out.wanted(poses) && !out.wanted(velocities) {
            return;
        }
        with_kinematics(|k| {
            self.tree.position_kinematics(q, k);
            for (body, to) in (1..self.tree.bodies().len()).zip(out.slice(poses).chunks_exact_mut(7)) {
                let X = self.tree.X_WB(k, body);
                let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(X.R_WB));
                to[..3].copy_from_slice(X.p_WB.as_slice());
                to[3..].copy_from_slice(&[rotation.w, rotation.i, rotation.j, rotation.k]);
            }
            if out.wanted(velocities) {
                self.tree.velocity_kinematics(v, k);
                for (body, to) in (1..self.tree.bodies().len()).zip(out.slice(velocities).chunks_exact_mut(6)) {
                    to.copy_from_slice(&self.tree.V_WB(k, body).to_array());
                }
            }
        });
    }

    /// The smooth motion `q̇ = N v`, `v̇ = M⁻¹ (Bᵀ u - k)` under gravity, springs, damping and inputs within their
    /// effort limits, without contacts, joint stops, dry friction, constraints and locks. Linearization uses it; convex
    /// integrators do not.
    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let (q, v) = ctx.continuous.split_at(self.tree.num_positions());
        derivatives.fill(S::zero());
        // There are at least as many positions as velocities, so the memory of their rates, which are written last, can
        // hold the forces meanwhile.
        let (rates, v_dot) = derivatives.split_at_mut(q.len());
        let tau = &mut rates[..v.len()];
        self.input_forces(ctx, Ranges::Included, tau, v_dot);
        for (i, (tau, applied)) in tau.iter_mut().zip(v_dot.iter()).enumerate() {
            let limit = S::constant(self.structure.effort_limits[i]);
            *tau = tau.clamp(-limit, limit) + *applied - v[i] * S::constant(self.tree.damping()[i]);
        }
        for spring in &self.springs {
            tau[spring.velocity] += spring.force(q);
        }
        with_kinematics(|k| {
            self.tree.position_kinematics(q, k);
            self.tree.velocity_kinematics(v, k);
            for carried in &self.carried {
                let (body, force) = carried.force(&self.tree, k, &self.gravity);
                self.tree.add_spatial_force(k, body, &force, tau);
            }
            self.tree.forward_dynamics(k, tau, &self.gravity, Armature::Included, v_dot);
            if !self.tendon_inertias.is_empty() {
                self.moved_with_tendons().slow(k, tau, &self.gravity, v_dot);
            }
        });
        self.tree.position_rates(q, v, rates);
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.constraints.update(&self.tree, ctx, next);
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        self.constraints.witnesses(ctx, values);
    }

    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        self.constraints.reset(&self.tree, witness.index, ctx, state.discrete);
    }

    fn as_plant(&self) -> Option<&dyn ConvexPlant> {
        Some(self)
    }

    fn companion(&self) -> Option<Companion> {
        let models: Vec<String> = self.tree.models().iter().map(|model| model.name.clone()).collect();
        activation::companion(&models, &self.actuated)
    }
}
