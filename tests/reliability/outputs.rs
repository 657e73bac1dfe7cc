//! No output destroys anything: every option that names an output of every command, each at every file that the command
//! reads, by every spelling; every two outputs of a run at one file; devices; places that cannot be written.

use crate::command::kinegraph;
use crate::{TETRAHEDRON, folder_with, is_whole};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const DIAGRAM: &[u8] = b"kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models: [{name: arm, file: models/arm.urdf, base: fixed}]
    collisions: {arm: {srdf: models/arm.srdf}}
  part: {type: diagram, file: parts/part.yaml}
connections: [part.y -> plant.arm.actuation]
simulation: {integrator: cenic, duration: 0.01}
record: {every: 0.005, channels: [plant.arm.state]}
";
const PART: &[u8] = b"kinegraph: 1
systems: {drive: {type: constant, value: 0}}
exports: {outputs: {y: drive.output}}
simulation: {duration: 1}
";
const ARM: &[u8] = b"<robot name='arm'>
<link name='base'/><link name='link'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>
<visual><geometry><mesh filename='looks.obj'/></geometry></visual>
<collision><geometry><mesh filename='solid.obj'/></geometry></collision></link>
<joint name='j' type='revolute'><parent link='base'/><child link='link'/><axis xyz='0 1 0'/>
<limit lower='-3' upper='3' effort='9' velocity='9'/></joint></robot>
";
const SRDF: &[u8] = b"<robot name='arm'><disable_collisions link1='base' link2='link'/></robot>";

/// A command with one of its outputs: arguments (`OUT` stands for the output, `IN` for a recording or snapshot that it
/// reads), and the extension that the output requires.
struct Case {
    args: &'static [&'static str],
    ending: &'static str,
}

const RUN: &[&str] = &["run", "d.yaml", "--quiet"];

const CASES: &[Case] = &[
    Case { args: &["run", "d.yaml", "--quiet", "--resume", "start.json", "--record", "OUT"], ending: "csv" },
    Case { args: &["run", "d.yaml", "--quiet", "--resume", "start.json", "--record", "OUT"], ending: "jsonl" },
    Case { args: &["run", "d.yaml", "--quiet", "--resume", "start.json", "--record", "OUT"], ending: "mcap" },
    Case { args: &["run", "d.yaml", "--quiet", "--resume", "start.json", "--steps", "OUT"], ending: "csv" },
    Case { args: &["run", "d.yaml", "--quiet", "--resume", "start.json", "--plot", "OUT"], ending: "svg" },
    Case { args: &["run", "d.yaml", "--quiet", "--resume", "start.json", "--snapshot", "OUT"], ending: "json" },
    Case { args: &["linearize", "d.yaml", "--snapshot", "OUT"], ending: "snapshot" },
    Case {
        args: &["linearize", "d.yaml", "--cut", "plant.arm.actuation", "--output", "plant.arm.state", "-o", "OUT"],
        ending: "yaml",
    },
    Case { args: &["scene", "d.yaml", "-o", "OUT"], ending: "json" },
    Case { args: &["graph", "d.yaml", "-o", "OUT"], ending: "svg" },
    Case { args: &["graph", "d.yaml", "-o", "OUT"], ending: "dot" },
    Case { args: &["plot", "old.csv", "-o", "OUT"], ending: "svg" },
    Case { args: &["plot", "old.mcap", "-o", "OUT"], ending: "png" },
    Case {
        args: &[
            "compare",
            "d.yaml",
            "--integrators",
            "cenic",
            "--accuracies",
            "1e-2",
            "--reference",
            "old.csv",
            "--plot",
            "OUT",
        ],
        ending: "svg",
    },
    Case { args: &["sweep", "d.yaml", "--runs", "2", "--quiet", "--out", "OUT"], ending: "csv" },
    Case { args: &["sweep", "d.yaml", "--runs", "2", "--quiet", "--out", "OUT"], ending: "jsonl" },
    Case { args: &["view", "d.yaml", "--html", "OUT"], ending: "html" },
    Case { args: &["view", "old.mcap", "--html", "OUT"], ending: "html" },
    Case { args: &["view", "d.yaml", "--screenshot", "OUT"], ending: "png" },
    Case { args: &["view", "d.yaml", "--video", "OUT"], ending: "gif" },
];

/// True if a browser is needed.
fn is_drawn(args: &[&str]) -> bool {
    args.contains(&"--screenshot") || args.contains(&"--video")
}

/// The files of a folder that a command can read, and other files.
fn folder(name: &str) -> PathBuf {
    let folder = folder_with(
        name,
        &[
            ("d.yaml", DIAGRAM),
            ("parts/part.yaml", PART),
            ("models/arm.urdf", ARM),
            ("models/arm.srdf", SRDF),
            ("models/solid.obj", TETRAHEDRON),
            ("models/looks.obj", TETRAHEDRON),
            ("models/colours.mtl", b"newmtl a\nKd 1 0 0\n"),
        ],
    );
    let old = |file: &str| folder.join(file).display().to_string();
    let (csv, mcap, start) = (old("old.csv"), old("old.mcap"), old("start.json"));
    let first = ["--until", "0.005", "--snapshot", &start];
    let whole = ["--record", &csv, "--record", &mcap];
    for more in [&first[..], &whole[..]] {
        let said = run_in(&folder, &[RUN, more].concat());
        assert_eq!(said.0, 0, "{said:?}");
    }
    folder
}

