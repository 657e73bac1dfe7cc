//! Plants and their constraints at a state, without contact.

use crate::integrators::contact::build::{add_bodies, add_cliques};
use crate::integrators::contact::constraints;
use crate::integrators::contact::point::StepPoint;
use crate::linearize::Layout;
use kinegraph_core::convex::PlantPoint;
use kinegraph_diagram::Diagram;

/// Evaluates plants and constraints at `continuous` into the problem of `point`, whose switches hold. If `curved`, also
/// evaluates the accelerations of bodies while no velocity changes.
pub(in crate::integrators::contact) fn evaluate(
    point: &mut StepPoint,
    diagram: &Diagram,
    layout: &Layout,
    continuous: &[f64],
    curved: bool,
) {
    point.plants.resize_with(layout.plants.len(), PlantPoint::default);
    point.problem.clear();
    let mut offset = 0;
    for ((slot, data), switches) in layout.plants.iter().zip(&mut point.plants).zip(&point.switches) {
        let plant = layout.plant(diagram, slot);
        let structure = plant.structure();
        let (q, v) = (&continuous[slot.positions.clone()], &mut point.scratch.velocity);
        v.clear();
        v.extend_from_slice(&continuous[slot.velocities.clone()]);
        switches.stop_locked(v);
        plant.evaluate(q, v, data);
        data.contacts.clear();
        plant.constraints(q, switches, data);
        let wanted = &mut point.scratch.wanted;
        wanted.clear();
        wanted.resize(structure.bodies.len(), false);
        constraints::mark_bodies(data, wanted);
        plant.jacobians(wanted, data);
        if curved {
            plant.bias_accelerations(wanted, data);
        }
        let problem = &mut point.problem;
        let clique = add_cliques(problem, structure, data, v);
        let locked = |v: &usize| switches.locked.get(*v) == Some(&true);
        (0..v.len()).filter(locked).for_each(|v| problem.lock(slot.global.start + v));
        problem.settings.correction_speed = structure.correction_speed;
        add_bodies(problem, structure, data, wanted, clique);
        constraints::add(problem, structure, data, [offset, slot.global.start], plant.stiction_tolerance());
        offset += structure.bodies.len();
    }
    point.problem.finish();
}
