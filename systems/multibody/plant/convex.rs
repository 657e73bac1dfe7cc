//! The plant's implementation of the interface for convex integrators.

use super::block::MultibodyPlant;
use super::collision::Query;
use super::far_pairs::Distance;
use super::passive::Passive;
use super::ranges::{self, Ranges};
use super::rolling;
use super::sensors::StepValues;
use super::spatial_tendon::{PlacedTendon, with_motion};
use super::tendon_friction;
use crate::{Armature, Frame, Kinematics, with_kinematics};
use kinegraph_core::convex::{
    ContactPoint, FarPair, LostBody, MovingPart, PlantConstraints, PlantContacts, PlantDynamics, PlantInputs,
    PlantPoint, PlantReports, PlantStructure, RangeGap, RaySensor, Switches,
};
use kinegraph_core::scene::{ContactSurface, PlantScene};
use kinegraph_core::step_record::StepRecord;
use kinegraph_core::{Context, Jet};
use kinegraph_geometry::SceneQuery;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Data of a state that the plant keeps in [`PlantPoint::cache`].
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluated {
    pub kinematics: Kinematics<f64>,
    query: Query,
    /// Shapes that rays of sensors can hit, if there are such sensors.
    scene: Option<SceneQuery>,
}

impl PlantDynamics for MultibodyPlant {
    fn structure(&self) -> &PlantStructure {
        &self.structure
    }

    fn evaluate(&self, q: &[f64], v: &[f64], point: &mut PlantPoint) {
        self.motion(q, v, point);
        let tree = &self.tree;
        let k = &mut point.cache.of::<Evaluated>().kinematics;
        point.mass_matrix.resize(tree.mass_matrix_len(), 0.0);
        tree.mass_matrix(k, Armature::Included, &mut point.mass_matrix);
        point.bias.resize(v.len(), 0.0);
        tree.bias(k, &self.gravity, &mut point.bias);
        if !self.tendon_inertias.is_empty() {
            self.moved_with_tendons().add(k, &mut point.mass_matrix, &mut point.bias);
        }
        for (bias, (damping, v)) in point.bias.iter_mut().zip(tree.damping().iter().zip(v)) {
            *bias += damping * v;
        }
        for spring in &self.springs {
            point.bias[spring.velocity] -= spring.force(q);
        }
        for carried in &self.carried {
            let (body, force) = carried.force(tree, k, &self.gravity);
            tree.add_spatial_force(k, body, &-force, &mut point.bias);
        }
    }

    fn motion(&self, q: &[f64], v: &[f64], point: &mut PlantPoint) {
        let tree = &self.tree;
        let k = &mut point.cache.of::<Evaluated>().kinematics;
        tree.position_kinematics(q, k);
        tree.velocity_kinematics(v, k);
        point.V_WB.resize(self.structure.bodies.len(), [0.0; 6]);
        for (b, V_WB) in point.V_WB.iter_mut().enumerate() {
            *V_WB = tree.V_WB(k, b).to_array();
        }
        self.write_poses(k, &mut point.p_WB, &mut point.R_WB);
    }

    fn moving_parts(&self) -> Vec<MovingPart> {
        self.tree.moving_parts()
    }

    fn inertial_regressor(&self, q: &[f64], v: &[f64], v_dot: &[f64], point: &mut PlantPoint, rows: &mut [f64]) {
        self.motion(q, v, point);
        let k = &mut point.cache.of::<Evaluated>().kinematics;
        self.tree.inertial_regressor(k, v_dot, &self.gravity, rows);
    }

    fn poses(&self, q: &[f64], point: &mut PlantPoint) {
        let k = &mut point.cache.of::<Evaluated>().kinematics;
        self.tree.position_kinematics(q, k);
        self.write_poses(k, &mut point.p_WB, &mut point.R_WB);
    }

