//! Tokens of expressions.

use super::comparison::Comparison;

/// The signs of comparisons, longer ones first.
const COMPARISONS: [(&str, Comparison); 6] = [
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    (">", Comparison::Greater),
    ("<", Comparison::Less),
];

/// A piece of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// `2.5e-3`
    Number(f64),
    /// A name of an input, a function or a constant; with its `$`, of a parameter.
    Name(String),
    /// One of `+ - * / ^ ( ) [ ] ,`.
    Sign(char),
    /// `>`, `>=`, `<`, `<=`, `==` or `!=`.
    Compare(Comparison),
    /// End of the text.
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Number(value) => write!(f, "`{value}`"),
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::Compare(comparison) => {
                let sign = COMPARISONS.iter().find(|(_, of)| of == comparison).map_or("", |(sign, _)| sign);
                write!(f, "`{sign}`")
            }
            Token::End => f.write_str("the end"),
        }
    }
}

/// True if `text` is a name: letters, digits and `_`, not beginning with a digit.
pub(crate) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(begins_name) && characters.all(continues_name)
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True if `characters` begin with `sign`.
fn begins(characters: &[char], sign: &str) -> bool {
    let mut rest = characters.iter();
    sign.chars().all(|c| rest.next() == Some(&c))
}

/// Remedy for a sign of other languages.
fn instead_of(sign: char) -> &'static str {
    match sign {
        '=' => ": two numbers are compared by `a == b`",
        '!' => ": the contrary of a condition is `not a`",
        '?' | ':' => ": one of two numbers is `if(condition, a, b)`",
        '&' => ": two conditions together are `a and b`",
        '|' => ": one of two conditions is `a or b`",
        '%' => ": the remainder is `a - b*floor(a/b)`",
        '$' => ": a parameter is written `$name`",
        ';' => ": one formula is one number; write a list of formulas",
        _ => "",
    }
}

/// Indices of those of `channels` that occur in `text`, in the order of the text.
///
/// # Errors
/// Column and message of the first text that is not a token.
pub(super) fn longest_names(text: &str, channels: &[&str]) -> Result<Vec<usize>, (usize, String)> {
    let mut used = Vec::new();
    for (_, token) in tokens_of(text, Some(channels))? {
        if let Token::Name(name) = token
            && let Some(channel) = channels.iter().position(|known| *known == name)
            && !used.contains(&channel)
        {
            used.push(channel);
        }
    }
    Ok(used)
}

/// Length in characters of the name that begins at `at`: of the longest channel that is written there, or else of the
/// characters that a channel may have.
fn channel_length(characters: &[char], channels: &[&str]) -> usize {
    let ends = |length: usize| !characters.get(length).is_some_and(|&c| continues_name(c) || c == '[');
    let written = |name: &&&str| begins(characters, name) && ends(name.chars().count());
    let longest = channels.iter().filter(written).map(|name| name.chars().count()).max();
    longest.unwrap_or_else(|| {
        let within = |&c: &char| continues_name(c) || matches!(c, '.' | '[' | ']');
        characters.iter().position(|c| !within(c)).unwrap_or(characters.len())
    })
}

/// The tokens of `text` with their columns (characters, from 1), [`Token::End`] last.
///
/// # Errors
/// Column and message of the first text that is not a token.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, (usize, String)> {
    tokens_of(text, None)
}

/// The tokens of `text`; with `channels`, a name is that of a channel where one is written.
pub(super) fn tokens_of(text: &str, channels: Option<&[&str]>) -> Result<Vec<(usize, Token)>, (usize, String)> {
    let characters: Vec<char> = text.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    // The end of the run of characters from `at` on that satisfy the condition `of`.
    let run = |at: usize, of: &dyn Fn(char) -> bool| {
        characters[at..].iter().position(|&c| !of(c)).map_or(characters.len(), |length| at + length)
    };
    while let Some(&c) = characters.get(at) {
        let column = at + 1;
        if c.is_whitespace() {
            at += 1;
        } else if "+-*/^()[],".contains(c) {
            tokens.push((column, Token::Sign(c)));
            at += 1;
        } else if let Some((sign, comparison)) = COMPARISONS.iter().find(|(sign, _)| begins(&characters[at..], sign)) {
            tokens.push((column, Token::Compare(*comparison)));
            at += sign.len();
        } else if begins_name(c) || (c == '$' && characters.get(at + 1).is_some_and(|&c| begins_name(c))) {
            let end = match channels {
                Some(channels) => at + channel_length(&characters[at..], channels),
                None => run(at + 1, &continues_name),
            };
            tokens.push((column, Token::Name(characters[at..end].iter().collect())));
            at = end;
        } else if c.is_ascii_digit() || c == '.' {
            let mut end = run(at, &|c| c.is_ascii_digit() || c == '.');
            if characters.get(end).is_some_and(|c| matches!(c, 'e' | 'E')) {
                let signed = characters.get(end + 1).is_some_and(|c| matches!(c, '+' | '-'));
                end = run(end + 1 + usize::from(signed), &|c| c.is_ascii_digit());
            }
            let written: String = characters[at..end].iter().collect();
            match written.parse::<f64>() {
                Ok(value) if value.is_finite() => tokens.push((column, Token::Number(value))),
                _ if written == "." => {
                    return Err((
                        column,
                        "`.` is no number: inputs and functions have no dots, as in `sin(x[0])`".into(),
                    ));
                }
                _ => return Err((column, format!("`{written}` is no number"))),
            }
            at = end;
        } else {
            return Err((column, format!("`{c}` has no meaning here{}", instead_of(c))));
        }
    }
    tokens.push((characters.len() + 1, Token::End));
    Ok(tokens)
}
