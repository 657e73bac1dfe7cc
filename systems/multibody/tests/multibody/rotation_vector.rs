//! Tests of `systems/multibody/rotation_vector.rs`.

use kinegraph_core::Jet;
use kinegraph_core::scalar::{partial, seed};
use kinegraph_multibody::rotation_vector::{inverse_left_jacobian, rotation_vector, rotation_vector_of};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Rotation vectors of angles from zero to just below π, about one axis.
fn vectors() -> impl Iterator<Item = Vector3<f64>> {
    let axis = Vector3::new(2.0, -1.0, 0.5).normalize();
    [0.0, 1e-9, 1e-3, 0.0199, 0.0201, 0.5, 2.0, 3.1].into_iter().map(move |angle| axis * angle)
}

#[test]
fn is_the_inverse_of_the_exponential() {
    for phi in vectors() {
        let rotation = UnitQuaternion::from_scaled_axis(phi);
        assert!((rotation_vector(rotation.to_rotation_matrix().matrix()) - phi).norm() < 1e-14, "{phi:?}");
        for length in [1.0, -3.0] {
            assert!((rotation_vector_of(&(rotation.quaternion() * length)) - phi).norm() < 1e-14, "{phi:?}");
        }
    }
}

/// d/dt of the vector of `exp([ω]× t) R` at t = 0, by jets.
#[test]
fn turns_as_its_jacobian_says() {
    let w = Vector3::new(0.7, 0.3, -1.1);
    for phi in vectors() {
        let R = UnitQuaternion::from_scaled_axis(phi).to_rotation_matrix();
        let rate = w.cross_matrix() * R.matrix();
        let moving = Matrix3::<Jet>::from_fn(|i, j| seed(R[(i, j)], 0, rate[(i, j)]));
        let expected = rotation_vector(&moving).map(|x| partial(&x, 0));
        assert!((inverse_left_jacobian(&phi, &w) - expected).norm() < 1e-12, "{phi:?}");
    }
}
