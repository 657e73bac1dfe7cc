//! `<include>`: a model of another file as a nested model.
//!
//! A file is data: a file that it includes by a path must lie in its own folder or below, in its package, or in
//! permitted folders. Packages (`model://`, `package://`) are searched for where those of meshes are, and paths in them
//! must not lead out of them either. No file may include itself, directly or indirectly.

use super::draft::{Draft, Placed};
use super::frames::Written;
use super::pose;
use super::root::only_model;
use super::text::flag;
use super::version::Version;
use crate::access::AccessFault;
use crate::faults::SdfFault;
use crate::mesh::{self, MeshFault};
use crate::report::Report;
use crate::text::read_text;
use crate::xml;
use crate::xml::{Element, Known};
use kinegraph_multibody::Model;
use std::path::{Component, Path, PathBuf};

const INCLUDE: Known = Known {
    attributes: &["merge"],
    once: &["uri", "name", "pose", "static", "placement_frame"],
    many: &[],
    ignored: &["plugin"],
    ignored_attributes: &[],
};

/// Maximum number of files of a model.
const MAX_FILES: usize = 256;

/// Reads the included model of an element.
pub(super) fn read(draft: &mut Draft, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
    element.check(&INCLUDE, report);
    let is_merged = element.attribute("merge").is_some_and(|merge| merge.value == "true");
    let stands_still = flag(element, "static", report) == Some(true);
    let Some(uri) = element.required_child("uri", report) else { return };
    let uri = uri.content();
    let refuse = |reason: String, report: &mut Report<'_>| {
        let uri_text = uri.value.to_owned();
        report.fault(uri.span.clone(), SdfFault::Include { uri: uri_text, reason }.into());
    };
    let path = match find(uri.value, report) {
        Ok(path) => path,
        Err(reason) => return refuse(reason, report),
    };
    let real = path.canonicalize().unwrap_or_else(|_| path.clone());
    if draft.files.contains(&real) {
        return refuse("it would contain itself".to_owned(), report);
    }
    if draft.included >= MAX_FILES {
        return refuse(format!("more than {MAX_FILES} files are included"), report);
    }
    draft.included += 1;
    let text = match read_text(&path) {
        Ok(text) => text,
        Err(error) => return report.adopt(Err(error)),
    };
    let name = element.child("name").map(|name| name.text().to_owned()).filter(|name| !name.is_empty());
    let pose = element.child("pose").map(|_| pose::read(element, report));
    let by = element.child("placement_frame").filter(|by| !by.text().is_empty());
    let by = by.map(|by| Written::of(&by.content(), element, report));
    draft.files.push(real);
    let source_name = path.display().to_string();
    let read = xml::with_root(&text, &source_name, report.options(), |root, inner| {
        if root.name() != "sdf" {
            let what = "is no SDFormat file";
            inner.fault(root.span(), SdfFault::Other { element: root.describe(), what }.into());
            return Model::default();
        }
        let outer = std::mem::replace(&mut draft.version, Version::of(root, inner));
        if let Some(model) = only_model(root, inner) {
            let name = name.unwrap_or_else(|| model.required_name("model", inner));
            draft.inner(model, Placed { name, pose, by, stands_still, is_merged }, scope, inner);
        }
        draft.version = outer;
        Model::default()
    });
    draft.files.pop();
    report.adopt(read);
}

/// The file of an address.
fn find(uri: &str, report: &Report<'_>) -> Result<PathBuf, String> {
    let in_package = uri.split_once("://").filter(|(scheme, _)| *scheme != "file").map(|(_, rest)| rest);
    let outside = || "it leads out of the folder of the file".to_owned();
    let plain = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
    if in_package.is_some_and(|rest| !Path::new(rest.trim_start_matches('/')).components().all(plain)) {
        return Err(outside());
    }
    let options = report.options();
    let path = mesh::locate(uri, report.folder(), options).map_err(|fault| match fault {
        MeshFault::Access(AccessFault::Outside { add, .. }) => format!(
            "{}: to include it, add the line `model_paths: [{add}]` to the diagram file, or run with --allow-outside",
            outside()
        ),
        fault => fault.to_string(),
    })?;
    let path = if path.is_dir() { path.join(file_of_package(&path)) } else { path };
    options.access.check_plain(&path).map_err(|fault| fault.to_string())?;
    Ok(path)
}

/// The file of a model folder: that of the newest version in its `model.config`, or `model.sdf`.
fn file_of_package(folder: &Path) -> String {
    let otherwise = || "model.sdf".to_owned();
    let manifest = folder.join("model.config");
    let Ok(text) = read_text(&manifest) else { return otherwise() };
    let Ok(document) = roxmltree::Document::parse(&text) else { return otherwise() };
    let version = |text: &str| text.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>();
    let named = document.root_element().children().filter(|node| node.has_tag_name("sdf"));
    let files = named.filter_map(|node| Some((version(node.attribute("version").unwrap_or("")), node.text()?.trim())));
    let plain = files.filter(|(_, file)| Path::new(file).components().all(|c| matches!(c, Component::Normal(_))));
    plain.max_by(|a, b| a.0.cmp(&b.0)).map_or_else(otherwise, |(_, file)| file.to_owned())
}
