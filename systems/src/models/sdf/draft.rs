//! A model while it is read.

use super::bushings::Bushing;
use super::frames::{Kind, MODEL, Stated, Stock, WORLD, here};
use super::placing::{PlacedLater, Site};
use crate::models::notes::SdfNote;
use crate::models::report::Report;
use crate::models::xml::Element;
use crate::multibody::{Link, Model};
use nalgebra::Isometry3;
use std::path::{Path, PathBuf};

/// A model while it is read.
pub(super) struct Draft {
    pub model: Model,
    pub frames: Stock,
    pub joints: Vec<PlacedLater>,
    pub sites: Vec<Site>,
    pub bushings: Vec<Bushing>,
    pub is_static: bool,
    /// Where the model stands in the world.
    pub X_WM: Isometry3<f64>,
    /// The files that are being read, the main one first.
    pub files: Vec<PathBuf>,
    /// How many files were read.
    pub included: usize,
    /// How many models stand around what is read.
    pub level: usize,
}

impl Draft {
    /// That of a file, in which nothing was read.
    pub fn new(source_name: &str) -> Self {
        let path = Path::new(source_name);
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Draft {
            model: Model::default(),
            frames: Stock::default(),
            joints: Vec::new(),
            sites: Vec::new(),
            bushings: Vec::new(),
            is_static: false,
            X_WM: Isometry3::identity(),
            files: vec![real],
            included: 0,
            level: 0,
        }
    }

    /// The world as a link, where a joint starts at it: where the model stands in it is the model's own pose.
    pub fn needs_world(&mut self, element: Element<'_, '_>, report: &mut Report<'_>) {
        if !self.frames.has(WORLD) {
            self.model.links.insert(0, Link { name: WORLD.to_owned(), ..Link::default() });
            let (X, relative_to) = (self.X_WM.inverse(), here(MODEL, element));
            let stated = Stated { kind: Kind::Link, X, relative_to };
            self.frames.add(WORLD.to_owned(), stated, element.span(), report);
        }
    }

    /// Notes what is not, or not quite, what the file says.
    pub fn differs(&self, element: Element<'_, '_>, how: &'static str, report: &mut Report<'_>) {
        report.note(element.span(), SdfNote::Differs { element: element.describe(), how }.into());
    }
}