/// The command on the files of `folder`.
fn run_in(folder: &Path, args: &[&str]) -> (u8, String, String) {
    let there = |arg: &&str| match folder.join(arg).is_file() {
        true => folder.join(arg).display().to_string(),
        false => (*arg).to_owned(),
    };
    let args: Vec<String> = args.iter().map(there).collect();
    kinegraph(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// True if the program reports that it was built without the page, as where only Rust is installed.
fn lacks_page(args: &[&str], code: u8, err: &str) -> bool {
    code == 1 && args[0] == "view" && err.contains("built without the page")
}

/// Every file of a folder with its content; links by their targets.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        match path.is_dir() {
            true => found.extend(contents(&path)),
            false => drop(found.insert(path.clone(), std::fs::read(path).unwrap_or_default())),
        }
    }
    found
}

/// Files that a command reads, including those that its diagram names.
fn inputs(args: &[&str]) -> Vec<&'static str> {
    let of_diagram = [
        "d.yaml",
        "parts/part.yaml",
        "models/arm.urdf",
        "models/arm.srdf",
        "models/solid.obj",
        "models/looks.obj",
        "models/colours.mtl",
    ];
    let others = ["start.json", "old.csv", "old.mcap"].into_iter().filter(|file| args.contains(file));
    others.chain(of_diagram.into_iter().filter(|_| args.contains(&"d.yaml"))).collect()
}

/// Spellings of a file of `folder` as an output.
fn spellings(folder: &Path, input: &str, ending: &str) -> Vec<PathBuf> {
    let (link, hard) = (folder.join(format!("link.{ending}")), folder.join(format!("hard.{ending}")));
    let chain = folder.join(format!("chain.{ending}"));
    for file in [&link, &hard, &chain] {
        let _ = std::fs::remove_file(file);
    }
    std::fs::hard_link(folder.join(input), &hard).expect("a link");
    let mut all = vec![folder.join(input), folder.join("parts/../.").join(input), hard];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(input, &link).expect("a link");
        std::os::unix::fs::symlink(format!("link.{ending}"), &chain).expect("a link");
        all.extend([link, chain]);
    }
    all
}

#[test]
fn no_output_is_written_over_an_input() {
    let folder = folder("over_inputs");
    let (mut cases, mut kept) = (0, 0);
    for Case { args, ending } in CASES {
        for input in inputs(args) {
            for output in spellings(&folder, input, ending) {
                cases += 1;
                if !is_whole() && cases % 5 != 0 {
                    continue;
                }
                let output = output.display().to_string();
                let before = contents(&folder);
                let args: Vec<&str> = args.iter().map(|arg| if *arg == "OUT" { &output } else { *arg }).collect();
                let (code, _, err) = run_in(&folder, &args);
                assert_eq!(contents(&folder), before, "{args:?} over {input}: {err}");
                // Without a browser there is no picture in any case, without the page no page.
                let nothing = is_drawn(&args) || lacks_page(&args, code, &err);
                assert!(code == 2 || nothing, "{args:?} over {input}: {code} {err}");
                kept += 1;
            }
        }
    }
    println!(
        "| outputs at files that the command reads, by five ways to name them | {kept} of {cases} | all refused |"
    );
    assert!(cases > 600, "{cases}");
}

/// Files of failed runs, which a sweep names by itself, are outputs like others.
#[test]
fn no_failed_run_of_a_sweep_is_kept_over_an_input() {
    let diagram =
        b"kinegraph: 1\nsystems:\n  zero: {type: constant, value: 0}\n  log: {type: function, function: log}\n\
        connections: [zero.output -> log.input]\nsimulation: {integrator: dopri5, duration: 0.1}\n";
    let folder = folder_with("keep_in", &[("d.yaml", diagram), ("kept/other", b"")]);
    let args =
        ["sweep", "d.yaml", "--runs", "1", "--quiet", "--keep", "failures", "--keep-in", "OUT", "--out", "TABLE"];
    let there = |arg: &str| folder.join(arg).display().to_string();
    let kept = there("kept");
    for ending in ["mcap", "steps.csv", "txt"] {
        let file = folder.join("kept").join(format!("run-0.{ending}"));
        std::fs::hard_link(folder.join("d.yaml"), &file).expect("a link");
        let table = there(&format!("table_{ending}.csv"));
        let args = args.map(|arg| match arg {
            "OUT" => kept.as_str(),
            "TABLE" => table.as_str(),
            arg => arg,
        });
        let (code, _, err) = run_in(&folder, &args);
        assert_eq!(std::fs::read(folder.join("d.yaml")).expect("the diagram"), diagram, "{ending}: {err}");
        assert!(code != 0 && err.contains("read by this command"), "{ending}: {code} {err}");
        std::fs::remove_file(file).expect("the link");
    }
}

