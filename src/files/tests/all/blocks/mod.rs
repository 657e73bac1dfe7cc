//! The forms of block types in diagram files, one a file.

// The list below is written by `.ci/lists`.
mod angle_difference;
mod backlash;
mod butterworth;
mod catalog;
mod comparator;
mod edge;
mod electrical_network;
mod friction;
mod hydraulic_network;
mod hysteresis;
mod latch;
mod lead_lag;
mod lugre_friction;
mod mixer;
mod multibody_plant;
mod multiport_switch;
mod notch;
mod pid_2dof;
mod playback;
mod quaternion;
mod rate_transition;
mod state_machine;
mod thermal;
mod thermal_network;
mod timer;
mod variable_delay;
mod waypoints;
// End of the list.
