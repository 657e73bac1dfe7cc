//! Numbers of contact, solvers, linear algebra, linearization, the step and the other methods: a choice stands in a
//! list, and nowhere else.
//!
//! The lists are `src/convex/choices.rs`, `src/engine/choices.rs`, `src/methods/choices.rs` and, of numbers that files
//! can set, `src/engine/integrators/tuning.rs`. Outside them, a constant that is made of literals alone, and a float in
//! the code, need a reason: a comment behind it, or alone in the line above it, that begins with one of [`REASONS`]. No
//! reason need those that formulas are full of: [`PLAIN`], whole divisors (`x / 3.0`), and what is counted in
//! `f64::EPSILON`. `tests/files/numbers.rs` compares the lists with decisions and with the files that use them.

use super::files;
use std::path::Path;

/// Folders that are searched.
const FOLDERS: [&str; 6] = [
    "src/convex/contact",
    "src/convex/linear_algebra",
    "src/convex/solvers",
    "src/engine/linearize",
    "src/engine/integrators",
    "src/methods",
];
/// Files of these folders that are not searched: the list of the methods, and tests.
const NOT_SEARCHED: [&str; 2] = ["src/methods/choices.rs", "src/methods/tests"];
/// The list of numbers that files can set begins with these words.
const SETTABLE: (&str, &str) = ("src/engine/integrators/tuning.rs", "\nnumbers! {");
/// Files of coefficients of a published method, and nothing else.
const TABLEAUS: [&str; 5] = ["bs23.rs", "dormand_prince.rs", "rk3.rs", "ros2.rs", "sdirk2.rs"];
/// Floats that need no reason.
const PLAIN: [f64; 4] = [0.0, 0.5, 1.0, 2.0];
/// Reasons why a number is no choice; `src/convex/choices.rs` explains them.
const REASONS: [&str; 6] = ["formula", "method", "rounding", "size", "message", "listed"];
/// Types of constants that are looked at. Bit masks (`u8`) and keys of kinds (`u64`) are no quantities.
const TYPES: [&str; 7] = ["f64", "f32", "usize", "i32", "u32", "[f64", "(f64"];

#[test]
fn every_choice_stands_in_a_list() {
    let mut found = Vec::new();
    let is_read = |path: &Path| {
        let is_in = |folder: &&str| path.starts_with(folder);
        let is_searched = FOLDERS.iter().any(is_in) && !NOT_SEARCHED.iter().any(is_in);
        is_searched && path.extension().is_some_and(|end| end == "rs")
    };
    let mut count = 0;
    for path in files::texts().iter().filter(|path| is_read(path)) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if TABLEAUS.contains(&name) {
            continue;
        }
        let text = crate::text(path);
        let end = if path == Path::new(SETTABLE.0) { text.find(SETTABLE.1).expect("the list") } else { text.len() };
        found.extend(unlisted(&text[..end]).into_iter().map(|place| format!("{}:{place}", path.display())));
        count += 1;
    }
    assert!(count > 200, "{count} files");
    let help = "a choice belongs into a list; what is none, needs a word behind it";
    assert!(found.is_empty(), "{} numbers: {help}\n{}", found.len(), found.join("\n"));
}

/// Numbers without a reason, each with its line.
fn unlisted(text: &str) -> Vec<String> {
    let lines = lines(text);
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let above = i.checked_sub(1).map(|i| &lines[i]).filter(|above| above.code.trim().is_empty());
        let has_reason = |line: &Line| {
            let first = line.comment.trim().split(|c: char| !c.is_ascii_alphabetic()).next();
            first.is_some_and(|first| REASONS.contains(&first))
        };
        if has_reason(line) || above.is_some_and(has_reason) {
            continue;
        }
        let is_choice = |float: &Float| !PLAIN.contains(&float.value) && !float.is_whole_divisor();
        let floats = floats(&line.code);
        let number = floats.iter().find(|float| is_choice(float) && !line.code.contains("EPSILON"));
        if number.is_some() || is_constant_of_literals(&lines[i..]) {
            found.push(format!("{}: {}", i + 1, line.code.trim()));
        }
    }
    found
}

/// A line of code: what stands in its strings is left out.
#[derive(Default)]
struct Line {
    code: String,
    /// Its comment, unless it is documentation.
    comment: String,
}

/// The lines of Rust source.
fn lines(text: &str) -> Vec<Line> {
    let (mut all, mut line) = (Vec::new(), Line::default());
    let (mut in_string, mut in_comment) = (false, false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => {
                in_comment = false;
                // Documentation gives no reason.
                if line.comment.starts_with(['/', '!']) {
                    line.comment.clear();
                }
                all.push(std::mem::take(&mut line));
            }
            _ if in_comment => line.comment.push(c),
            '\\' if in_string => drop(rest.next_if(|c| *c != '\n')),
            '"' => in_string = !in_string,
            _ if in_string => {}
            '/' if rest.next_if_eq(&'/').is_some() => in_comment = true,
            // A quotation mark as a character opens no string.
            '\'' if rest.next_if_eq(&'"').is_some() => drop(rest.next_if_eq(&'\'')),
            _ => line.code.push(c),
        }
    }
    all.push(line);
    all
}