/// The commands succeed if the name is free, or that of an older output.
#[test]
fn outputs_are_written_to_free_names_and_over_older_outputs() {
    let folder = folder("free");
    let inputs = contents(&folder);
    for (i, Case { args, ending }) in CASES.iter().enumerate() {
        if is_drawn(args) {
            continue;
        }
        let output = folder.join(format!("new{i}.{ending}")).display().to_string();
        let args: Vec<&str> = args.iter().map(|arg| if *arg == "OUT" { &output } else { *arg }).collect();
        for _ in 0..2 {
            let (code, _, err) = run_in(&folder, &args);
            // A program that was built without the page says so.
            let no_page = lacks_page(&args, code, &err);
            assert!(code == 0 || no_page, "{args:?}: {err}");
            assert!(no_page || std::fs::metadata(&output).expect("the output").len() > 0, "{args:?}");
        }
    }
    let after = contents(&folder);
    assert!(inputs.iter().all(|(file, bytes)| after.get(file) == Some(bytes)));
    assert!(!after.keys().any(|file| file.display().to_string().ends_with(".part")), "{:?}", after.keys());
}

#[test]
fn no_two_outputs_are_one_file() {
    let folder = folder("two_outputs");
    let options = [
        ("--record", "csv"),
        ("--record", "mcap"),
        ("--steps", "csv"),
        ("--plot", "svg"),
        ("--snapshot", "csv"),
        ("--snapshot", "mcap"),
        ("--snapshot", "svg"),
    ];
    let mut cases = 0;
    for (i, (first, ending)) in options.iter().enumerate() {
        for (second, _) in options[i..].iter().filter(|(option, other)| other == ending && is_pair(first, option)) {
            for is_there in [false, true] {
                let name = |file: &str| folder.join(file).display().to_string();
                let out = format!("out.{ending}");
                let mut others = vec![name(&out), name(&format!("parts/../{out}"))];
                let _ = std::fs::remove_file(name(&out));
                let _ = std::fs::remove_file(name(&format!("other.{ending}")));
                if is_there {
                    std::fs::write(name(&out), "older").expect("a file");
                    std::fs::hard_link(name(&out), name(&format!("other.{ending}"))).expect("a link");
                    others.push(name(&format!("other.{ending}")));
                }
                for other in others {
                    let before = contents(&folder);
                    let (code, _, err) = run_in(&folder, &[RUN, &[first, &name(&out), second, &other]].concat());
                    assert_eq!((code, contents(&folder) == before), (2, true), "{first} {second} {other}: {err}");
                    assert!(err.contains("named twice") || err.contains("writes this file"), "{err}");
                    cases += 1;
                }
            }
        }
    }
    println!("| two outputs of a run at one file | {cases} | all refused |");
    assert!(cases >= 30, "{cases}");
}

/// True if two options can be given together: an option that takes one file cannot be given twice.
fn is_pair(first: &str, second: &str) -> bool {
    first != second || first == "--record"
}

#[test]
fn unwritable_outputs_are_refused_before_the_run() {
    let folder = folder("places");
    let name = |file: &str| folder.join(file).display().to_string();
    let mut cases = 0;
    for Case { args, ending } in CASES.iter().filter(|case| !is_drawn(case.args)) {
        let mut places =
            vec![name(&format!("none/out.{ending}")), name(&format!("none/none/out.{ending}")), name("parts")];
        if cfg!(target_os = "linux") {
            // Where nobody can write, not even the administrator.
            places.push(format!("/proc/self/out.{ending}"));
        }
        if !["snapshot", "json"].contains(ending) || args.contains(&"scene") {
            places.extend(["out.txt", "out", "out.parquet"].map(name));
        }
        for place in places {
            let before = contents(&folder);
            let args: Vec<&str> = args.iter().map(|arg| if *arg == "OUT" { &place } else { *arg }).collect();
            let (code, out, err) = run_in(&folder, &args);
            let no_page = lacks_page(&args, code, &err);
            assert!(code == 2 || no_page, "{args:?}: {code} {err}");
            let longest = if no_page { 6 } else { 4 };
            assert!(out.is_empty() && err.lines().count() <= longest, "{args:?}: {out} {err}");
            assert_eq!(contents(&folder), before, "{args:?}");
            cases += 1;
        }
    }
    println!(
        "| outputs in folders that are not there, at folders, with unknown endings, at places that take nothing | \
              {cases} | all refused before the run |"
    );
}

/// A device is written to; replacing it by a file would remove it.
#[cfg(target_os = "linux")]
#[test]
fn devices_stay_devices() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder("devices");
    for Case { args, .. } in CASES.iter().filter(|case| !is_drawn(case.args)) {
        let args: Vec<&str> = args.iter().map(|arg| if *arg == "OUT" { "/dev/null" } else { *arg }).collect();
        let (code, _, err) = run_in(&folder, &args);
        assert!(code != 101, "{args:?}: {err}");
        let kind = std::fs::metadata("/dev/null").expect("the device").file_type();
        assert!(kind.is_char_device(), "{args:?}");
    }
}
