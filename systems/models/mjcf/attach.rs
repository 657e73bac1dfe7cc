//! `<attach model body prefix>`: a body of another file, or all that stands in its world, in place of the element.
//!
//! `<asset><model name file/></asset>` names the file. What is attached keeps what its own file says: its classes, as
//! classes beside those of the file that attaches it, and its compiler's angles, limits and folders, which count for
//! all elements of that file ([`super::settings::Settings::of`]). Its names, and those that it refers to, begin with
//! `prefix`. Assets come along, and all contacts, equalities, tendons, actuators and sensors whose ends are attached.
//! Keyframes do where all joints of the file are attached; they say where these are, and nothing of the others.

use super::element::{Attribute, Element, MAX_ELEMENTS};
use super::files::Files;
use super::schema;
use crate::faults::{FaultKind, MjcfFault};
use kinegraph_core::names::nearest;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The outermost class of an attached file as a child of the outermost element.
pub(super) const CLASSES: &str = "attached default";
/// The attribute that says with which attachments an element came along, the innermost first.
pub(super) const ATTACHMENT: &str = "attached by";
/// Models in models beyond this are refused: a file may attach itself.
const MAX_DEPTH: usize = 16;
/// The name of the outermost class where it has none of its own.
const MAIN: &str = "main";
/// A file that is attached: its numbers among the files, and its compiler's elements.
pub(super) struct Attached {
    pub files: Range<usize>,
    pub root: Element,
}

/// Puts what is attached in its place, in the whole file; the attached files.
pub(super) fn expand(files: &mut Files, root: &mut Element) -> Vec<Attached> {
    let mut attached = Vec::new();
    expand_within(files, root, 0, &mut attached);
    attached
}

fn expand_within(files: &mut Files, root: &mut Element, depth: usize, attached: &mut Vec<Attached>) {
    let assets = root.children.iter().filter(|child| child.name == "asset");
    let models: Vec<Element> = assets.flat_map(|asset| asset.all("model").cloned()).collect();
    let mut expansion =
        Expansion { files, attached, models, loaded: HashMap::new(), more: Vec::new(), depth, attachments: 0 };
    for world in root.children.iter_mut().filter(|child| child.name == "worldbody") {
        expansion.children(world);
    }
    // What acts comes after what acts in the file itself.
    let more = expansion.more;
    root.children.extend(more);
}

struct Expansion<'f> {
    files: &'f mut Files,
    attached: &'f mut Vec<Attached>,
    /// `<model>` of the assets.
    models: Vec<Element>,
    loaded: HashMap<String, Option<Element>>,
    /// Sections that come along.
    more: Vec<Element>,
    depth: usize,
    /// How many of its attachments were met.
    attachments: usize,
}

