//! COLLADA (`.dae`): all geometries of the scene, placed by its nodes, in metres, with the diffuse colours of its
//! materials.
//!
//! `<up_axis>` has no effect: meshes of robots are written in the axes of their links regardless of it, and the tools
//! of ROS read them so. Skinned and animated parts are not read.

use super::bytes::{MAX_POINTS, invalid};
use super::fault::MeshFault;
use super::triangles::TriangleMesh;
use crate::source::cut;
use nalgebra::{Matrix4, Point3, Rotation3, Unit, Vector3};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::HashMap;
use std::str::FromStr;

/// Maximum depth of nested nodes; a library node may contain itself.
const MAX_LEVELS: usize = 64;
/// Maximum number of nodes, instances counted each.
const MAX_NODES: usize = 1_000_000;
/// Maximum number of parallel lists of indices.
const MAX_INPUTS: usize = 64;

/// The triangles of a COLLADA file.
pub fn read(bytes: Vec<u8>) -> Result<TriangleMesh, MeshFault> {
    let invalid = |reason: String| invalid("COLLADA", reason);
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
    let mut scene = Scene { by_id, mesh: TriangleMesh::default(), nodes: 0 };
    let shown = child(root, "scene").and_then(|scene| child(scene, "instance_visual_scene"));
    match shown.and_then(|shown| scene.named(shown, "url")) {
        Some(visual) => {
            scene.nodes(visual, &Matrix4::new_scaling(unit), 0).map_err(invalid)?;
        }
        // A file of geometries alone.
        None => {
            for geometry in root.descendants().filter(|node| node.tag_name().name() == "geometry") {
                scene.geometry(geometry, None, &Matrix4::new_scaling(unit)).map_err(invalid)?;
            }
        }
    }
    Ok(scene.mesh.without_plain_parts())
}

struct Scene<'a, 'i> {
    by_id: HashMap<&'a str, Node<'a, 'i>>,
    mesh: TriangleMesh,
    /// Number of nodes visited.
    nodes: usize,
}

impl<'a, 'i> Scene<'a, 'i> {
    /// The node that `#id` in an attribute refers to.
    fn named(&self, node: Node<'a, 'i>, attribute: &str) -> Option<Node<'a, 'i>> {
        self.by_id.get(node.attribute(attribute)?.strip_prefix('#')?).copied()
    }

