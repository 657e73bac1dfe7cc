//! Wrong wiring in Rust does not compile, and the compiler's message explains the fault in the field's terms.
//!
//! Each file of `cases` makes one mistake; the file beside it has the message of the compiler. After a change of a
//! message: `KINEGRAPH_MESSAGES=write cargo test --test compile_fail`, then read what changed.

mod compiler;
mod messages;

use compiler::Compiler;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread};

/// The cases, in the order of their names.
fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir("tests/compile_fail/cases").expect("the folder of the cases");
    let mut cases: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    cases.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    cases.sort();
    cases
}

/// Fault of a case; with `write`, the message of the compiler is stored instead.
fn fault(compiler: &Compiler, case: &Path, write: bool) -> Option<String> {
    let Some(said) = compiler.refuses(case) else { return Some(format!("{} compiles", case.display())) };
    let (said, expected) = (messages::normal(&said, case), case.with_extension("stderr"));
    if write {
        fs::write(&expected, said).expect("a file of messages");
        return None;
    }
    let wanted = fs::read_to_string(&expected).unwrap_or_default();
    (said != wanted).then(|| format!("{}\n---- expected\n{wanted}---- the compiler says\n{said}", case.display()))
}

#[test]
fn wrong_wiring_does_not_compile() {
    let (compiler, cases) = (Compiler::find(), cases());
    assert!(cases.len() >= 27, "{} cases", cases.len());
    let write = env::var_os("KINEGRAPH_MESSAGES").is_some_and(|value| value == "write");
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = std::iter::from_fn(|| cases.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.filter_map(|case| fault(&compiler, case, write)).collect::<Vec<_>>()
    };
    let faults: Vec<String> = thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, |n| n.get());
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("no panic")).collect()
    });
    assert!(faults.is_empty(), "{} of {} cases\n\n{}", faults.len(), cases.len(), faults.join("\n\n"));
}

/// Right wiring compiles, so that the harness does not reject everything.
#[test]
fn right_wiring_compiles() {
    assert_eq!(Compiler::find().refuses(Path::new("tests/compile_fail/right_wiring.rs")), None);
}
