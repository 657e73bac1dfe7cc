//! Feedback whose gains couple velocities is implicit as a whole: stiff computed torque, gains that are not symmetric,
//! effort limits and contact cost few steps and follow independent references.

mod arm;
mod limits_and_contact;
mod linear;
mod orientation;
mod reference;
mod tool_spring;