    fn jacobians(&self, wanted: &[bool], point: &mut PlantPoint) {
        // Memory for all Jacobians is six dense matrices of a long chain: not needed if nothing touches.
        if !wanted.contains(&true) {
            return;
        }
        let bodies = &self.structure.bodies;
        point.jacobians.resize(bodies.last().map_or(0, |b| b.jacobian.end), 0.0);
        let k = &point.cache.of::<Evaluated>().kinematics;
        for (b, body) in bodies.iter().enumerate().filter(|(b, body)| wanted[*b] && !body.jacobian.is_empty()) {
            self.tree.body_jacobian(k, b, &mut point.jacobians[body.jacobian.clone()]);
        }
    }

    fn bias_accelerations(&self, wanted: &[bool], point: &mut PlantPoint) {
        let k = &point.cache.of::<Evaluated>().kinematics;
        point.A_WB.resize(wanted.len(), [0.0; 6]);
        for (b, A_WB) in point.A_WB.iter_mut().enumerate().filter(|(b, _)| wanted[*b]) {
            *A_WB = self.tree.frame_acceleration(k, &Frame::new(b, &Isometry3::identity()), |_| 0.0).to_array();
        }
    }

    fn position_rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.tree.position_rates(q, v, rates);
    }

    fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        with_kinematics(|k| {
            self.tree.position_kinematics(q, k);
            self.tree.velocity_kinematics(v, k);
            let tendons = self.moved_with_tendons().energy(k, v);
            self.tree.kinetic_energy(k) + self.tree.armature_energy(v) + tendons + self.potential_of(q, k)
        })
    }

    fn potential_energy(&self, q: &[f64], point: &PlantPoint) -> Option<f64> {
        let evaluated = point.cache.get::<Evaluated>()?;
        Some(self.potential_of(q, &evaluated.kinematics))
    }
}

impl PlantContacts for MultibodyPlant {
    fn contact_has_energy(&self) -> bool {
        // A polygon of a surface presses at its centroid: its torque is only nearly that of its pressure.
        self.collision.geometries().iter().all(|geometry| geometry.pressure.is_none())
    }

    fn contacts(&self, margin: f64, point: &mut PlantPoint) {
        let PlantPoint { p_WB, R_WB, contacts, far, cache, threads, .. } = point;
        let query = &mut cache.of::<Evaluated>().query;
        query.threads = *threads;
        far.clear();
        self.collision.contacts(p_WB, R_WB, margin, query, contacts);
    }

    fn contacts_of(&self, wanted: &[bool], margin: f64, point: &mut PlantPoint) {
        let PlantPoint { p_WB, R_WB, contacts, far, cache, threads, .. } = point;
        let query = &mut cache.of::<Evaluated>().query;
        query.threads = *threads;
        far.clear();
        let unwanted =
            |[i, j]: [usize; 2]| ![i, j].iter().any(|&shape| wanted[self.collision.geometries()[shape].body]);
        self.collision.contacts_but(p_WB, R_WB, margin, |shapes, _| unwanted(shapes), query, contacts);
    }

    fn near_contacts(&self, margin: f64, nearer: &dyn Fn([usize; 2], f64) -> f64, point: &mut PlantPoint) {
        let PlantPoint { p_WB, R_WB, contacts, far, cache, threads, .. } = point;
        let query = &mut cache.of::<Evaluated>().query;
        query.threads = *threads;
        far.clear();
        let world = &self.collision;
        let leaves_out = |shapes: [usize; 2], poses: [&Isometry3<f64>; 2]| {
            let distance = world.distance_of(shapes, poses, margin, nearer);
            if let Distance::Far(pair) = distance {
                far.push(pair);
            }
            !matches!(distance, Distance::Near)
        };
        world.contacts_but(p_WB, R_WB, margin, leaves_out, query, contacts);
    }

    fn contacts_of_far(&self, pair: &FarPair, margin: f64, point: &mut PlantPoint, found: &mut Vec<ContactPoint>) {
        self.collision.contacts_of(pair.shapes, margin, &mut point.cache.of::<Evaluated>().query, found);
    }

