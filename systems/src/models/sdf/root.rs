//! The outermost element of a file, and the model in it.

use crate::models::faults::SdfFault;
use crate::models::notes::NoteKind;
use crate::models::report::Report;
use crate::models::xml::{Element, Known};

const SDF: Known = Known {
    attributes: &["version"],
    once: &[],
    many: &["model", "world"],
    ignored: &["light", "actor"],
    ignored_attributes: &[],
};

/// The one model of a file.
pub(super) fn only_model<'a, 'i>(root: Element<'a, 'i>, report: &mut Report<'_>) -> Option<Element<'a, 'i>> {
    root.check(&SDF, report);
    let models: Vec<Element<'a, 'i>> = root.children().filter(|child| child.name() == "model").collect();
    let world = root.child("world").is_some();
    let [model] = models[..] else {
        report.fault(root.span(), SdfFault::Models { found: models.len(), world }.into());
        return None;
    };
    if world {
        let (element, parent) = ("world".to_owned(), "sdf".to_owned());
        report.note(root.span(), NoteKind::IgnoredElement { element, parent });
    }
    Some(model)
}