/// A literal with a point or an exponent.
struct Float {
    value: f64,
    /// True if a `/` stands before it.
    divides: bool,
}

impl Float {
    fn is_whole_divisor(&self) -> bool {
        self.divides && self.value.fract() == 0.0
    }
}

fn floats(code: &str) -> Vec<Float> {
    let (bytes, mut found, mut i) = (code.as_bytes(), Vec::new(), 0);
    let byte = |i: usize| bytes.get(i).copied().unwrap_or(b' ');
    let is_of_number = |i: usize| byte(i).is_ascii_digit() || byte(i) == b'_';
    while i < bytes.len() {
        let start = i;
        if !byte(i).is_ascii_digit() {
            // A name with the digits in it, or the field of a tuple.
            let is_of_name = |i: usize| byte(i).is_ascii_alphanumeric() || byte(i) == b'_';
            i += 1;
            if is_of_name(start) || (byte(start) == b'.' && byte(start.wrapping_sub(1)) != b'.') {
                while is_of_name(i) {
                    i += 1;
                }
            }
            continue;
        }
        while is_of_number(i) {
            i += 1;
        }
        let mut is_float = code[i..].starts_with("f64");
        // Not a range, nor a method of a whole number.
        if byte(i) == b'.' && byte(i + 1) != b'.' && !byte(i + 1).is_ascii_alphabetic() && byte(i + 1) != b'_' {
            (is_float, i) = (true, i + 1);
            while is_of_number(i) {
                i += 1;
            }
        }
        if byte(i) == b'e' && (byte(i + 1).is_ascii_digit() || byte(i + 1) == b'-') {
            (is_float, i) = (true, i + 2);
            while is_of_number(i) {
                i += 1;
            }
        }
        if is_float {
            let value = code[start..i].replace('_', "").parse().expect("a number");
            found.push(Float { value, divides: code[..start].trim_end().ends_with('/') });
        }
        while byte(i).is_ascii_alphanumeric() || byte(i) == b'_' {
            i += 1;
        }
    }
    found
}

/// True if a constant is declared in the first of `lines`, by literals and no name.
fn is_constant_of_literals(lines: &[Line]) -> bool {
    let first = lines[0].code.trim_start();
    let declared = ["const ", "static "].iter().find_map(|word| {
        let (before, declared) = first.split_once(word)?;
        before.chars().last().is_none_or(|c| c == ' ').then_some(declared)
    });
    let Some((_, kind)) = declared.and_then(|declared| declared.split_once(": ")) else { return false };
    if !TYPES.iter().any(|known| kind.strip_prefix(known).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
    {
        return false;
    }
    let statement: Vec<&str> = lines.iter().map(|line| line.code.as_str()).collect();
    let statement = statement.join(" ");
    let Some((_, value)) = statement.split_once(" = ") else { return false };
    let value = value.split(';').next().unwrap_or_default();
    let has_name =
        value.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word.starts_with(char::is_alphabetic));
    !has_name && value.contains(|c: char| c.is_ascii_digit())
}

#[test]
fn a_new_number_outside_the_lists_is_found() {
    let found = |text: &str| unlisted(text).len();
    for choice in [
        "const STIFF: f64 = 3.5;",
        "const HALF: f64 = 0.5;",
        "pub(super) const ROUNDS: usize = 1 << 4;",
        "    const FEW: i32 = 4;",
        "static FACTORS: [f64; 2] = [\n    1.0,\n    0.5,\n];",
        "/// rounding\nconst DOCUMENTED: usize = 12;",
        "if x > 1e-6 * y {",
        "let z = x.min(0.9999);",
        "let z = 4.0 * a * c; // four",
        "let z = x / 2.5;",
        "let z = 7f64;",
        "let z = '\"'; let y = 3.0;",
        "let z = \"// formula\"; let y = 3.0;",
    ] {
        assert_eq!(found(choice), 1, "{choice}");
    }
    for none in [
        "let z = 0.5 * (a + 2.0 * b) - 1.0 + 0.0;",
        "let z = x / 3.0 + y.powi(3) / 12.0;",
        "let z = b * b - 4.0 * a * c; // formula",
        "// rounding: both roots are the same numbers\nif x > 1e-6 {",
        "const OPERATIONS: f64 = 8.0; // rounding",
        "const IDLE: f64 = 16.0 * f64::EPSILON;",
        "const LONGER: f64 = 1.0 - SHORTER;",
        "const MASK: u8 = 1 << 3;",
        "const PLACES: [f64; 2] = [LOWER, UPPER];",
        "let z = pair.0.1 + v[2] + x2 + f64::from(u32::MAX >> 7);",
        "for i in 0..4 {}",
        "let z = 10.max(3);",
        "/// At most 3.5 of them.",
        "let z = \"3.5, and \\\n    4.5\";",
    ] {
        assert_eq!(unlisted(none), Vec::<String>::new(), "{none}");
    }
}
