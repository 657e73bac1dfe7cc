//! The fuzz targets of `fuzz/` on the compiler of this project: each gets its seeds, and mutations of them from a fixed
//! start, or from `KINEGRAPH_FUZZ_SEED`. With `KINEGRAPH_FUZZ_SECONDS` each goes on for that long. Whole scenes are
//! damaged in the same way: read, built and run.

#[path = "../../fuzz/checks/mod.rs"]
mod checks;

use crate::parameters::brief_run;
use crate::{Random, folder_with, is_whole, recordings, scratch};
use std::time::{Duration, Instant};

/// The start of all mutations.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Runs a check on the seeds, and on mutations of them; each check ends within seconds.
fn fuzz(target: &str, seeds: &[Vec<u8>], check: impl Fn(&[u8])) {
    seeds.iter().for_each(|seed| check(seed));
    let seconds = std::env::var("KINEGRAPH_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let (begin, end) = (Instant::now(), seconds.map(Duration::from_secs));
    let cases = if is_whole() { 100_000 } else { 1_000 };
    let seed = std::env::var("KINEGRAPH_FUZZ_SEED").ok().and_then(|text| text.parse::<u64>().ok());
    let (mut random, mut done, mut slowest) = (Random(seed.map_or(SEED, |seed| SEED ^ seed)), 0, Duration::ZERO);
    while end.map_or(done < cases, |end| begin.elapsed() < end) {
        let bytes = recordings::damaged(&seeds[done % seeds.len()], &mut random);
        let start = Instant::now();
        check(&bytes);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(20), "{target}: {took:?} for {:?}", String::from_utf8_lossy(&bytes));
        (done, slowest) = (done + 1, slowest.max(took));
    }
    println!("| fuzz target `{target}` | {done} | all answered; the slowest {:.1} ms |", 1e3 * slowest.as_secs_f64());
}

/// The lines of a file of seeds.
fn lines(text: &str) -> Vec<Vec<u8>> {
    text.lines().map(|line| line.replace("\\r\\n", "\r\n").into_bytes()).collect()
}

#[test]
fn expressions() {
    fuzz("expression", &lines(include_str!("../../fuzz/seeds/expressions.txt")), checks::expression::check);
}

#[test]
fn overrides() {
    fuzz("overrides", &lines(include_str!("../../fuzz/seeds/overrides.txt")), checks::overrides::check);
}

#[test]
fn requests() {
    fuzz("request", &lines(include_str!("../../fuzz/seeds/requests.txt")), checks::request::check);
}

#[test]
fn kinds_of_recordings() {
    let seeds = checks::recording::KINDS.iter().zip(0..).map(|(kind, byte)| {
        let mut seed = recordings::recorded(&format!("seed.{kind}"));
        seed.insert(0, byte);
        seed
    });
    fuzz("recording", &seeds.collect::<Vec<_>>(), checks::recording::check);
}

/// Bytes and JSON, and JSON without its checksum, so that every change is read.
#[test]
fn snapshots() {
    let mut simulation = checks::snapshot::simulation().expect("a simulation");
    simulation.advance_to(0.035).expect("a run");
    let snapshot = simulation.snapshot();
    let json = snapshot.to_json().expect("a text");
    let open: String = json.lines().filter(|line| !line.contains("checksum")).collect::<Vec<_>>().join("\n");
    let open = open.trim_end_matches(['\n', '}']).trim_end_matches(',').to_owned() + "\n}";
    assert!(kinegraph::simulate::Snapshot::from_json(&open).is_ok(), "{open}");
    // `fuzz/seeds.sh` takes them from here.
    std::fs::write(scratch("seed.snap"), snapshot.to_bytes().expect("bytes")).expect("a file");
    std::fs::write(scratch("seed_open.json"), &open).expect("a file");
    let seeds = [snapshot.to_bytes().expect("bytes"), json.into_bytes(), open.clone().into_bytes(), open.into_bytes()];
    fuzz("snapshot", &seeds, checks::snapshot::check);
}

/// A ball on the ground and a loop: the diagram and the models, damaged one at a time.
#[test]
fn scenes() {
    let files: [(&str, &[u8]); 3] = [
        ("scene.yaml", include_bytes!("../data/rows/ball_first.yaml")),
        ("ball.urdf", include_bytes!("../data/rows/ball.urdf")),
        ("loop.urdf", include_bytes!("../data/rows/loop.urdf")),
    ];
    let folder = folder_with("damaged_scenes", &files);
    for (name, whole) in files {
        fuzz(&format!("scene: {name}"), &[whole.to_vec()], |bytes| {
            std::fs::write(folder.join(name), bytes).expect("a file");
            drop(brief_run(&folder.join("scene.yaml"), &[]));
        });
        std::fs::write(folder.join(name), whole).expect("a file");
    }
}
