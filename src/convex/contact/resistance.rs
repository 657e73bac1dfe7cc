//! Rows with a law of their own: dry friction of tendons, and of contacts that resist spinning and rolling; ranges.

use super::elements::{Resisting, RowCompliance, RowFriction, RowOrigin};
use super::problem::Problem;
use super::rows::Rows;
use kinegraph_core::convex::{MAX_NORMAL_DIFFERENCE, RowRange};
use nalgebra::Vector3;

impl Problem {
    /// Adds rows along which nothing but dry friction acts; returns the index of their group.
    pub fn add_friction_rows(&mut self, rows: Rows<'_>, friction: RowFriction) -> usize {
        let nothing = RowCompliance { stiffness: 0.0, damping: 0.0 };
        let group = self.add_rows(rows, Vector3::zeros(), Some(nothing));
        self.constraints.rows[group].friction = Some(friction);
        group
    }

    /// Adds a row whose value `x` at the start of the step has a range; returns the index of its group.
    pub fn add_range(&mut self, row: Rows<'_>, x: f64, range: RowRange) -> usize {
        let nothing = RowCompliance { stiffness: 0.0, damping: 0.0 };
        let group = self.add_rows(row, Vector3::new(x, 0.0, 0.0), Some(nothing));
        let group_of_range = &mut self.constraints.rows[group];
        group_of_range.range = Some(range);
        (group_of_range.correction, group_of_range.farthest) = (Vector3::zeros(), 0.0);
        group
    }

    /// Adds the torques by which the points of two bodies in contact with this normal resist spinning about it (the
    /// first row) and rolling; returns the index of their group. Those points must have been added.
    pub fn add_resistance(&mut self, rows: Rows<'_>, bodies: [usize; 2], normal: Vector3<f64>, creep: f64) {
        let patch = self.contacts.patches.iter().rposition(|patch| [patch.body_a, patch.body_b] == bodies);
        let group = self.add_friction_rows(rows, RowFriction { largest: Vector3::zeros(), shared: true, creep });
        self.constraints.rows[group].origin = patch.map(|patch| RowOrigin::Contacts(Resisting { patch, normal }));
        self.resist(group);
    }

    /// Updates the resistance of contacts by the normal forces that friction uses.
    pub(super) fn resist_by_loads(&mut self) {
        (0..self.constraints.rows.len()).for_each(|group| self.resist(group));
    }

    fn resist(&mut self, group: usize) {
        let Some(RowOrigin::Contacts(Resisting { patch, normal })) = self.constraints.rows[group].origin else {
            return;
        };
        let pairs = self.contacts.points[self.contacts.patches[patch].points.clone()].iter();
        let along = pairs.filter(|pair| (pair.normal - normal).norm() < MAX_NORMAL_DIFFERENCE);
        let [spinning, rolling] = along.fold([0.0; 2], |[spinning, rolling], pair| {
            [
                spinning + pair.material.resistance[0] * pair.start.load,
                rolling + pair.material.resistance[1] * pair.start.load,
            ]
        });
        if let Some(friction) = &mut self.constraints.rows[group].friction {
            friction.largest = Vector3::new(spinning, rolling, rolling);
        }
    }
}
