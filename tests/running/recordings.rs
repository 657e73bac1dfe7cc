//! Recordings have the values of the table, for every reader and any end of the run; plots; the run as the page reads
//! it.

use crate::command::kinegraph;
use kinegraph::plot;
use kinegraph::record::mcap::{self, Recording};
use kinegraph::scene::Scene;
use kinegraph::simulate::{Observer, Scenario};
use kinegraph::view::{AS_BEFORE, Beside, Feed, Line, Stream, replay, replay_beside};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FRANKA: &str = "examples/franka/franka.yaml";
const PENDULUM: &str = "examples/double_pendulum/double_pendulum.yaml";

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recordings");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

/// One run, recorded in three ways.
fn three(name: &str, file: &str, until: &str) -> [PathBuf; 3] {
    let files = ["csv", "jsonl", "mcap"].map(|extension| scratch(&format!("{name}.{extension}")));
    let paths: Vec<&str> = files.iter().flat_map(|file| ["--record", file.to_str().unwrap()]).collect();
    let (code, _, said) = kinegraph(&[&["run", file, "--until", until, "--quiet"], &paths[..]].concat());
    assert_eq!(code, 0, "{said}");
    files
}

#[test]
fn all_recordings_hold_the_same_numbers() {
    let [csv, jsonl, mcap] = three("same", FRANKA, "0.4");
    let tables = [plot::read(&csv).unwrap(), plot::read(&jsonl).unwrap(), plot::read(&mcap).unwrap()];
    assert_eq!(tables[0].times.len(), 41);
    for table in &tables {
        assert!(table.times.iter().zip(&tables[0].times).all(|(a, b)| (a - b).abs() < 1e-9));
        assert_eq!(table.series.len(), tables[0].series.len());
        for series in &tables[0].series {
            let own = table.series.iter().find(|own| own.name == series.name).expect("the channel");
            assert_eq!(own.values, series.values, "{}", own.name);
        }
    }
    let units: Vec<&str> = tables[2].series.iter().take(8).map(|series| series.unit.as_str()).collect();
    assert_eq!(units, ["rad", "rad", "rad", "rad", "rad", "rad", "rad", "m"]);
}

/// Poses are those of the plant at the recorded state, and contact forces carry the crate.
#[test]
fn a_recording_has_poses_contacts_and_steps() {
    let [_, _, file] = three("whole", FRANKA, "0.4");
    let Recording { run, times, values, poses, contacts, steps, end, .. } = mcap::read(&file).unwrap();
    let facts = &run.facts;
    assert_eq!((facts.diagram.as_str(), facts.integrator.as_str(), facts.accuracy), ("franka", "cenic", Some(1e-3)));
    assert_eq!((end, times.len(), poses.len()), (Some(0.4), 41, 41));
    let plant = &run.scene.plants[0];
    let moving: Vec<usize> = (0..plant.bodies.len()).filter(|&body| plant.bodies[body].moving).collect();
    let crate_ = moving.iter().position(|&body| plant.bodies[body].name == "crate/crate").expect("the crate");
    let height = run.channels.iter().position(|channel| channel.name == "plant.crate.crate.z").expect("its height");
    for (values, poses) in values.iter().zip(&poses) {
        assert!((poses[crate_].xyz[2] - values[height]).abs() < 1e-12);
    }
    let (_, last) = contacts.last().expect("contact");
    let up: f64 = last.points.iter().filter(|point| point.body_b == "crate/crate").map(|point| point.force[2]).sum();
    let down: f64 = last.points.iter().filter(|point| point.body_a == "crate/crate").map(|point| point.force[2]).sum();
    assert!(up - down > 0.0, "{up} {down}");
    let accepted: f64 = steps.iter().filter(|step| step.outcome == "accepted").map(|step| step.h).sum();
    assert!((accepted - 0.4).abs() < 1e-9, "{accepted}");
}

