//! The memory of the process, if the system reports it.

use std::fs;

/// Resets the peak, which only works on Linux.
pub fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Peak resident memory, in 10^6 bytes.
pub fn peak() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}
