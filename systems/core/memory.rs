//! How much memory a command may take: what is asked for is estimated before, and refused with the figure.
//!
//! A program whose memory is used up is ended by the system, or ends itself, with all that it had. So whoever is about
//! to make something large asks here first. The limit is one of the process, three quarters of the machine's memory
//! unless somebody says otherwise.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Of the memory of the machine, what a process takes unless somebody says otherwise.
const DEFAULT_FRACTION: f64 = 0.75;
/// Less than this is not asked for \[bytes\].
const MIN_ASKED: u64 = 1 << 24;

/// The limit that somebody set \[bytes\]; zero: nobody did.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// More memory than there may be.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{what} would take {:.1} GB of memory, {}", *.bytes as f64 / 1e9, why(*.limit))]
pub struct TooMuchMemory {
    /// Its purpose.
    pub what: String,
    /// How much \[bytes\].
    pub bytes: u64,
    /// The limit \[bytes\]; `None`: the system does not give so much.
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

/// The limit of this process \[bytes\]; `None` where nobody set one and the memory of the machine is not known.
pub fn limit() -> Option<u64> {
    static OF_MACHINE: OnceLock<Option<u64>> = OnceLock::new();
    match LIMIT.load(Ordering::Relaxed) {
        0 => OF_MACHINE.get_or_init(|| Some((DEFAULT_FRACTION * machine()? as f64) as u64)).to_owned(),
        set => Some(set),
    }
}

/// Asks whether `bytes` of memory may be taken for `what`.
///
/// # Errors
/// [`TooMuchMemory`]: it is more than the limit, or more than the system gives.
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

/// `4GB`, `500 MB`, `2e9`: a size in bytes.
///
/// # Errors
/// What is expected.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let units = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)];
    let text = text.trim();
    let (number, unit) =
        units.iter().find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, *bytes))).unwrap_or((text, 1.0));
    let bytes = number.trim().parse::<f64>().ok().map(|number| number * unit);
    let valid = bytes.filter(|bytes| (1.0..1e18).contains(bytes));
    valid.map(|bytes| bytes as u64).ok_or_else(|| "expected a size such as 4GB or 500MB".to_owned())
}

/// The memory of the machine, or of the group of processes that this one is in, where that is less \[bytes\].
fn machine() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let total = line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse::<u64>().ok());
    Some(group.map_or(total, |group| group.min(total)))
}
