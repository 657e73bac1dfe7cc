//! Runs that stop before their end: no recorded data are lost, and the reason is reported.

use crate::common::{cenic, icf};
use kinegraph::record::csv::CsvSink;
use kinegraph::simulate::{
    Interrupt, ObservedRunError, Observer, Sample, Scenario, Simulation, Snapshot, SnapshotError, StepReport,
};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const PENDULUM: &str = "examples/double_pendulum/double_pendulum.yaml";

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Observer that ends the run after a step has passed a time, and keeps the reports.
struct Until {
    time: f64,
    reached: f64,
    samples: Vec<f64>,
    end: Option<Snapshot>,
}

impl Observer for Until {
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        self.samples.push(sample.time());
        Ok(())
    }
    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        self.reached = step.time;
        Ok(())
    }
    fn wants_end(&self) -> Option<String> {
        (self.reached >= self.time).then(|| "enough".into())
    }
    fn stopped(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.end = Some(snapshot.clone());
        Ok(())
    }
}

/// Ends the run within the step that follows a time.
struct Within {
    time: f64,
    asked: Arc<AtomicBool>,
}

impl Observer for Within {
    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        self.asked.fetch_or(step.time >= self.time, Ordering::Relaxed);
        Ok(())
    }
    fn interrupt(&self) -> Option<Interrupt> {
        Some(Interrupt::new(self.asked.clone(), Duration::ZERO))
    }
}

/// A step that is abandoned leaves the run at the start of that step, from where it may continue: results of the step
/// are computed again, so that not all bits are those of an uninterrupted run.
#[test]
fn a_run_that_is_ended_within_a_step_may_go_on() {
    for file in [PENDULUM, "examples/franka/franka.yaml"] {
        let scenario = Scenario::open(file).unwrap();
        let mut whole = scenario.simulation().unwrap();
        whole.advance_to(2.0).unwrap();
        let asked = Arc::new(AtomicBool::new(false));
        let mut ended = scenario.simulation().unwrap();
        let mut within = Within { time: 0.7, asked: asked.clone() };
        let error = ended.advance_observing(2.0, 0.01, &[], &mut within).unwrap_err();
        let ObservedRunError::Stopped { time, reason } = error else { panic!("{error}") };
        assert!((0.7..1.0).contains(&time) && time == ended.time(), "{time}");
        assert!(reason.contains("within a step"), "{reason}");
        asked.store(false, Ordering::Relaxed);
        ended.advance_to(2.0).unwrap();
        for (ended, whole) in ended.state().continuous.iter().zip(&whole.state().continuous) {
            assert!((ended - whole).abs() < 1e-7, "{file}: {ended}, {whole}");
        }
    }
}

/// The samples up to the end are those of the whole run, and the continued run is the whole run.
#[test]
fn a_run_that_is_stopped_has_all_samples_and_goes_on_as_if_it_had_not_been() {
    let scenario = Scenario::open(PENDULUM).unwrap();
    for options in [cenic(1e-4), icf(0.013)] {
        let simulation = || Simulation::new(&scenario.diagram, options).unwrap();
        let mut until = Until { time: 1.0, reached: 0.0, samples: Vec::new(), end: None };
        let mut stopped = simulation();
        let error = stopped.advance_observing(3.0, 0.01, &[], &mut until).unwrap_err();
        let ObservedRunError::Stopped { time, reason } = error else { panic!("{error}") };
        assert_eq!((time, reason.as_str()), (stopped.time(), "enough"));
        assert!((1.0..1.2).contains(&time), "{time}");
        let grid = (time / 0.01).floor() as usize;
        assert!((grid + 1..=grid + 2).contains(&until.samples.len()), "{} samples to {time}", until.samples.len());
        assert_eq!(until.samples.last(), Some(&time));

        let mut resumed = simulation();
        resumed.restore(&until.end.unwrap()).unwrap();
        resumed.advance_to(3.0).unwrap();
        let mut whole = simulation();
        whole.advance_to(3.0).unwrap();
        assert_eq!(resumed.state(), whole.state());
    }
}

/// A disk with room for a number of bytes.
struct Disk<'a> {
    room: usize,
    kept: &'a mut Vec<u8>,
}

