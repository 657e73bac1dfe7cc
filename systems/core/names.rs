//! Suggestions for misspelt names: the "did you mean" of every message.
//!
//! The similarity of two names is `1 - d / n`, with the Damerau-Levenshtein distance d (letters inserted, deleted,
//! replaced, and neighbours swapped) and the length n of the longer name. Case is ignored, and `-` and blanks count as
//! `_`. A name that is a prefix of the other (`interp` of `interpolation`) is similar enough, however much is missing.

/// Least similarity of a name that is suggested.
const NEAR_ENOUGH: f64 = 0.5;
/// Number of letters of a name that are compared: the cost grows with their square.
const MAX_CHARACTERS: usize = 80;
/// Number of names that are compared.
const MAX_CANDIDATES: usize = 2000;

/// The candidate that `name` most likely means, the first of equally similar ones; `None` if none is similar enough.
pub fn nearest<S: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = S>) -> Option<String> {
    let name = plain(name);
    let mut best: Option<(f64, S)> = None;
    for candidate in candidates.into_iter().take(MAX_CANDIDATES) {
        let likeness = likeness(&name, &plain(candidate.as_ref()));
        if likeness >= best.as_ref().map_or(NEAR_ENOUGH, |(most, _)| most.next_up()) {
            best = Some((likeness, candidate));
        }
    }
    best.map(|(_, candidate)| candidate.as_ref().to_owned())
}

/// Ending of a message about a wrong name: ``; did you mean `name`?``, or nothing.
pub fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn plain(name: &str) -> String {
    name.chars().take(MAX_CHARACTERS).collect::<String>().to_lowercase().replace(['-', ' '], "_")
}

fn likeness(name: &str, candidate: &str) -> f64 {
    let edits = strsim::normalized_damerau_levenshtein(name, candidate);
    let begins = name.len().min(candidate.len()) >= 2 && (candidate.starts_with(name) || name.starts_with(candidate));
    if begins { edits.max(NEAR_ENOUGH) } else { edits }
}
