//! Mutations of the diagram files of the examples, from a fixed seed: reading and building always end with a result.
//!
//! With `KINEGRAPH_FUZZ_SECONDS` it goes on for that long.

use kinegraph::files::load_str;
use kinegraph::simulate::Scenario;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const WORDS: [&str; 20] = [
    "nan", ".inf", "1e999", "-0", "1e-308", "-1", "", " ", "\n", ": ", "- ", "[", "}", "&a ", "*a", "!!x ", "|",
    "true", "..", "ß",
];

struct Random(u64);

impl Random {
    fn next(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fn examples() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found = Vec::new();
    let mut open = vec![folder];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                found.push((path.clone(), std::fs::read_to_string(path).expect("text")));
            }
        }
    }
    found.sort();
    found
}

fn mutated(seed: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.as_bytes().to_vec();
    for _ in 0..1 + random.next(4) {
        let at = random.next(bytes.len());
        let end = (at + random.next(40)).min(bytes.len());
        match random.next(5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                let to = random.next(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            2 => drop(bytes.splice(at..at.min(bytes.len()), WORDS[random.next(WORDS.len())].bytes())),
            3 if random.next(4) == 0 => bytes.truncate(at),
            _ => {
                if let Some(offset) = bytes[at..].iter().position(u8::is_ascii_digit) {
                    bytes.splice(at + offset..at + offset + 1, WORDS[random.next(6)].bytes());
                }
            }
        }
    }
    bytes
}

#[test]
fn mutated_diagram_files_are_answered() {
    let seconds = std::env::var("KINEGRAPH_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let (begin, end) = (Instant::now(), seconds.map(Duration::from_secs));
    let (examples, mut random, mut done) = (examples(), Random(0x2545_f491_4f6c_dd1d), 0);
    while end.map_or(done < 1500, |end| begin.elapsed() < end) {
        let (path, seed) = &examples[done % examples.len()];
        done += 1;
        let Ok(text) = String::from_utf8(mutated(seed, &mut random)) else { continue };
        let start = Instant::now();
        match load_str(path, &text, &[]) {
            Ok(loaded) if done % 8 == 0 => drop(Scenario::build(&loaded.diagram, &loaded.loader)),
            Ok(_) => {}
            Err(error) => assert!(!error.faults.0.is_empty()),
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{:?} for {text}", start.elapsed());
    }
    println!("diagram: {done} cases");
}
