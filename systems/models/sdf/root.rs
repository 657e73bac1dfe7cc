//! The outermost element of a file, and the part of it that is simulated.

use super::draft::Draft;
use crate::faults::SdfFault;
use crate::notes::NoteKind;
use crate::report::Report;
use crate::xml::{Element, Known};

const SDF: Known = Known {
    attributes: &["version"],
    once: &[],
    many: &["model", "world"],
    ignored: &["light", "actor"],
    ignored_attributes: &[],
};

/// Content of a file.
pub(super) enum Root<'a, 'i> {
    /// One model.
    Model(Element<'a, 'i>),
    /// A world, or several models beside each other.
    Scene(Element<'a, 'i>),
}

impl<'a, 'i> Root<'a, 'i> {
    /// The content of a file: its world, or else its models. If there is a model beside a world, the model counts.
    pub fn of(root: Element<'a, 'i>, report: &mut Report<'_>) -> Option<Self> {
        root.check(&SDF, report);
        let all = |name: &'static str| root.children().filter(move |child| child.name() == name).collect::<Vec<_>>();
        let (models, worlds): (Vec<Element<'a, 'i>>, Vec<Element<'a, 'i>>) = (all("model"), all("world"));
        match (&models[..], &worlds[..]) {
            ([], [world]) => Some(Root::Scene(*world)),
            ([model], []) => Some(Root::Model(*model)),
            ([model], [_, ..]) => {
                let (element, parent) = ("world".to_owned(), "sdf".to_owned());
                report.note(root.span(), NoteKind::IgnoredElement { element, parent });
                Some(Root::Model(*model))
            }
            ([_, _, ..], []) => Some(Root::Scene(root)),
            (models, worlds) => {
                let (models, worlds) = (models.len(), worlds.len());
                report.fault(root.span(), SdfFault::Models { models, worlds }.into());
                None
            }
        }
    }

    /// Reads the content.
    pub fn read(&self, draft: &mut Draft, report: &mut Report<'_>) -> Element<'a, 'i> {
        match *self {
            Root::Model(element) => {
                draft.read_outermost(element, report);
                element
            }
            Root::Scene(element) => {
                match element.name() {
                    "world" => draft.read_world(element, report),
                    _ => draft.read_scene(element, report),
                }
                element
            }
        }
    }
}

/// The one model of a file that is included.
pub(super) fn only_model<'a, 'i>(root: Element<'a, 'i>, report: &mut Report<'_>) -> Option<Element<'a, 'i>> {
    root.check(&SDF, report);
    let models: Vec<Element<'a, 'i>> = root.children().filter(|child| child.name() == "model").collect();
    let worlds = root.children().filter(|child| child.name() == "world").count();
    let [model] = models[..] else {
        report.fault(root.span(), SdfFault::Included { models: models.len(), worlds }.into());
        return None;
    };
    Some(model)
}
