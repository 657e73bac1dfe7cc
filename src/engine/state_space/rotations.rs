//! Orientations in minimal coordinates.
//!
//! A unit quaternion has four numbers and three directions. Near q₀ the rotations are those by a vector φ, in the axes
//! in which the quaternion turns the body: for a free body those of the world, for a ball joint those of its parent.
//! To first order `q = q₀ + S φ`, with `S φ = ½ [0, φ] ⊗ q₀`, and `φ = 4 Sᵀ (q - q₀)`. In these coordinates
//! `φ = 2 vec(q ⊗ q₀*)/re(q ⊗ q₀*)` has no second derivative along the sphere, so that a model away from an equilibrium
//! follows as well.

use super::LinearModel;
use kinegraph_diagram::Diagram;
use nalgebra::DMatrix;

/// The unit quaternions among the states of a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rotations {
    /// First state of each, increasing.
    starts: Vec<usize>,
}

impl Rotations {
    /// The unit quaternions of the plants of `diagram`.
    pub fn of(diagram: &Diagram) -> Self {
        let of_plant = |(block, plant): (&kinegraph_diagram::Block, &dyn kinegraph_core::convex::ConvexPlant)| {
            let starts = plant.structure().quaternions.clone();
            starts.into_iter().map(|start| block.state.start + start).collect::<Vec<_>>()
        };
        let mut starts: Vec<usize> = diagram.plants().flat_map(of_plant).collect();
        starts.sort_unstable();
        Rotations { starts }
    }

    /// First state of each quaternion.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Deviations in minimal coordinates by those of all states, at the operating point `state`: three rows for the
    /// four columns of a quaternion, one for every other state.
    pub fn deviations(&self, state: &[f64]) -> DMatrix<f64> {
        self.rows(&DMatrix::identity(state.len(), state.len()), state)
    }

    /// Properties of all states as those of minimal coordinates: the first of each quaternion is left out.
    pub(super) fn shortened<T: Clone>(&self, of_states: &[T]) -> Vec<T> {
        let kept = of_states.iter().enumerate().filter(|(i, _)| self.starts.binary_search(i).is_err());
        kept.map(|(_, property)| property.clone()).collect()
    }

    /// A model of all states at `state` in minimal coordinates.
    pub(super) fn minimal(&self, model: LinearModel, state: &[f64]) -> LinearModel {
        if self.starts.is_empty() {
            return model;
        }
        let rates = DMatrix::from_column_slice(model.rates.len(), 1, &model.rates);
        LinearModel {
            a: self.rows(&self.columns(&model.a, state), state),
            b: self.rows(&model.b, state),
            c: self.columns(&model.c, state),
            rates: self.rows(&rates, state).as_slice().to_vec(),
            state_names: self.names(&model.state_names),
            ..model
        }
    }

    /// Names of the minimal coordinates.
    pub(super) fn names(&self, of_states: &[String]) -> Vec<String> {
        let mut names = of_states.to_vec();
        for start in &self.starts {
            for (number, axis) in ["w", "x", "y", "z"].iter().enumerate() {
                let name = &of_states[start + number];
                let base = name.strip_suffix(&format!("q{axis}")).unwrap_or(name);
                names[start + number] = format!("{base}r{axis}");
            }
        }
        self.shortened(&names)
    }

    /// `4 Sᵀ matrix`: rows by states become rows by minimal coordinates.
    fn rows(&self, matrix: &DMatrix<f64>, state: &[f64]) -> DMatrix<f64> {
        let mut turned = matrix.clone();
        for &start in &self.starts {
            let (tangents, square) = tangents(&state[start..start + 4]);
            for (axis, tangent) in tangents.iter().enumerate() {
                for column in 0..matrix.ncols() {
                    let sum: f64 = (0..4).map(|k| tangent[k] * matrix[(start + k, column)]).sum();
                    turned[(start + 1 + axis, column)] = 4.0 * sum / square; // formula
                }
            }
        }
        if turned.ncols() == 0 {
            return DMatrix::zeros(turned.nrows() - self.starts.len(), 0);
        }
        turned.remove_rows_at(&self.starts)
    }

    /// `matrix S`: columns by states become columns by minimal coordinates.
    fn columns(&self, matrix: &DMatrix<f64>, state: &[f64]) -> DMatrix<f64> {
        let mut turned = matrix.clone();
        for &start in &self.starts {
            let (tangents, _) = tangents(&state[start..start + 4]);
            for (axis, tangent) in tangents.iter().enumerate() {
                for row in 0..matrix.nrows() {
                    turned[(row, start + 1 + axis)] = (0..4).map(|k| tangent[k] * matrix[(row, start + k)]).sum();
                }
            }
        }
        turned.remove_columns_at(&self.starts)
    }
}

/// The columns of S at a quaternion w, x, y, z, and the square of its length.
fn tangents(quaternion: &[f64]) -> ([[f64; 4]; 3], f64) {
    let [w, x, y, z] = [0, 1, 2, 3].map(|k| 0.5 * quaternion[k]);
    let square = quaternion.iter().map(|number| number * number).sum();
    ([[-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]], square)
}
