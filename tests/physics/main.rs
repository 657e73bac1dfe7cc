//! Plants in motion against mechanics: closed forms, balances, independent references.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/reference.rs"]
mod reference;

mod activations;
mod bundle;
mod constrained_motion;
mod constraints;
mod constraints_in_contact;
mod contact;
mod copies;
mod effort_limits;
mod energy;
mod fibre_contact;
mod fibre_stability;
mod fibres;
mod followed;
mod force_elements;
mod free_motion;
mod friction;
mod hydroelastic;
mod impacts;
mod imu;
mod joint_friction;
mod lasting_contact;
mod local_minima;
mod mjcf;
mod mjcf_accelerations;
mod mjcf_adhesion;
mod mjcf_cables;
mod mjcf_forces;
mod mjcf_height_fields;
mod mjcf_plants;
mod mjcf_softness;
mod mjcf_tendons;
mod mocap;
mod momentum;
mod polyhedra;
mod random_contact;
mod read_outs;
mod recorded_impacts;
mod rolling_friction;
mod rotations;
mod sap;
mod shapes;
mod shares;
mod spin;
mod stops;
mod suction;
mod tendon_friction;
mod theta_gamma;
mod threads;
mod urdf_forces;
mod volume_contact;
mod volume_step;
