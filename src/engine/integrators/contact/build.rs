//! Builds the convex problem from the plants: the only place that reads plants for it.

use super::bounds::{approach, fall, fastest, halves};
use super::constraints;
use super::point::StepPoint;
use super::spins;
use super::sweeps::Sweep;
use crate::integrators::{ContactPointMode, Discretization, FrictionPlace};
use crate::linearize::External;
use kinegraph_convex::contact::{ContactMaterial, ContactRow, Problem, SLOWEST_REBOUND};
use kinegraph_convex::profile::{Phase, Stopwatch};
use kinegraph_core::convex::{BodyStructure, ContactPoint, FEATURE_BITS, PlantPoint, PlantStructure};
use nalgebra::Vector3;

/// Contacts to look for.
#[derive(Clone, Copy)]
pub(super) enum Sought<'a> {
    Nothing,
    /// Contacts that a step of this reach \[s\] may close; other near ones are deferred, to join if the step closes
    /// them ([`DeferredContacts`](super::deferred_contacts::DeferredContacts)).
    Within(f64),
    /// Contacts that touch, of cliques for which this is true.
    Of(&'a [bool]),
    /// Contacts that touch, but those of free balls.
    NoBalls,
    /// Contacts with gaps up to this \[m\].
    Near(f64),
}

/// Evaluates all plants at `time` and `continuous` (where `external` must have been evaluated if surfaces move) and
/// fills the part of the problem that does not depend on the step length, with the contacts that are `sought`.
pub(super) fn build(
    external: &External,
    time: f64,
    continuous: &[f64],
    sought: Sought<'_>,
    point: &mut StepPoint,
    watch: &mut Stopwatch,
) {
    let discretization = Discretization::default();
    gather(external, continuous, sought, 0.0, &discretization, point, watch);
    fill(external, time, continuous, &discretization, point, watch);
}

/// True if a contact is that of a ball, and neither body belongs to a tree of several. A contact that resists spinning
/// or rolling also acts by rows beside it, and the grain of a surface turns with the ball: both count as any other.
pub(super) fn is_of_free_ball(contact: &ContactPoint, structure: &PlantStructure) -> bool {
    let is_simple = |body: usize| structure.bodies[body].clique.is_none() || structure.bodies[body].free;
    let is_plain = contact.resistance == [0.0; 2] && contact.grain == [0.0; 3];
    contact.of_ball && is_plain && is_simple(contact.body_a) && is_simple(contact.body_b)
}

