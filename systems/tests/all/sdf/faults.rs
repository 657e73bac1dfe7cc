//! Refusals, with line and name; and arbitrary bytes.

use super::{link, refuse};
use kinegraph_systems::models::{LoadOptions, parse_sdf, read_model};
use std::path::{Path, PathBuf};

fn joint(name: &str, parent: &str, child: &str) -> String {
    format!("<joint name='{name}' type='fixed'><parent>{parent}</parent><child>{child}</child></joint>")
}

#[test]
fn each_fault_is_reported_with_its_name() {
    let ab = link("a", "") + "\n" + &link("b", "");
    let ring = link("a", "<pose relative_to='b'/>") + &link("b", "<pose relative_to='a'/>");
    let cases: &[(String, &[&str])] = &[
        (ab.clone() + &joint("j", "a", "bb"), &["\"bb\"", "did you mean \"b\"?"]),
        (ring, &["\"a\", \"b\"", "ring"]),
        (link("a", "<pose relative_to='c'/>"), &["\"c\"", "no link, joint, frame or model"]),
        (ab.clone() + &link("a", ""), &["a second", "\"a\""]),
        (
            ab.clone() + &link("c", "") + &joint("j", "a", "c") + "\n" + &joint("k", "b", "c"),
            &["two joints", "\"j\"", "\"k\""],
        ),
        (link("a", "<pose>1 2 3</pose>"), &["needs 6 numbers, it has 3"]),
        (
            ab.clone() + "<joint name='j' type='hinge'><parent>a</parent><child>b</child></joint>",
            &["unknown type \"hinge\""],
        ),
        (
            ab.clone()
                + "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 0</xyz></axis></joint>",
            &["axis of joint \"j\" is zero"],
        ),
        (String::new(), &["no <link>"]),
        (link("a", "") + "<include><uri>../secret.sdf</uri></include>", &["leads out of the folder"]),
        (link("a", "") + "<include><uri>/etc/secret.sdf</uri></include>", &["leads out of the folder"]),
        (link("a", "") + "<include><uri>file:///etc/secret.sdf</uri></include>", &["leads out of the folder"]),
        (link("a", "") + "<include><uri>model://no_such/../../x</uri></include>", &["leads out of the folder"]),
        (link("a", "") + "<include><uri>none.sdf</uri></include>", &["there is no file"]),
        ("<model name='x'>".repeat(30) + &link("a", "") + &"</model>".repeat(30), &["nested deeper than 16"]),
    ];
    for (inside, words) in cases {
        let messages = refuse(inside);
        println!("{}", messages.join("\n"));
        assert!(messages[0].starts_with("m.sdf:"), "{messages:?}");
        for word in *words {
            assert!(messages[0].contains(word), "no {word} in {messages:#?}");
        }
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sdf").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file that includes itself through another one terminates.
#[test]
fn includes_do_not_run_in_rings() {
    let folder = folder("rings");
    let include = |file: &str| {
        format!("<sdf version='1.9'><model name='m'><link name='a'/><include><uri>{file}</uri></include></model></sdf>")
    };
    std::fs::write(folder.join("one.sdf"), include("two.sdf")).unwrap();
    std::fs::write(folder.join("two.sdf"), include("one.sdf")).unwrap();
    let error = read_model(&folder.join("one.sdf"), &LoadOptions::default()).expect_err("a ring");
    assert_eq!(error.faults.len(), 1, "{error}");
    assert!(error.to_string().contains("two.sdf:1:") && error.to_string().contains("contain itself"), "{error}");
}

/// Faults of an included file are reported with that file's name.
#[test]
fn faults_of_included_files_carry_their_name() {
    let folder = folder("included");
    let main =
        "<sdf version='1.9'><model name='m'><link name='a'/>\n<include><uri>part.sdf</uri></include></model></sdf>";
    std::fs::write(folder.join("main.sdf"), main).unwrap();
    std::fs::write(folder.join("part.sdf"), "<sdf version='1.9'>\n<model name='p'><link/></model></sdf>").unwrap();
    let error = read_model(&folder.join("main.sdf"), &LoadOptions::default()).expect_err("a fault").to_string();
    assert!(error.contains("part.sdf:2:") && error.contains("`name`"), "{error}");
}

/// Cut, doubled and changed bytes never panic, and the reader terminates.
#[test]
fn changed_files_never_panic() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sdf/mechanism.sdf");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n as u64) as usize
    };
    for _ in 0..1500 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + random(4) {
            let (at, length) = (random(bytes.len()), random(40));
            let end = (at + length).min(bytes.len());
            match random(4) {
                0 => drop(bytes.drain(at..end)),
                1 => {
                    let piece = bytes[at..end].to_vec();
                    let to = random(bytes.len());
                    bytes.splice(to..to, piece);
                }
                2 => bytes[at] = b"<>/=\"0 x"[random(8)],
                _ => bytes.truncate(at.max(1)),
            }
            if bytes.is_empty() {
                bytes.push(b'<');
            }
        }
        if let Ok(text) = String::from_utf8(bytes) {
            let _ = parse_sdf(&text, &path.display().to_string(), &LoadOptions::default());
        }
    }
}