    fn reach(&self) -> &[f64] {
        &self.collision.reach
    }

    fn extents(&self) -> &[[f64; 3]] {
        &self.collision.extents
    }

    fn thickness(&self) -> &[f64] {
        &self.collision.thickness
    }

    fn stiction_tolerance(&self) -> f64 {
        self.collision.parameters.stiction_tolerance
    }

    fn has_moving_surfaces(&self) -> bool {
        !self.belts.is_empty()
    }

    fn read_surface_speeds(&self, ctx: &Context<f64>, point: &mut PlantPoint) {
        let given = self.plant_ports.belt_speeds.iter().map(|port| ctx.get_optional(*port).map(|speed| speed[0]));
        point.surface_speeds.clear();
        point.surface_speeds.extend(self.belts.iter().zip(given).map(|(belt, given)| given.unwrap_or(belt.speed)));
    }

    fn surface_velocity(&self, contact: &ContactPoint, point: &PlantPoint) -> [f64; 3] {
        let normal = Vector3::from(contact.normal);
        let mut velocity = Vector3::zeros();
        // The normal points out of A and into B.
        let sides = self.collision.sides(contact).into_iter().zip([normal, -normal]).zip([-1.0, 1.0]);
        for ((side, outward), sign) in sides {
            for (belt, speed) in
                self.belts.iter().zip(&point.surface_speeds).filter(|(belt, _)| belt.covers(side.0, side.1))
            {
                let R_WB = Matrix3::from_column_slice(&point.R_WB[side.0]);
                velocity += belt.direction(&R_WB, &outward) * (sign * speed);
            }
        }
        velocity.into()
    }
}

impl PlantConstraints for MultibodyPlant {
    fn switch_inputs(&self) -> &[usize] {
        self.constraints.inputs()
    }

    fn switches(&self, ctx: &Context<f64>, switches: &mut Switches) {
        self.constraints.switches(ctx, switches);
    }

    fn constraints(&self, q: &[f64], switches: &Switches, point: &mut PlantPoint) {
        self.constraints.rows(q, switches, point);
        if self.collision.resists {
            rolling::add_rows(point);
        }
        if !self.tendon_frictions.is_empty() || !self.ranges.is_empty() {
            // Taken out, so that the rows can be written beside it.
            let mut cache = std::mem::take(&mut point.cache);
            let k = &cache.of::<Evaluated>().kinematics;
            tendon_friction::add_rows(&self.tendon_frictions, &self.tree, &self.tendons, k, point);
            ranges::add_rows(&self.ranges, &self.tree, &self.tendons, k, q, point);
            point.cache = cache;
        }
    }

    fn has_ranges(&self) -> bool {
        !self.ranges.is_empty()
    }

    fn range_gaps(&self, q: &[f64], v: &[f64], see: &mut dyn FnMut(RangeGap)) {
        if self.ranges.is_empty() {
            return;
        }
        with_kinematics(|k| {
            self.tree.position_kinematics(q, k);
            ranges::for_each_gap(&self.ranges, &self.tree, &self.tendons, k, [q, v], see);
        });
    }
}

impl PlantInputs for MultibodyPlant {
    fn add_input_wrenches(&self, ctx: &Context<f64>, wrenches: &mut [[f64; 6]]) {
        for (body, force) in self.spatial_forces(ctx) {
            wrenches[body].iter_mut().zip(force).for_each(|(sum, force)| *sum += force);
        }
        if self.carried.is_empty() && self.immersed.is_empty() {
            return;
        }
        let (q, v) = ctx.continuous.split_at(self.tree.num_positions());
        with_motion(&self.tree, q, v, |k| {
            let carried = self.carried.iter().map(|carried| carried.force(&self.tree, k, &self.gravity));
            let immersed = self.immersed.iter().map(|immersed| immersed.force(&self.tree, k));
            for (body, force) in carried.chain(immersed) {
                wrenches[body].iter_mut().zip(force.to_array()).for_each(|(sum, force)| *sum += force);
            }
        });
    }