impl Expansion<'_> {
    fn children(&mut self, element: &mut Element) {
        for child in &mut element.children {
            if child.name == "attach" {
                if let Some(held) = self.held(child) {
                    *child = held;
                }
            } else {
                self.children(child);
            }
        }
    }

    fn fault(&mut self, element: &Element, kind: impl Into<FaultKind>) {
        self.files.faults.push((element.at.clone(), kind.into()));
    }

    /// Returns the frame with the elements that an `<attach>` stands for; `None` after a fault.
    fn held(&mut self, attach: &Element) -> Option<Element> {
        let name = attach.value("model").unwrap_or_default().to_owned();
        let mut other = self.load(attach, &name)?;
        self.attachments += 1;
        let number = self.attachments.to_string();
        let places = other.children.iter_mut().filter(|section| MARKED.contains(&section.name.as_str()));
        places.for_each(|section| mark(section, &number));
        // What is attached within is counted as often as it is copied.
        self.files.made += count(&other);
        if self.files.made > MAX_ELEMENTS {
            // One fault says it.
            if !std::mem::replace(&mut self.files.is_full, true) {
                self.fault(attach, MjcfFault::TooManyElements { element: attach.describe(), most: MAX_ELEMENTS });
            }
            return None;
        }
        if attach.any_attribute("frame").is_some() {
            self.files.notes.push((attach.at.clone(), attach.describe(), "has a `frame`, which is not read"));
        }
        let prefix = attach.value("prefix").unwrap_or_default();
        let worlds = || other.all("worldbody");
        let mut held = match attach.value("body") {
            Some(body) => match worlds().find_map(|world| find_body(world, body)) {
                Some(found) => vec![found.clone()],
                None => {
                    let names: Vec<&str> = worlds().flat_map(bodies).filter_map(|b| b.value("name")).collect();
                    let (element, name) = (attach.describe(), body.to_owned());
                    let nearest = nearest(body, names);
                    self.fault(attach, MjcfFault::Unknown { element, what: "body", name, nearest });
                    return None;
                }
            },
            None => worlds().flat_map(|world| world.children.clone()).collect(),
        };
        let main = other.all("default").find_map(|class| class.value("class")).unwrap_or_default().to_owned();
        // Names are those before the prefix until all that comes along is known.
        let of_held: usize = held.iter().map(|element| joints(element).len()).sum();
        let whole = of_held == worlds().flat_map(joints).count();
        let mut names = HashSet::new();
        held.iter().for_each(|element| collect_names(element, &mut names));
        self.sections(&other, attach, [prefix, &main], whole, names);
        for element in &mut held {
            rename(element, prefix);
        }
        let mut frame = Element { name: "frame".to_owned(), children: held, ..attach.clone() };
        let class =
            Attribute { name: "childclass".to_owned(), value: format!("{prefix}{main}"), at: attach.at.clone() };
        frame.attributes = vec![class];
        Some(frame)
    }

    /// Adds classes, assets and what acts on what is attached; where that is the `whole` file, its keyframes.
    fn sections(
        &mut self,
        other: &Element,
        attach: &Element,
        [prefix, main]: [&str; 2],
        whole: bool,
        mut names: HashSet<String>,
    ) {
        let mut classes =
            Element { name: CLASSES.to_owned(), attributes: Vec::new(), children: Vec::new(), ..attach.clone() };
        let class = Attribute { name: "class".to_owned(), value: main.to_owned(), at: attach.at.clone() };
        classes.attributes.push(class.clone());
        classes.children = other.all("default").flat_map(|default| default.children.clone()).collect();
        let mut all = vec![classes];
        all.extend(other.all(CLASSES).cloned());
        for section in ["asset", "tendon", "contact", "equality", "actuator", "sensor"] {
            for found in other.all(section) {
                let mut kept = found.clone();
                if section != "asset" {
                    kept.children.retain(|child| {
                        let whole = refers_within(child, &names);
                        if let (true, Some(name)) = (whole, child.any_value("name")) {
                            names.insert(name.to_owned());
                        }
                        whole
                    });
                }
                kept.children.retain(|child| child.name != "model");
                for child in kept.children.iter_mut().filter(|child| child.any_attribute("class").is_none()) {
                    child.attributes.push(class.clone());
                }
                all.push(kept);
            }
        }
        for keys in other.all("keyframe").filter(|keys| !keys.children.is_empty()) {
            if whole {
                all.push(keys.clone());
            } else {
                let how = "of a file of which a part is attached are not read";
                self.files.notes.push((keys.at.clone(), "keyframes".to_owned(), how));
            }
        }
        for mut section in all {
            rename(&mut section, prefix);
            self.more.push(section);
        }
    }

    /// The model whose file gives it this name, where the element that names the file gives none.
    fn find_by_file(&mut self, name: &str) -> Option<usize> {
        (0..self.models.len()).find(|&i| {
            let model = &self.models[i];
            model.attribute("name").is_none() && self.files.name_of_model(model).as_deref() == Some(name)
        })
    }

    /// The outermost element of a model, what it attaches in its place.
    fn load(&mut self, attach: &Element, name: &str) -> Option<Element> {
        if let Some(known) = self.loaded.get(name) {
            return known.clone();
        }
        let named = self.models.iter().position(|model| model.value("name") == Some(name));
        let Some(model) = named.or_else(|| self.find_by_file(name)).map(|at| self.models[at].clone()) else {
            let nearest = nearest(name, self.models.iter().filter_map(|model| model.value("name")));
            let (element, name) = (attach.describe(), name.to_owned());
            self.fault(attach, MjcfFault::Unknown { element, what: "model", name, nearest });
            return None;
        };
        if self.depth >= MAX_DEPTH {
            let text = format!("is attached in models that attach each other more than {MAX_DEPTH} deep");
            self.fault(attach, MjcfFault::Other { element: attach.describe(), text });
            return None;
        }
        let first = self.files.names.len();
        let loaded = self.files.attached(&model).map(|mut root| {
            expand_within(self.files, &mut root, self.depth + 1, self.attached);
            name_main_class(&mut root, &format!("{MAIN} of {}", self.attached.len()));
            root
        });
        if let Some(root) = &loaded {
            // Those that it attaches itself are known before it, and count for their own files.
            self.attached.push(Attached { files: first..self.files.names.len(), root: compilers(root) });
        }
        self.loaded.insert(name.to_owned(), loaded.clone());
        loaded
    }
}

