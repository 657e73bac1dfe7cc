//! Colours and their meaning.

use super::hierarchy::Role;

/// Colours of the border and of the inside of a block.
pub(super) fn color(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Plant => ("#1d4ed8", "#dbeafe"),
        Role::External => ("#b45309", "#fef3c7"),
        Role::Other => ("#475569", "#f8fafc"),
    }
}

/// Meaning of the colours.
pub(super) const LEGEND: [(Role, &str); 3] = [
    (Role::Plant, "plant"),
    (Role::External, "acts on or follows a plant: part of its convex step"),
    (Role::Other, "other block"),
];
