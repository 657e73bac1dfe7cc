//! Lists and counts in messages.

/// Text `a, b or c`, with at most sixteen names.
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    const MAX_WORDS: usize = 16;
    let shown: Vec<&str> = names.iter().take(MAX_WORDS).map(AsRef::as_ref).collect();
    match shown.as_slice() {
        _ if names.len() > MAX_WORDS => format!("{}, … ({} in all)", shown.join(", "), names.len()),
        [] => "nothing".into(),
        [one] => (*one).into(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Text `3 numbers` or `1 number`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