    /// Reads the content of the children of `parent`, which is placed by `X`.
    fn nodes(&mut self, parent: Node<'a, 'i>, X: &Matrix4<f64>, level: usize) -> Result<(), String> {
        if level > MAX_LEVELS {
            return Err(format!("its nodes are nested deeper than {MAX_LEVELS} levels"));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(format!("its scene shows more than {MAX_NODES} nodes"));
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
                        self.geometry(geometry, Some(part), &placed)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn geometry(
        &mut self,
        geometry: Node<'a, 'i>,
        instance: Option<Node<'a, 'i>>,
        X: &Matrix4<f64>,
    ) -> Result<(), String> {
        // Range of the points of each <vertices>: first index and number.
        let mut places: HashMap<&'a str, (usize, usize)> = HashMap::new();
        for vertices in geometry.descendants().filter(|node| node.tag_name().name() == "vertices") {
            let inputs = vertices.children().filter(|node| node.attribute("semantic") == Some("POSITION"));
            for source in inputs.filter_map(|input| self.named(input, "source")).collect::<Vec<_>>() {
                let Some(array) = child(source, "float_array") else { continue };
                let numbers = numbers::<f64>(array)?;
                let first = self.mesh.positions.len();
                if first + numbers.len() / 3 > MAX_POINTS {
                    return Err(format!("it has more than {MAX_POINTS} points"));
                }
                let place = |p: &[f64]| X.transform_point(&Point3::new(p[0], p[1], p[2])).coords;
                self.mesh.positions.extend(numbers.chunks_exact(3).map(place));
                if let Some(id) = vertices.attribute("id") {
                    places.insert(id, (first, numbers.len() / 3));
                }
            }
        }
        let mirrored = X.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        for part in geometry.descendants() {
            let Some(kind) = Kind::of(part.tag_name().name()) else { continue };
            self.faces(part, kind, &places, mirrored)?;
            let rgba = part.attribute("material").and_then(|symbol| self.color(symbol, instance));
            self.mesh.end_part(rgba);
        }
        Ok(())
    }

    /// The triangles of an element whose corners are lists of indices, one index for every input.
    fn faces(
        &mut self,
        part: Node<'a, 'i>,
        kind: Kind,
        places: &HashMap<&str, (usize, usize)>,
        mirrored: bool,
    ) -> Result<(), String> {
        let offset =
            |input: &Node<'_, '_>| input.attribute("offset").and_then(|text| text.trim().parse::<usize>().ok());
        let inputs = || part.children().filter(|node| node.tag_name().name() == "input");
        let stride = inputs().filter_map(|input| offset(&input)).max().unwrap_or(0).min(MAX_INPUTS) + 1;
        let Some(vertex) = inputs().find(|input| input.attribute("semantic") == Some("VERTEX")) else { return Ok(()) };
        let own = offset(&vertex).unwrap_or(0).min(stride - 1);
        let source = vertex.attribute("source").and_then(|source| source.strip_prefix('#'));
        let Some(&(first, count)) = source.and_then(|source| places.get(source)) else { return Ok(()) };
        let mut counts = match (kind, child(part, "vcount")) {
            (Kind::Counted, Some(counts)) => numbers::<usize>(counts)?,
            (Kind::Counted, None) => return Err("a <polylist> has no <vcount>".into()),
            _ => Vec::new(),
        }
        .into_iter();
        for list in part.children().filter(|node| node.tag_name().name() == "p") {
            let corners: Vec<usize> = numbers::<usize>(list)?.chunks_exact(stride).map(|c| c[own]).collect();
            if corners.iter().any(|&i| i >= count) {
                return Err("a triangle names a point that does not exist".into());
            }
            if self.mesh.triangles.len() + corners.len() > 3 * MAX_POINTS {
                return Err(format!("it has more than {MAX_POINTS} triangles"));
            }
            let triangles = &mut self.mesh.triangles;
            let mut add = |a: usize, b: usize, c: usize| {
                let [a, b, c] = [a, b, c].map(|i| (first + i) as u32);
                triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
            };
            let mut fan = |c: &[usize]| (2..c.len()).for_each(|i| add(c[0], c[i - 1], c[i]));
            match kind {
                Kind::Triangles => corners.chunks_exact(3).for_each(fan),
                Kind::Counted => {
                    let mut rest = &corners[..];
                    for n in counts.by_ref() {
                        let Some((polygon, others)) = rest.split_at_checked(n) else {
                            return Err("<vcount> promises more corners than there are".into());
                        };
                        fan(polygon);
                        rest = others;
                    }
                }
                Kind::Fan => fan(&corners),
                Kind::Strip => {
                    (2..corners.len()).for_each(|i| {
                        let (a, b) = (corners[i - 2], corners[i - 1]);
                        if i % 2 == 0 { add(a, b, corners[i]) } else { add(b, a, corners[i]) }
                    });
                }
            }
        }
        Ok(())
    }

    /// The diffuse colour of a material, which an instance binds to a symbol or which has the symbol as its name.
    fn color(&self, symbol: &str, instance: Option<Node<'a, 'i>>) -> Option<[f64; 4]> {
        let bound = instance.and_then(|instance| {
            let mut bindings = instance.descendants().filter(|node| node.tag_name().name() == "instance_material");
            self.named(bindings.find(|node| node.attribute("symbol") == Some(symbol))?, "target")
        });
        let material = bound.or_else(|| self.by_id.get(symbol).copied())?;
        let effect = self.named(child(material, "instance_effect")?, "url")?;
        let diffuse = effect.descendants().find(|node| node.tag_name().name() == "diffuse")?;
        let rgba: [f64; 4] = numbers(child(diffuse, "color")?).ok()?.try_into().ok()?;
        Some(rgba.map(|x: f64| x.clamp(0.0, 1.0)))
    }
}

/// Layout of the corners of triangles.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Triangles,
    /// Polygons, whose corners another list counts.
    Counted,
    /// A polygon, or a fan, per list.
    Fan,
    Strip,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "triangles" => Kind::Triangles,
            "polylist" => Kind::Counted,
            "polygons" | "trifans" => Kind::Fan,
            "tristrips" => Kind::Strip,
            _ => return None,
        })
    }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.tag_name().name() == name)
}

fn numbers<T: FromStr>(node: Node<'_, '_>) -> Result<Vec<T>, String> {
    let text = node.text().unwrap_or_default();
    let number = |word: &str| word.parse::<T>().map_err(|_| format!("{:?} is no number", cut(word)));
    text.split_ascii_whitespace().map(number).collect()
}

/// The transformation that an element of a node applies to the following ones.
fn transformation(part: Node<'_, '_>) -> Result<Matrix4<f64>, String> {
    let name = part.tag_name().name();
    if !["matrix", "translate", "rotate", "scale"].contains(&name) {
        return Ok(Matrix4::identity());
    }
    Ok(match (name, numbers::<f64>(part)?.as_slice()) {
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
