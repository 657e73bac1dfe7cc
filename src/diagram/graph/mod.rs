//! Pictures of a diagram: Graphviz source, and SVG without any further program.

mod dot;
mod layers;
mod place;
mod route;
mod scene;
mod svg;
mod text;

use super::structure::Diagram;
use scene::Role;

/// Colours of the border and of the inside.
fn color(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Plant => ("#1d4ed8", "#dbeafe"),
        Role::External => ("#b45309", "#fef3c7"),
        Role::Other => ("#475569", "#f8fafc"),
    }
}

/// What the colours mean.
const LEGEND: [(Role, &str); 3] = [
    (Role::Plant, "plant"),
    (Role::External, "acts on or follows a plant: part of its convex step"),
    (Role::Other, "other block"),
];

impl Diagram {
    /// The diagram as Graphviz source: a table per block with its ports and their widths, sample times, direct
    /// feedthrough; plants and what is part of their convex step in colour; nested diagrams as clusters. The same
    /// diagram gives the same text.
    pub fn to_dot(&self) -> String {
        dot::draw(self.name(), &scene::of(self))
    }

    /// The same picture as SVG.
    pub fn to_svg(&self) -> String {
        svg::draw(self.name(), &scene::of(self))
    }
}

#[cfg(test)]
mod tests;
