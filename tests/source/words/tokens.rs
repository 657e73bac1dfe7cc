//! Text as words: names in snake case, camel case and capitals are the words that they are made of.

use std::ops::Range;

/// A word of letters: lower case, capitalized, or capitals.
pub struct Token {
    pub word: String,
    pub place: Range<usize>,
}

/// `GivesUp`, `gives_up` and `GIVES_UP` are two words each; `URDFFile` is one and a letter of `File` begins the next.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let is_upper = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_uppercase);
    let is_lower = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_lowercase);
    let (mut all, mut i) = (Vec::new(), 0);
    while i < bytes.len() {
        let start = i;
        if is_upper(i) {
            while is_upper(i) {
                i += 1;
            }
            // The last capital belongs to what follows in lower case.
            if is_lower(i) {
                if i - start > 1 {
                    i -= 1;
                } else {
                    while is_lower(i) {
                        i += 1;
                    }
                }
            }
        } else if is_lower(i) {
            while is_lower(i) {
                i += 1;
            }
        } else {
            i += 1;
            continue;
        }
        all.push(Token { word: text[start..i].to_ascii_lowercase(), place: start..i });
    }
    all
}

/// True if the gap between two words leaves them neighbours: space, a hyphen, an underscore, the end of a line with the
/// comment mark that begins the next.
pub fn joins(gap: &str) -> bool {
    let blank = |c: char| c.is_whitespace() || matches!(c, '_' | '-' | '\\');
    let mut lines = gap.lines();
    let first = lines.next().unwrap_or("");
    let rest_is_blank = |line: &str| line.chars().all(blank);
    rest_is_blank(first)
        && lines.all(|line| {
            let line = line.trim_start_matches(blank);
            rest_is_blank(line.trim_start_matches(['/', '!', '#', '*', '>']))
        })
}