/// Evaluates all plants at `continuous` and finds the contacts that are `sought`. A turning body counts as no thinner
/// than the part `thinnest` of its reach.
pub(super) fn gather(
    external: &External,
    continuous: &[f64],
    sought: Sought<'_>,
    thinnest: f64,
    discretization: &Discretization,
    point: &mut StepPoint,
    watch: &mut Stopwatch,
) {
    let mut lap = watch.start();
    let (diagram, layout) = (external.diagram(), external.layout());
    point.plants.resize_with(layout.plants.len(), PlantPoint::default);
    point.deferred.clear(layout.plants.len());
    point.bounds.swept = f64::INFINITY;
    let mut first_clique = 0;
    let plants = layout.plants.iter().zip(&mut point.plants).zip(&point.switches);
    for (p, ((slot, data), switches)) in plants.enumerate() {
        let plant = layout.plant(diagram, slot);
        let (q, v) = (&continuous[slot.positions.clone()], &continuous[slot.velocities.clone()]);
        // Locked joints stand still already at the start of the step.
        let at_rest = &mut point.scratch.velocity;
        at_rest.clear();
        at_rest.extend_from_slice(v);
        switches.stop_locked(at_rest);
        data.threads = point.threads;
        watch.lap(Phase::Problem, &mut lap);
        plant.evaluate(q, at_rest, data);
        if let Some(adjust) = discretization.adjust {
            adjust(data);
        }
        watch.lap(Phase::Plants, &mut lap);
        let reach = if let Sought::Within(reach) = sought { reach } else { 0.0 };
        let fall = fall(plant.structure());
        let drift = plant.stiction_tolerance() + fall * reach;
        let margin = if reach > 0.0 { reach * (fastest(data, plant.reach()) + drift) } else { 0.0 };
        match sought {
            Sought::Within(_) if reach > 0.0 => {
                // Pairs that no step may close need no point: see `DeferredContacts`.
                let velocities = std::mem::take(&mut data.V_WB);
                let radius = plant.reach();
                let nearer = |bodies: [usize; 2], beyond: f64| {
                    let moving = bodies.map(|body| halves(&velocities[body]));
                    let bend: f64 = moving.iter().map(|(w, v)| w.norm() * v.norm()).sum();
                    let speed = approach(moving, bodies.map(|body| radius[body]), beyond) + drift;
                    reach * speed + reach * reach * (0.5 * bend + fall)
                };
                plant.near_contacts(margin, &nearer, data);
                data.V_WB = velocities;
            }
            Sought::Within(_) => plant.contacts(margin, data),
            Sought::Near(gap) => plant.contacts(gap, data),
            Sought::Of(cliques) => {
                let structure = plant.structure();
                let wanted = &mut point.scratch.wanted;
                wanted.clear();
                let is_wanted = |body: &BodyStructure| body.clique.is_some_and(|clique| cliques[first_clique + clique]);
                wanted.extend(structure.bodies.iter().map(is_wanted));
                first_clique += structure.cliques.len();
                plant.contacts_of(wanted, margin, data);
            }
            Sought::NoBalls => {
                plant.contacts(margin, data);
                data.contacts.retain(|contact| !is_of_free_ball(contact, plant.structure()));
            }
            Sought::Nothing => {
                data.contacts.clear();
                data.far.clear();
            }
        }
        watch.lap(Phase::Geometry, &mut lap);
        if reach > 0.0 {
            let longest = &mut point.bounds.swept;
            point.deferred.leave_out(p, margin, data, |contact, data| {
                let sweep = Sweep::of(plant, data, contact, thinnest).filter(|sweep| sweep.may_close(reach));
                *longest = longest.min(sweep.map_or(f64::INFINITY, |sweep| sweep.longest_step()));
                sweep.is_some() || may_close(contact, &data.p_WB, &data.V_WB, reach, drift)
            });
        }
        plant.constraints(q, switches, data);
    }
    watch.lap(Phase::Problem, &mut lap);
}

/// Finds the contact points of all plants at `continuous`, as a problem would have them. Velocities do not count, nor
/// do surfaces that move by themselves.
pub(super) fn find_points(
    external: &External,
    continuous: &[f64],
    discretization: &Discretization,
    plants: &mut Vec<PlantPoint>,
    points: &mut Vec<ContactRow>,
    watch: &mut Stopwatch,
) {
    let (diagram, layout) = (external.diagram(), external.layout());
    plants.resize_with(layout.plants.len(), PlantPoint::default);
    points.clear();
    let (mut lap, mut offset) = (watch.start(), 0);
    for (slot, data) in layout.plants.iter().zip(plants) {
        let plant = layout.plant(diagram, slot);
        plant.poses(&continuous[slot.positions.clone()], data);
        if let Some(adjust) = discretization.adjust {
            adjust(data);
        }
        watch.lap(Phase::Plants, &mut lap);
        plant.contacts(0.0, data);
        watch.lap(Phase::Geometry, &mut lap);
        let (tolerance, mode) = (plant.stiction_tolerance(), discretization.points);
        points.extend(data.contacts.iter().map(|c| pair(c, data, offset, tolerance, Vector3::zeros(), mode)));
        offset += plant.structure().bodies.len();
    }
}

