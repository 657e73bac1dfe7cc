//! Elements whose text is their value.

use crate::faults::SdfFault;
use crate::report::Report;
use crate::xml::{Element, Known};

/// The truth value in the text of a child; `None` if there is none, or after a fault.
pub(super) fn flag(parent: Element<'_, '_>, name: &str, report: &mut Report<'_>) -> Option<bool> {
    let element = parent.child(name)?;
    element.check(&Known::TEXT, report);
    match element.text().to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => {
            let what = "is neither `true` nor `false`";
            report.fault(element.span(), SdfFault::Other { element: element.describe(), what }.into());
            None
        }
    }
}