/// Gives the outermost class a name that no other file has: two that are attached with one prefix stay apart.
fn name_main_class(root: &mut Element, name: &str) {
    let was = root.all("default").find_map(|class| class.value("class")).unwrap_or(MAIN).to_owned();
    replace_class(root, &was, name);
    let class = Attribute { name: "class".to_owned(), value: name.to_owned(), at: root.at.clone() };
    match root.children.iter_mut().find(|child| child.name == "default") {
        Some(main) if main.attribute("class").is_some() => {}
        Some(main) => main.attributes.push(class),
        None => {
            let (name, attributes) = ("default".to_owned(), vec![class]);
            root.children.push(Element { name, attributes, children: Vec::new(), ..root.clone() });
        }
    }
}

fn replace_class(element: &mut Element, was: &str, name: &str) {
    for attribute in &mut element.attributes {
        if matches!(attribute.name.as_str(), "class" | "childclass") && attribute.value.trim() == was {
            name.clone_into(&mut attribute.value);
        }
    }
    element.children.iter_mut().for_each(|child| replace_class(child, was, name));
}

/// The outermost element with its compilers only.
fn compilers(root: &Element) -> Element {
    let children = root.all("compiler").cloned().collect();
    Element { children, ..Element { children: Vec::new(), ..root.clone() } }
}

fn count(element: &Element) -> usize {
    1 + element.children.iter().map(count).sum::<usize>()
}

fn bodies(element: &Element) -> Vec<&Element> {
    let mut found = Vec::new();
    let mut open: Vec<&Element> = element.children.iter().collect();
    while let Some(next) = open.pop() {
        if next.name == "body" {
            found.push(next);
        }
        open.extend(&next.children);
    }
    found
}

fn joints(element: &Element) -> Vec<&Element> {
    let own = matches!(element.name.as_str(), "joint" | "freejoint").then_some(element);
    own.into_iter().chain(element.children.iter().flat_map(joints)).collect()
}

/// Sections with joints, actuators and keyframes.
const MARKED: [&str; 3] = ["worldbody", "actuator", "keyframe"];

/// Marks joints, actuators and keyframes as those of one attachment.
fn mark(element: &mut Element, number: &str) {
    let counts = |name: &str| matches!(name, "joint" | "freejoint" | "key") || schema::is_actuator(name);
    if counts(&element.name) {
        match element.attributes.iter_mut().find(|attribute| attribute.name == ATTACHMENT) {
            Some(known) => known.value = format!("{} {number}", known.value),
            None => {
                let (name, value, at) = (ATTACHMENT.to_owned(), number.to_owned(), element.at.clone());
                element.attributes.push(Attribute { name, value, at });
            }
        }
    }
    element.children.iter_mut().for_each(|child| mark(child, number));
}

/// True if a keyframe has a place for a joint or an actuator: this came along with the file of the keyframe, or the
/// keyframe is of the main file and has places for all.
pub(super) fn is_of_same_file(key: &Element, other: &Element) -> bool {
    let marks = |element: &Element| -> Vec<String> {
        element.any_value(ATTACHMENT).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    };
    marks(other).ends_with(&marks(key))
}

fn find_body<'e>(world: &'e Element, name: &str) -> Option<&'e Element> {
    bodies(world).into_iter().find(|body| body.value("name") == Some(name))
}

pub(super) fn collect_names(element: &Element, names: &mut HashSet<String>) {
    names.extend(element.any_value("name").map(str::to_owned));
    element.children.iter().for_each(|child| collect_names(child, names));
}

/// True if every name that an element refers to is one of `names`.
fn refers_within(element: &Element, names: &HashSet<String>) -> bool {
    let own = element.attributes.iter().filter(|attribute| {
        let refers = schema::refers(&attribute.name);
        refers && !matches!(attribute.name.as_str(), "name" | "class" | "material" | "mesh" | "texture")
    });
    let known = |attribute: &Attribute| attribute.value.trim() == "world" || names.contains(attribute.value.trim());
    own.into_iter().all(known) && element.children.iter().all(|child| refers_within(child, names))
}

/// Puts a prefix before the names of an element and of those within, and before what they name.
fn rename(element: &mut Element, prefix: &str) {
    let is_class = |name: &str| matches!(name, "class" | "childclass");
    for attribute in &mut element.attributes {
        let name = attribute.name.as_str();
        let stays = attribute.value.trim().is_empty() || (attribute.value.trim() == "world" && !is_class(name));
        if schema::refers(name) && !stays {
            attribute.value = format!("{prefix}{}", attribute.value.trim());
        }
    }
    element.children.iter_mut().for_each(|child| rename(child, prefix));
}