/// The program is killed and cannot end the file.
#[test]
fn the_recording_of_a_killed_run_opens() {
    let file = scratch("killed.mcap");
    let _ = std::fs::remove_file(&file);
    let mut child = Command::new(env!("CARGO_BIN_EXE_kinegraph"))
        .args(["run", PENDULUM, "--until", "1e6", "--record"])
        .arg(&file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let start = Instant::now();
    while std::fs::metadata(&file).map_or(0, |data| data.len()) < 2_000_000 {
        assert!(start.elapsed() < Duration::from_secs(30), "nothing is recorded");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("its end");
    child.wait().expect("its end");
    let recording = mcap::read(&file).unwrap();
    assert_eq!(recording.end, None);
    assert!(recording.times.len() > 100 && recording.values.len() == recording.times.len());
    assert!(recording.values.iter().flatten().all(|value| value.is_finite()));
    // A file that is not a recording is reported, not shown as an empty one.
    std::fs::write(scratch("none.mcap"), b"not at all").unwrap();
    assert!(matches!(mcap::read(&scratch("none.mcap")), Err(mcap::ReadError::Format(_))));
}

/// Runs only if the package `mcap` of PyPI is installed.
#[test]
fn another_implementation_reads_the_recording() {
    let [csv, _, file] = three("foreign", FRANKA, "0.4");
    let script = "import sys, json\nfrom mcap.reader import make_reader\nr = make_reader(open(sys.argv[1], 'rb'))\n\
         s = r.get_summary()\nn = {c.topic: [s.schemas[c.schema_id].name, s.schemas[c.schema_id].encoding, 0] for c in s.channels.values()}\n\
         t = []\nfor schema, channel, m in r.iter_messages():\n    n[channel.topic][2] += 1\n    d = json.loads(m.data)\n    \
         t += [m.log_time] if channel.topic == '/plant/state' else []\nprint(json.dumps([n, t]))";
    let python = std::env::var("KINEGRAPH_PYTHON").unwrap_or_else(|_| "python3".into());
    let output = Command::new(python).args(["-c", script]).arg(&file).output();
    let output = match output {
        Ok(output) if output.status.success() => output,
        other => {
            println!("skipped: no Python with the package mcap ({other:?})");
            return;
        }
    };
    let reported: serde_json::Value = serde_json::from_slice(&output.stdout).expect("its answer");
    let (topics, times) = (&reported[0], reported[1].as_array().unwrap());
    let table = plot::read(&csv).unwrap();
    assert_eq!(times.len(), table.times.len());
    for (found, time) in times.iter().zip(&table.times) {
        assert_eq!(found.as_u64().unwrap(), (time * 1e9).round() as u64);
    }
    assert_eq!(topics["/plant/state"], serde_json::json!(["kinegraph.plant.state", "jsonschema", 41]));
    assert_eq!(topics["/tf"], serde_json::json!(["foxglove.FrameTransforms", "jsonschema", 42]));
    assert_eq!(topics["/scene"], serde_json::json!(["foxglove.SceneUpdate", "jsonschema", 1]));
}

fn lines(feed: &Feed) -> Vec<Line> {
    feed.lines().iter().map(|line| serde_json::from_slice(line).expect("a line")).collect()
}

/// All values of the frames of a feed.
fn values(feed: &Feed) -> Vec<f64> {
    let frames = lines(feed).into_iter().filter_map(|line| match line {
        Line::Frames(frames) => Some(frames.values.numbers()),
        _ => None,
    });
    frames.flatten().collect()
}

/// Bodies of the second run are shown as ghosts, its values and the differences as channels, at the times of the first.
#[test]
fn a_second_recording_is_shown_beside_the_first() {
    let record = |name: &str, more: &[&str]| {
        let file = scratch(name);
        let run = ["run", PENDULUM, "--until", "0.3", "--quiet", "--record", file.to_str().unwrap()];
        let (code, _, said) = kinegraph(&[&run[..], more].concat());
        assert_eq!(code, 0, "{said}");
        file
    };
    let moved = record("beside_b.mcap", &["--every", "0.007", "--set", "systems.plant.initial.pendulum.j1.q=1.4"]);
    let files = [record("beside_a.mcap", &[]), moved];
    let [one, other] = files.each_ref().map(|file| mcap::read(file).unwrap());
    let feed = Feed::default();
    replay_beside(&one, Some(&Beside::of(&one, other.clone(), "b")), &[], &feed).unwrap();
    let (mut begin, mut frames) = (None, None);
    for line in lines(&feed) {
        match line {
            Line::Begin(found) => begin = Some(found),
            Line::Frames(found) => frames = Some(found),
            _ => {}
        }
    }
    let (begin, frames) = (begin.expect("a run"), frames.expect("samples"));
    let at = |name: &str| begin.channels.iter().position(|channel| channel.name == name).expect("the channel");
    let [own, theirs, apart] = ["", "b: ", "difference: "].map(|what| at(&format!("{what}plant.pendulum.j1.q")));
    let (values, width) = (frames.values.numbers(), begin.channels.len());
    for (i, time) in one.times.iter().enumerate() {
        let row = &values[i * width..(i + 1) * width];
        assert_eq!(row[own], one.values[i][own]);
        // Beyond the last of its samples, which is at the end, nothing is asked for.
        let next = other.times.partition_point(|t| t <= time).min(other.times.len() - 1).max(1);
        let part = (time - other.times[next - 1]) / (other.times[next] - other.times[next - 1]);
        let (before, after) = (other.values[next - 1][own], other.values[next][own]);
        assert!((row[theirs] - (before + part * (after - before))).abs() < 1e-12, "{time}");
        assert_eq!(row[apart], row[theirs] - row[own]);
    }
    // Two bodies move; at the start both recordings have a sample.
    let ghost = &begin.ghosts[0];
    assert_eq!((begin.ghosts.len(), ghost.plant, ghost.bodies.len()), (1, 0, 2));
    let poses = frames.ghosts.expect("ghosts").numbers();
    assert_eq!(poses.len(), one.times.len() * 2 * 7);
    let first: Vec<f64> = other.poses[0].iter().flat_map(|pose| pose.xyz.into_iter().chain(pose.quat)).collect();
    assert!(poses.iter().zip(&first).all(|(a, b)| (a - b).abs() < 1e-6), "{:?} {first:?}", &poses[..14]);
    let names = files.each_ref().map(|file| file.to_str().unwrap());
    let page = scratch("beside.html");
    let (code, _, said) = kinegraph(&["view", names[0], names[1], "--html", page.to_str().unwrap()]);
    assert!(code == 0 || said.contains("page"), "{said}");
    let (code, _, said) = kinegraph(&["view", PENDULUM, names[1]]);
    assert_eq!(code, 2, "{said}");
}

/// The page gets the same data during a run and from its recording.
#[test]
fn the_page_sees_a_run_and_its_recording_alike() {
    let [csv, _, file] = three("page", FRANKA, "0.4");
    let scenario = Scenario::open(FRANKA).unwrap();
    let mut simulation = scenario.simulation().unwrap();
    let (live, replayed) = (Feed::default(), Feed::default());
    let mut observers: Vec<Box<dyn Observer>> = vec![Box::new(Stream::new(live.clone(), None))];
    simulation.advance_observing(0.4, scenario.every, &scenario.channels, &mut observers).unwrap();
    replay(&mcap::read(&file).unwrap(), &replayed).unwrap();
    let table = plot::read(&csv).unwrap();
    let expected: Vec<f64> =
        (0..table.times.len()).flat_map(|i| table.series.iter().map(move |s| s.values[i])).collect();
    assert_eq!(values(&live), expected);
    assert_eq!(values(&replayed), expected);
    // Samples within a step share its contact points, reported once; here and there they are the same.
    let (points, shared) = contacts(&live);
    assert_eq!(contacts(&replayed).0, points);
    assert!(shared > 10 && points.iter().any(|numbers| !numbers.is_empty()), "{shared}");
    let begin = |feed: &Feed| match lines(feed).remove(0) {
        Line::Begin(begin) => begin,
        other => panic!("{other:?}"),
    };
    let (seen, read) = (begin(&live), begin(&replayed));
    assert_eq!(seen.scene, Scene::of(&scenario.diagram));
    assert_eq!((&seen.scene, &seen.channels, &seen.blocks), (&read.scene, &read.channels, &read.blocks));
    // The desired motion of the arm is drawn beside it.
    assert_eq!(seen.ghosts.len(), 1);
    assert_eq!((seen.ghosts[0].name.as_str(), seen.ghosts[0].bodies.len()), ("controller.desired_state", 7));
    let steps = |feed: &Feed| -> usize {
        lines(feed).iter().map(|line| if let Line::Steps(steps) = line { steps.rows.len() } else { 0 }).sum()
    };
    assert_eq!(steps(&live), steps(&replayed));
    let blocks = seen.blocks.expect("the diagram");
    let arm = blocks.blocks.iter().find(|block| block.name == "plant").expect("the plant");
    let state = arm.outputs.iter().find(|port| port.name == "arm.state").expect("its state");
    let names: Vec<&str> = state.channels.iter().map(|&c| seen.channels[c].name.as_str()).collect();
    assert!(names.contains(&"plant.arm.joint1.q"), "{names:?}");
}

/// Number of contact points at each sample, and the number of samples that repeat those of the one before.
fn contacts(feed: &Feed) -> (Vec<Vec<f64>>, usize) {
    let (mut all, mut shared): (Vec<Vec<f64>>, usize) = (Vec::new(), 0);
    for line in lines(feed) {
        let Line::Frames(frames) = line else { continue };
        let numbers = frames.contacts.numbers();
        let mut rest = &numbers[..];
        for count in frames.contact_counts.numbers() {
            if count == f64::from(AS_BEFORE) {
                shared += 1;
                all.push(all.last().cloned().unwrap_or_default());
            } else {
                let (own, later) = rest.split_at(7 * count as usize);
                all.push(own.to_vec());
                rest = later;
            }
        }
    }
    (all, shared)
}

#[test]
fn plots_have_a_panel_for_each_unit() {
    let picture = scratch("run.svg");
    let (code, _, said) = kinegraph(&["run", FRANKA, "--until", "0.2", "--quiet", "--plot", picture.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    let svg = std::fs::read_to_string(&picture).unwrap();
    for text in ["[rad]", "[m]", "time [s]", "plant.arm.joint1.q"] {
        assert!(svg.contains(text), "{text}");
    }
    let [_, _, file] = three("plots", PENDULUM, "0.2");
    let (file, png) = (file.to_str().unwrap().to_owned(), scratch("own.png"));
    let (code, _, said) = kinegraph(&["plot", &file, "--channels", "plant.pendulum.j1", "-o", png.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let (code, _, said) = kinegraph(&["plot", &file, "--channels", "plant.pendulum.j1.w"]);
    assert_eq!((code, said.contains("plant.pendulum.j1.w: nothing recorded is called so")), (2, true), "{said}");
    let (code, _, said) = kinegraph(&["run", PENDULUM, "--plot", "x.pdf"]);
    assert_eq!((code, said.lines().last()), (2, Some("--plot x.pdf: .pdf is not written; .svg and .png are")));
}

/// Each picture is recorded once when it was taken, with the numbers of the port; images are not channels.
#[test]
fn pictures_are_recorded_when_they_are_taken() {
    use base64::Engine;
    let file = scratch("rover.mcap");
    let path = file.to_str().unwrap();
    let (code, _, said) = kinegraph(&[
        "run",
        "examples/rover/rover.yaml",
        "--until",
        "0.3",
        "--every",
        "0.02",
        "--quiet",
        "--record",
        path,
    ]);
    assert_eq!(code, 0, "{said}");
    let bytes = std::fs::read(&file).unwrap();
    let messages: Vec<_> = ::mcap::MessageStream::new(&bytes).unwrap().map(Result::unwrap).collect();
    let of = |topic: &str| messages.iter().filter(|m| m.channel.topic == topic).collect::<Vec<_>>();
    assert_eq!([of("/eye/depth").len(), of("/labels/bodies").len(), of("/eye/depth/calibration").len()], [4; 3]);
    assert_eq!((of("/scan/scan").len(), of("/labels/shapes/labels").len()), (7, 1));
    let last = of("/eye/depth")[3];
    assert_eq!(last.channel.schema.as_ref().unwrap().name, "foxglove.RawImage");
    let image: serde_json::Value = serde_json::from_slice(&last.data).unwrap();
    assert_eq!(
        (image["encoding"].as_str(), image["width"].as_u64(), image["step"].as_u64()),
        (Some("32FC1"), Some(160), Some(640))
    );
    let data = base64::engine::general_purpose::STANDARD.decode(image["data"].as_str().unwrap()).unwrap();
    let depth: Vec<f32> = data.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    let mut simulation = Scenario::open("examples/rover/rover.yaml").unwrap().simulation().unwrap();
    simulation.advance_to(0.3).unwrap();
    for i in (0..depth.len()).step_by(617) {
        let expected = simulation.channel(&format!("eye.depth[{i}]")).unwrap();
        assert!((f64::from(depth[i]) - expected).abs() < 1e-6, "pixel {i}: {} instead of {expected}", depth[i]);
    }
    // Out of the recording they are read with the numbers that they have there, and the page gets each of them once.
    let read = mcap::read_with_pictures(&file).unwrap();
    let film = read.films.iter().find(|film| film.name == "eye.depth").unwrap();
    assert_eq!((film.columns, film.pictures.len(), &film.pictures[3].1), (160, 4, &depth));
    assert!(read.films.iter().all(|film| film.labels.is_some() == film.name.starts_with("labels.")));
    let replayed = Feed::default();
    replay(&read, &replayed).unwrap();
    let scenario = Scenario::open("examples/rover/rover.yaml").unwrap();
    let live = Feed::default();
    let mut observers: Vec<Box<dyn Observer>> =
        vec![Box::new(Stream::new(live.clone(), None).with_pictures(scenario.pictures.clone()))];
    let mut simulation = scenario.simulation().unwrap();
    simulation.advance_observing(0.3, 0.02, &scenario.channels, &mut observers).unwrap();
    let photos = |feed: &Feed| -> Vec<(usize, f64)> {
        let all =
            lines(feed).into_iter().filter_map(|line| if let Line::Photo(photo) = line { Some(photo) } else { None });
        all.map(|photo| (photo.camera, (photo.time * 1e9).round() * 1e-9)).collect()
    };
    let count = |feed: &Feed| {
        lines(feed).iter().find_map(|line| match line {
            Line::Begin(begin) => Some(begin.cameras.len()),
            _ => None,
        })
    };
    let cameras = count(&live).unwrap();
    assert_eq!(cameras, 3);
    assert_eq!((photos(&live).len(), count(&replayed)), (4 * cameras, Some(cameras)));
    assert_eq!(photos(&replayed).len(), 4 * cameras);
    // Of each scan the page gets what its rays met, in the frame of the link, of a run as of its recording.
    let scans = |feed: &Feed| -> Vec<(f64, Vec<f64>)> {
        let all =
            lines(feed).into_iter().filter_map(|line| if let Line::Scan(scan) = line { Some(scan) } else { None });
        all.map(|scan| ((scan.taken * 1e9).round() * 1e-9, scan.points.numbers())).collect()
    };
    let (seen, again) = (scans(&live), scans(&replayed));
    assert_eq!((seen.len(), again.len()), (7, 7));
    for ((taken, points), (taken_again, same)) in seen.iter().zip(&again) {
        assert!((taken - taken_again).abs() < 1e-9 && points.len() > 30 && points.len() == same.len());
        assert!(points.iter().zip(same).all(|(x, y)| (x - y).abs() < 1e-6));
    }
    let Recording { run, films, .. } = mcap::read(&file).unwrap();
    assert!(films.is_empty());
    assert!(
        run.channels.iter().all(|channel| !channel.name.starts_with("eye.") && !channel.name.starts_with("labels."))
    );
}