    fn output_senses(&self, output: usize, velocity: usize) -> bool {
        if self.plant_ports.read_outs.contains(output) || self.sensors.is_of_step(output) {
            return false;
        }
        let mut models = self.tree.models().iter().zip(&self.plant_ports.models);
        match models.find(|(_, ports)| ports.state.index == output) {
            Some((part, _)) => part.velocities.contains(&velocity),
            None => true,
        }
    }

    fn input_needs_state(&self, input: usize) -> bool {
        self.plant_ports.applied_spatial_force.index == input
            || self.plant_ports.models.iter().any(|p| p.applied_spatial_force.index == input)
    }

    fn input_drives(&self, input: usize, velocity: usize) -> bool {
        for (m, part) in self.tree.models().iter().enumerate() {
            let ports = &self.plant_ports.models[m];
            if ports.actuation.index == input {
                return self.actuated[m].iter().any(|a| a.velocities().any(|v| v == velocity));
            }
            let own = self.plant_ports.actuators[m].iter().position(|port| port.is_some_and(|p| p.index == input));
            if let Some(i) = own {
                return self.actuated[m][i].velocities().any(|v| v == velocity);
            }
            if ports.applied_generalized_force.index == input {
                return part.velocities.contains(&velocity);
            }
            if ports.applied_spatial_force.index == input {
                let cliques = part.bodies.clone().filter_map(|body| self.structure.bodies[body].clique);
                return cliques.into_iter().any(|clique| self.structure.cliques[clique].contains(&velocity));
            }
        }
        if self.plant_ports.activations.is_some_and(|port| port.index == input) {
            let activated = self.actuated.iter().flatten().filter(|actuator| actuator.activation.is_some());
            return activated.into_iter().any(|actuator| actuator.velocities().any(|v| v == velocity));
        }
        if self.plant_ports.belt_speeds.iter().any(|port| port.index == input) {
            return false;
        }
        // A spatial force may act on every joint between the link and the world; a switch is no force.
        !self.constraints.inputs().contains(&input)
    }

    fn input_is_effort(&self, input: usize) -> bool {
        let ports = &self.plant_ports;
        ports.models.iter().any(|model| model.actuation.index == input)
            || ports.actuators.iter().flatten().flatten().any(|port| port.index == input)
            || ports.activations.is_some_and(|port| port.index == input)
    }

    fn own_feedback(&self, velocity: usize, see: &mut dyn FnMut(usize)) {
        if self.own.feedback.get(velocity) != Some(&true) {
            return;
        }
        let servos = self.actuated.iter().flatten().filter(|a| a.is_feedback());
        servos.filter(|a| a.velocities().any(|v| v == velocity)).for_each(|a| a.velocities().for_each(&mut *see));
        let acts = |p: &&Passive| p.acts_within() && p.velocities().any(|v| v == velocity);
        let passive = self.passive.iter().filter(acts);
        passive.for_each(|p| p.velocities().for_each(&mut *see));
        let tendons = self.tendons.iter().filter(|t| t.acts_within() && t.velocities.contains(&velocity));
        tendons.for_each(|t| t.velocities.iter().copied().for_each(&mut *see));
        let immersed = self.immersed.iter().filter(|body| body.velocities.contains(&velocity));
        immersed.for_each(|body| body.velocities.iter().copied().for_each(&mut *see));
    }

    fn acts_alone(&self, velocity: usize) -> bool {
        self.own.alone.get(velocity) == Some(&true)
    }

    fn drives_itself(&self) -> bool {
        let servos = self.actuated.iter().flatten().any(|actuator| actuator.acts_alone());
        let tendons = self.tendons.iter().any(PlacedTendon::excites);
        servos || tendons || self.passive.iter().any(Passive::excites) || self.sticks || !self.immersed.is_empty()
    }

