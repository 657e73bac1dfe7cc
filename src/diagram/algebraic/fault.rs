//! Report of an algebraic loop that does not close.

use super::newton::Failure;
use crate::call::{Call, Loop};
use crate::loop_fault::LoopFault;
use crate::structure::Diagram;

/// Fault of the loop `l` with the names of its ports; `calls` are the calls of the loop.
pub(super) fn fault(diagram: &Diagram, calls: &[Call], l: &Loop, time: f64, failure: Failure) -> LoopFault {
    let path = |block: usize, port: usize| {
        let block = &diagram.blocks()[block];
        format!("{}.{}", block.name, block.system.ports().outputs()[port].name)
    };
    let ports = calls.iter().flat_map(|call| {
        let wanted = (0..call.wanted.len()).filter(|&port| call.wanted[port]);
        wanted.map(|port| path(call.block, port))
    });
    let mut index = failure.worst;
    let mut worst = String::new();
    for &(block, port) in &l.tears {
        let width = diagram.blocks()[block].outputs[port].len();
        if index < width {
            let path = path(block, port);
            worst = if width == 1 { path } else { format!("{path}[{index}]") };
            break;
        }
        index -= width;
    }
    LoopFault {
        time,
        ports: ports.collect(),
        cause: failure.cause,
        iterations: failure.iterations,
        residual: failure.residual,
        worst,
    }
}
