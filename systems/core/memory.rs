//! Memory limit of a command: a request is estimated beforehand and refused, with the figure, if it is too large.
//!
//! A program that runs out of memory is killed by the system or aborts, and loses all its results. Code that is about
//! to allocate something large therefore asks here first. The limit holds for the whole process; the default is three
//! quarters of the machine's memory.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Fraction of the machine's memory that a process may take by default.
const DEFAULT_FRACTION: f64 = 0.75;
/// Smallest request that is checked \[bytes\].
const MIN_ASKED: u64 = 1 << 24;

/// Limit that was set \[bytes\]; zero: none.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Error: a request for more memory than the limit, or than the system gives.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{what} would take {:.1} GB of memory, {}", *.bytes as f64 / 1e9, why(*.limit))]
pub struct TooMuchMemory {
    /// Purpose of the memory.
    pub what: String,
    /// Size of the request \[bytes\].
    pub bytes: u64,
    /// The limit \[bytes\]; `None`: the system itself refused the request.
    pub limit: Option<u64>,
}

crate::debug_is_message!(TooMuchMemory);

fn why(limit: Option<u64>) -> String {
    match limit {
        Some(limit) => format!("more than the {:.1} GB that may be taken (`--memory`)", limit as f64 / 1e9),
        None => "more than the system gives".to_owned(),
    }
}

/// Sets the limit of this process \[bytes\].
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes.max(1), Ordering::Relaxed);
}

/// The limit of this process \[bytes\]; `None` if none is set and the memory of the machine is unknown.
pub fn limit() -> Option<u64> {
    static OF_MACHINE: OnceLock<Option<u64>> = OnceLock::new();
    match LIMIT.load(Ordering::Relaxed) {
        0 => OF_MACHINE.get_or_init(|| Some((DEFAULT_FRACTION * machine()? as f64) as u64)).to_owned(),
        set => Some(set),
    }
}

/// Checks that `bytes` of memory may be taken for `what`.
///
/// # Errors
/// [`TooMuchMemory`] if this is more than the limit, or more than the system gives.
pub fn ask(what: impl FnOnce() -> String, bytes: u64) -> Result<(), TooMuchMemory> {
    if bytes < MIN_ASKED {
        return Ok(());
    }
    let above = limit().filter(|limit| bytes > *limit);
    let is_given = |bytes: u64| {
        let mut room: Vec<u8> = Vec::new();
        usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok())
    };
    if above.is_none() && is_given(bytes) {
        return Ok(());
    }
    Err(TooMuchMemory { what: what(), bytes, limit: above })
}

/// Parses a size in bytes: `4GB`, `500 MB`, `2e9`.
///
/// # Errors
/// The expected form.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let units = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)];
    let text = text.trim();
    let (number, unit) =
        units.iter().find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, *bytes))).unwrap_or((text, 1.0));
    let bytes = number.trim().parse::<f64>().ok().map(|number| number * unit);
    let valid = bytes.filter(|bytes| (1.0..1e18).contains(bytes));
    valid.map(|bytes| bytes as u64).ok_or_else(|| "expected a size such as 4GB or 500MB".to_owned())
}

/// The memory of the machine, or the limit of this process's control group if that is less \[bytes\].
fn machine() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let total = line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse::<u64>().ok());
    Some(group.map_or(total, |group| group.min(total)))
}
