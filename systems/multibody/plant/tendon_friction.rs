//! Dry friction along tendons: a force up to `F` that resists their motion at any speed, and holds them at rest.
//!
//! Each is a row of the step with the arms `dl/dq` of the tendon and the largest force along it.

use super::spatial_tendon::PlacedTendon;
use super::tendon_inertia::{Along, Property};
use crate::thread_kinematics::lend;
use crate::{Kinematics, Tree};
use kinegraph_core::convex::{Compliance, ConstraintRows, NO_CONSTRAINT, PlantPoint, RowFriction, RowMeasure};

/// Dry friction along a tendon.
#[derive(Clone, Debug)]
pub(super) struct TendonFriction {
    law: Law,
    along: Along,
}

/// Largest force, and the rate at which friction reaches it.
#[derive(Clone, Copy, Debug)]
struct Law {
    largest: f64,
    creep: f64,
}

/// Dry friction of the tendons of all models.
pub(super) fn place(tree: &Tree, models: &[super::model::PlantModel], tendons: &[PlacedTendon]) -> Vec<TendonFriction> {
    let frictions = Property {
        value: |law: &Law| law.largest,
        of_joints: |tendon| Law { largest: tendon.friction, creep: tendon.creep },
        of_path: |tendon| Law { largest: tendon.friction, creep: tendon.creep },
    };
    let placed = frictions.place(tree, models, tendons).into_iter();
    placed.map(|(law, along)| TendonFriction { law, along }).collect()
}

/// Adds the rows of all tendons to `point`, where `k` has the positions.
pub(super) fn add_rows(
    frictions: &[TendonFriction],
    tree: &Tree,
    tendons: &[PlacedTendon],
    k: &Kinematics<f64>,
    point: &mut PlantPoint,
) {
    lend(|all: &mut Vec<f64>| {
        all.resize(tree.num_velocities(), 0.0);
        for TendonFriction { law: Law { largest, creep }, along } in frictions {
            along.arms(tree, tendons, k, all);
            let first = point.arms.len();
            point.arms.extend(all.iter().copied().enumerate().filter(|(_, arm)| *arm != 0.0));
            let measure = RowMeasure::Arms { first, count: point.arms.len() - first };
            point
                .constraints
                .push(along_with(measure, RowFriction::Largest { forces: [*largest, 0.0, 0.0], creep: *creep }));
        }
    });
}

/// Rows with dry friction only.
pub(super) fn along_with(measure: RowMeasure, friction: RowFriction) -> ConstraintRows {
    ConstraintRows {
        constraint: NO_CONSTRAINT,
        measure,
        violation: [0.0; 3],
        compliance: Some([Compliance { stiffness: 0.0, damping: 0.0 }; 3]),
        material: false,
        friction: Some(friction),
        range: None,
        curve: None,
    }
}
