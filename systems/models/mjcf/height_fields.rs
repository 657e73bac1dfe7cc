//! Height fields: heights over a grid, from `elevation`, an image (`.png`: its first channel) or the format's own
//! binary file. Heights are shifted and scaled to lie from zero to the third number of `size`.
//!
//! Images and `elevation` begin with the row of the greatest y, as one sees them; the binary file with that of the
//! least. The block below the surface (the fourth number of `size`) has sides and a bottom.

use super::element::Element;
use super::fields::Fields;
use super::log::Log;
use super::names::Names;
use super::recognition;
use super::settings::Settings;
use crate::faults::FaultKind;
use crate::faults::MjcfFault;
use crate::mesh::{self, MeshFault};
use kinegraph_geometry::{ExactMesh, ExactMeshError};
use std::path::Path;
use std::sync::Arc;

/// Most points of a grid.
const MAX_POINTS: usize = 1 << 18;

/// All height fields of a model.
pub(super) struct HeightFields<'a> {
    fields: Vec<Option<Arc<ExactMesh>>>,
    names: Names,
    elements: Vec<&'a Element>,
}

/// Heights in rows, the first that of the least y.
pub struct Grid {
    /// How many heights a row has, along x.
    pub columns: usize,
    /// How many rows, along y.
    pub rows: usize,
    /// The heights, row by row.
    pub heights: Vec<f64>,
}

impl<'a> HeightFields<'a> {
    /// Reads the height fields of a model.
    pub fn read(root: &'a Element, settings: &Settings, log: &mut Log<'_>) -> Self {
        let elements: Vec<&'a Element> = root.all("asset").flat_map(|asset| asset.all("hfield")).collect();
        let stem = |element: &Element| {
            let file = element.value("file").map(|file| Path::new(file).file_stem().unwrap_or_default());
            file.map_or("hfield".to_owned(), |stem| stem.to_string_lossy().into_owned())
        };
        let named: Vec<_> = elements.iter().map(|element| (*element, stem(element))).collect();
        let (names, _) = Names::of("hfield", &named, log);
        let fields = elements.iter().map(|element| {
            recognition::check_attributes(element, log);
            read(element, settings, log).map(Arc::new)
        });
        HeightFields { fields: fields.collect(), names, elements }
    }

    /// The height field that a geom names.
    pub fn named(&self, f: &Fields<'_>, log: &mut Log<'_>) -> Option<usize> {
        let Some(name) = f.text("hfield") else {
            log.fault(&f.element.at, MjcfFault::Missing { element: f.element.describe(), attribute: "hfield" });
            return None;
        };
        let found = self.names.get(name);
        if found.is_none() {
            let nearest = log.nearest(name, self.elements.iter().filter_map(|element| element.value("name")));
            let (element, name) = (f.element.describe(), name.to_owned());
            log.fault(&f.element.at, MjcfFault::Unknown { element, what: "height field", name, nearest });
        }
        found
    }

    /// Its triangles; `None` after a fault.
    pub fn mesh(&self, field: usize) -> Option<&Arc<ExactMesh>> {
        self.fields[field].as_ref()
    }
}

fn read(element: &Element, settings: &Settings, log: &mut Log<'_>) -> Option<ExactMesh> {
    let f = Fields::alone(element);
    let Some(size) = f.exactly::<4>("size", log) else {
        if !f.has("size") {
            log.fault(&element.at, MjcfFault::Missing { element: element.describe(), attribute: "size" });
        }
        return None;
    };
    if let Some(bad) = size.iter().find(|x| **x <= 0.0) {
        f.fault_range("size", *bad, "greater than zero", log);
        return None;
    }
    let grid = match f.text("file") {
        Some(file) => of_file(file, settings.of(element), log),
        None => of_element(&f, log)?,
    };
    let made = grid.and_then(|Grid { columns, rows, mut heights }| {
        let (low, high) = heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &z| (l.min(z), h.max(z)));
        let scale = if high > low { size[2] / (high - low) } else { 1.0 };
        heights.iter_mut().for_each(|z| *z = (*z - low) * scale);
        Ok(ExactMesh::height_field_on_block(&heights, columns, rows, [size[0], size[1]], size[3])?)
    });
    made.map_err(|fault| {
        let (link, filename) = (element.describe(), f.text("file").unwrap_or("elevation").to_owned());
        log.fault(&element.at, FaultKind::MeshMissing { link, filename, fault });
    })
    .ok()
}

