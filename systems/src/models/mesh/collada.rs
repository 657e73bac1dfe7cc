//! The points of a COLLADA file (`.dae`): those of every geometry that the scene shows, placed by its nodes, in metres.
//!
//! `<up_axis>` turns nothing: robots' meshes are written in the axes of their links whatever it says, and are read so
//! by the tools of ROS. Skinned and animated parts are not read.

use super::fault::MeshFault;
use nalgebra::{Matrix4, Point3, Rotation3, Unit, Vector3};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::HashMap;

/// Nodes within nodes; a library node may contain itself.
const MOST_LEVELS: usize = 64;
/// Points of all instances together.
const MOST_POINTS: usize = 10_000_000;

pub(super) fn points(bytes: Vec<u8>) -> Result<Vec<Vector3<f64>>, MeshFault> {
    let invalid = |reason: String| MeshFault::Invalid { format: "COLLADA", reason };
    let text = String::from_utf8(bytes).map_err(|_| invalid("it is not UTF-8 text".into()))?;
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options).map_err(|error| invalid(error.to_string()))?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(invalid("its root element is not <COLLADA>".into()));
    }
    let by_id = root.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    let unit = child(root, "asset").and_then(|asset| child(asset, "unit")).and_then(|unit| unit.attribute("meter"));
    let unit = match unit {
        None => 1.0,
        Some(text) => text.trim().parse::<f64>().map_err(|_| invalid(format!("unit {text:?} is no number")))?,
    };
    let mut scene = Scene { by_id, points: Vec::new() };
    let shown = child(root, "scene").and_then(|scene| child(scene, "instance_visual_scene"));
    match shown.and_then(|shown| scene.named(shown, "url")) {
        Some(visual) => {
            scene.nodes(visual, &Matrix4::new_scaling(unit), 0).map_err(invalid)?;
        }
        // A file of geometries alone.
        None => {
            for geometry in root.descendants().filter(|node| node.tag_name().name() == "geometry") {
                scene.geometry(geometry, &Matrix4::new_scaling(unit)).map_err(invalid)?;
            }
        }
    }
    Ok(scene.points)
}

struct Scene<'a, 'i> {
    by_id: HashMap<&'a str, Node<'a, 'i>>,
    points: Vec<Vector3<f64>>,
}

impl<'a, 'i> Scene<'a, 'i> {
    /// What `#id` in an attribute names.
    fn named(&self, node: Node<'a, 'i>, attribute: &str) -> Option<Node<'a, 'i>> {
        self.by_id.get(node.attribute(attribute)?.strip_prefix('#')?).copied()
    }

    /// What the children of `parent` show, which is placed by `X`.
    fn nodes(&mut self, parent: Node<'a, 'i>, X: &Matrix4<f64>, level: usize) -> Result<(), String> {
        if level > MOST_LEVELS {
            return Err(format!("its nodes are nested deeper than {MOST_LEVELS} levels"));
        }
        let mut placed = *X;
        if parent.tag_name().name() == "node" {
            for part in parent.children().filter(Node::is_element) {
                placed *= transformation(part)?;
            }
        }
        for part in parent.children() {
            match part.tag_name().name() {
                "node" => self.nodes(part, &placed, level + 1)?,
                "instance_node" => {
                    if let Some(node) = self.named(part, "url") {
                        self.nodes(node, &placed, level + 1)?;
                    }
                }
                "instance_geometry" => {
                    if let Some(geometry) = self.named(part, "url") {
                        self.geometry(geometry, &placed)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn geometry(&mut self, geometry: Node<'a, 'i>, X: &Matrix4<f64>) -> Result<(), String> {
        for vertices in geometry.descendants().filter(|node| node.tag_name().name() == "vertices") {
            let inputs = vertices.children().filter(|node| node.attribute("semantic") == Some("POSITION"));
            for source in inputs.filter_map(|input| self.named(input, "source")).collect::<Vec<_>>() {
                let Some(array) = child(source, "float_array") else { continue };
                let numbers = numbers(array)?;
                if self.points.len() + numbers.len() / 3 > MOST_POINTS {
                    return Err(format!("it has more than {MOST_POINTS} points"));
                }
                let place = |p: &[f64]| X.transform_point(&Point3::new(p[0], p[1], p[2])).coords;
                self.points.extend(numbers.chunks_exact(3).map(place));
            }
        }
        Ok(())
    }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.tag_name().name() == name)
}

fn numbers(node: Node<'_, '_>) -> Result<Vec<f64>, String> {
    let text = node.text().unwrap_or_default();
    let number = |word: &str| word.parse::<f64>().map_err(|_| format!("{word:?} is no number"));
    text.split_ascii_whitespace().map(number).collect()
}

/// What an element of a node does to what follows it.
fn transformation(part: Node<'_, '_>) -> Result<Matrix4<f64>, String> {
    let name = part.tag_name().name();
    if !["matrix", "translate", "rotate", "scale"].contains(&name) {
        return Ok(Matrix4::identity());
    }
    Ok(match (name, numbers(part)?.as_slice()) {
        ("matrix", numbers) if numbers.len() == 16 => Matrix4::from_row_slice(numbers),
        ("translate", &[x, y, z]) => Matrix4::new_translation(&Vector3::new(x, y, z)),
        ("scale", &[x, y, z]) => Matrix4::new_nonuniform_scaling(&Vector3::new(x, y, z)),
        ("rotate", &[x, y, z, degrees]) => match Unit::try_new(Vector3::new(x, y, z), 0.0) {
            Some(axis) => Rotation3::from_axis_angle(&axis, degrees.to_radians()).to_homogeneous(),
            None => Matrix4::identity(),
        },
        (name, _) => return Err(format!("<{name}> has a wrong number of numbers")),
    })
}
