//! Deferred contacts join the problem of a step if its solution closes them.
//!
//! A problem takes the contacts that the velocities at the start of the step may close. A body that is at rest there
//! and is struck within the step may close others: without them it penetrates, the full step and the half steps agree
//! about that, and the result is the elastic energy `k depth²/2` of a depth that no work made. So every deferred gap g
//! is checked with the velocities v of the solution: if
//!
//! ```text
//! g + h n.(v_B - v_A) < 0
//! ```
//!
//! at its contact point, it joins, and the problem is solved again from there. Every round adds a contact, so it ends.
//! A contact that does not close makes no difference to a solution: one that joined stays for all steps from the state.
//!
//! Of the open points of two shapes only the nearest take part from the start, so that shapes of many corners cost what
//! they touch with.
//!
//! Gaps are known up to a margin, by the velocities at the start. A solution that moves bodies farther has the query
//! repeated with the margin that it needs.
//!
//! Pairs of shapes that cannot come near enough even if they move straight towards each other are known only as such
//! ([`FarPair`](kinegraph_core::convex::FarPair)). If a solution might bring them together, their contacts are found
//! before the gaps are checked, so that the result is as if they had been known.

use super::bounds::{approach, fall, fastest_approach};
use crate::choices::deferred_contacts::OPEN_POINTS;
use crate::linearize::External;
use kinegraph_convex::contact::Problem;
use kinegraph_core::convex::{ContactPoint, FEATURE_BITS, PlantPoint, surface_of};
use nalgebra::Vector3;

/// Contacts left out of a problem, plant by plant; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub(in crate::integrators) struct DeferredContacts {
    plants: Vec<DeferredOfPlant>,
    /// Velocities of the bodies of a plant in the solution (scratch).
    velocities: Vec<(Vector3<f64>, Vector3<f64>)>,
}

#[derive(Clone, Debug, Default)]
struct DeferredOfPlant {
    /// Largest gap up to which contacts were looked for \[m\]; negative if none may join.
    margin: f64,
    contacts: Vec<ContactPoint>,
    /// Bodies and keys of the contacts in the problem (scratch).
    names: Vec<(usize, usize, u64)>,
    /// Depths of the open points of a pair (scratch).
    depths: Vec<f64>,
}

impl DeferredContacts {
    /// Empties the lists, for a problem of so many plants.
    pub fn clear(&mut self, plants: usize) {
        self.plants.resize_with(plants, DeferredOfPlant::default);
        for left in &mut self.plants {
            left.margin = -1.0;
            left.contacts.clear();
        }
    }

    /// Defers the contacts, of those that plant `p` found up to `margin`, that no step `closes`.
    pub fn leave_out(
        &mut self,
        p: usize,
        margin: f64,
        data: &mut PlantPoint,
        mut closes: impl FnMut(&ContactPoint, &PlantPoint) -> bool,
    ) {
        let left = &mut self.plants[p];
        left.margin = margin;
        let mut contacts = std::mem::take(&mut data.contacts);
        left.leave_out_distant(&mut contacts);
        contacts.retain(|contact| {
            let stays = contact.depth >= 0.0 || closes(contact, data);
            if !stays {
                left.contacts.push(*contact);
            }
            stays
        });
        data.contacts = contacts;
    }

    /// Deferred contacts of plant `p`.
    pub fn deferred(&self, p: usize) -> impl Iterator<Item = &ContactPoint> {
        self.plants[p].contacts.iter()
    }