/// Fills the problem with the contents of the plants of `point`. Called again once contacts have joined: then
/// `external` must have been evaluated at `time` and `continuous` if surfaces move.
pub(super) fn fill(
    external: &External,
    time: f64,
    continuous: &[f64],
    discretization: &Discretization,
    point: &mut StepPoint,
    watch: &mut Stopwatch,
) {
    let mut lap = watch.start();
    let (diagram, layout) = (external.diagram(), external.layout());
    point.problem.clear();
    point.problem.settings.explicit_damping = discretization.explicit_damping;
    point.problem.settings.implicit_springs = discretization.implicit_springs;
    point.problem.contacts.witnesses = discretization.points == ContactPointMode::WitnessPoint;
    point.max_depth = 0.0;
    point.belts.clear();
    let mut offset = 0;
    let plants = layout.plants.iter().zip(&mut point.plants).zip(&point.switches);
    for (p, ((slot, data), switches)) in plants.enumerate() {
        let plant = layout.plant(diagram, slot);
        let structure = plant.structure();
        let (q, v) = (&continuous[slot.positions.clone()], &continuous[slot.velocities.clone()]);
        let clique_offset = add_cliques(&mut point.problem, structure, data, v);
        let first = slot.global.start;
        (0..v.len()).filter(|&i| switches.locked.get(i) == Some(&true)).for_each(|i| point.problem.lock(first + i));
        point.problem.settings.correction_speed = structure.correction_speed;
        point.problem.settings.slowest_rebound = SLOWEST_REBOUND * plant.stiction_tolerance();
        let wanted = &mut point.scratch.wanted;
        wanted.clear();
        wanted.resize(structure.bodies.len(), false);
        data.contacts.iter().for_each(|c| (wanted[c.body_a], wanted[c.body_b]) = (true, true));
        point.deferred.deferred(p).for_each(|c| (wanted[c.body_a], wanted[c.body_b]) = (true, true));
        data.far.iter().flat_map(|pair| pair.bodies).for_each(|body| wanted[body] = true);
        constraints::mark_bodies(data, wanted);
        watch.lap(Phase::Problem, &mut lap);
        plant.jacobians(wanted, data);
        watch.lap(Phase::Plants, &mut lap);
        let body_offset = add_bodies(&mut point.problem, structure, data, wanted, clique_offset);
        debug_assert_eq!(body_offset, offset);
        if let Some(complete) = discretization.complete {
            complete(&mut point.problem, structure, data, body_offset);
        }
        let problem = &mut point.problem;
        let belts = plant.has_moving_surfaces();
        if belts {
            plant.read_surface_speeds(&external.context(p, time, continuous), data);
        }
        let mut shapes = problem.num_contacts()..problem.num_contacts();
        let (mut key, friction) = (None, discretization.friction);
        for (c, contact) in data.contacts.iter().enumerate() {
            if key.replace(contact.key >> FEATURE_BITS) != Some(contact.key >> FEATURE_BITS) {
                place(problem, shapes, friction);
                shapes = problem.num_contacts()..problem.num_contacts();
            }
            let bias = if belts { plant.surface_velocity(contact, data).into() } else { Vector3::zeros() };
            point.max_depth = point.max_depth.max(contact.depth);
            if belts {
                point.belts.push((problem.num_contacts(), p, c));
            }
            let points = discretization.points;
            problem.add_contact(&pair(contact, data, body_offset, plant.stiction_tolerance(), bias, points));
            shapes.end += 1;
        }
        place(problem, shapes, friction);
        for &(velocity, stiffness) in &structure.springs {
            problem.add_spring(slot.global.start + velocity, stiffness);
        }
        problem.add_elements(structure, q, first, plant.stiction_tolerance());
        let add = if discretization.redundant_rows { constraints::add_all } else { constraints::add };
        add(problem, structure, data, [body_offset, first], plant.stiction_tolerance());
        if !discretization.spins_by_bias {
            spins::add(problem, structure, q, first);
        }
        offset += structure.bodies.len();
    }
    watch.lap(Phase::Problem, &mut lap);
}

pub(super) fn add_cliques(problem: &mut Problem, structure: &PlantStructure, data: &PlantPoint, v: &[f64]) -> usize {
    let (mut first, mut at) = (None, 0);
    for range in &structure.cliques {
        let n = range.len();
        let block = &data.mass_matrix[at..at + n * n];
        at += n * n;
        let clique =
            problem.add_clique(block, &structure.damping[range.clone()], &data.bias[range.clone()], &v[range.clone()]);
        first.get_or_insert(clique);
    }
    first.unwrap_or(0)
}

