//! Runs of the scenes in tests/data, sampled, and the reference trajectories there.
#![allow(dead_code)] // every test file uses some of it

use kinegraph::files::{self, Override};
use kinegraph::simulate::{FileSimulator, Observer, RunReport, RunStart, Sample, Simulator};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Folder of the test data.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// A reference trajectory.
#[derive(Deserialize)]
pub struct Reference {
    /// Figures of the whole scene at the end.
    #[serde(default)]
    pub aggregate: BTreeMap<String, f64>,
    /// Positions of bodies at the end \[m\].
    #[serde(default)]
    pub final_positions: BTreeMap<String, [f64; 3]>,
    /// Largest difference of two runs of the reference.
    #[serde(default)]
    pub difference_in_predictable_part: Option<f64>,
    /// Names of the coordinates.
    pub q_names: Vec<String>,
    /// Times of the samples \[s\].
    pub t: Vec<f64>,
    /// The coordinates at these times.
    pub q: Vec<Vec<f64>>,
}

impl Reference {
    /// Reads the reference of a scene.
    pub fn of(scene: &str) -> Self {
        let text = std::fs::read_to_string(data().join("reference").join(format!("{scene}.json"))).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// The coordinates of the reference, in a run of this program by another method.
    pub fn coordinates_in(&self, samples: &Samples) -> Self {
        let columns: Vec<usize> = self.q_names.iter().map(|name| samples.column(name)).collect();
        let (t, q) = samples.rows.iter().map(|(t, row)| (*t, columns.iter().map(|&c| row[c]).collect())).unzip();
        Self {
            aggregate: BTreeMap::new(),
            final_positions: BTreeMap::new(),
            difference_in_predictable_part: None,
            q_names: self.q_names.clone(),
            t,
            q,
        }
    }

    /// Largest deviation of any coordinate at the samples up to `until`: at the last sample, and at any.
    pub fn errors(&self, samples: &Samples, until: f64) -> (f64, f64) {
        let columns: Vec<usize> = self.q_names.iter().map(|name| samples.column(name)).collect();
        let (mut end, mut largest) = (0.0, 0.0_f64);
        for (t, q) in self.t.iter().zip(&self.q).filter(|(t, _)| **t <= until + 1e-9) {
            let (_, row) = samples.rows.iter().find(|(time, _)| (time - t).abs() < 1e-6).unwrap();
            end = columns.iter().zip(q).map(|(&c, q)| (row[c] - q).abs()).fold(0.0, f64::max);
            largest = largest.max(end);
        }
        (end, largest)
    }
}

/// Observer that keeps every sample.
#[derive(Default)]
pub struct Samples {
    /// Names of the channels.
    pub names: Vec<String>,
    /// Time and values of each sample.
    pub rows: Vec<(f64, Vec<f64>)>,
}

impl Observer for Samples {
    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        self.names = run.channels.iter().map(|channel| channel.name.clone()).collect();
        Ok(())
    }
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        self.rows.push((sample.time(), sample.values().to_vec()));
        Ok(())
    }
}

impl Samples {
    /// The channel of a coordinate, which references name `arm_joint1_q`, `hand_finger_l_joint_x` or `crate_crate_qw`.
    pub fn column(&self, coordinate: &str) -> usize {
        let flat = |name: &String| name.trim_start_matches("plant.").replace('.', "_");
        let find = |wanted: &str| self.names.iter().position(|name| flat(name) == wanted);
        find(coordinate)
            .or_else(|| find(&format!("{}_q", coordinate.strip_suffix("_x")?)))
            .unwrap_or_else(|| panic!("no channel for {coordinate} among {:?}", self.names))
    }

    /// A channel over time.
    pub fn series(&self, channel: &str) -> impl Iterator<Item = (f64, f64)> + '_ {
        let column = self.names.iter().position(|name| name == channel);
        let column = column.unwrap_or_else(|| panic!("no channel {channel} among {:?}", self.names));
        self.rows.iter().map(move |(time, row)| (*time, row[column]))
    }

    /// The value of a channel at the end.
    pub fn last(&self, channel: &str) -> f64 {
        self.series(channel).last().expect("a sample").1
    }

    /// The value of a channel at the time of a sample.
    pub fn at(&self, time: f64, channel: &str) -> f64 {
        let column = self.names.iter().position(|name| name == channel);
        let row = self.rows.iter().find(|(t, _)| (t - time).abs() < 1e-9);
        match (column, row) {
            (Some(column), Some((_, row))) => row[column],
            _ => panic!("no {channel} at {time} s"),
        }
    }
}

/// Runs a scene with settings like `simulation.accuracy=1e-3` to its end, without a note of the loader.
pub fn run_scene(scene: &str, settings: &[&str]) -> (RunReport, Samples) {
    run_file(&data().join("scenes").join(scene).join(format!("{scene}.yaml")), settings)
}

/// Runs any diagram file with settings to its end, without a note of the loader.
pub fn run_file(file: &Path, settings: &[&str]) -> (RunReport, Samples) {
    let overrides: Vec<_> = settings.iter().map(|setting| Override::set(setting).unwrap()).collect();
    let loaded = files::load(file, &overrides).unwrap();
    let notes = loaded.loader.take_notes();
    assert!(notes.is_empty(), "{notes:?}");
    let mut samples = Samples::default();
    let report = FileSimulator.build(&loaded.diagram, &loaded.loader).unwrap().run(&mut samples);
    assert!(report.status.is_done(), "{}", report.status);
    (report, samples)
}