impl Write for Disk<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.kept.len() + bytes.len() > self.room {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.kept.extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_stops_the_run_in_the_step_in_which_it_is_full() {
    let scenario = Scenario::open(PENDULUM).unwrap();
    for room in [0, 100, 1000, 20_000] {
        let mut kept = Vec::new();
        let mut simulation = Simulation::new(&scenario.diagram, icf(0.01)).unwrap();
        let mut sink = CsvSink::new(Disk { room, kept: &mut kept });
        let error = simulation.advance_observing(5.0, 0.01, &scenario.channels, &mut sink).unwrap_err();
        drop(sink);
        assert!(error.to_string().starts_with("recording failed: "), "{error}");
        let rows = String::from_utf8(kept).unwrap();
        assert!(rows.is_empty() || rows.ends_with('\n'), "{rows}");
        let last = rows.lines().last().and_then(|row| row.split(',').next()?.parse().ok()).unwrap_or(0.0);
        // The row that failed is of this step or of the one before.
        assert!((simulation.time() - last) < 0.031, "{} s, recorded up to {last} s", simulation.time());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_is_full_is_named_and_the_rest_is_kept() {
    let snapshot = scratch("full.json");
    let end = snapshot.to_string_lossy();
    for option in ["--record", "--steps"] {
        let args = ["run", PENDULUM, option, "/dev/full", "--snapshot", &*end];
        let (code, said, _) = crate::command::kinegraph(&args);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains("failed: recording failed: /dev/full: the disk is full: make room there"), "{said}");
        let end = Snapshot::read(&snapshot).unwrap().time;
        assert!(end <= 0.02 && said.contains("  simulated "), "{said}");
    }
}

/// A run of very many steps is reported while it goes on, for every method, with the length of steps and its cause.
#[test]
fn very_short_steps_are_said_while_they_happen() {
    let file = scratch("short_steps.yaml");
    // A root of a negative number ends it some steps later.
    let text = "kinegraph: 1\n\
                systems:\n  \
                  fast: {type: sine, amplitude: 1, frequency: 1.0e7}\n  \
                  left: {type: expression, inputs: [end], expression: sqrt(end - t)}\n  \
                  end: {type: constant, value: 1}\n  \
                  sum: {type: integrator, width: 2}\n\
                connections:\n  \
                  - end.output -> left.end\n  \
                  - fast.output -> sum.input[0]\n  \
                  - left.output -> sum.input[1]\n\
                simulation: {accuracy: 1.0e-9, duration: 1}\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_string_lossy();
    for (method, end, step, limit) in [
        ("cenic", "9e-4", &[][..], "the largest error is in sum.x"),
        ("dopri5", "3e-3", &[], "the largest error is in sum.x"),
        ("semi-implicit-euler", "1.2e-4", &["--step", "1e-8"], "1.0e-8 s long on average;"),
    ] {
        let end = format!("systems.end.value={end}");
        let args = ["run", &*file, "--integrator", method, "--until", "1", "--set", &*end];
        let (code, _, said) = crate::command::kinegraph(&[&args[..], step].concat());
        assert_eq!(code, 1);
        let note = said.lines().find(|line| line.contains("steps were")).unwrap_or_default();
        assert!(note.starts_with("note: at t = ") && note.contains("lead to t = 1 s"), "{method}: {said}");
        assert!(note.contains(limit), "{method}: {note}");
    }
}

/// A method with loose settings gains energy without a source, too little for a fault: it is reported.
#[test]
fn energy_that_nothing_gave_is_reported() {
    let (model, file) = (scratch("free_pendulum.urdf"), scratch("free_pendulum.yaml"));
    let text = "<robot name=\"p\"><link name=\"base\"/><link name=\"bob\"><inertial><origin xyz=\"0 0 -1\"/><mass value=\"1\"/>\
                <inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\
                <joint name=\"hinge\" type=\"continuous\"><parent link=\"base\"/><child link=\"bob\"/><axis xyz=\"0 1 0\"/>\
                </joint></robot>";
    std::fs::write(model, text).unwrap();
    let text = "kinegraph: 1\n\
                systems:\n  \
                  plant: {type: multibody_plant, models: [{name: p, file: free_pendulum.urdf, base: fixed}], \
                initial: {p: {hinge: 2}}}\n\
                simulation: {duration: 20, max_step: 1, integrator: dopri5, accuracy: 1.0e-2}\n";
    std::fs::write(&file, text).unwrap();
    for (accuracy, is_reported) in [("1e-2", true), ("1e-6", false)] {
        let (code, said, _) = crate::command::kinegraph(&["run", &*file.to_string_lossy(), "--accuracy", accuracy]);
        let reported = said.contains("that nothing gave them: ask for a tighter `accuracy`");
        assert!(code == 0 && reported == is_reported, "{said}");
    }
}

/// Rows of a recording, all of them whole; the time of the last one.
fn last_time(text: &str) -> f64 {
    assert!(text.ends_with('\n'), "the last row is torn");
    let width = text.lines().next().expect("a header").split(',').count();
    assert!(text.lines().all(|row| row.split(',').count() == width));
    text.lines().last().unwrap().split(',').next().unwrap().parse().unwrap()
}

#[cfg(unix)]
fn starts(record: &Path, snapshot: &Path) -> Child {
    let _ = std::fs::remove_file(record);
    Command::new(env!("CARGO_BIN_EXE_kinegraph"))
        .args(["run", PENDULUM, "--until", "1e6", "--record"])
        .arg(record)
        .arg("--snapshot")
        .arg(snapshot)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program")
}

/// True if this process, and those that it starts, ignore the loss of the terminal.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 != 0)
}

#[cfg(unix)]
#[test]
fn a_process_that_is_interrupted_keeps_what_it_recorded() {
    // Elsewhere nobody says whether the loss of the terminal is to be ignored; `nohup` asks for it.
    let lost = (cfg!(target_os = "linux") && !ignores_hangup()).then_some(("HUP", 129));
    for (signal, code) in [("INT", 130), ("TERM", 143)].into_iter().chain(lost) {
        let (record, snapshot) = (scratch(&format!("{signal}.csv")), scratch(&format!("{signal}.snapshot")));
        let child = starts(&record, &snapshot);
        let start = Instant::now();
        while std::fs::metadata(&record).map_or(0, |file| file.len()) < 2000 {
            assert!(start.elapsed() < Duration::from_secs(20), "nothing is recorded");
            std::thread::sleep(Duration::from_millis(5));
        }
        let killed = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(killed.expect("kill").success());
        let output = child.wait_with_output().expect("its end");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.starts_with(&format!("double_pendulum: interrupted: SIG{signal}")), "{said}");
        let end = Snapshot::read(&snapshot).expect("the end").time;
        assert!(end > 0.0 && said.contains("  simulated "), "{said}");
        assert_eq!(last_time(&std::fs::read_to_string(&record).unwrap()), end);
    }
}

