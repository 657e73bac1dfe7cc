//! Controllers.

// The list below is written by `.ci/lists`.
mod discrete_riccati;
mod kalman_filter;
mod lqr;
mod lyapunov;
mod mixer;
mod pid;
mod pid_2dof;
mod pid_on_error;
mod riccati;
mod state_machine;
mod task_inertia;
// End of the list.