/// Adds all bodies; those that are not `wanted` take part in nothing and need no Jacobian.
pub(super) fn add_bodies(
    problem: &mut Problem,
    structure: &PlantStructure,
    data: &PlantPoint,
    wanted: &[bool],
    clique_offset: usize,
) -> usize {
    let mut first = None;
    for (body, &wanted) in structure.bodies.iter().zip(wanted) {
        let clique = body.clique.map(|c| c + clique_offset);
        let jacobian = if wanted { &data.jacobians[body.jacobian.clone()] } else { &[] };
        let index = problem.add_body(clique, body.free, jacobian, body.mass);
        first.get_or_insert(index);
    }
    first.unwrap_or(0)
}

/// Sets the speeds of belts to those at `time` and `continuous`, the end of the step: like a setpoint inside stiff
/// feedback, the speed that friction gives a body is that of the end.
///
/// `external` must have been evaluated there.
pub(super) fn move_belts(external: &External, time: f64, continuous: &[f64], point: &mut StepPoint) {
    let (diagram, layout) = (external.diagram(), external.layout());
    for (p, (slot, data)) in layout.plants.iter().zip(&mut point.plants).enumerate() {
        layout.plant(diagram, slot).read_surface_speeds(&external.context(p, time, continuous), data);
    }
    for &(pair, p, contact) in &point.belts {
        let data = &point.plants[p];
        let velocity = layout.plant(diagram, &layout.plants[p]).surface_velocity(&data.contacts[contact], data);
        point.problem.set_bias_velocity(pair, velocity.into());
    }
}

/// Places the friction of the contact points of two shapes.
fn place(problem: &mut Problem, points: std::ops::Range<usize>, friction: FrictionPlace) {
    match friction {
        FrictionPlace::ByDepth { gap } => problem.place_friction(points, gap),
        FrictionPlace::AtPoints => {}
    }
}

fn pair(
    contact: &ContactPoint,
    data: &PlantPoint,
    offset: usize,
    stiction_tolerance: f64,
    bias_velocity: Vector3<f64>,
    points: ContactPointMode,
) -> ContactRow {
    let (p_WC, normal) = (Vector3::from(contact.p_WC), Vector3::from(contact.normal));
    // The surface of A lies along the normal by half the depth; that of B the other way.
    let (on_a, on_b) = match points {
        ContactPointMode::Midway => (0.0, 0.0),
        ContactPointMode::ContactMidpoint => (contact.stiffness_part_a - 0.5, contact.stiffness_part_a - 0.5),
        ContactPointMode::WitnessPoint => (0.5, -0.5),
    };
    let at = |part: f64| if part == 0.0 { p_WC } else { p_WC + normal * (part * contact.depth) };
    let mut row = ContactRow {
        body_a: offset + contact.body_a,
        body_b: offset + contact.body_b,
        p_AC: at(on_a) - Vector3::from(data.p_WB[contact.body_a]),
        p_BC: at(on_b) - Vector3::from(data.p_WB[contact.body_b]),
        normal,
        depth: contact.depth,
        material: ContactMaterial {
            stiffness: contact.stiffness,
            dissipation: contact.dissipation,
            static_friction: contact.static_friction,
            dynamic_friction: contact.dynamic_friction,
            stiction_tolerance,
            resistance: contact.resistance,
            friction_arm: contact.friction_arm,
        },
        key: contact.key,
        grain: contact.grain.into(),
        ..ContactRow::default()
    };
    row.bias_velocity = row.scaled(&bias_velocity);
    row
}

/// True if a gap may close within `reach` while bodies keep their velocities, but for a `drift` \[m/s\]: the effect of
/// gravity, and the speed that counts as rest, so that no rounding parts bodies in contact. (Surfaces that move by
/// themselves close no gap.)
fn may_close(contact: &ContactPoint, p_WB: &[[f64; 3]], V_WB: &[[f64; 6]], reach: f64, drift: f64) -> bool {
    let velocity = |body: usize| {
        let (w, v) = halves(&V_WB[body]);
        v + w.cross(&(Vector3::from(contact.p_WC) - Vector3::from(p_WB[body])))
    };
    let closing = -Vector3::from(contact.normal).dot(&(velocity(contact.body_b) - velocity(contact.body_a)));
    -contact.depth <= reach * (closing.max(0.0) + drift)
}
