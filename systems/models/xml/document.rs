//! From text to the root element: well-formedness, undeclared prefixes, and unexpanded templates.

use super::attributes::too_many as too_many_attributes;
use super::element::Element;
use super::lenient::mended;
use super::malformed::explain;
use crate::faults::FaultKind;
use crate::notes::NoteKind;
use crate::options::LoadOptions;
use crate::report::{LoadError, Loaded, Report};
use kinegraph_multibody::Model;
use roxmltree::{Document, Error, ParsingOptions};
use std::borrow::Cow;
use std::ops::Range;

/// Bounds the memory of the XML tree; a robot of a thousand links has some ten thousand nodes.
const MAX_NODES: u32 = 4_000_000;
/// Maximum number of undeclared prefixes; a file with more is not a robot.
const MAX_PREFIXES: usize = 16;

/// Parses the text and passes its root element to `read`.
pub(crate) fn with_root(
    text: &str,
    file: &str,
    options: &LoadOptions,
    read: impl FnOnce(Element<'_, '_>, &mut Report<'_>) -> Model,
) -> Result<Loaded, LoadError> {
    if let Some((span, kind)) = too_many_attributes(text) {
        let mut report = Report::new(file, text, 0..0, options);
        report.fault(span, kind);
        return report.finish(Model::default());
    }
    // Places remain those in the original text: nothing is inserted.
    let lenient = match parse(text) {
        Ok(_) | Err(Error::UnknownNamespace(..)) => Cow::Borrowed(text),
        Err(_) => Some(mended(text))
            .filter(|mended| mended.len() == text.len() && reads(mended))
            .unwrap_or(Cow::Borrowed(text)),
    };
    let text = &*lenient;
    // roxmltree refuses an undeclared prefix, which files with `drake:` tags commonly have. Declare it in a copy.
    let mut copy = None::<String>;
    let mut prefixes = Vec::new();
    let mut inserted = 0..0;
    while prefixes.len() < MAX_PREFIXES {
        let Err(Error::UnknownNamespace(prefix, _)) = parse(copy.as_deref().unwrap_or(text)) else { break };
        let Some(at) = end_of_root_name(text) else { break };
        let declaration = format!(" xmlns:{prefix}=\"undeclared:{prefix}\"");
        copy.get_or_insert_with(|| text.to_owned()).insert_str(at, &declaration);
        inserted = at..at.max(inserted.end) + declaration.len();
        prefixes.push(prefix);
    }
    let working = copy.as_deref().unwrap_or(text);
    let mut report = Report::new(file, text, inserted, options);
    let document = match parse(working) {
        Ok(document) => document,
        Err(error) => {
            let (span, kind) = explain(&error, working, MAX_NODES);
            report.fault(span, kind);
            return report.finish(Model::default());
        }
    };
    let robot = Element::new(document.root_element());
    if let Some((span, found)) = find_xacro(robot) {
        report.fault(span, FaultKind::Xacro { found });
        return report.finish(Model::default());
    }
    for prefix in prefixes {
        report.note(robot.span(), NoteKind::UndeclaredPrefix { prefix });
    }
    let model = read(robot, &mut report);
    report.finish(model)
}

/// True if a text is well-formed, apart from undeclared prefixes.
fn reads(text: &str) -> bool {
    matches!(parse(text), Ok(_) | Err(Error::UnknownNamespace(..)))
}

/// Parses a text. Document type declarations stay refused: entities can expand without bound.
fn parse(text: &str) -> Result<Document<'_>, Error> {
    Document::parse_with_options(
        text,
        ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() },
    )
}

/// Offset of the end of the name in the first start tag, after declarations and comments.
fn end_of_root_name(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        let rest = &text[at..];
        let skip = |close: &str| rest.find(close).map(|end| at + end + close.len());
        if rest.starts_with("<!--") {
            at = skip("-->")?;
        } else if rest.starts_with("<?") {
            at = skip("?>")?;
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/');
            return end.filter(|end| *end > 1).map(|end| at + end);
        }
    }
}

/// The first thing that xacro would replace: one of its elements, or a substitution in an attribute.
/// (A declared but unused xacro namespace is common in expanded files and means nothing.)
fn find_xacro(robot: Element<'_, '_>) -> Option<(Range<usize>, String)> {
    robot.descendants().find_map(|element| {
        if element.name().starts_with("xacro:") {
            return Some((element.span(), format!("<{}>", element.name())));
        }
        let mut attributes = element.attributes();
        attributes
            .find(|attribute| attribute.value.contains("${") || attribute.value.contains("$("))
            .map(|attribute| (attribute.span, attribute.value.to_owned()))
    })
}
