//! XML elements for readers: names as written, attributes as checked numbers, positions for messages.

use crate::faults::FaultKind;
use crate::notes::NoteKind;
use crate::quantities::{self, Quantity};
use crate::report::Report;
use crate::source::{cut, quoted};
use kinegraph_core::sizes;
use roxmltree::Node;
use std::ops::Range;

/// An element of the document.
#[derive(Clone, Copy)]
pub(crate) struct Element<'a, 'i> {
    node: Node<'a, 'i>,
}

/// An attribute of an element.
#[derive(Clone)]
pub(crate) struct Attribute<'a, 'i> {
    element: Element<'a, 'i>,
    /// Name as written, with prefix.
    pub(crate) name: &'i str,
    /// Value with entities resolved.
    pub(crate) value: &'a str,
    /// Bytes of the value.
    pub(crate) span: Range<usize>,
}

/// Content that an element may have. Everything else is noted.
pub(crate) struct Known {
    /// Attributes that are read.
    pub(crate) attributes: &'static [&'static str],
    /// Children that are read, at most one of each.
    pub(crate) once: &'static [&'static str],
    /// Children that are read or need no mention, any number of each.
    pub(crate) many: &'static [&'static str],
    /// Children that exist in the format and are not simulated.
    pub(crate) ignored: &'static [&'static str],
    /// Attributes that exist in the format and are not simulated.
    pub(crate) ignored_attributes: &'static [&'static str],
}

impl Known {
    /// An element whose text is its value.
    pub(crate) const TEXT: Known =
        Known { attributes: &[], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
}

impl<'a, 'i> Element<'a, 'i> {
    pub(crate) fn new(node: Node<'a, 'i>) -> Self {
        Self { node }
    }

    /// The name as written, with prefix.
    pub(crate) fn name(self) -> &'i str {
        &self.node.document().input_text()[self.span()]
    }

    /// The bytes of the name in the start tag.
    pub(crate) fn span(self) -> Range<usize> {
        let Range { start, end } = self.node.range();
        let text = self.node.document().input_text();
        let start = (start + 1).min(end);
        let rest = text.get(start..end).unwrap_or_default();
        let length = rest.find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').unwrap_or(rest.len());
        start..start + length
    }

    /// Name of the element in messages: `link "arm"`, or `<mass> of link "arm"`.
    pub(crate) fn describe(self) -> String {
        if let Some(title) = self.title() {
            return title;
        }
        let owner = self.node.ancestors().skip(1).find_map(|node| Element::new(node).title());
        match owner {
            Some(owner) => format!("<{}> of {owner}", cut(self.name())),
            None => format!("<{}>", cut(self.name())),
        }
    }

    /// Kind and name, for elements directly below `<robot>` that have a name.
    fn title(self) -> Option<String> {
        let is_robot = |node: Node<'_, '_>| {
            node.parent().is_some_and(|parent| parent.is_root()) || node.tag_name().name() == "model"
        };
        let named = !self.node.is_root()
            && (is_robot(self.node)
                || self.node.parent().is_some_and(is_robot)
                    && matches!(self.name(), "link" | "joint" | "drake:joint" | "transmission" | "frame"));
        named.then(|| match self.attribute("name") {
            Some(name) if !name.value.is_empty() => format!("{} {}", cut(self.name()), quoted(name.value)),
            _ => format!("<{}>", cut(self.name())),
        })
    }

    pub(crate) fn children(self) -> impl Iterator<Item = Self> {
        self.node.children().filter(Node::is_element).map(Self::new)
    }

    pub(crate) fn descendants(self) -> impl Iterator<Item = Self> {
        self.node.descendants().filter(Node::is_element).map(Self::new)
    }

