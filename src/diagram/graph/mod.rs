//! Pictures of a diagram: Graphviz source, and SVG without any further program.

mod dot;
mod hierarchy;
mod layers;
mod legend;
mod place;
mod route;
mod svg;
mod text;

use super::structure::Diagram;

impl Diagram {
    /// The diagram as Graphviz source: a table per block with its ports and their widths, sample times, direct
    /// feedthrough; plants and what is part of their convex step in colour; nested diagrams as clusters. The same
    /// diagram gives the same text.
    pub fn to_dot(&self) -> String {
        dot::Dot { name: self.name(), root: &hierarchy::of(self) }.to_string()
    }

    /// The same picture as SVG.
    pub fn to_svg(&self) -> String {
        svg::Svg { name: self.name(), root: &hierarchy::of(self) }.to_string()
    }
}

#[cfg(test)]
mod tests;
