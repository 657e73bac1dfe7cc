//! Mistakes with recordings that are played back: each message has the file, its line, the reason and the remedy.

use crate::command::kinegraph;
use crate::places::place;
use std::fs;
use std::path::{Path, PathBuf};

const TOP: &str = "\
kinegraph: 1
systems:
  logged: {type: playback, file: log.csv, time: t, channels: [a, b], hold: linear}
simulation: {duration: 2}
record: {channels: [logged.output]}
";

const LOG: &str = "t,a [N m],b [N m]\n0,1,2\n1,3,4\n2,5,6\n";

/// Text that is replaced in the diagram file, its replacement, and the text at the place of the fault there.
type InFile = [&'static str; 3];
/// The recording, where it is another.
type Recording = Option<(&'static str, &'static [u8])>;
/// A mistake, the reason and the remedy.
type Mistake = (InFile, Recording, &'static str, &'static str);

const SAME: InFile = ["log.csv", "log.csv", "log.csv"];

/// A torque that is added to a force.
const WIRED: &str = "  force: {type: constant, value: [3 N, 4 N]}
  sum: {type: adder, signs: \"++\", width: 2}
connections: [logged.output -> sum.input0, force.output -> sum.input1]
simulation: {";

const fn log(text: &'static str) -> Recording {
    Some(("log.csv", text.as_bytes()))
}

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    // Names.
    (["[a, b]", "[a, c]", "[a, c]"], None, "log.csv has no column `c`", "its columns: t, a or b"),
    (["[a, b]", "[A, b]", "[A, b]"], None, "log.csv has no column `A`", "did you mean `a`?"),
    (["[a, b]", "[\"a [N m]\", b]", "[\"a [N m]\""], None, "log.csv has no column `a [N m]`", "write `a`: the unit in the head is no part of the name"),
    (["time: t", "time: time", "time, channels"], None, "log.csv has no column `time`", "its columns: t, a or b"),
    ([" time: t,", "", "log.csv"], None, "log.csv has no column `time`", "its columns: t, a or b"),
    (["[a, b]", "[a, a]", "[a, a]"], None, "`a` is there twice", "name each column once"),
    (["[a, b]", "a", "a, hold"], None, "expected a list of names of columns", "found the text `a`"),
    (["[a, b]", "[1]", "1]"], None, "expected the name of a column", "found 1"),
    (["hold: linear", "hold: liner", "liner"], None, "logged.hold", "did you mean `linear`?"),
    (["hold: linear", "hodl: linear", "hodl"], None, "unknown key `hodl`", "did you mean `hold`?"),
    (["hold: linear", "before: none", "none"], None, "unknown behaviour `none`", "valid here: first or fault"),
    (["channels", "channel", "channel:"], None, "unknown key `channel`", "did you mean `channels`?"),
    // Files.
    (["log.csv", "lgo.csv", "lgo.csv"], None, "there is no file", "log.csv`?"),
    (["file: log.csv,", "", "{type: playback"], None, "lacks the key `file`", "recording"),
    (["log.csv", ".", "., time"], None, "is a folder", "name a file in it"),
    (["log.csv", "../log.csv", "../log.csv"], None, "../log.csv", "--allow-outside"),
    (["log.csv", "log.parquet", "log.parquet"], Some(("log.parquet", b"PAR1")), ".parquet is not read", "pandas.read_parquet("),
    (["log.csv", "log.xlsx", "log.xlsx"], Some(("log.xlsx", b"PK\x03\x04")), ".xlsx is not read", ".to_csv("),
    (["log.csv", "log.mcap", "log.mcap"], Some(("log.mcap", b"no recording")), "it is no MCAP file", "log.mcap"),
    (SAME, Some(("log.csv", b"\x89PNG\r\n\x1a\n\x00\xff\xfe\n")), "line 1 is no text (UTF-8)", "save the table as CSV"),
    (SAME, Some(("log.csv", b"\xff\xfet\x00,\x00a\x00\n\x00")), "line 1 is no text (UTF-8)", "in UTF-8"),
    (SAME, log(""), "log.csv: it is empty", "log.csv"),
    (SAME, log("t,a,b"), "it has no whole row", "log.csv"),
    (SAME, log("t,a,b\n"), "it has a head and no rows", "log.csv"),
    // Forms of tables.
    (SAME, log("0,1,2\n1,3,4\n"), "line 1 has numbers where names", "begin with a line such as `time,a,b`"),
    (SAME, log("t;a;b\n0;1;2\n"), "line 1: its fields are separated by semicolons", "write commas"),
    (SAME, log("t\ta\tb\n0\t1\t2\n"), "line 1: its fields are separated by tabs", "write commas"),
    (SAME, log("t,a,b\n0,0,1,0,2,0\n"), "line 2 has 6 fields, not 3", "decimals are written with a point"),
    (SAME, log("t,a,b\n0,1,2\n1,3\n"), "line 3 has 2 fields, not 3", "log.csv"),
    (SAME, log("t,a,b\n0,\"1,5\",2\n"), "line 2: a is `1,5`, no number", "write 1.5"),
    (SAME, log("t,a,b\n0,1 N,2\n"), "line 2: a is `1 N`, no number", "write 1, and the unit in the head, `[N]`"),
    (SAME, log("t,a,b\n0,one,2\n"), "line 2: a is `one`, no number", "log.csv"),
    (["[a, b]", "[a]", "log.csv"], log("t,a,a\n0,1,2\n"), "two columns have the name `a`", "rename one"),
    (SAME, log("t,a,b\n0,NaN,2\n"), "line 2: `a` is no number there", "fill it in, or leave out the row"),
    (SAME, log("t,a,b\n0,1,2\n1,,2\n"), "line 3: `a` is no number there", "fill it in, or leave out the row"),
    (SAME, log("t,a,b\n0,1,inf\n"), "line 2: `b` is infinite there", "leave out the row"),
    // Times.
    (SAME, log("t,a,b\n0,1,2\n1,3,4\n0.5,1,2\n"), "line 4: the time 0.5 comes after 1", "times may not decrease"),
    (SAME, log("t,a,b\n0,1,2\n1,1,2\n1,2,3\n1,3,4\n"), "line 5: a third row at 1 s", "leave one out"),
    (SAME, log("t,a,b\n10:00:01,1,2\n"), "line 2: t is `10:00:01`, no number", "log.csv"),
    (["time: t", "time: a", "log.csv"], Some(("log.csv", LOG.as_bytes())), "its times `a` are in N m, not in seconds", "`time` names the column of times"),
    (["hold: linear", "before: fault", "fault"], log("t,a,b\n1,1,2\n2,3,4\n"), "a run begins at 0 s, and the first row is at 1 s", "with `first` its values hold"),
    // Units.
    (["simulation: {", WIRED, "force.output"], None, "N m", "N"),
];

/// The files in a folder of their own.
fn saved(folder: &str, [old, new, _]: InFile, recording: Recording) -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("playback_mistakes").join(folder);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    assert!(TOP.contains(old), "{old}");
    let text = TOP.replacen(old, new, 1);
    let (name, bytes) = recording.unwrap_or(("log.csv", LOG.as_bytes()));
    fs::write(folder.join(name), bytes).expect("a file");
    fs::write(folder.join("top.yaml"), &text).expect("a file");
    (folder.join("top.yaml"), text)
}

#[test]
fn messages_have_the_place_the_reason_and_the_remedy() {
    let mut wrong = Vec::new();
    for (i, (in_file, recording, reason, remedy)) in MISTAKES.iter().enumerate() {
        let (file, text) = saved(&i.to_string(), *in_file, *recording);
        let (code, out, err) = kinegraph(&["check", file.to_str().expect("a name")]);
        let place = format!("{}:{}", file.display(), place(&text, in_file[2]));
        let has = [&place, *reason, *remedy].map(|part| err.contains(part));
        let count = err.lines().filter(|line| line.contains("top.yaml:")).count();
        if code != 2 || has != [true; 3] || count != 1 {
            wrong.push(format!(
                "{in_file:?} {recording:?}: exit code {code}, place, reason, remedy: {has:?}, {count} faults\n{place}\n{out}{err}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), MISTAKES.len(), wrong.join("\n"));
    assert!(MISTAKES.len() >= 30);
}

/// The last recorded row of a run.
fn last_row(folder: &str, in_file: InFile, recording: Recording) -> (Vec<f64>, String) {
    let (file, _) = saved(folder, in_file, recording);
    let table = file.with_file_name("out.csv");
    let (code, out, err) =
        kinegraph(&["run", file.to_str().expect("a name"), "--record", table.to_str().expect("a name")]);
    assert_eq!(code, 0, "{out}{err}");
    let text = fs::read_to_string(&table).expect("a table");
    let last = text.lines().last().expect("a row");
    (last.split(',').map(|x| x.parse().expect("a number")).collect(), text + &out + &err)
}

/// Tables that are read although they look like mistakes: a byte order mark, quotes, spaces, two rows of one time,
/// lines of Windows.
#[test]
fn other_forms_of_tables_are_read() {
    let forms: [&'static [u8]; 4] = [
        b"\xef\xbb\xbft,a,b\n0,1,2\n2,5,6\n",
        b"\"t\",\"a\",\"b\"\n\"0\",\"1\",\"2\"\n\"2\",\"5\",\"6\"\n",
        b"t, a, b\r\n0, 1, 2\r\n2, 5, 6\r\n",
        b"t,a,b\n0,1,2\n1,1,2\n1,3,4\n2,5,6\n",
    ];
    for (i, form) in forms.into_iter().enumerate() {
        let (row, _) = last_row(&format!("form{i}"), SAME, Some(("log.csv", form)));
        assert_eq!(row, [2.0, 5.0, 6.0]);
    }
}

/// Units of heads: numbers are converted to SI units, and what is recorded has them.
#[test]
fn units_of_heads_are_converted() {
    let (row, _) = last_row("units", SAME, log("t [ms],a [kN],b [deg]\n0,1,0\n2000,5,180\n"));
    assert_eq!(row, [2.0, 5000.0, std::f64::consts::PI]);
    let (file, _) = saved("units", SAME, log("t [ms],a [kN],b [deg]\n0,1,0\n2000,5,180\n"));
    let (_, ports, _) = kinegraph(&["check", "--ports", file.to_str().expect("a name")]);
    assert!(ports.contains("logged.output") && ports.contains("N, rad"), "{ports}");
    // What is no unit is noted, and its numbers are taken as they are.
    let (row, text) = last_row("counts", SAME, log("t [s],a [counts],b\n0,1,2\n2,5,6\n"));
    assert_eq!(row, [2.0, 5.0, 6.0]);
    assert!(text.contains("`counts` of `a` is no unit"), "{text}");
}

/// A last line without its end is left out, and that is noted.
#[test]
fn a_cut_line_is_noted() {
    let (row, text) = last_row("cut", SAME, log("t,a,b\n0,1,2\n1,3,4\n2,5,6"));
    assert_eq!(row, [2.0, 3.0, 4.0]);
    assert!(text.contains("log.csv: its last line has no line end"), "{text}");
}

/// A run that leaves the rows where that is a fault says which block, when, and what to do.
#[test]
fn a_run_beyond_the_rows_stops_where_that_is_asked() {
    let (file, _) = saved("beyond", ["hold: linear", "after: fault", "after"], log("t,a,b\n0,1,2\n1,3,4\n"));
    let (code, out, err) = kinegraph(&["run", file.to_str().expect("a name")]);
    assert_eq!(code, 1, "{out}{err}");
    let said = out + &err;
    assert!(said.contains("logged") && said.contains("1"), "{said}");
}
