//! Requests of readers for attributes, in builds with debug assertions: each is declared as read, and as the kind that
//! is asked for.

use super::declaration::Kind;
use super::lookup;
use std::cell::RefCell;
use std::collections::BTreeSet;

thread_local! {
    static ASKED: RefCell<BTreeSet<(&'static str, &'static str)>> = const { RefCell::new(BTreeSet::new()) };
}

/// Elements and their attributes that readers asked for in this thread; none in builds without debug assertions.
pub fn asked() -> BTreeSet<(&'static str, &'static str)> {
    ASKED.with_borrow(BTreeSet::clone)
}

/// True if an attribute is declared as read, as what is `expected`. Elements that are in no table have no attributes
/// that could be wrong.
pub fn ask(element: &str, attribute: &str, expected: impl Fn(&Kind) -> bool) -> bool {
    let Some((element, mut declared)) = lookup::readable(element, attribute) else { return true };
    let found = declared.find(|attribute| expected(&attribute.kind));
    found.into_iter().for_each(|attribute| note(element, attribute.names));
    found.is_some()
}

fn note(element: &'static str, attribute: &'static str) {
    ASKED.with_borrow_mut(|asked| asked.insert((element, attribute)));
}
