//! Damaged recordings are read to the last whole row or refused, for any content, without a panic, in a moment, and in
//! little memory.

use crate::command::kinegraph;
use crate::{Random, is_whole, scratch};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A short run, recorded in the file of this name.
pub fn recorded(name: &str) -> Vec<u8> {
    let file = scratch(name);
    let diagram = "examples/bouncing_ball/bouncing_ball.yaml";
    let (code, _, err) = kinegraph(&[
        "run",
        diagram,
        "--until",
        "0.1",
        "--every",
        "0.02",
        "--quiet",
        "--record",
        &file.to_string_lossy(),
    ]);
    assert_eq!(code, 0, "{err}");
    std::fs::read(file).expect("the recording")
}

/// Texts that people and disks put into files.
const TOKENS: &[&[u8]] = &[
    b"nan",
    b"NaN",
    b"inf",
    b"-inf",
    b"1e308",
    b"-1e308",
    b"1e309",
    b"1e-320",
    b"null",
    b"\n",
    b"\r\n",
    b",",
    b"\"",
    b"\0",
    b"\xff",
    b"\xc2\x9b",
    b"\x1b[2J",
    b"[",
    b"{",
    b"}",
    b"]",
    b":",
    b"-",
    b"",
    b"99999999999999999999",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\x00\x00\x00\x80",
    b"time",
    b"true",
];

/// One to eight changes: bytes, tokens, lost and doubled parts, and sometimes the end.
pub fn damaged(whole: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len() + 1);
        let longest = 1 << random.below(12);
        let end = (at + random.below(longest)).min(bytes.len());
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            2 => drop(bytes.splice(at..at, TOKENS[random.below(TOKENS.len())].iter().copied())),
            3 => drop(bytes.splice(field(&bytes, at), TOKENS[random.below(TOKENS.len())].iter().copied())),
            4 => drop(bytes.drain(at..end)),
            5 => {
                let part = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                drop(bytes.splice(to..to, part));
            }
            _ if random.below(3) == 0 => bytes.truncate(at),
            _ => {}
        }
    }
    bytes
}

/// The number around a place.
fn field(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+');
    let start = at - bytes[..at].iter().rev().take_while(|byte| is_in(byte)).count();
    start..at + bytes[at..].iter().take_while(|byte| is_in(byte)).count()
}

/// Limit of memory for reading and drawing a recording of a few kilobytes.
const MAX_BYTES: u64 = 256 << 20;
const MAX_TIME: Duration = Duration::from_secs(20);

#[test]
fn damaged_recordings_are_read_or_refused() {
    for (seed, ending) in ["csv", "jsonl", "mcap"].into_iter().enumerate() {
        let whole = recorded(&format!("whole.{ending}"));
        let file = scratch(&format!("damaged.{ending}"));
        let (svg, page) = (scratch(&format!("damaged_{ending}.svg")), scratch("damaged.html"));
        let name = |path: &PathBuf| path.display().to_string();
        let (mut random, count) = (Random(0x9e37_79b9 + seed as u64), if is_whole() { 10_000 } else { 150 });
        let (mut read, mut refused, mut slowest, mut most) = (0, 0, Duration::ZERO, 0);
        for i in 0..count {
            let bytes = damaged(&whole, &mut random);
            std::fs::write(&file, &bytes).expect("a file");
            let commands: &[&[&str]] = match ending {
                "mcap" if i % 10 == 0 => {
                    &[&["plot", &name(&file), "-o", &name(&svg)], &["view", &name(&file), "--html", &name(&page)]]
                }
                _ => &[&["plot", &name(&file), "-o", &name(&svg)]],
            };
            for args in commands {
                let start = Instant::now();
                let mut said = (0, String::new(), String::new());
                let counted = allocation_counter::measure(|| {
                    let run = catch_unwind(AssertUnwindSafe(|| kinegraph(args)));
                    said = run.unwrap_or_else(|_| (101, String::new(), "a panic".into()));
                });
                let (code, out, err) = said;
                let no_page = code == 1 && err.contains("built without the page");
                if !(code == 0 || code == 2 || no_page) {
                    let kept = scratch(&format!("failing_{i}.{ending}"));
                    std::fs::write(&kept, &bytes).expect("a file");
                    panic!("{args:?}: {code} {err}: the file is {}", kept.display());
                }
                assert!(!(out + &err).contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{err:?}");
                assert!(!err.contains("Error {") && !err.contains("Some("), "the debug text of a value: {err}");
                match code {
                    0 => read += 1,
                    _ => refused += 1,
                }
                slowest = slowest.max(start.elapsed());
                most = most.max(counted.bytes_max);
            }
        }
        assert!(slowest < MAX_TIME && most < MAX_BYTES, "{ending}: {slowest:?}, {most} bytes");
        assert!(read > count / 20 && refused > count / 20, "{ending}: {read} read, {refused} refused");
        println!(
            "| damaged recordings, `.{ending}` | {count} | {read} drawn, {refused} refused with a message; no panic; \
             the slowest {:.1} s, at most {:.1} MiB |",
            slowest.as_secs_f64(),
            most as f64 / f64::from(1 << 20)
        );
    }
}

/// The recording of a program that was killed at any byte.
#[test]
fn a_torn_recording_is_read_to_its_last_whole_row() {
    for ending in ["csv", "jsonl"] {
        let whole = recorded(&format!("torn_whole.{ending}"));
        let first = whole.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
        let file = scratch(&format!("torn.{ending}"));
        for length in first..whole.len() {
            std::fs::write(&file, &whole[..length]).expect("a file");
            let read = kinegraph::plot::read_table(&file).expect("a table");
            let rows = whole[..length].iter().filter(|byte| **byte == b'\n').count() - usize::from(ending == "csv");
            assert_eq!((read.plot.times.len(), read.is_torn), (rows, whole[length - 1] != b'\n'), "{length}");
        }
        let picture = scratch("torn.svg").display().to_string();
        std::fs::write(&file, &whole[..whole.len() - 3]).expect("a file");
        let (code, _, err) = kinegraph(&["plot", &file.display().to_string(), "-o", &picture]);
        assert!(code == 0 && err.contains("the file is torn"), "{code} {err}");
    }
}

#[test]
fn malformed_tables_are_refused_with_the_line() {
    let file = scratch("odd.csv");
    let svg = scratch("odd.svg").display().to_string();
    for (text, part) in [
        ("time,a\nnan,1\n", "line 2: the time is no finite number"),
        ("time,a\n0,1\n1,x\n", "line 3: a is `x`, no number"),
        ("time,a\n0,1\n1\n", "line 3 has 1 fields, not 2"),
        ("time,a\n0,1\n1,2", "the file is torn: what is whole of it, 1 samples, is drawn"),
        ("a,b\n0,1\n", "its first column is neither `time` nor `index`"),
        ("", "it is empty"),
        ("time,a\n0,\u{1b}[2J\n", "a is `\\u001b[2J`, no number"),
    ] {
        std::fs::write(&file, text).expect("a file");
        let (_, _, err) = kinegraph(&["plot", &file.display().to_string(), "-o", &svg]);
        assert!(err.contains(part), "{text:?}: {err}");
    }
    // Numbers that no canvas has room for.
    for text in ["time,a\n0,1e308\n1,-1e308\n", "time,a\n-1e308,1\n1e308,2\n0,3\n"] {
        std::fs::write(&file, text).expect("a file");
        let start = Instant::now();
        let (code, _, err) = kinegraph(&["plot", &file.display().to_string(), "-o", &svg]);
        assert_eq!(code, 0, "{err}");
        assert!(start.elapsed() < MAX_TIME);
    }
}
