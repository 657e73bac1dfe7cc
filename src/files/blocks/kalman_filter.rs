//! `type: kalman_filter`.

use super::riccati::small_enough;
use crate::form::{
    BlockType, Group, Key, Matrix, NUMBER, Needs, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, needs,
    recipe, with_default,
};
use kinegraph_systems::control::{KalmanFilter, KalmanModel};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "kalman_filter",
    group: Group::Controllers,
    about: "estimates the state of a linear system from noisy measurements",
    example: "filter: {type: kalman_filter, A: [[0, 1], [0, 0]], B: [[0], [1]], C: [[1, 0]], process_noise: [[0, 0], [0, 1]], measurement_noise: [[0.01]]}",
    files: &[],
    read,
};

const A: Needs<Matrix> = needs("A", Matrix { about: "a square matrix, as a list of rows" }, "of ẋ = A x + B u");
const B: Needs<Matrix> =
    needs("B", Matrix { about: "a matrix with one row per state, one column per input" }, "of ẋ = A x + B u");
const C: Needs<Matrix> =
    needs("C", Matrix { about: "a matrix with one row per measurement, one column per state" }, "of y = C x");
const PROCESS_NOISE: Needs<Matrix> = needs(
    "process_noise",
    Matrix { about: "a symmetric matrix with one row per state" },
    "intensity of the white noise on ẋ",
);
const MEASUREMENT_NOISE: Needs<Matrix> = needs(
    "measurement_noise",
    Matrix { about: "a symmetric matrix with one row per measurement" },
    "intensity of the white noise on y",
);
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "estimate at the start [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (a, b, c) = (r.get(&A), r.get(&B), r.get(&C));
    let process_noise = r.get(&PROCESS_NOISE);
    let measurement_noise = r.get(&MEASUREMENT_NOISE);
    let initial = r.get(&INITIAL);
    let (a, b, c) = (a?, b?, c?);
    small_enough(r, A, &a)?;
    let model = KalmanModel { A: a, B: b, C: c, process_noise: process_noise?, measurement_noise: measurement_noise? };
    recipe(move || {
        let initial = initial.clone().expand(INITIAL.key(), model.A.nrows())?;
        KalmanFilter::new(model.clone(), initial)
    })
}