    fn input_forces_f64(&self, ctx: &Context<f64>, actuation: &mut [f64], applied: &mut [f64]) {
        self.input_forces(ctx, Ranges::Excluded, actuation, applied);
    }

    fn input_forces_jet(&self, ctx: &Context<Jet>, actuation: &mut [Jet], applied: &mut [Jet]) {
        self.input_forces(ctx, Ranges::Excluded, actuation, applied);
    }
}

impl PlantReports for MultibodyPlant {
    fn scene(&self, name: &str) -> PlantScene {
        self.draw(name)
    }

    fn ray_query(&self) -> SceneQuery {
        self.scene_query()
    }

    fn ray_sensors(&self) -> &[RaySensor] {
        self.sensors.rays()
    }

    fn contact_surfaces(&self, point: &PlantPoint) -> Vec<ContactSurface> {
        self.surfaces(point)
    }

    fn overbent(&self, q: &[f64]) -> Option<(usize, f64)> {
        self.constraints.overbent(&self.tree, q)
    }

    fn lost_bodies(&self, start: &[f64], q: &[f64], v: &[f64]) -> Vec<LostBody> {
        self.find_lost(start, q, v)
    }

    fn read_out(&self, record: &StepRecord, point: &mut PlantPoint, discrete: &mut [f64]) {
        let Evaluated { kinematics: k, scene, .. } = point.cache.of::<Evaluated>();
        let read_outs = &self.plant_ports.read_outs;
        read_outs.store(&self.tree, &self.gravity, record, k, discrete);
        if self.sensors.is_empty() {
            return;
        }
        let scene = self.sensors.has_rays().then(|| {
            let scene = scene.get_or_insert_with(|| self.scene_query());
            scene.place_bodies(|body| self.tree.X_WB(k, body).isometry());
            &*scene
        });
        let first = self.sensors.first_held();
        let (before, after) = discrete.split_at_mut(first.min(discrete.len()));
        let (tree, gravity, reactions) = (&self.tree, &self.gravity, read_outs.reactions_in(before));
        self.sensors.store(&StepValues { tree, gravity, record, k, reactions, scene }, after);
    }

    fn effort_read_outs(&self) -> Vec<(usize, usize)> {
        self.plant_ports.read_outs.efforts().collect()
    }
}

impl MultibodyPlant {
    /// Energy of springs, tendons, stops and weight \[J\] at the positions `q`, which `k` has.
    fn potential_of(&self, q: &[f64], k: &Kinematics<f64>) -> f64 {
        let springs: f64 = self.springs.iter().map(|s| s.energy(q)).sum();
        let stops: f64 = self.structure.limits.iter().map(|limit| limit.energy(q[limit.position])).sum();
        let passive: f64 = self.passive.iter().map(|passive| passive.energy(q)).sum();
        let tendons: f64 = self.tendons.iter().map(|tendon| tendon.energy(&self.tree, k)).sum();
        let beams = self.constraints.energy(&self.tree, k);
        let carried: f64 = self.carried.iter().map(|c| c.energy(&self.tree, k, &self.gravity)).sum();
        self.tree.potential_energy(k, &self.gravity) + springs + passive + stops + tendons + beams + carried
    }

    /// Writes the poses of `k`.
    fn write_poses(&self, k: &Kinematics<f64>, p_WB: &mut Vec<[f64; 3]>, R_WB: &mut Vec<[f64; 9]>) {
        let bodies = self.structure.bodies.len();
        p_WB.resize(bodies, [0.0; 3]);
        R_WB.resize(bodies, [0.0; 9]);
        for (b, (p_WB, R_WB)) in p_WB.iter_mut().zip(R_WB).enumerate() {
            let X = self.tree.X_WB(k, b);
            *p_WB = X.p_WB.into();
            R_WB.copy_from_slice(X.R_WB.as_slice());
        }
    }
}