    pub(crate) fn child(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.name() == name)
    }

    /// The text inside as an attribute of the element's name, for formats with values as text.
    pub(crate) fn content(self) -> Attribute<'a, 'i> {
        let text = self.node.children().find(|node| node.is_text());
        Attribute {
            element: self,
            name: self.name(),
            value: text.and_then(|text| text.text()).unwrap_or_default().trim(),
            span: text.map_or_else(|| self.span(), |text| text.range()),
        }
    }

    /// The value of an element: its attribute `value`, or its text. A fault if it is missing.
    pub(crate) fn value(self, report: &mut Report<'_>) -> Option<Attribute<'a, 'i>> {
        let text = self.content();
        if text.value.is_empty() { self.required("value", report) } else { Some(text) }
    }

    /// The text inside, without surrounding blanks.
    pub(crate) fn text(self) -> &'a str {
        self.node.text().unwrap_or_default().trim()
    }

    pub(crate) fn attributes(self) -> impl Iterator<Item = Attribute<'a, 'i>> {
        let text = self.node.document().input_text();
        self.node.attributes().map(move |attribute| Attribute {
            element: self,
            name: text.get(attribute.range_qname()).unwrap_or_default(),
            value: attribute.value(),
            span: attribute.range_value(),
        })
    }

    pub(crate) fn attribute(self, name: &str) -> Option<Attribute<'a, 'i>> {
        self.attributes().find(|attribute| attribute.name == name)
    }

    /// A required attribute; a fault if it is missing.
    pub(crate) fn required(self, name: &'static str, report: &mut Report<'_>) -> Option<Attribute<'a, 'i>> {
        let found = self.attribute(name);
        if found.is_none() {
            let written = self.attributes().find(|other| report.nearest(other.name, [name]).is_some());
            let kind = FaultKind::MissingAttribute {
                element: self.describe(),
                attribute: name,
                written: written.map(|attribute| attribute.name.to_owned()),
            };
            report.fault(self.span(), kind);
        }
        found
    }

    /// The text of a required attribute `name`; empty after a fault.
    pub(crate) fn required_name(self, kind: &'static str, report: &mut Report<'_>) -> String {
        let Some(name) = self.required("name", report) else { return String::new() };
        if name.value.trim().is_empty() {
            report.fault(name.span, FaultKind::EmptyName { element: kind });
        }
        name.value.to_owned()
    }

    /// A required child; a fault if it is missing.
    pub(crate) fn required_child(self, name: &'static str, report: &mut Report<'_>) -> Option<Self> {
        let found = self.child(name);
        if found.is_none() {
            report.fault(self.span(), FaultKind::MissingElement { element: self.describe(), child: name });
        }
        found
    }

    /// A required finite number; `None` after a fault.
    pub(crate) fn required_number(self, name: &'static str, report: &mut Report<'_>) -> Option<f64> {
        self.required(name, report)?.number(report)
    }

    /// An optional finite number.
    pub(crate) fn number_or(self, name: &str, default: f64, report: &mut Report<'_>) -> f64 {
        self.attribute(name).and_then(|attribute| attribute.number(report)).unwrap_or(default)
    }

    /// An optional finite number that must not be negative.
    pub(crate) fn magnitude_or(self, name: &str, default: f64, report: &mut Report<'_>) -> f64 {
        let Some(attribute) = self.attribute(name) else { return default };
        attribute.number(report).and_then(|value| attribute.not_negative(value, report)).unwrap_or(default)
    }

    /// A required length greater than zero; `None` after a fault.
    pub(crate) fn required_length(self, name: &'static str, report: &mut Report<'_>) -> Option<f64> {
        let attribute = self.required(name, report)?;
        let value = attribute.number(report)?;
        attribute.positive(value, report)
    }

    /// True if the element asks to be skipped (`drake_ignore="true"`), which is noted.
    pub(crate) fn is_skipped(self, report: &mut Report<'_>) -> bool {
        let skipped = self.attribute("drake_ignore").is_some_and(|attribute| attribute.value.trim() == "true");
        if skipped {
            report.note(self.span(), NoteKind::Skipped { element: self.describe() });
        }
        skipped
    }

    /// Notes every attribute and child that is not read.
    pub(crate) fn check(self, known: &Known, report: &mut Report<'_>) {
        for attribute in self.attributes() {
            self.check_attribute(&attribute, known, report);
        }
        let mut seen = Vec::new();
        for child in self.children() {
            let name = child.name();
            if known.once.contains(&name) {
                if seen.contains(&name) {
                    let kind = NoteKind::RepeatedElement { element: name.to_owned(), parent: self.describe() };
                    report.note(child.span(), kind);
                } else {
                    seen.push(name);
                }
            } else if known.ignored.contains(&name) || name.contains(':') && !known.many.contains(&name) {
                let kind = NoteKind::IgnoredElement { element: cut(name).to_owned(), parent: self.name().to_owned() };
                report.note(child.span(), kind);
            } else if !known.many.contains(&name) {
                let candidates = known.once.iter().chain(known.many).chain(known.ignored).copied();
                let nearest = report.nearest(name, candidates);
                let kind = NoteKind::UnknownElement { element: cut(name).to_owned(), parent: self.describe(), nearest };
                report.note(child.span(), kind);
            }
        }
    }

    fn check_attribute(self, attribute: &Attribute<'_, '_>, known: &Known, report: &mut Report<'_>) {
        let name = attribute.name;
        if known.attributes.contains(&name) || name == "drake_ignore" {
            return;
        }
        let kind = if known.ignored_attributes.contains(&name) || name.contains(':') {
            NoteKind::IgnoredAttribute { element: self.name().to_owned(), attribute: cut(name).to_owned() }
        } else {
            let candidates = known.attributes.iter().chain(known.ignored_attributes).copied();
            let nearest = report.nearest(name, candidates);
            NoteKind::UnknownAttribute { element: self.describe(), attribute: cut(name).to_owned(), nearest }
        };
        report.note(attribute.span.clone(), kind);
    }
}

