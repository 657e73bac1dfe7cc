//! Recorded values against closed forms: states between steps, forces, efforts, and runs that are resumed.

use super::command;
use serde_json::Value;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6, PI};
use std::path::Path;

const GRAVITY: f64 = 9.81;

/// The rows of a recording: time, then its channels.
fn recorded(name: &str, args: &[&str]) -> Vec<Vec<f64>> {
    let table = format!("{}/{name}.csv", env!("CARGO_TARGET_TMPDIR"));
    let file = format!("tests/data/recorded/{}.yaml", name.split('-').next().unwrap());
    let (code, _, err) = command::kinegraph(&[&["run", &file, "--quiet", "--record", &table], args].concat());
    assert_eq!(code, 0, "{name} {args:?}: {err}");
    let text = std::fs::read_to_string(table).unwrap();
    let rows = text.lines().skip(1);
    rows.map(|row| row.split(',').map(|number| number.parse().unwrap()).collect()).collect()
}

/// Largest deviation of the values of the rows from their expected values.
fn deviation(rows: &[Vec<f64>], of: impl Fn(&[f64]) -> f64) -> f64 {
    rows.iter().map(|row| of(row).abs()).fold(0.0, f64::max)
}

/// The integral of cos t beside a ball at rest is sin t at every time, not only at the ends of steps; a state that is
/// reset where it rises through 0.5 is reset there.
#[test]
fn states_beside_contact_follow_their_rates_between_steps() {
    for integrator in ["cenic", "cenic-trapezoid"] {
        let rows = recorded("beside_contact", &["--integrator", integrator, "--accuracy", "1e-4"]);
        let error = deviation(&rows, |row| row[1] - row[0].sin());
        assert!(error < 5e-4, "{integrator}: {error}");
        let since = |time: f64| if time < FRAC_PI_6 { time } else { time - FRAC_PI_6 };
        let error = deviation(&rows, |row| row[2] - since(row[0]));
        assert!(error < 5e-4, "{integrator}: reset {error} s late");
    }
}

/// At a limit the integral of 2 cos t stays until 2 cos t turns inward, and leaves from the limit.
#[test]
fn integrators_leave_limits_where_their_rates_turn() {
    let exact = |t: f64| {
        let at_lower = PI - 0.25_f64.asin();
        match t {
            t if t < FRAC_PI_6 => 2.0 * t.sin(),
            t if t < FRAC_PI_2 => 1.0,
            t if t < at_lower => 2.0 * t.sin() - 1.0,
            t if t < 1.5 * PI => -0.5,
            t => (2.0 * t.sin() + 1.5).min(1.0),
        }
    };
    for integrator in ["cenic", "cenic-trapezoid", "dopri5"] {
        for accuracy in [1e-5, 1e-6] {
            let name = format!("limits-{integrator}-{accuracy}");
            let rows = recorded(&name, &["--integrator", integrator, "--accuracy", &accuracy.to_string()]);
            let error = deviation(&rows, |row| row[1] - exact(row[0]));
            assert!(error < accuracy, "{integrator} {accuracy}: {error}");
        }
    }
}

/// The recorded contact force of a landing integrates to the change of momentum.
#[test]
fn recorded_contact_forces_integrate_to_the_change_of_momentum() {
    for accuracy in ["1e-2", "1e-3", "1e-4"] {
        let rows = recorded(&format!("landing-{accuracy}"), &["--accuracy", accuracy]);
        let impulse: f64 = rows.windows(2).map(|w| 0.5 * (w[0][1] + w[1][1]) * (w[1][0] - w[0][0])).sum();
        let (first, last) = (&rows[0], &rows[rows.len() - 1]);
        let gained = last[2] - first[2] + GRAVITY * (last[0] - first[0]);
        assert!((impulse / gained - 1.0).abs() < 0.02, "{accuracy}: {impulse} instead of {gained} N s");
    }
}

