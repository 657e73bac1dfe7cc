//! A model while it is read.

use super::bushings::Bushing;
use super::frames::{Kind, MODEL, Stated, Stock, WORLD, Written, here};
use super::placing::{PlacedLater, PlacedSensor, Site};
use super::pose;
use super::version::Version;
use crate::common::sensors::{self, MAGNETIC_FIELD};
use crate::notes::SdfNote;
use crate::report::Report;
use crate::xml::Element;
use kinegraph_multibody::{Link, Model};
use nalgebra::{Isometry3, Vector3};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A model while it is read.
pub(super) struct Draft {
    pub model: Model,
    pub frames: Stock,
    pub joints: Vec<PlacedLater>,
    pub sites: Vec<Site>,
    pub bushings: Vec<Bushing>,
    pub sensors: Vec<PlacedSensor>,
    /// The magnetic field \[T\].
    pub field_W: Vector3<f64>,
    /// Links of static models.
    pub still: HashSet<String>,
    /// True while the content of a static model is read.
    pub stands_still: bool,
    /// Frame of the model that is being read.
    pub model_frame: String,
    /// Pose of the outermost model in the world, and its placement frame.
    pub X_WM: Isometry3<f64>,
    pub placed_by: Option<Written>,
    /// Version of the file that is being read.
    pub version: Version,
    /// The files that are being read, the main one first.
    pub files: Vec<PathBuf>,
    /// Number of files read.
    pub included: usize,
    /// Number of models around the current element.
    pub level: usize,
}

/// Placement of a model in another one or in a world.
pub(super) struct Placed {
    pub name: String,
    /// Its pose; `None`: that of its own element.
    pub pose: Option<pose::Pose>,
    /// Its placement frame.
    pub by: Option<Written>,
    /// True if it is static, whatever its own element states.
    pub stands_still: bool,
    /// True if its parts become parts of the model around it.
    pub is_merged: bool,
}

impl Placed {
    /// The placement that its own element states.
    pub fn own(element: Element<'_, '_>, report: &mut Report<'_>) -> Self {
        let name = element.required_name("model", report);
        Placed { name, pose: None, by: None, stands_still: false, is_merged: false }
    }
}

impl Draft {
    /// A draft of the file `source_name`, still empty.
    pub fn new(source_name: &str) -> Self {
        let path = Path::new(source_name);
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Draft {
            model: Model::default(),
            frames: Stock::default(),
            joints: Vec::new(),
            sites: Vec::new(),
            bushings: Vec::new(),
            sensors: Vec::new(),
            field_W: Vector3::from(MAGNETIC_FIELD),
            still: HashSet::new(),
            stands_still: false,
            model_frame: MODEL.to_owned(),
            X_WM: Isometry3::identity(),
            placed_by: None,
            version: Version::LATEST,
            files: vec![real],
            included: 0,
            level: 0,
        }
    }

    /// Adds the world as a link, for a joint that starts at it: the pose of the model in the world is then the model's
    /// own pose.
    pub fn needs_world(&mut self, element: Element<'_, '_>, report: &mut Report<'_>) {
        if !self.frames.has(WORLD) {
            self.model.links.insert(0, Link { name: WORLD.to_owned(), ..Link::default() });
            let relative_to = self.placed_by.clone().unwrap_or_else(|| here(MODEL, element, report));
            let stated = Stated { kind: Kind::Link, X: self.X_WM.inverse(), relative_to, placed_by: None };
            self.frames.add(WORLD.to_owned(), stated, element, report);
        }
    }

    /// The name in the whole file of a name written in `scope`.
    pub fn within(&self, written: Written, scope: &str) -> Written {
        let name = match written.name.as_str() {
            WORLD => WORLD.to_owned(),
            MODEL => self.model_frame.clone(),
            name => format!("{scope}{name}"),
        };
        Written { name, ..written }
    }

    /// The frame that a pose is relative to: the written one, or the model.
    pub fn relative_to(
        &self,
        written: Option<Written>,
        element: Element<'_, '_>,
        scope: &str,
        report: &Report<'_>,
    ) -> Written {
        match written {
            Some(written) => self.within(written, scope),
            None => here(&self.model_frame, element, report),
        }
    }

    /// Reads the sensors of a link or a joint, whose frame and name are `carrier`.
    pub fn read_sensors(&mut self, element: Element<'_, '_>, carrier: &str, scope: &str, report: &mut Report<'_>) {
        let is_joint = element.name() == "joint";
        for child in element.children().filter(|child| child.name() == "sensor") {
            let Some(sensor) = sensors::read(child, is_joint, |e, report| pose::read(e, report).X, report) else {
                continue;
            };
            let written = pose::read_frame(child, report);
            let relative_to = written.map(|written| self.within(written, scope));
            let relative_to = relative_to.unwrap_or_else(|| here(carrier, child, report));
            let frame = format!("{carrier}::sensor{}", self.sensors.len());
            let stated =
                Stated { kind: Kind::FixedTo(carrier.to_owned()), X: *sensor.X(), relative_to, placed_by: None };
            self.frames.add(frame.clone(), stated, child, report);
            let joint = is_joint.then(|| carrier.to_owned());
            self.sensors.push(PlacedSensor { sensor, frame, joint });
        }
    }

    /// Notes that something differs from the file.
    pub fn differs(&self, element: Element<'_, '_>, how: &'static str, report: &mut Report<'_>) {
        report.note(element.span(), SdfNote::Differs { element: element.describe(), how }.into());
    }
}
