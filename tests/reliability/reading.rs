//! Reading ends: small files that expand to much are read in linear time, or refused with the size.

use super::command::kinegraph;
use super::{folder_with, scratch, written};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Limit of processor time for reading \[s\]; time of the clock depends on other programs, too.
const MAX_SECONDS: usize = 10;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/endless").join(name)
}

/// A diagram with one model of this text.
fn model(name: &str, text: &str) -> String {
    std::fs::write(scratch(name), text).expect("a file");
    plant(name, name)
}

fn plant(name: &str, file: &str) -> String {
    let base = if file.ends_with(".xml") { "" } else { ", base: fixed" };
    let models = format!("models: [{{name: m, file: {file}{base}}}]");
    let systems = format!("  plant: {{type: multibody_plant, {models}}}\n");
    written(&format!("{name}.yaml"), &format!("kinegraph: 1\nsystems:\n{systems}simulation: {{duration: 0.001}}\n"))
}

fn replicated(count: usize, what: &str) -> String {
    format!(
        "<mujoco><worldbody><replicate count=\"{count}\" offset=\"0.3 0 0\">{what}</replicate></worldbody></mujoco>"
    )
}

fn cable(count: usize) -> String {
    format!(
        "<mujoco><worldbody><body><composite type=\"cable\" curve=\"s\" count=\"{count} 1 1\" size=\"1\"><geom \
         type=\"capsule\" size=\".005\"/></composite></body></worldbody></mujoco>"
    )
}

fn chain(count: usize) -> String {
    let mut text = "<robot name=\"r\"><link name=\"l0\"/>".to_owned();
    let inertia = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>\
                   </inertial>";
    for i in 1..=count {
        let before = i - 1;
        write!(
            text,
            "<link name=\"l{i}\">{inertia}</link><joint name=\"j{i}\" type=\"continuous\"><parent link=\"l{before}\"/>\
             <child link=\"l{i}\"/><origin xyz=\"0 0 0.1\"/><axis xyz=\"0 1 0\"/></joint>"
        )
        .expect("text");
    }
    text + "</robot>"
}

/// Runs the program with this much memory, within [`MAX_SECONDS`] of processor time, and returns its exit code and
/// output.
fn bounded(args: &str, gigabytes: usize) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_kinegraph");
    let limits = format!("ulimit -v {}; ulimit -t {MAX_SECONDS}", gigabytes * 1_000_000);
    let line = format!("{limits}; exec timeout 200 {program} {args}");
    let done = std::process::Command::new("sh").args(["-c", &line]).output().expect("a shell");
    (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
}

fn passes(file: &str) {
    let (code, err) = bounded(&format!("check {file}"), 2);
    assert_eq!(code, Some(0), "{file}: {err}");
}

fn refused(file: &str, figure: &str) {
    let (code, err) = bounded(&format!("check {file}"), 2);
    assert!(code == Some(2) && err.contains(figure), "{file}: {code:?}, {err}");
}

