//! Table of the integrators by name, and their own options in files. To add one to this crate, make a folder with its
//! [`IntegratorType`] and add a line here.

use crate::sap::SapOptions;
use crate::theta_gamma::ThetaGammaOptions;
use crate::volume::VolumeOptions;
use crate::{projected_gauss_seidel, sap, theta_gamma, trapezoid, volume};
use kinegraph_engine::integrators::{CORE_METHODS, GroupSource, IntegratorType, MethodOptions};

/// Every integrator; the first is the default.
pub static METHODS: [&IntegratorType; 14] = {
    let [cenic, icf, rk3, bs23, dopri5, sdirk2, ros2, implicit_euler, semi_implicit_euler] = CORE_METHODS;
    [
        cenic,
        &trapezoid::TYPE,
        icf,
        &sap::TYPE,
        &theta_gamma::TYPE,
        &projected_gauss_seidel::TYPE,
        &volume::TYPE,
        rk3,
        bs23,
        dopri5,
        sdirk2,
        ros2,
        implicit_euler,
        semi_implicit_euler,
    ]
};

/// The integrator with this name.
pub fn method(name: &str) -> Option<&'static IntegratorType> {
    METHODS.into_iter().find(|method| method.name == name)
}

/// Reads the options of single methods from `source`, by the keys of files.
pub fn read_options(source: &mut impl GroupSource) -> MethodOptions {
    let mut options = MethodOptions::default();
    options.set::<SapOptions>(source.group());
    options.set::<ThetaGammaOptions>(source.group());
    options.set::<VolumeOptions>(source.group());
    options
}
