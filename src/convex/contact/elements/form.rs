//! Forms of laws that methods take.

use std::fmt;

/// A form of the law of elements, and the kinds that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Name in messages.
    pub name: &'static str,
    /// Kinds that have a law of this form; `None`: all on the list.
    pub kinds: Option<&'static [&'static str]>,
}

impl Form {
    /// The convex potential of a step.
    pub const CONVEX: Form = Form { name: "a convex law of a step", kinds: None };
    /// The force before any discretization.
    pub const CONTINUOUS: Form = Form { name: "a continuous force", kinds: None };

    /// True if elements of a kind have a law of this form.
    pub fn has(&self, kind: &str) -> bool {
        self.kinds.is_none_or(|kinds| kinds.contains(&kind))
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
