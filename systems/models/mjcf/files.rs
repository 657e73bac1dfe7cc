//! The files of a model: the main one and what it includes, as one tree of elements.
//!
//! `<include file="..."/>` puts the children of another file's outermost element in its own place. Its path is relative
//! to the folder of the main file, in included files too; where there is none, to that of the including file. It stays
//! in that folder, in the package of the model or in folders that somebody chose: a model is data, and must not make
//! its reader open other files. No file is included twice, so that files cannot include each other without end.

use super::element::{At, Attribute, Element, MAX_LEVELS};
use crate::access::{AccessFault, FileAccess, real};
use crate::faults::FaultKind;
use crate::faults::MjcfFault;
use crate::options::LoadOptions;
use crate::xml::{explain, mended, too_many_attributes};
use roxmltree::{Document, ParsingOptions};
use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bounds the memory of the XML trees of all files together.
const MAX_NODES: u32 = 4_000_000;
/// A model of more files is none.
const MAX_FILES: usize = 256;
/// The largest file read \[MiB\].
pub(super) const LARGEST_MIB: u64 = 64;

/// The files of a model.
#[derive(Default)]
pub(super) struct Files {
    /// As messages name them; the main one first.
    pub names: Vec<String>,
    pub texts: Vec<String>,
    /// Faults found while the files were read.
    pub faults: Vec<(At, FaultKind)>,
    /// Notes on elements that are not read.
    pub notes: Vec<(At, String, &'static str)>,
    folder: PathBuf,
    access: FileAccess,
    paths: Vec<PathBuf>,
    nodes: usize,
    /// How many elements were attached, copies within copies included.
    pub made: usize,
    /// True if that were too many.
    pub is_full: bool,
}

impl Files {
    /// The files of a model whose main file, called `name`, holds `text`, and its outermost element with everything
    /// included.
    pub fn read(text: &str, name: &str, options: &LoadOptions) -> (Files, Option<Element>) {
        let folder = Path::new(name).parent().unwrap_or(Path::new("")).to_owned();
        let mut files = Files { folder, access: options.access_of_model(Path::new(name)), ..Files::default() };
        files.paths.push(real(Path::new(name)));
        let root = files.add(text.to_owned(), name.to_owned(), 0);
        (files, root)
    }

    fn add(&mut self, text: String, name: String, level: usize) -> Option<Element> {
        let file = self.texts.len();
        self.names.push(name);
        let (parsed, text) = self.parse_leniently(text, file);
        self.texts.push(text);
        let mut root = parsed?;
        self.include(&mut root, level);
        Some(root)
    }

    /// The outermost element, and the text that it was read from: where others read what breaks the rules of XML, that
    /// text is mended.
    fn parse_leniently(&mut self, text: String, file: usize) -> (Option<Element>, String) {
        let before = self.faults.len();
        let parsed = self.parse(&text, file);
        if parsed.is_some() {
            return (parsed, text);
        }
        let Cow::Owned(mended) = mended(&text) else { return (None, text) };
        let faults = self.faults.split_off(before);
        match self.parse(&mended, file) {
            Some(root) => (Some(root), mended),
            None => {
                self.faults.truncate(before);
                self.faults.extend(faults);
                (None, text)
            }
        }
    }

    fn parse(&mut self, text: &str, file: usize) -> Option<Element> {
        if let Some((span, kind)) = too_many_attributes(text) {
            self.faults.push((At { file, span }, kind));
            return None;
        }
        let limit = MAX_NODES.saturating_sub(self.nodes.try_into().unwrap_or(u32::MAX)).max(1);
        // Document type declarations stay refused: entities can expand without bound.
        let options = ParsingOptions { allow_dtd: false, nodes_limit: limit, ..ParsingOptions::default() };
        match Document::parse_with_options(text, options) {
            Ok(document) => {
                self.nodes += document.descendants().count();
                let root = Element::of(document.root_element(), file);
                root.map_err(|at| self.faults.push((at, MjcfFault::TooDeep { levels: MAX_LEVELS }.into()))).ok()
            }
            Err(error) => {
                let (span, kind) = explain(&error, text, MAX_NODES);
                self.faults.push((At { file, span }, kind));
                None
            }
        }
    }