/// `nohup` has a run go on without its terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_run_goes_on_where_the_loss_of_its_terminal_is_ignored() {
    let record = scratch("nohup.csv");
    let _ = std::fs::remove_file(&record);
    let script = r#"trap "" HUP; exec "$@""#;
    let mut child = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_kinegraph"), "run", PENDULUM, "--until", "1e6", "--record"])
        .arg(&record)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program");
    let rows = || std::fs::metadata(&record).map_or(0, |file| file.len());
    let grows_beyond = |bytes: u64| {
        let start = Instant::now();
        while rows() <= bytes {
            assert!(start.elapsed() < Duration::from_secs(20), "nothing is recorded");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    grows_beyond(2000);
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().expect("kill").success());
    grows_beyond(rows() + 20_000);
    assert!(child.try_wait().expect("its state").is_none());
    child.kill().expect("its end");
    child.wait().expect("its end");
}

/// A limit on the size of files replaces a full disk: the part of a row that still fits is removed.
#[cfg(unix)]
#[test]
fn a_recording_that_outgrows_its_disk_ends_with_a_whole_row() {
    let (record, snapshot) = (scratch("outgrown.csv"), scratch("outgrown.snapshot"));
    let _ = std::fs::remove_file(&record);
    // Where the signal is ignored, writing fails.
    let script = r#"trap "" XFSZ; ulimit -f 8; exec "$@""#;
    let output = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_kinegraph"), "run", PENDULUM, "--until", "1000", "--record"])
        .arg(&record)
        .arg("--snapshot")
        .arg(&snapshot)
        .output()
        .expect("the program");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("failed: recording failed: ") && said.contains("outgrown.csv: "), "{said}");
    let text = std::fs::read_to_string(&record).unwrap();
    assert!((3500..=8192).contains(&text.len()), "{} bytes", text.len());
    let end = Snapshot::read(&snapshot).expect("the end").time;
    assert!(end >= last_time(&text) && end < last_time(&text) + 0.3, "{end}");
}

/// A run that would take hours ends when its budget is spent, with exit code 1, and its recorded data are kept. A
/// block's name is enough for its channels.
#[test]
fn a_budget_ends_a_run_with_what_it_has() {
    let record = scratch("budget.csv");
    let (began, file) = (Instant::now(), record.to_str().unwrap());
    let more = ["--until", "1e6", "--every", "0.1", "--set", "record.channels=[plant]", "--record", file];
    let (code, said, _) = crate::command::kinegraph(&[&["run", PENDULUM, "--budget", "0.5"], &more[..]].concat());
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("interrupted: its budget of 0.5 s"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(20));
    let text = std::fs::read_to_string(&record).unwrap();
    assert!(last_time(&text) > 0.1 && text.starts_with("time,plant."), "{}", &text[..80]);
    let (code, _, said) = crate::command::kinegraph(&["run", PENDULUM, "--budget", "-1"]);
    assert_eq!(code, 2, "{said}");
}
