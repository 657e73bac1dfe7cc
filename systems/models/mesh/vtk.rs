//! VTK's legacy text format: the surface of an unstructured grid of triangles, polygons and tetrahedra, or of polygons.
//!
//! The surface of tetrahedra consists of the sides that belong to one only, turned outwards by the sign of the volume.
//! Cells of other kinds, binary files and the newer format of cells (offsets) are refused.

use super::bytes::invalid;
use super::fault::MeshFault;
use super::triangles::TriangleMesh;
use nalgebra::Vector3;
use rustc_hash::FxHashMap;

const TRIANGLE: usize = 5;
const POLYGON: usize = 7;
const QUADRILATERAL: usize = 9;
const TETRAHEDRON: usize = 10;

/// The triangles of a VTK file.
pub fn read(bytes: Vec<u8>) -> Result<TriangleMesh, MeshFault> {
    let wrong = |reason: &str| invalid("VTK", reason.to_owned());
    let text = std::str::from_utf8(&bytes).map_err(|_| wrong("it is no text; write it as ASCII"))?;
    let mut lines = text.lines();
    if !lines.next().is_some_and(|line| line.starts_with("# vtk DataFile")) {
        return Err(wrong("it does not begin with `# vtk DataFile`"));
    }
    // The second line is a title.
    lines.next();
    let body = lines.collect::<Vec<_>>().join("\n");
    parse(&body).map_err(wrong)
}

fn parse(body: &str) -> Result<TriangleMesh, &'static str> {
    let mut words = body.split_ascii_whitespace();
    if words.next() != Some("ASCII") {
        return Err("it is binary; write it as ASCII");
    }
    let mut mesh = TriangleMesh::default();
    let (mut cells, mut kinds): (Vec<Vec<u32>>, Vec<usize>) = (Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        let mut count = || words.next().and_then(|word| word.parse::<usize>().ok()).ok_or("a count is missing");
        match word {
            "POINTS" => {
                let count = count()?;
                words.next();
                let mut number = || words.next().and_then(|word| word.parse::<f64>().ok()).ok_or("a point is missing");
                for _ in 0..count {
                    mesh.positions.push(Vector3::new(number()?, number()?, number()?));
                }
            }
            "CELLS" | "POLYGONS" => {
                let (number, _) = (count()?, count()?);
                for _ in 0..number {
                    let corners = words.next().and_then(|word| word.parse::<usize>().ok());
                    let corners = corners.ok_or("a cell has no count of corners; offsets are not read")?;
                    let mut cell = Vec::new();
                    for _ in 0..corners {
                        let corner = words.next().and_then(|word| word.parse().ok()).ok_or("a corner is missing")?;
                        cell.push(corner);
                    }
                    cells.push(cell);
                }
                if word == "POLYGONS" {
                    kinds.resize(cells.len(), POLYGON);
                }
            }
            "CELL_TYPES" => {
                let number = count()?;
                for _ in 0..number {
                    kinds.push(words.next().and_then(|word| word.parse().ok()).ok_or("a type of a cell is missing")?);
                }
            }
            // Values at points and cells.
            "CELL_DATA" | "POINT_DATA" => break,
            _ => {}
        }
    }
    if cells.len() != kinds.len() {
        return Err("it has not as many types of cells as cells");
    }
    if cells.iter().flatten().any(|corner| *corner as usize >= mesh.positions.len()) {
        return Err("a cell names a point that does not exist");
    }
    let mut sides: FxHashMap<[u32; 3], Option<[u32; 3]>> = FxHashMap::default();
    let mut order = Vec::new();
    for (cell, kind) in cells.iter().zip(kinds) {
        match (kind, &cell[..]) {
            (TRIANGLE | POLYGON | QUADRILATERAL, corners) => {
                mesh.triangles
                    .extend((1..corners.len().saturating_sub(1)).map(|i| [corners[0], corners[i], corners[i + 1]]));
            }
            (TETRAHEDRON, &[a, b, c, d]) => {
                let [p, q, r, s] = [a, b, c, d].map(|i| mesh.positions[i as usize]);
                let outward = (q - p).cross(&(r - p)).dot(&(s - p)) > 0.0;
                for side in [[a, c, b], [a, b, d], [b, c, d], [a, d, c]] {
                    let [i, j, k] = side;
                    let mut key = side;
                    key.sort_unstable();
                    let side = if outward { side } else { [i, k, j] };
                    // A side of two cells is inside.
                    sides.entry(key).and_modify(|side| *side = None).or_insert_with(|| {
                        order.push(key);
                        Some(side)
                    });
                }
            }
            _ => return Err("it has cells that are neither triangles, polygons nor tetrahedra"),
        }
    }
    mesh.triangles.extend(order.iter().filter_map(|key| sides[key]));
    Ok(mesh)
}
