//! Output to a terminal is text, for any names; excessive requests of users are bounded.

use crate::command::{kinegraph, kinegraph_on};
use crate::folder_with;
use kinegraph::scenario::FileSimulator;

/// Clears the screen, sets the title, uses a one-byte control character, deletes.
const HOSTILE: &str = "a\u{1b}[2Jb\u{1b}]0;t\u{7}c\u{9b}31md\u{7f}";

/// True if a terminal would execute anything but colours.
fn obeyed(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_control() && c != '\n' && c != '\t') {
        let colour = rest[at..].strip_prefix("\u{1b}[").and_then(|of| of.split_once('m'));
        match colour {
            Some((numbers, after)) if numbers.chars().all(|c| c.is_ascii_digit() || c == ';') => rest = after,
            _ => return true,
        }
    }
    false
}

#[test]
fn names_are_printed_as_text() {
    let quoted =
        serde_json::to_string(HOSTILE).expect("text").replace('\u{9b}', "\\u009b").replace('\u{7f}', "\\u007f");
    let diagram = |more: &str| {
        format!(
            "{{\"kinegraph\": 1, \"name\": {quoted}, \"systems\": {{\"x\": {{\"type\": \"integrator\", \"initial\": 1}}{more}}},\
             \"connections\": [\"x.output -> x.input\"], \"simulation\": {{\"duration\": 0.01}}}}"
        )
    };
    let model = format!("<robot name='r'><link name='{}'/></robot>", HOSTILE.replace(|c: char| c < ' ', "?"));
    let wrong = [
        format!(", {quoted}: {{\"type\": \"gain\"}}"),
        format!(", \"g\": {{\"type\": {quoted}}}"),
        format!(", \"p\": {{\"type\": \"multibody_plant\", \"models\": [{{\"name\": \"m\", \"base\": \"fixed\", \"file\": {quoted}}}]}}"),
        ", \"p\": {\"type\": \"multibody_plant\", \"models\": [{\"name\": \"m\", \"base\": \"fixed\", \"file\": \"m.urdf\"}, 3]}".into(),
    ];
    let mut files: Vec<(String, Vec<u8>)> = vec![
        (format!("good{HOSTILE}.json"), diagram("").into_bytes()),
        ("m.urdf".into(), model.into_bytes()),
        (format!("t{HOSTILE}.csv"), format!("time,\"{HOSTILE}\"\n0,1\n1,{HOSTILE}\n").into_bytes()),
    ];
    files.extend(wrong.iter().enumerate().map(|(i, more)| (format!("wrong{i}.json"), diagram(more).into_bytes())));
    let borrowed: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let folder = folder_with("terminal", &borrowed);
    let name = |file: &str| folder.join(file).display().to_string();
    let (good, table) = (name(&format!("good{HOSTILE}.json")), name(&format!("t{HOSTILE}.csv")));
    let mut commands = vec![
        vec!["run".to_owned(), good.clone()],
        vec!["run".into(), good.clone(), "--json".into()],
        vec!["check".into(), good.clone(), "--ports".into()],
        vec!["graph".into(), good.clone()],
        vec!["scene".into(), good.clone()],
        vec!["linearize".into(), good.clone()],
        vec!["run".into(), good.clone(), "--set".into(), format!("systems.{HOSTILE}=1")],
        vec!["run".into(), good.clone(), "--record".into(), name(HOSTILE)],
        vec!["run".into(), good, format!("--{HOSTILE}")],
        vec!["plot".into(), table.clone(), "-o".into(), name("p.svg")],
        vec!["plot".into(), table, "--channels".into(), HOSTILE.into()],
        vec!["run".into(), name(&format!("none{HOSTILE}"))],
        vec![HOSTILE.into()],
    ];
    commands.extend((0..wrong.len()).map(|i| vec!["run".to_owned(), name(&format!("wrong{i}.json"))]));
    for args in &commands {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        for interactive in [false, true] {
            let (_, out, err) = kinegraph_on(&FileSimulator, &args, interactive);
            assert!(!(out.is_empty() && err.is_empty()), "{args:?}");
            assert!(!obeyed(&out) && !obeyed(&err), "{args:?}: {out:?} {err:?}");
            let colours = (out + &err).contains('\u{1b}');
            assert!(interactive || !colours, "{args:?}");
        }
    }
    // JSON keeps the name.
    let (_, out, _) = kinegraph(&["run", &commands[0][1], "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["diagram"], HOSTILE);
    println!(
        "| control characters in names of files, blocks, channels and arguments | {} | none reaches a terminal |",
        commands.len()
    );
}

#[test]
fn more_jobs_and_time_than_there_are_do_no_harm() {
    let diagram = "examples/bouncing_ball/bouncing_ball.yaml";
    for jobs in ["18446744073709551615", "1000000"] {
        let (code, out, err) = kinegraph(&["sweep", diagram, "--runs", "3", "--until", "0.01", "--jobs", jobs]);
        assert_eq!((code, out.lines().count()), (0, 4), "{err}");
    }
    for budget in ["1e300", "1e19", "1e-300"] {
        let args =
            ["compare", diagram, "--until", "0.01", "--integrators", "icf", "--steps", "1e-2", "--budget", budget];
        let (code, _, err) = kinegraph(&args);
        assert!(code == 0 || err.contains("not done within"), "{budget}: {code} {err}");
    }
}
