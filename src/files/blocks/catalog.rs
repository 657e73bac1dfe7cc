//! The block types of the library.

use crate::files::block_type::BlockType;
use crate::files::blocks;
use crate::files::catalog::Catalog;

/// Every block type, in the order in which they are listed.
const STANDARD: &[BlockType] = &[
    blocks::multibody_plant::TYPE,
    blocks::vacuum_gripper::TYPE,
    blocks::conveyor_belt::TYPE,
    blocks::dc_motor::TYPE,
    blocks::imu::TYPE,
    blocks::inverse_dynamics_controller::TYPE,
    blocks::impedance_controller::TYPE,
    blocks::operational_space_controller::TYPE,
    blocks::pid::TYPE,
    blocks::lqr::TYPE,
    blocks::kalman_filter::TYPE,
    blocks::trajectory::TYPE,
    blocks::constant::TYPE,
    blocks::step::TYPE,
    blocks::ramp::TYPE,
    blocks::sine::TYPE,
    blocks::chirp::TYPE,
    blocks::pulse::TYPE,
    blocks::piecewise_polynomial::TYPE,
    blocks::noise::TYPE,
    blocks::gain::TYPE,
    blocks::adder::TYPE,
    blocks::angle_difference::TYPE,
    blocks::matrix_gain::TYPE,
    blocks::product::TYPE,
    blocks::function::TYPE,
    blocks::binary_function::TYPE,
    blocks::expression::TYPE,
    blocks::table::TYPE,
    blocks::saturation::TYPE,
    blocks::dead_zone::TYPE,
    blocks::quantizer::TYPE,
    blocks::switch::TYPE,
    blocks::relay::TYPE,
    blocks::multiplexer::TYPE,
    blocks::demultiplexer::TYPE,
    blocks::integrator::TYPE,
    blocks::first_order_lag::TYPE,
    blocks::second_order::TYPE,
    blocks::state_space::TYPE,
    blocks::transfer_function::TYPE,
    blocks::transport_delay::TYPE,
    blocks::rate_limiter::TYPE,
    blocks::zero_order_hold::TYPE,
    blocks::unit_delay::TYPE,
    blocks::moving_average::TYPE,
    blocks::discrete_derivative::TYPE,
    blocks::discrete_state_space::TYPE,
    blocks::discrete_transfer_function::TYPE,
    blocks::counter::TYPE,
    blocks::recorder::TYPE,
    blocks::diagram::TYPE,
];

impl Catalog {
    /// The block types of the library.
    pub fn standard() -> Self {
        Catalog::of(STANDARD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::catalog::CatalogError;

    #[test]
    fn every_name_stands_once() {
        let catalog = STANDARD.iter().try_fold(Catalog::empty(), |catalog, block| catalog.with(*block));
        assert_eq!(catalog.expect("names that differ").types().len(), STANDARD.len());
        let twice = Catalog::standard().with(blocks::gain::TYPE);
        assert_eq!(twice.err(), Some(CatalogError::Duplicate { name: "gain" }));
    }
}
