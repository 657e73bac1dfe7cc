//! Messages of the compiler without what changes with the machine, the terminal or an edit elsewhere.

use std::path::Path;

/// First words of notes on where the compiler stored the parts it left out.
const PLACES: [&str; 3] = [
    "the full type name has been written to",
    "the full name for the type has been written to",
    "consider using `--verbose`",
];

/// Paths are as from the root of the repository; places outside of `case` have no lines; margins have one width.
pub fn normal(said: &str, case: &Path) -> String {
    let root = format!("{}/", env!("CARGO_MANIFEST_DIR"));
    let said = said.replace(&root, "").replace('\\', "/");
    let case = case.to_string_lossy();
    let (mut out, mut own) = (String::new(), true);
    for line in said.lines() {
        let text = line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
        if PLACES.iter().any(|place| line.contains(place)) {
            continue;
        }
        if let Some(place) = text.strip_prefix("--> ").or_else(|| text.strip_prefix("::: ")) {
            own = place.starts_with(&*case);
            let place = if own { place } else { place.split(':').next().unwrap_or(place) };
            out += &format!("  {} {place}\n", &text[..3]);
        } else if text.starts_with('|') {
            let number = line.trim().split(' ').next().filter(|word| own && *word != "|").unwrap_or("");
            out += &format!("{number:>2} {text}\n");
        } else if text.starts_with("= ") {
            out += &format!("   {text}\n");
        } else if line.starts_with("error: aborting")
            || line.starts_with("For more information")
            || line.starts_with("Some errors")
        {
            break;
        } else {
            out += &format!("{line}\n");
        }
    }
    out.trim_end().to_owned() + "\n"
}