/// Ten times the repetitions take ten times as long.
#[test]
fn repeated_elements_are_read_in_linear_time() {
    let ball = "<body><freejoint/><geom size=\"0.1\"/></body>";
    type Make<'a> = &'a dyn Fn(usize) -> String;
    let makes: [(&str, Make<'_>, usize); 5] = [
        ("sites.xml", &|n| replicated(n, "<site/>"), 2_000),
        ("geoms.xml", &|n| replicated(n, "<geom size=\"0.1\"/>"), 1_000),
        ("balls.xml", &|n| replicated(n, ball), 400),
        ("hinged.xml", &|n| replicated(n, "<body><joint type=\"ball\"/><geom size=\"0.1\"/></body>"), 30),
        ("links.urdf", &chain, 80),
    ];
    for (name, make, count) in makes {
        let [small, large] = [1, 10].map(|times| model(&format!("{times}_{name}"), &make(times * count)));
        let time = |file: &str| {
            let start = Instant::now();
            let (code, _, err) = kinegraph(&["check", file]);
            assert_eq!(code, 0, "{err}");
            start.elapsed()
        };
        let mut tries = Vec::new();
        // Bodies at one place touch in pairs: ten times as many in a hundred times as many.
        let most = if name == "hinged.xml" { 300 } else { 30 };
        let is_linear = (0..3).any(|_| {
            let (small, large) = (time(&small), time(&large));
            tries.push((small, large));
            large < most * small + Duration::from_millis(200)
        });
        assert!(is_linear, "{name}: {tries:.2?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_limit_is_met_within_ten_seconds_and_two_gigabytes() {
    let sheet = "<site/>";
    passes(&model("most_sites.xml", &replicated(49_000, sheet)));
    refused(&model("too_many_sites.xml", &replicated(51_000, sheet)), "more than 100000 elements");
    let twice = "<replicate count=\"300\">".repeat(2) + sheet + &"</replicate>".repeat(2);
    refused(&model("nested.xml", &replicated(300, &twice)), "more than 100000 elements");
    passes(&model("most_links.urdf", &chain(3_990)));
    refused(&model("too_many_links.urdf", &chain(4_010)), "4010 velocities takes 0.1 GB, more than 0.13 GB");
    passes(&model("long_cable.xml", &cable(1_300)));
    refused(&model("longest_cable.xml", &cable(10_000)), "29997 velocities takes 7.2 GB, more than 0.13 GB");
    let body = |attributes: usize| {
        let more: String = (0..attributes).map(|i| format!(" a{i}=\"1\"")).collect();
        format!("<mujoco><worldbody><body><geom size=\"0.1\"{more}/></body></worldbody></mujoco>")
    };
    refused(&model("attributes.xml", &body(1_000)), "more than 1000 attributes");
    refused(&model("many_attributes.xml", &body(400_000)), "more than 1000 attributes");
    refused(&model("attributes.urdf", &body(40_000)), "more than 1000 attributes");
}

#[test]
#[cfg(target_os = "linux")]
fn frames_and_links_in_rings_and_lines_are_read() {
    let frames = |ring: bool| -> String {
        let last = 20_000;
        let on = |i: usize| if ring || i + 1 < last { format!("f{}", (i + 1) % last) } else { "l".to_owned() };
        let frame = |i: usize| format!("<frame name=\"f{i}\" attached_to=\"{}\"/>", on(i));
        let frames: String = (0..last).map(frame).collect();
        format!("<sdf version=\"1.9\"><model name=\"m\"><link name=\"l\"/>{frames}</model></sdf>")
    };
    passes(&model("frames.sdf", &frames(false)));
    refused(&model("ring.sdf", &frames(true)), "in a ring");
}

/// Files of an attack: sites, cables, files that attach files, a fibre.
#[test]
#[cfg(target_os = "linux")]
fn files_of_the_attack_end() {
    let name = |file: &str| data(file).display().to_string();
    let sites = std::fs::read_to_string(data("sites.xml")).expect("a file");
    passes(&model("attack_sites.xml", &sites));
    let cable = std::fs::read_to_string(data("cable.xml")).expect("a file");
    refused(&model("attack_cable.xml", &cable), "velocities takes 7.2 GB");
    let files: Vec<(String, Vec<u8>)> =
        (0..16).map(|i| (format!("at{i}.xml"), std::fs::read(data(&format!("at{i}.xml"))).expect("a file"))).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
    let folder = folder_with("attached", &files);
    let diagram = folder.join("scene.yaml");
    let text = "kinegraph: 1\nsystems:\n  p: {type: multibody_plant, models: [{name: m, file: at0.xml}]}\n\
                simulation: {duration: 1}\n";
    std::fs::write(&diagram, text).expect("a file");
    refused(&diagram.display().to_string(), "more than 100000 elements");
    passes(&name("fibre.yaml"));
}

/// The size of large objects is estimated before they are made, and refused with the figure.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_estimated_before_it_is_allocated() {
    let wide = data("wide.yaml").display().to_string();
    let ports = "--input g.input --output g.output";
    for limit in ["", "--memory 4GB", "--memory 1TB"] {
        let (code, err) = bounded(&format!("linearize {wide} {ports} {limit}"), 4);
        assert!(code == Some(1) && err.contains("would take 120.0 GB"), "{limit}: {code:?}, {err}");
    }
    let camera = "type: depth_camera, plant: plant, link: b/l, columns: 3000, rows: 3000, field_of_view: 60deg, \
                  max_depth: 10, period: 0.1";
    let text = format!(
        "kinegraph: 1\nsystems:\n  plant: {{type: multibody_plant, ground: {{}}, models: [{{name: b, file: ball.urdf, \
         base: floating}}]}}\n  cam: {{{camera}}}\nconnections: [plant.body_poses -> cam.body_poses]\nsimulation: \
         {{duration: 0.1}}\n"
    );
    std::fs::copy(data("ball.urdf"), scratch("ball.urdf")).expect("a file");
    let file = written("camera.yaml", &text);
    let (code, err) = bounded(&format!("check {file} --memory 4GB"), 4);
    assert!(code == Some(2) && err.contains("12.6 GB of memory, more than the 4.0 GB"), "{code:?}, {err}");
    let small = written("small_camera.yaml", &text.replace("3000", "100"));
    let (code, err) = bounded(&format!("run {small} --quiet --memory 1GB"), 4);
    assert_eq!(code, Some(0), "{err}");
    for (size, code) in [("4kB", 0), ("500MB", 0), ("4e9", 0), ("much", 2), ("-1GB", 2), ("nanGB", 2)] {
        let (found, err) = bounded(&format!("integrators --memory={size}"), 2);
        assert_eq!(found, Some(code), "{size}: {err}");
    }
}

/// A million samples are drawn with as many points as there are pixels, and an outlier among them is visible.
#[test]
#[cfg(target_os = "linux")]
fn plots_are_thinned_to_the_pixels() {
    let mut table = "time,noise\n".to_owned();
    for i in 0..300_000_u32 {
        let value = if i == 123_456 { 7.0 } else { f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 16_777_216.0 };
        writeln!(table, "{},{value:.4}", f64::from(i) * 1e-3).expect("text");
    }
    let (file, svg) = (written("long.csv", &table), scratch("long.svg"));
    let (code, err) = bounded(&format!("plot {file} -o {}", svg.display()), 2);
    assert_eq!(code, Some(0), "{err}");
    let drawn = std::fs::read_to_string(&svg).expect("a picture");
    assert!(drawn.len() < 400_000, "{} bytes", drawn.len());
    let (code, err) = bounded(&format!("plot {file} -o {} --memory 10MB", svg.display()), 2);
    assert!(code == Some(2) && err.contains("of memory"), "{code:?}, {err}");
}
