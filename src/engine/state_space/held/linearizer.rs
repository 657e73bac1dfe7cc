//! Contacts and constraints in a [`Linearizer`].

use super::hold::{Hold, Places, Reduction};
use crate::choices::contact_model::STICKS;
use crate::integrators::FrictionPlace;
use crate::state_space::contact::report;
use crate::state_space::{HeldPart, LinearContact, LinearModel, LinearizeFault, Linearizer};
use kinegraph_diagram::State;

impl Linearizer {
    /// Chooses what becomes of contacts; by default their [laws](LinearContact::Law) count.
    #[must_use]
    pub fn with_contact(mut self, contact: LinearContact) -> Self {
        self.set_contact(contact);
        self
    }

    pub(super) fn set_contact(&mut self, contact: LinearContact) {
        self.contact = contact;
        if let Some(laws) = &mut self.laws {
            laws.set(contact);
        }
    }

    /// Keeps states with these beginnings of their names where constraints and contacts leave a choice.
    #[must_use]
    pub fn preferring(mut self, names: Vec<String>) -> Self {
        self.preferred = names;
        self
    }

    /// Contacts, constraints, stops and locks at an operating point, with their forces: of contacts those of the model.
    ///
    /// # Errors
    /// As [`at`](Self::at).
    pub fn held(&mut self, state: &State, inputs: &[f64]) -> Result<Vec<HeldPart>, LinearizeFault> {
        let mut parts = self.hold(state, inputs)?.map_or_else(Vec::new, |hold| hold.parts);
        if self.contact == LinearContact::Law
            && let Some(laws) = &mut self.laws
        {
            let at = laws.at(state, inputs);
            at.evaluate(state.time, &state.continuous, 0.0, FrictionPlace::default());
            parts.extend(report::by_laws(at, STICKS));
        }
        Ok(parts)
    }

    /// States of the whole model, in minimal coordinates, that the last model has.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Rows that hold at `state`; `None`: nothing does.
    pub(in crate::state_space) fn hold(
        &mut self,
        state: &State,
        inputs: &[f64],
    ) -> Result<Option<Hold>, LinearizeFault> {
        self.hold_with(state, inputs, self.contact == LinearContact::Hold)
    }

    /// The model at `state`, reduced by what holds there.
    pub(in crate::state_space) fn reduced(&mut self, hold: &Hold, inputs: &[f64]) -> Result<Reduction, LinearizeFault> {
        let model = self.whole(&hold.state, inputs)?;
        let places = self.places();
        let rank: Vec<usize> = model.state_names.iter().map(|name| self.rank(name)).collect();
        let Some(laws) = &mut self.laws else {
            return Err(LinearizeFault::CannotHold { what: "a diagram without plants".into() });
        };
        hold.reduce(laws, inputs, &model, &places, &rank)
    }

    /// Order in which states are kept: those that are preferred, then joints, then free bodies.
    fn rank(&self, name: &str) -> usize {
        let preferred = self.preferred.iter().any(|start| name.starts_with(start.as_str()));
        let joint = name.ends_with(".q") || name.ends_with(".v");
        2 * usize::from(!preferred) + usize::from(!joint)
    }

    /// Minimal coordinates of the plants among those of the whole model.
    pub(super) fn places(&self) -> Places {
        let starts = self.rotations.starts();
        let minimal = |i: usize| i - starts.partition_point(|start| *start < i);
        let mut places = Places { positions: Vec::new(), velocities: Vec::new() };
        for slot in self.laws.iter().flat_map(|laws| laws.layout().plants.iter()) {
            let own = slot.positions.clone().filter(|i| starts.binary_search(i).is_err());
            places.positions.extend(own.map(minimal));
            places.velocities.extend(slot.velocities.clone().map(minimal));
        }
        places
    }

    /// The model of all minimal coordinates, without what holds.
    pub(in crate::state_space) fn whole(
        &mut self,
        state: &State,
        inputs: &[f64],
    ) -> Result<LinearModel, LinearizeFault> {
        let model = self.differentiate(state, inputs)?;
        Ok(self.rotations.minimal(model, &state.continuous))
    }
}
