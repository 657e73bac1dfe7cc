//! The contact problem and its elements.

mod contact_gradients;
mod joint_stops;
mod list;
mod mobility;
mod recoverable_energy;
mod redundant_rows;
mod restitution;
mod spins;
mod stiffness;
mod untaken;
