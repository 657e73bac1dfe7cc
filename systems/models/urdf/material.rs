//! `<material>`: colours and textures, given in place or by name.
//!
//! A material of the robot may be referenced anywhere; one that a `<visual>` defines, in the visuals after it. The
//! definition within a `<visual>` takes precedence over one of the same name.

use crate::common::files::Files;
use crate::notes::NoteKind;
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_core::scene::Appearance;
use std::collections::HashMap;
use std::sync::Arc;

const MATERIAL: Known = Known {
    attributes: &["name"],
    once: &["color", "texture"],
    many: &[],
    ignored: &["ambient", "diffuse", "specular", "emissive", "script"],
    ignored_attributes: &[],
};
const COLOR: Known = Known { attributes: &["rgba"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const TEXTURE: Known = Known { attributes: &["filename"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };

/// The materials of a robot by name, and the files that its visuals name.
pub(crate) struct Materials {
    by_name: HashMap<String, Arc<Appearance>>,
    pub(crate) files: Files,
}

impl Materials {
    /// The materials defined beside the links.
    pub(crate) fn of_robot(robot: Element<'_, '_>, report: &mut Report<'_>) -> Self {
        let mut materials = Materials { by_name: HashMap::new(), files: Files::default() };
        for element in robot.children().filter(|child| child.name() == "material") {
            let Some(name) = element.required("name", report) else { continue };
            if materials.by_name.contains_key(name.value) {
                report.note(name.span, NoteKind::RepeatedMaterial { material: name.value.to_owned() });
                continue;
            }
            let material = materials.read(element, report);
            materials.by_name.insert(name.value.to_owned(), Arc::new(material));
        }
        materials
    }

    /// The material that a `<visual>` defines or references; `None` if it does neither, or if the name is unknown.
    pub(crate) fn of_visual(
        &mut self,
        element: Element<'_, '_>,
        link: &str,
        report: &mut Report<'_>,
    ) -> Option<Arc<Appearance>> {
        let name = element.attribute("name").filter(|name| !name.value.is_empty());
        if ["color", "texture"].into_iter().any(|part| element.child(part).is_some()) {
            let material = Arc::new(self.read(element, report));
            if let Some(name) = name {
                self.by_name.entry(name.value.to_owned()).or_insert_with(|| material.clone());
            }
            return Some(material);
        }
        element.check(&MATERIAL, report);
        let name = name?;
        let known = self.by_name.get(name.value).cloned();
        if known.is_none() {
            let nearest = report.nearest(name.value, self.by_name.keys().map(String::as_str));
            let (link, material) = (link.to_owned(), name.value.to_owned());
            report.note(name.span, NoteKind::UnknownMaterial { link, material, nearest });
        }
        known
    }

    fn read(&mut self, element: Element<'_, '_>, report: &mut Report<'_>) -> Appearance {
        element.check(&MATERIAL, report);
        let name = element.attribute("name").map(|name| name.value.to_owned()).unwrap_or_default();
        let rgba = element.child("color").and_then(|color| {
            color.check(&COLOR, report);
            let written = color.required("rgba", report)?;
            let rgba = written.numbers::<4>(report)?;
            if rgba.iter().any(|part| !(0.0..=1.0).contains(part)) {
                report.note(written.span, NoteKind::ColorOutOfRange { material: name.clone(), rgba });
            }
            Some(rgba.map(|part| part.clamp(0.0, 1.0)))
        });
        let texture = element.child("texture").and_then(|texture| {
            texture.check(&TEXTURE, report);
            // A texture is only visual: without a file name there is none.
            let Some(filename) = texture.attribute("filename") else {
                report.note(texture.span(), NoteKind::TextureWithoutFile { material: name.clone() });
                return None;
            };
            let file =
                self.files.find(filename.value, report.folder(), report.options()).unwrap_or_else(|(source, fault)| {
                    let (material, filename, span) = (name.clone(), filename.value.to_owned(), filename.span);
                    report.note(span, NoteKind::TextureMissing { material, filename, fault });
                    source
                });
            Some(file.into())
        });
        Appearance { name, rgba, texture }
    }
}
