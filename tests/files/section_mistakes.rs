//! Mistakes in a section of a diagram file: each is one change of a file without faults.

use crate::command::kinegraph;
use crate::places::place_behind;
use std::fs;
use std::path::{Path, PathBuf};

/// A section of a diagram file without faults.
pub struct Section {
    /// The key of the section.
    pub key: &'static str,
    /// The diagram file.
    pub top: &'static str,
    /// Names and texts of the files that it names.
    pub others: &'static [(&'static str, &'static str)],
}

impl Section {
    /// Writes the files into a folder of their own, the diagram with a change. Returns its path and its text.
    pub fn saved(&self, folder: &str, [old, new]: [&str; 2]) -> (PathBuf, String) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}_mistakes", self.key)).join(folder);
        fs::create_dir_all(&folder).expect("a folder");
        assert!(self.top.contains(old), "{old}");
        let text = self.top.replacen(old, new, 1);
        let files = self.others.iter().copied().chain([("top.yaml", text.as_str())]);
        files.for_each(|(name, text)| fs::write(folder.join(name), text).expect("a file"));
        (folder.join("top.yaml"), text)
    }

    /// Checks that the file as it is has no faults.
    pub fn has_no_faults(&self) {
        let (file, _) = self.saved("right", ["kinegraph: 1", "kinegraph: 1"]);
        let (code, out, err) = check(&file);
        assert_eq!(code, 0, "{out}{err}");
    }

    /// Checks the message of each mistake: what is changed, to what, the text at its place, the reason, the remedy. It
    /// is the only one, but for changes to a text with `several`.
    pub fn has_messages(&self, mistakes: &[[&str; 5]], several: &str) {
        let mut wrong = Vec::new();
        for (i, [old, new, at, reason, remedy]) in mistakes.iter().enumerate() {
            let (file, text) = self.saved(&i.to_string(), [old, new]);
            let (code, out, err) = check(&file);
            let place = format!("{}:{}", file.display(), place_behind(&text, &format!("\n{}", self.key), at));
            let has = [&place, *reason, *remedy].map(|part| err.contains(part));
            let count = err.lines().filter(|line| line.contains("top.yaml:")).count();
            if code != 2 || has != [true; 3] || count != 1 && !new.contains(several) {
                wrong.push(format!(
                    "{new}: exit code {code}, place, reason, remedy: {has:?}, {count} faults\n{place}\n{out}{err}"
                ));
            }
        }
        assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), mistakes.len(), wrong.join("\n"));
    }
}

/// Exit code, output and messages of `kinegraph check`.
pub fn check(file: &Path) -> (u8, String, String) {
    kinegraph(&["check", file.to_str().expect("a name")])
}