/// Effort and reaction of a pendulum under control are those of the control law and of Newton at the recorded state, at
/// every time.
#[test]
fn efforts_and_reactions_are_those_at_the_recorded_state() {
    for integrator in ["cenic", "cenic-trapezoid", "dopri5", "sdirk2"] {
        let rows = recorded(&format!("servo-{integrator}"), &["--integrator", integrator, "--accuracy", "1e-4"]);
        let law = |row: &[f64]| 40.0 * (-0.4 - row[1]) - 5.0 * row[2];
        let rows = &rows[1..];
        let error = deviation(rows, |row| row[3] - law(row)) / deviation(rows, law);
        assert!(error < 1e-3, "{integrator}: the effort is off by {error} of the largest");
        let reaction = |row: &[f64]| {
            let (q, v) = (row[1], row[2]);
            let q_dd = (law(row) - 0.2 * v - 0.5 * GRAVITY * q.sin()) / 0.35;
            let x = -0.5 * q.cos() * q_dd + 0.5 * q.sin() * v * v;
            let z = 0.5 * q.sin() * q_dd + 0.5 * q.cos() * v * v + GRAVITY;
            [x, z]
        };
        let largest = deviation(rows, |row| reaction(row)[0].abs().max(reaction(row)[1].abs()));
        let error = deviation(rows, |row| (row[7] - reaction(row)[0]).abs().max((row[9] - reaction(row)[1]).abs()));
        assert!(error < 0.02 * largest, "{integrator}: the reaction is off by {error} of {largest} N");
    }
}

/// A stiff controller whose joint reaches its effort limit within steps does not exceed it.
#[test]
fn recorded_efforts_stay_within_their_limits() {
    for accuracy in ["1e-2", "1e-3"] {
        let rows = recorded(&format!("saturated-{accuracy}"), &["--accuracy", accuracy]);
        let largest = deviation(&rows, |row| row[3]);
        assert!(largest <= 30.0, "{accuracy}: {largest} N at a joint of 30 N");
    }
}

/// A run that is stopped, saved and resumed ends in the bits of one without the interruption, and its recording begins
/// where it was stopped.
#[test]
fn resumed_runs_end_in_the_bits_of_uninterrupted_ones() {
    for (file, integrator, stop, end) in [
        ("examples/double_pendulum/double_pendulum.yaml", "cenic", "1.85", "2.5"),
        ("examples/double_pendulum/double_pendulum.yaml", "cenic-trapezoid", "0.7071", "1.2"),
        ("examples/double_pendulum/double_pendulum.yaml", "dopri5", "0.7071", "1.2"),
        ("examples/double_pendulum/double_pendulum.yaml", "icf", "0.70714", "1.2"),
        ("tests/data/recorded/beside_contact.yaml", "cenic", "3.3333", "4.2"),
        ("tests/data/recorded/saturated.yaml", "cenic", "0.77777", "1.1"),
    ] {
        let name = format!("{integrator}-{stop}");
        let scratch = |ending: &str| format!("{}/resumed-{name}.{ending}", env!("CARGO_TARGET_TMPDIR"));
        let run = |args: &[&str]| {
            let step = ["--step", "0.003"];
            let step = if integrator == "icf" { &step[..] } else { &[] };
            let all = [&["run", file, "--json", "--integrator", integrator], step, args].concat();
            let (code, out, err) = command::kinegraph(&all);
            assert_eq!(code, 0, "{all:?}: {err}");
            let run: Value = serde_json::from_str(&out).unwrap();
            run["final_state"].clone()
        };
        let whole = run(&["--until", end]);
        run(&["--until", stop, "--snapshot", &scratch("snap")]);
        let resumed = run(&["--until", end, "--resume", &scratch("snap"), "--record", &scratch("csv")]);
        assert_eq!(whole, resumed, "{name}");
        let table = std::fs::read_to_string(Path::new(&scratch("csv"))).unwrap();
        assert_eq!(table.lines().nth(1).and_then(|row| row.split(',').next()), Some(stop), "{name}");
    }
}
