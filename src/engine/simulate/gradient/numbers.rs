//! Numbers of derivatives: distances of the runs beside, what counts as an error, and when something is noted.

/// Distance of the runs beside at first, as a part of the number by which is differentiated, or of 1 where it is zero
/// or a state.
pub(super) const FIRST_SEPARATION: f64 = 1e-6;
/// Largest distance of the states of runs beside in the second look \[units of the state\].
pub(super) const SEPARATION: f64 = 2e-7;
/// Largest distance of the runs beside in the second look, over that at first.
pub(super) const LARGEST_SEPARATION: f64 = 1e3;
/// Largest error of derivatives in a step, as a part of the derivatives of positions \[accuracies\].
pub(super) const ERRORS: f64 = 10.0;
/// Rounding of the difference of two ends of a step, as a part of the state.
pub(super) const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Largest number of repetitions of a step for the errors of derivatives \[repetitions\].
pub(super) const MAX_REPEATS: usize = 8;
/// Shortest step for the errors of derivatives, as a part of the step of the run.
pub(super) const MIN_PART: f64 = 1e-3;
/// Repetitions that a run may have for the errors of derivatives besides those for its steps.
pub(super) const FIRST_REPEATS: f64 = 100.0;
/// Repetitions for each attempt at a step of the run by itself.
pub(super) const REPEATS_PER_STEP: f64 = 20.0;
/// Largest growth of steps that these errors have shortened.
pub(super) const GROWTH: f64 = 2.0;
/// Change of derivatives between two looks up to which no other one follows, as a part of them \[accuracies\].
pub(super) const CLOSE_LOOKS: f64 = 10.0;
/// Largest number of looks after the first.
pub(super) const MAX_LOOKS: usize = 3;
/// Runs with those beside that looks may have cost before a third one or a later.
pub(super) const RUNS_BEFORE_LOOK: f64 = 20.0;
/// Factor by which each look is more accurate than the one before.
pub(super) const FINER: f64 = 8.0;
/// Depth at which a gap counts as closed \[m, rad\].
pub(super) const TOUCHED: f64 = 1e-12;
/// Error of that depth, as a part of it.
pub(super) const CLOSE_TO_TOUCHED: f64 = 0.01;
/// Depth at which a point of contact comes or goes, as a part of its depth in the step, from which another one takes
/// its place.
pub(super) const REPLACED: f64 = 1e-3;
/// Error of the time of a knot in a run beside, as a part of its distance from that of the run.
pub(super) const LANDED: f64 = 1e-8;
/// Gap up to which shapes are sought where a touch is located, as a part of the reach of the largest body.
pub(super) const MARGIN: f64 = 0.02;
/// Part of the way to a touch over which the step is taken that decides how it is solved.
pub(super) const BEFORE: f64 = 0.999;
/// Shortest step to a touch, as a part of the step that met it.
pub(super) const MIN_STEP_RATIO: f64 = 1e-5;
/// Step in which a joint strikes a stop, where contacts or constraints take part \[s\].
pub(super) const STRIKE: f64 = 1e-9;
/// Part of a step after its end within which it may still end at a touch.
pub(super) const SOON: f64 = 0.1;
/// Steps that pay for the search of one touch \[steps\].
pub(super) const STEPS_PER_LANDING: f64 = 2.0;
/// Touches that are located before steps have paid for any, and at most \[touches\].
pub(super) const FIRST_LANDINGS: f64 = 40.0;
/// Estimated error of a derivative, in differences of the two looks: errors that shrink by a ninth only have as many.
pub(super) const DOUBT: f64 = 8.0;
/// Difference of the two looks, as a part of a derivative, from which it is noted.
pub(super) const UNUSABLE: f64 = 0.1;
/// Distance of the runs beside from which it is noted \[units of the state\].
pub(super) const AMPLIFIED: f64 = 1e-4;
/// Acceleration of a gap, for the speed below which it closes slowly \[m/s^2\].
pub(super) const BEND: f64 = 10.0;
/// Change, as a part of the number, within which an event to come is noted.
pub(super) const CLOSE: f64 = 0.1;
/// Time between two events that may change places, as a part of the time since the start.
pub(super) const TOGETHER: f64 = 0.01;
/// Gap of shapes that are watched, as a part of the reach of the largest body.
pub(super) const NEAR_RATIO: f64 = 0.25;
/// Change of a signal within a step that counts as a jump, as a part of its size or of 1.
pub(super) const JUMP: f64 = 1e-6;
/// Part of the change of a signal over an interval that one of its halves has where it jumps.
pub(super) const MOSTLY: f64 = 0.75;
/// Halvings of an interval by which a jump is located.
pub(super) const MAX_HALVINGS: usize = 60;
/// Halvings from which an interval in which a signal changes is an instant.
pub(super) const INSTANT: usize = 30;
/// Largest number of jumps that are sought in one step.
pub(super) const JUMPS_PER_STEP: usize = 8;
/// Part of a step at its ends where jumps are those of events.
pub(super) const AT_ENDS: f64 = 1e-9;
/// Largest distance of a jump of a run beside from that of the run, as a part of the step.
pub(super) const LARGEST_SHIFT: f64 = 0.25;
/// Second difference of a signal over the runs beside from which a corner lies between them, as a part of its changes.
pub(super) const BENT: f64 = 0.05;
/// Second difference from which it does, over the distance of the runs and the size of the signal.
pub(super) const SLOPE: f64 = 1e-3;
/// Largest distance of a state of the runs beside that is no change of a mode.
pub(super) const MODE_CHANGE: f64 = 1e-2;
/// Looks at which a corner or a change is seen from which it is noted.
pub(super) const LASTING: usize = 2;
/// Largest number of notes of one kind.
pub(super) const MAX_NOTES: usize = 3;
