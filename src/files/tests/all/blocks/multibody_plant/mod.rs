//! The form of a plant.

mod fibre_points;
mod pose;