    /// Puts what the includes among the children name in their place.
    fn include(&mut self, element: &mut Element, level: usize) {
        let mut children = Vec::with_capacity(element.children.len());
        for mut child in std::mem::take(&mut element.children) {
            if child.name == "include" {
                children.extend(self.included(&child, level).into_iter().flat_map(|root| root.children));
            } else {
                self.include(&mut child, level);
                children.push(child);
            }
        }
        element.children = children;
    }

    fn included(&mut self, include: &Element, level: usize) -> Option<Element> {
        let (file, path) = self.named(include)?;
        let written = file.value.trim();
        let refuse = |files: &mut Files, kind: FaultKind| {
            files.faults.push((file.at.clone(), kind));
            None
        };
        let real = real(&path);
        if self.paths.contains(&real) {
            return refuse(self, MjcfFault::IncludedTwice { file: written.to_owned() }.into());
        }
        if self.paths.len() >= MAX_FILES || level >= MAX_LEVELS {
            return refuse(self, MjcfFault::TooManyFiles { most: MAX_FILES }.into());
        }
        self.paths.push(real);
        match read_text(&path) {
            Ok(text) => self.add(text, path.display().to_string(), level + 1),
            Err(reason) => refuse(self, MjcfFault::IncludeUnreadable { file: written.to_owned(), reason }.into()),
        }
    }

    /// The file that an element names.
    fn named<'e>(&mut self, element: &'e Element) -> Option<(&'e Attribute, PathBuf)> {
        let Some(file) = element.attribute("file") else {
            let kind = MjcfFault::Missing { element: element.describe(), attribute: "file" };
            self.faults.push((element.at.clone(), kind.into()));
            return None;
        };
        let written = file.value.trim();
        let mut path = self.folder.join(written);
        let beside = Path::new(&self.names[element.at.file]).parent().unwrap_or(Path::new("")).join(written);
        if !path.is_file() && beside.is_file() {
            path = beside;
        }
        // What is no file is reported when it is read.
        if let Err(AccessFault::Outside { add, .. }) = self.access.check(&path) {
            self.faults.push((file.at.clone(), MjcfFault::IncludeOutside { file: written.to_owned(), add }.into()));
            return None;
        }
        Some((file, path))
    }

    /// The name that the file of a `<model>` gives to its model.
    pub fn name_of_model(&mut self, model: &Element) -> Option<String> {
        let (_, path) = self.named(model)?;
        let text = read_text(&path).ok().filter(|text| too_many_attributes(text).is_none())?;
        let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let text = mended(&text);
        let document = Document::parse_with_options(&text, options).ok()?;
        document.root_element().attribute("model").map(str::to_owned)
    }

    /// The outermost element of a file that is attached: a main file of its own, with its own includes.
    pub fn attached(&mut self, model: &Element) -> Option<Element> {
        let (file, path) = self.named(model)?;
        let refuse = |files: &mut Files, kind: MjcfFault| {
            files.faults.push((file.at.clone(), kind.into()));
            None
        };
        if self.names.len() >= MAX_FILES {
            return refuse(self, MjcfFault::TooManyFiles { most: MAX_FILES });
        }
        match read_text(&path) {
            Ok(text) => {
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                let outer = (std::mem::replace(&mut self.folder, folder), std::mem::take(&mut self.paths));
                self.paths.push(real(&path));
                let root = self.add(text, path.display().to_string(), 0);
                (self.folder, self.paths) = outer;
                root
            }
            Err(reason) => refuse(self, MjcfFault::IncludeUnreadable { file: file.value.trim().to_owned(), reason }),
        }
    }
}

fn read_text(path: &Path) -> Result<String, String> {
    let data = path.metadata().map_err(|error| error.to_string())?;
    if !data.is_file() {
        return Err("it is not a file".to_owned());
    }
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.take((LARGEST_MIB << 20) + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > LARGEST_MIB << 20 {
        return Err(format!("it is larger than {LARGEST_MIB} MiB"));
    }
    Ok(text)
}
