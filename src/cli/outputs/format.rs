//! Formats of outputs, and the extensions of their names.

use super::claim::Claim;
use std::path::Path;

/// How a table becomes a file for Parquet.
const TO_PARQUET: &str =
    ". In Python `pandas.read_csv(\"FILE.csv\").to_parquet(\"FILE.parquet\")` makes one of a table";

/// Extensions that an option accepts.
pub struct OutputFormat {
    /// Extensions without the point; empty: any name is accepted.
    endings: &'static [&'static str],
    /// True if the file is written as a whole at the end, not row by row.
    pub(super) is_whole: bool,
    /// True if a pipe or a device is accepted, whatever its name.
    takes_streams: bool,
}

impl OutputFormat {
    /// Recordings.
    pub const TABLES: Self = row_by_row(&["csv", "jsonl", "ndjson", "mcap"]);
    /// Attempts at steps.
    pub const STEPS: Self = row_by_row(&["csv"]);
    /// Rows of a sweep, which are read again when it continues.
    pub(in crate::cli) const SWEEP: Self =
        OutputFormat { takes_streams: false, ..row_by_row(&["csv", "jsonl", "ndjson"]) };
    /// Files with names that the program chooses.
    pub(in crate::cli) const ANY: Self = row_by_row(&[]);
    /// Plots; the name determines the format.
    pub(in crate::cli) const PLOT: Self = OutputFormat { takes_streams: false, ..whole(&["svg", "png"]) };
    /// Derivatives over time: a table or a plot.
    pub(in crate::cli) const SERIES: Self = OutputFormat { takes_streams: false, ..whole(&["csv", "svg", "png"]) };
    /// Pictures of diagrams.
    pub(in crate::cli) const GRAPH: Self = whole(&["svg", "dot", "gv"]);
    /// Pictures of the page.
    pub(in crate::cli) const SCREENSHOT: Self = whole(&["png"]);
    /// Films of the page.
    pub(in crate::cli) const VIDEO: Self = whole(&["mp4", "webm", "gif"]);
    /// The page.
    pub(in crate::cli) const PAGE: Self = whole(&["html", "htm"]);
    /// Results of tests.
    pub(in crate::cli) const JUNIT: Self = whole(&["xml"]);
    /// Scenes.
    pub(in crate::cli) const SCENE: Self = whole(&["json"]);
    /// Diagram files.
    pub(in crate::cli) const DIAGRAM: Self = whole(&["yaml", "yml"]);
    /// Snapshots: JSON, or bytes under any other name.
    pub const SNAPSHOT: Self = whole(&[]);

    /// Checks that the name of a claimed file is accepted.
    pub(super) fn check(&self, option: &str, claim: &Claim) -> Result<(), String> {
        if claim.is_stream() && self.takes_streams { Ok(()) } else { self.check_ending(option, &claim.file) }
    }

    /// Checks that the extension of a file's name is accepted.
    pub(in crate::cli) fn check_ending(&self, option: &str, file: &Path) -> Result<(), String> {
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let known = |ending: &String| self.endings.contains(&ending.as_str());
        if self.endings.is_empty() || ending.as_ref().is_some_and(known) {
            return Ok(());
        }
        let found = ending.map_or("a name without an ending".to_owned(), |ending| format!(".{ending}"));
        let listed: Vec<String> = self.endings.iter().map(|ending| format!(".{ending}")).collect();
        let (last, others) = listed.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
        let all = if others.is_empty() { last.to_owned() } else { format!("{} and {last}", others.join(", ")) };
        let verb = if listed.len() == 1 { "is" } else { "are" };
        let remedy = if found == ".parquet" && self.endings.contains(&"csv") { TO_PARQUET } else { "" };
        Err(format!("{option} {}: {found} is not written; {all} {verb}{remedy}", file.display()))
    }
}

const fn row_by_row(endings: &'static [&'static str]) -> OutputFormat {
    OutputFormat { endings, is_whole: false, takes_streams: true }
}

const fn whole(endings: &'static [&'static str]) -> OutputFormat {
    OutputFormat { endings, is_whole: true, takes_streams: true }
}