    /// Adds to the contacts of the plants those that the solution `v` of a step of length `h` of `problem` closes.
    /// Returns whether there were any: then the problem is to be filled again.
    pub fn join(
        &mut self,
        external: &External,
        plants: &mut [PlantPoint],
        problem: &Problem,
        v: &[f64],
        h: f64,
        queries: &mut usize,
    ) -> bool {
        let (diagram, layout) = (external.diagram(), external.layout());
        let (mut joined, mut queried, mut first) = (false, false, 0);
        let DeferredContacts { plants: deferred, velocities } = self;
        for ((slot, data), left) in layout.plants.iter().zip(plants).zip(deferred) {
            let plant = layout.plant(diagram, slot);
            // The velocity of a body that is near nothing need not be known.
            let known = |body: usize| problem.knows_velocity(first + body);
            velocities.clear();
            velocities.extend((0..plant.structure().bodies.len()).map(|body| match known(body) {
                true => problem.body_velocity(first + body, v),
                false => Default::default(),
            }));
            if left.margin >= 0.0 {
                let moved = plant.reach().iter().enumerate().filter(|(b, reach)| **reach > 0.0 && known(*b));
                let farthest = h * fastest_approach(moved.map(|(b, reach)| (velocities[b], *reach)));
                if farthest > left.margin {
                    let margin = farthest + fall(plant.structure()) * h * h;
                    left.query_again(margin, data, |margin, data| plant.contacts(margin, data));
                    queried = true;
                }
            }
            let mut far = std::mem::take(&mut data.far);
            far.retain(|pair| {
                let [a, b] = pair.bodies;
                let radius = [plant.reach()[a], plant.reach()[b]];
                let is_far = known(a)
                    && known(b)
                    && h * approach([velocities[a], velocities[b]], radius, pair.beyond) <= pair.gap;
                if !is_far {
                    plant.contacts_of_far(pair, left.margin, data, &mut left.contacts);
                }
                is_far
            });
            data.far = far;
            let (mut contacts, p_WB) = (std::mem::take(&mut data.contacts), &data.p_WB);
            left.contacts.retain(|contact| {
                let (a, b) = (contact.body_a, contact.body_b);
                if !(known(a) && known(b)) {
                    // The pair was found just now: the next round knows it.
                    joined = true;
                    return true;
                }
                let at = |body: usize| {
                    let (w, v) = velocities[body];
                    v + w.cross(&(Vector3::from(contact.p_WC) - Vector3::from(p_WB[body])))
                };
                if contact.depth - h * Vector3::from(contact.normal).dot(&(at(b) - at(a))) <= 0.0 {
                    return true;
                }
                contacts.insert(contacts.partition_point(|other| name(other) < name(contact)), *contact);
                joined = true;
                false
            });
            data.contacts = contacts;
            first += plant.structure().bodies.len();
        }
        *queries += usize::from(queried);
        joined
    }
}

impl DeferredOfPlant {
    /// Defers all but the nearest open points of each pair of shapes: a foot that is a mesh has a hundred of them above
    /// the ground, of which few will touch.
    fn leave_out_distant(&mut self, contacts: &mut Vec<ContactPoint>) {
        let DeferredOfPlant { contacts: left, depths, .. } = self;
        let pair = |contact: &ContactPoint| (contact.body_a, contact.body_b, contact.key >> FEATURE_BITS);
        let (mut from, mut kept) = (0, 0);
        while from < contacts.len() {
            let of = pair(&contacts[from]);
            let end = from + contacts[from..].partition_point(|contact| pair(contact) == of);
            depths.clear();
            // Polygons of a pressure field share it.
            let points = contacts[from..end].iter().filter(|contact| surface_of(contact.key).is_none());
            depths.extend(points.map(|contact| contact.depth).filter(|depth| *depth < 0.0));
            let mut deepest = f64::NEG_INFINITY;
            if depths.len() > OPEN_POINTS {
                let (_, last, _) = depths.select_nth_unstable_by(OPEN_POINTS - 1, |a, b| b.total_cmp(a));
                deepest = *last;
            }
            for at in from..end {
                let contact = contacts[at];
                if contact.depth < deepest {
                    left.push(contact);
                } else {
                    contacts[kept] = contact;
                    kept += 1;
                }
            }
            from = end;
        }
        contacts.truncate(kept);
    }

    /// Looks for gaps up to `margin`: all are deferred but those that the problem has.
    fn query_again(&mut self, margin: f64, data: &mut PlantPoint, query: impl FnOnce(f64, &mut PlantPoint)) {
        let DeferredOfPlant { contacts: left, names, .. } = self;
        names.clear();
        names.extend(data.contacts.iter().map(name));
        query(margin, data);
        left.clear();
        data.contacts.retain(|contact| {
            let stays = contact.depth >= 0.0 || names.binary_search(&name(contact)).is_ok();
            if !stays {
                left.push(*contact);
            }
            stays
        });
        self.margin = margin;
    }
}

/// Identity of a contact, in the order in which plants give them.
fn name(contact: &ContactPoint) -> (usize, usize, u64) {
    (contact.body_a, contact.body_b, contact.key)
}
