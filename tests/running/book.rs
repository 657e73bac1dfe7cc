//! The book (`docs/`) is followed as by a reader: files are saved, commands are run, and their output is compared.
//!
//! A comment before a block says what it is:
//!
//! - `<!-- file: NAME -->`: the block is saved under that name;
//! - `<!-- file: NAME, as OTHER with NEW for OLD -->`: a copy of another file is, with other words;
//! - `<!-- printed by: kinegraph … -->`, before a text block: what the command prints, but for times.
//!
//! Blocks of `sh` are commands, each of which ends well. A page has a folder of its own, with the examples in it. This
//! writes what the program prints today:
//!
//! ```sh
//! KINEGRAPH_FIGURES=write cargo test --test running the_book
//! ```

use crate::figures::without_times;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Pages and blocks that are tested elsewhere: doctests, blocks that are files of the library or lines of a reference.
const ELSEWHERE: [(&str, &str); 13] = [
    ("derivatives.md", "yaml"),
    ("requirements.md", "yaml"),
    ("from-drake.md", "rust"),
    ("sweeps.md", "rust"),
    ("compose-in-rust.md", "rust"),
    ("write-a-block.md", "rust"),
    ("write-a-block.md", "yaml"),
    ("write-an-integrator.md", "rust"),
    ("write-a-shape.md", "rust"),
    ("write-an-element.md", "rust"),
    ("write-an-element.md", "text"),
    ("write-a-rule.md", "rust"),
    ("choose-an-integrator.md", "rust"),
];
/// Pages of a reference, whose fragments of files are tested with what they describe (`tests/files`).
const REFERENCE: [&str; 4] = ["diagram-file.md", "urdf.md", "mjcf.md", "sdf.md"];

/// The pages, in the order of the book.
fn pages() -> Vec<PathBuf> {
    let summary = fs::read_to_string("docs/SUMMARY.md").expect("text");
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    links.map(|link| Path::new("docs").join(link)).filter(|page| page.is_file()).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, target).expect("a file");
        }
    }
}

/// The words of a command; a text between quotes is one.
fn words(command: &str) -> Vec<String> {
    let parts: Vec<&str> = command.split('"').collect();
    assert!(parts.len() % 2 == 1, "a quote is not closed: {command}");
    let words = |(i, part): (usize, &&str)| match i % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![(*part).to_owned()],
    };
    parts.iter().enumerate().flat_map(words).collect()
}

/// The commands of a block, each on one line.
fn commands(block: &str) -> Vec<String> {
    block.replace("\\\n", " ").lines().map(str::to_owned).collect()
}

/// Folder and state of a page that is followed.
struct Reader {
    page: String,
    folder: PathBuf,
    /// The diagram files that were saved, and all commands so far.
    diagrams: RefCell<Vec<String>>,
    commands: RefCell<String>,
}

impl Reader {
    fn of(page: &Path) -> Self {
        // Pages in folders of their own may have the same name.
        let page = page.strip_prefix("docs").unwrap_or(page).to_str().expect("a name").replace('/', "-");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book").join(&page);
        let _ = fs::remove_dir_all(&folder);
        copy(Path::new("examples"), &folder.join("examples"));
        Reader { page, folder, diagrams: RefCell::default(), commands: RefCell::default() }
    }

    fn kinegraph(&self, command: &str) -> Output {
        self.commands.borrow_mut().push_str(&format!("{command}\n"));
        let words = words(command);
        let mut args: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(args.remove(0), "kinegraph", "{}: {command}", self.page);
        // A reader looks at the page and ends it; here it is written.
        if args[0] == "view" && !["--html", "--screenshot", "--video"].iter().any(|option| args.contains(option)) {
            args.extend(["--html", "page.html"]);
        }
        // No need to wait for all that a reader might.
        if args[0] == "compare" && !args.contains(&"--budget") {
            args.extend(["--budget", "1"]);
        }
        if let Some(runs) = args.iter().position(|arg| *arg == "--runs") {
            args[runs + 1] = "1";
        }
        let mut program = Command::new(env!("CARGO_BIN_EXE_kinegraph"));
        program.args(args).current_dir(&self.folder).output().expect("the program")
    }

    /// A line of a block of commands.
    fn run(&self, line: &str) {
        if ["cargo ", "npm ", "mdbook ", "pip "].iter().any(|other| line.starts_with(other)) {
            return;
        }
        // Interactive commands are covered by the tests of the page.
        if line.contains("--live") || line.contains("--replay") {
            return;
        }
        let output = self.kinegraph(line);
        let said = String::from_utf8_lossy(&output.stderr);
        let without = ["built without the page", "none is on the path"];
        let excused = line.starts_with("kinegraph view") && without.iter().any(|why| said.contains(why));
        assert!(output.status.success() || excused, "{}: {line}\n{said}", self.page);
    }

    /// Output of a command, messages first.
    fn printed(&self, command: &str) -> Vec<String> {
        let output = self.kinegraph(command);
        let text = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
        let lines = text.lines().filter(|line| !line.contains("on what the model files say"));
        lines.map(|line| line.trim_end().to_owned()).collect()
    }

    fn save(&self, name: &str, text: &str) {
        if text.starts_with("kinegraph: ") {
            self.diagrams.borrow_mut().push(name.to_owned());
        }
        fs::write(self.folder.join(name), text).expect("a file");
    }

