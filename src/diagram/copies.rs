//! Names of the copies of a repeated diagram: `row[0]`, `row[1]`, ….

/// Splits the name of a copy into that of all copies and its number: `row[3]` is copy 3 of `row`. `None` for any other
/// name.
pub fn split(name: &str) -> Option<(&str, usize)> {
    let (all, rest) = name.split_once('[')?;
    let digits = rest.strip_suffix(']')?;
    let number = digits.parse::<usize>().ok()?;
    // A number has one name only: no sign, no leading zeros.
    (number.to_string() == digits).then_some((all, number))
}

/// Returns the name of copy `number` of `all`.
pub fn name(all: &str, number: usize) -> String {
    format!("{all}[{number}]")
}
