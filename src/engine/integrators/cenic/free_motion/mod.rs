//! Free motion: where nothing touches, steps of an explicit method of high order take the place of convex ones.

mod steps;

pub(super) use steps::FreeMotionSteps;