    /// Runs each diagram that the page has and no command of it reads, unless it is a part of another.
    fn run_the_rest(&self) {
        let diagrams = self.diagrams.borrow().clone();
        for name in diagrams.iter().filter(|name| !self.commands.borrow().contains(name.as_str())) {
            let text = fs::read_to_string(self.folder.join(name)).expect("a file");
            let command = if text.contains("\nexports:") { "check" } else { "run" };
            self.run(&format!("kinegraph {command} {name}"));
        }
    }

    /// `NAME, as OTHER with NEW for OLD`.
    fn vary(&self, how: &str) -> Option<()> {
        let (name, rest) = how.split_once(", as ")?;
        let (other, rest) = rest.split_once(" with ")?;
        let (new, old) = rest.split_once(" for ")?;
        let text = fs::read_to_string(self.folder.join(other)).expect("a file saved before");
        assert!(text.contains(old), "{}: {old} is not in {other}", self.page);
        self.save(name, &text.replacen(old, new, 1));
        Some(())
    }
}

/// Follows a page; returns it with today's output of the program, and the number of blocks.
fn follow(page: &Path, text: &str) -> (String, usize) {
    let reader = Reader::of(page);
    let (mut new, mut followed, mut print, mut file) = (Vec::new(), 0, None, None);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        new.push(line.to_owned());
        let comment = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(how) = comment.and_then(|comment| comment.strip_prefix("file: ")) {
            file = reader.vary(how).is_none().then_some(how);
        } else if let Some(command) = comment.and_then(|comment| comment.strip_prefix("printed by: kinegraph ")) {
            print = Some(format!("kinegraph {command}"));
        }
        let Some(language) = line.strip_prefix("```").filter(|language| !language.starts_with('`')) else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match (language, file.take(), print.take()) {
            ("text", _, Some(command)) => {
                let today = reader.printed(&command);
                let keeps = |(i, line): (usize, &String)| match body.get(i) {
                    Some(old) if without_times(old) == without_times(line) => (*old).to_owned(),
                    _ => line.clone(),
                };
                new.extend(today.iter().enumerate().map(keeps));
            }
            (language, name, _) => {
                new.extend(body.iter().map(|line| (*line).to_owned()));
                match (language, name) {
                    (_, Some(name)) => reader.save(name, &(body.join("\n") + "\n")),
                    ("sh", _) => commands(&body.join("\n")).iter().for_each(|line| reader.run(line)),
                    // Without the package here: `python/tests/test_guide.py` does.
                    ("python", _) if ["python.md", "from-drake.md"].contains(&reader.page.as_str()) => {}
                    ("python", _) => python(&reader, &body.join("\n")),
                    _ => {
                        let known = REFERENCE.contains(&reader.page.as_str())
                            || ELSEWHERE.contains(&(reader.page.as_str(), language));
                        assert!(known, "{}: nobody tries this block of `{language}`:\n{body:?}", reader.page);
                        followed -= 1;
                    }
                }
            }
        }
        followed += 1_i32;
        new.push("```".into());
    }
    reader.run_the_rest();
    (new.join("\n") + "\n", usize::try_from(followed.max(0)).expect("a count"))
}

/// Runs a program in Python, if the gate has a Python with the required packages.
fn python(reader: &Reader, program: &str) {
    let Some(python) = std::env::var_os("KINEGRAPH_PYTHON") else { return };
    // Another folder: the path may be relative to this one.
    let python = if Path::new(&python).is_file() {
        fs::canonicalize(".").expect("a folder").join(python)
    } else {
        python.into()
    };
    let output = Command::new(python).args(["-c", program]).current_dir(&reader.folder).output().expect("Python");
    assert!(output.status.success(), "{}: {}", reader.page, String::from_utf8_lossy(&output.stderr));
}

/// The commands of the README, whose output is compared elsewhere (`figures.rs`).
#[test]
fn the_commands_of_the_readme_work() {
    let text = fs::read_to_string("README.md").expect("text");
    let reader = Reader::of(Path::new("README.md"));
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(commands).for_each(|line| reader.run(&line));
}

#[test]
fn the_book_commands_print_what_it_shows() {
    let write = std::env::var("KINEGRAPH_FIGURES").is_ok_and(|value| value == "write");
    let (mut stale, mut count) = (Vec::new(), 0);
    for page in pages() {
        let old = fs::read_to_string(&page).expect("text");
        if !old.contains("```") {
            continue;
        }
        let (new, followed) = follow(&page, &old);
        count += followed;
        if write {
            fs::write(&page, new).expect("a file");
        } else if old != new {
            let differs = old.lines().zip(new.lines()).find(|(old, new)| old != new);
            stale.push(format!("{}: {differs:?}", page.display()));
        }
    }
    assert!(stale.is_empty(), "{}", stale.join("\n"));
    assert!(count >= 40, "{count} blocks were followed");
}

/// A page that is not in the table of contents is not in the book.
#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = fs::read_to_string("docs/SUMMARY.md").expect("text");
    let pages = fs::read_dir("docs").expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let names = pages.map(|name| name.into_string().expect("a name")).filter(|name| name.ends_with(".md"));
    let missing: Vec<String> =
        names.filter(|name| name != "SUMMARY.md" && !summary.contains(&format!("({name})"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