impl Attribute<'_, '_> {
    /// The value as one finite number; `None` after a fault.
    pub(crate) fn number(&self, report: &mut Report<'_>) -> Option<f64> {
        let value = self.parse(self.value.trim(), report)?;
        let value = self.finite(value, self.value, report)?;
        self.in_range(value, report)
    }

    /// The value as a limit, a number that may be infinite; numbers beyond every range count as infinite. `None` after
    /// a fault.
    pub(crate) fn limit(&self, report: &mut Report<'_>) -> Option<f64> {
        let value = self.parse(self.value.trim(), report)?;
        if value.is_nan() {
            return self.finite(value, self.value, report);
        }
        if sizes::is_beyond_all(value) {
            return Some(value.signum() * f64::INFINITY);
        }
        self.in_range(value, report)
    }

    /// The value as N finite numbers separated by blanks; `None` after a fault.
    pub(crate) fn numbers<const N: usize>(&self, report: &mut Report<'_>) -> Option<[f64; N]> {
        let found = self.value.split_whitespace().count();
        // Words that are not numbers are reported first: "0,0,1" is one word, but its fault is the commas.
        let mut numbers = [0.0; N];
        // A comma before a blank cannot be a decimal point.
        let plain = |word: &'_ str| word.strip_suffix(',').filter(|word| !word.is_empty()).map(str::to_owned);
        let last = found.saturating_sub(1);
        let mut has_commas = false;
        for (index, word) in self.value.split_whitespace().enumerate().take(N) {
            let bare = plain(word).filter(|_| index < last);
            has_commas |= bare.is_some();
            let value = self.parse(bare.as_deref().unwrap_or(word), report)?;
            let value = self.finite(value, word, report)?;
            numbers[index] = self.in_range(value, report)?;
        }
        if has_commas {
            let element = format!("`{}` of {}", cut(self.name), self.element.describe());
            let how = "has commas between its numbers, where the format has blanks";
            report.note(self.span.clone(), NoteKind::ElementDiffers { element, how });
        }
        if found != N {
            let kind = FaultKind::WrongCount {
                element: self.element.describe(),
                attribute: self.name.to_owned(),
                expected: N,
                found,
                text: self.value.to_owned(),
            };
            report.fault(self.span.clone(), kind);
            return None;
        }
        Some(numbers)
    }

    /// Passes a value greater than zero; reports others as a fault.
    pub(crate) fn positive(&self, value: f64, report: &mut Report<'_>) -> Option<f64> {
        if value > 0.0 {
            return Some(value);
        }
        let (element, attribute) = (self.element.describe(), self.name.to_owned());
        report.fault(self.span.clone(), FaultKind::NotPositive { element, attribute, value });
        None
    }

    /// Passes a value of zero or more; reports others as a fault.
    pub(crate) fn not_negative(&self, value: f64, report: &mut Report<'_>) -> Option<f64> {
        if value >= 0.0 {
            return Some(value);
        }
        let (element, attribute) = (self.element.describe(), self.name.to_owned());
        report.fault(self.span.clone(), FaultKind::Negative { element, attribute, value });
        None
    }

    /// Passes a finite number within the range of its quantity; reports others as a fault.
    fn in_range(&self, value: f64, report: &mut Report<'_>) -> Option<f64> {
        let is_text = self.name == self.element.name();
        let quantity = Quantity::of_tree(self.element.name(), if is_text { quantities::VALUE } else { self.name });
        let (element, attribute) = (|| self.element.describe(), || self.name.to_owned());
        if let Err(expected) = quantity.check(value) {
            let kind = FaultKind::OutOfRange { element: element(), attribute: attribute(), value, expected };
            report.fault(self.span.clone(), kind);
            return None;
        }
        if let Some(doubt) = quantity.strange(value) {
            report.note_strange(self.span.clone(), element(), self.name, Some(doubt));
        }
        Some(value)
    }

    fn parse(&self, word: &str, report: &mut Report<'_>) -> Option<f64> {
        let parsed = word.parse().ok();
        if parsed.is_none() {
            let (element, attribute) = (self.element.describe(), self.name.to_owned());
            let kind = FaultKind::NotANumber { element, attribute, text: word.to_owned() };
            report.fault(self.span.clone(), kind);
        }
        parsed
    }

    fn finite(&self, value: f64, word: &str, report: &mut Report<'_>) -> Option<f64> {
        if value.is_finite() {
            return Some(value);
        }
        let (element, attribute) = (self.element.describe(), self.name.to_owned());
        report.fault(self.span.clone(), FaultKind::NotFinite { element, attribute, text: word.to_owned() });
        None
    }
}
