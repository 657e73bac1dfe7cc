//! Models of what holds: constraints, and contacts that stick, leave the motion along the null space of their rows.

mod coordinates;
mod equilibrium;
mod hold;
mod linearizer;
