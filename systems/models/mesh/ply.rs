//! PLY, the polygon format of Stanford: text or binary, in either byte order.
//!
//! The header names elements and the types of their properties; the numbers follow. Points are the `x`, `y`, `z` of the
//! element `vertex`, polygons the list `vertex_indices` (or `vertex_index`) of `face`, cut into triangles from their
//! first corner. All else is skipped. A count larger than the content ends with the file.

use super::bytes::invalid;
use super::fault::MeshFault;
use super::triangles::TriangleMesh;
use nalgebra::Vector3;

/// Storage format of a number.
#[derive(Clone, Copy)]
struct Kind {
    bytes: usize,
    is_float: bool,
    is_signed: bool,
}

struct Property {
    name: String,
    /// For a list, the storage format of its length.
    length: Option<Kind>,
    kind: Kind,
}

struct Part {
    name: String,
    count: usize,
    properties: Vec<Property>,
}

/// Source of the numbers.
enum Numbers<'b> {
    Text(std::str::SplitAsciiWhitespace<'b>),
    Binary { rest: &'b [u8], big: bool },
}

/// The triangles of a PLY file.
pub fn read(bytes: Vec<u8>) -> Result<TriangleMesh, MeshFault> {
    let wrong = |reason: &str| invalid("PLY", reason.to_owned());
    let (parts, mut numbers) = header(&bytes).map_err(wrong)?;
    let mut mesh = TriangleMesh::default();
    for part in &parts {
        // An element without properties takes no room, whatever its count.
        if part.properties.is_empty() {
            continue;
        }
        for _ in 0..part.count {
            let mut point = [None; 3];
            for property in &part.properties {
                let axis = ["x", "y", "z"].iter().position(|axis| *axis == property.name);
                match (property.length, axis) {
                    (None, axis) => {
                        let value =
                            numbers.next(property.kind).ok_or_else(|| wrong("it ends before its elements do"))?;
                        if let Some(axis) = axis {
                            point[axis] = Some(value);
                        }
                    }
                    (Some(length), _) => {
                        let corners = list(&mut numbers, length, property.kind).map_err(wrong)?;
                        let is_face = part.name == "face" && property.name.starts_with("vertex_ind");
                        for i in 1..corners.len().saturating_sub(1) {
                            if is_face {
                                mesh.triangles.push([corners[0], corners[i], corners[i + 1]]);
                            }
                        }
                    }
                }
            }
            if part.name == "vertex" {
                let [Some(x), Some(y), Some(z)] = point else { return Err(wrong("its vertices have no x, y and z")) };
                mesh.positions.push(Vector3::new(x, y, z));
            }
        }
    }
    if mesh.triangles.iter().flatten().any(|i| *i as usize >= mesh.positions.len()) {
        return Err(wrong("a face names a point that does not exist"));
    }
    Ok(mesh)
}

/// The numbers of a list, as indices.
fn list(numbers: &mut Numbers<'_>, length: Kind, kind: Kind) -> Result<Vec<u32>, &'static str> {
    let whole = |value: Option<f64>| value.filter(|x| *x >= 0.0 && *x < f64::from(u32::MAX) && x.fract() == 0.0);
    let count = numbers.next(length).ok_or("it ends before its elements do")?;
    let count = whole(Some(count)).ok_or("the length of a list is no whole number")?;
    let mut corners = Vec::new();
    for _ in 0..count as u32 {
        let value = numbers.next(kind).ok_or("it ends before its elements do")?;
        // A number that is no index belongs to a list that is skipped.
        corners.push(whole(Some(value)).map_or(u32::MAX, |x| x as u32));
    }
    Ok(corners)
}

impl Numbers<'_> {
    fn next(&mut self, kind: Kind) -> Option<f64> {
        match self {
            Numbers::Text(words) => words.next()?.parse().ok(),
            Numbers::Binary { rest, big } => {
                let (own, after) = rest.split_at_checked(kind.bytes)?;
                *rest = after;
                // As eight bytes, little endian.
                let mut wide = [0_u8; 8];
                wide[..kind.bytes].copy_from_slice(own);
                if *big {
                    wide[..kind.bytes].reverse();
                }
                let raw = u64::from_le_bytes(wide);
                Some(match (kind.is_float, kind.bytes) {
                    (true, 4) => f64::from(f32::from_bits(raw as u32)),
                    (true, _) => f64::from_bits(raw),
                    (false, bytes) if kind.is_signed => {
                        let unused = 64 - 8 * bytes as u32;
                        ((raw << unused) as i64 >> unused) as f64
                    }
                    (false, _) => raw as f64,
                })
            }
        }
    }
}

/// The elements, and the numbers behind the header.
fn header(bytes: &[u8]) -> Result<(Vec<Part>, Numbers<'_>), &'static str> {
    const END: &[u8] = b"end_header";
    let at = bytes.windows(END.len()).position(|window| window == END).ok_or("it has no `end_header`")?;
    let text = std::str::from_utf8(&bytes[..at]).map_err(|_| "its header is no text")?;
    let mut rest = &bytes[at + END.len()..];
    // The numbers begin after the end of the line.
    if let [b'\r', after @ ..] = rest {
        rest = after;
    }
    if let [b'\n', after @ ..] = rest {
        rest = after;
    }
    let (mut parts, mut numbers): (Vec<Part>, Option<Numbers<'_>>) = (Vec::new(), None);
    let mut lines = text.lines();
    if lines.next().map(str::trim) != Some("ply") {
        return Err("it does not begin with `ply`");
    }
    for line in lines {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            [] | ["comment" | "obj_info", ..] => {}
            ["format", "ascii", _] => {
                let text = std::str::from_utf8(rest).map_err(|_| "it says that it is text and is none")?;
                numbers = Some(Numbers::Text(text.split_ascii_whitespace()));
            }
            ["format", "binary_little_endian", _] => numbers = Some(Numbers::Binary { rest, big: false }),
            ["format", "binary_big_endian", _] => numbers = Some(Numbers::Binary { rest, big: true }),
            ["element", name, count] => {
                let count = count.parse().map_err(|_| "an element has no count")?;
                parts.push(Part { name: name.to_owned(), count, properties: Vec::new() });
            }
            ["property", "list", length, kind, name] => {
                let property = Property { name: name.to_owned(), length: Some(kind_of(length)?), kind: kind_of(kind)? };
                parts.last_mut().ok_or("a property stands before all elements")?.properties.push(property);
            }
            ["property", kind, name] => {
                let property = Property { name: name.to_owned(), length: None, kind: kind_of(kind)? };
                parts.last_mut().ok_or("a property stands before all elements")?.properties.push(property);
            }
            _ => return Err("its header has a line that is not understood"),
        }
    }
    Ok((parts, numbers.ok_or("its header names no format")?))
}

fn kind_of(name: &str) -> Result<Kind, &'static str> {
    let of = |bytes, is_float, is_signed| Ok(Kind { bytes, is_float, is_signed });
    match name {
        "char" | "int8" => of(1, false, true),
        "uchar" | "uint8" => of(1, false, false),
        "short" | "int16" => of(2, false, true),
        "ushort" | "uint16" => of(2, false, false),
        "int" | "int32" => of(4, false, true),
        "uint" | "uint32" => of(4, false, false),
        "float" | "float32" => of(4, true, true),
        "double" | "float64" => of(8, true, true),
        _ => Err("a property has a type that is not known"),
    }
}
