//! Small mathematical blocks.

// The list below is written by `.ci/lists`.
mod adder;
mod angle_difference;
mod binary_function;
mod comparator;
mod dead_zone;
mod demultiplexer;
mod expression;
mod function;
mod gain;
mod matrix_gain;
mod multiplexer;
mod multiport_switch;
mod product;
mod quantizer;
mod quaternion;
mod rate_limiter;
mod relay;
mod saturation;
mod switch;
mod table;
// End of the list.