/// The numbers in the element itself; without any it is flat.
fn of_element(f: &Fields<'_>, log: &mut Log<'_>) -> Option<Result<Grid, MeshFault>> {
    let mut count = |name: &'static str| {
        let count = f.magnitude_or(name, 0.0, log);
        if count >= 2.0 && count <= MAX_POINTS as f64 && count.fract() == 0.0 {
            return Some(count as usize);
        }
        f.fault_range(name, count, "a whole number, two or more", log);
        None
    };
    let (rows, columns) = (count("nrow"), count("ncol"));
    let (rows, columns) = (rows?, columns?);
    if rows * columns > MAX_POINTS {
        return Some(Err(ExactMeshError::TooMany(2 * rows * columns).into()));
    }
    let heights = f.list("elevation", log).unwrap_or_else(|| vec![0.0; rows * columns]);
    Some(Ok(Grid { columns, rows, heights: upside_down(heights, columns) }))
}

fn upside_down(heights: Vec<f64>, columns: usize) -> Vec<f64> {
    heights.chunks(columns).rev().flatten().copied().collect()
}

fn of_file(file: &str, settings: &Settings, log: &Log<'_>) -> Result<Grid, MeshFault> {
    let path = settings.folder.as_deref().unwrap_or(log.folder()).join(&settings.mesh_folder).join(file);
    log.options().access.check(&path)?;
    let bytes = mesh::read_bytes(&path)?;
    let is_image = Path::new(file).extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
    if is_image { of_image(&bytes) } else { of_binary(&bytes) }
}

/// The heights that the pixels of an image are: from 0 to 255, its last row that of the least y.
pub fn of_image(bytes: &[u8]) -> Result<Grid, MeshFault> {
    let invalid = |reason: String| MeshFault::Invalid { format: "PNG", reason };
    let mut decoder = png::Decoder::new(bytes);
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|error| invalid(error.to_string()))?;
    let (columns, rows) = (reader.info().width as usize, reader.info().height as usize);
    if columns.saturating_mul(rows) > MAX_POINTS {
        return Err(ExactMeshError::TooMany(columns.saturating_mul(rows).saturating_mul(2)).into());
    }
    let mut pixels = vec![0; reader.output_buffer_size()];
    let frame = reader.next_frame(&mut pixels).map_err(|error| invalid(error.to_string()))?;
    let channels = frame.color_type.samples();
    let heights: Vec<f64> = pixels.chunks(channels).take(columns * rows).map(|pixel| f64::from(pixel[0])).collect();
    Ok(Grid { columns, rows, heights: upside_down(heights, columns) })
}

/// Two counts, rows and columns, then the heights, all of four bytes, the least first.
pub fn of_binary(bytes: &[u8]) -> Result<Grid, MeshFault> {
    let invalid = |reason: &str| MeshFault::Invalid { format: "height field", reason: reason.to_owned() };
    let words = || bytes.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
    let mut counts = words().map(i32::from_le_bytes).map(usize::try_from);
    let (Some(Ok(rows)), Some(Ok(columns))) = (counts.next(), counts.next()) else {
        return Err(invalid("it has no two counts at its start"));
    };
    if (rows as u128 * columns as u128 + 2) * 4 != bytes.len() as u128 {
        return Err(invalid("its length is not that of the counts at its start"));
    }
    let heights = words().skip(2).map(|b| f64::from(f32::from_le_bytes(b))).collect();
    Ok(Grid { columns, rows, heights })
}
