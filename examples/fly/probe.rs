//! Looks for a display and a GPU driver before Bevy does, since Bevy panics without them.

use std::process::{Command, ExitCode, Stdio};

use bevy::tasks::block_on;
use wgpu::{
    Backends, DeviceType, Instance, InstanceDescriptor, PowerPreference, RequestAdapterOptions,
};
use winit::event_loop::EventLoop;

/// The message if there is no display.
pub const NO_DISPLAY: &str = "\
No display was found, so fly follows its scripted flight without a window, as with --headless.
(DISPLAY and WAYLAND_DISPLAY name no display server, or its client libraries are missing.)";

/// The variable that names the graphics interfaces to use, as in all programs with wgpu.
const VARIABLE: &str = "WGPU_BACKEND";

/// The message if there is no GPU driver.
const NO_DRIVER: &str = "\
No Vulkan driver was found. Install one:
  Debian, Ubuntu   apt install libvulkan1 mesa-vulkan-drivers
  Fedora           dnf install vulkan-loader mesa-vulkan-drivers
  Arch             pacman -S vulkan-icd-loader, and one of
                   vulkan-radeon, vulkan-intel, nvidia-utils, vulkan-swrast
Mesa includes a software renderer that needs no graphics card.
Meanwhile fly ray-casts the pictures of its scripted flight on the CPU.";

/// The state of the GPU driver.
pub enum Driver {
    /// No known problem.
    Good,
    /// It crashes with Bevy's atmosphere. Contains the name of the driver.
    CrashesWithAtmosphere(String),
}

/// The graphics interfaces to use: those that the user names, or Vulkan, Metal and DirectX 12.
///
/// # Errors
/// A message for the user if a name is unknown.
pub fn backends() -> Result<Backends, String> {
    let Some(names) = std::env::var_os(VARIABLE) else { return Ok(Backends::PRIMARY) };
    let names = names.to_string_lossy();
    // Bevy is built without OpenGL.
    let is_unknown = |name: &&str| !Backends::PRIMARY.intersects(Backends::from_comma_list(name));
    if let Some(name) = names.split(',').map(str::trim).find(is_unknown) {
        return Err(format!("{VARIABLE}: {name:?} is none of vulkan, metal, dx12"));
    }
    Ok(Backends::from_comma_list(&names))
}

/// What to tell the user if none of these has a driver.
pub fn no_driver(backends: Backends) -> String {
    match std::env::var(VARIABLE) {
        Ok(names) if backends != Backends::PRIMARY => format!(
            "No driver was found for {VARIABLE}={names}. Without that variable, fly uses Vulkan, \
             Metal or DirectX 12.\n\
             Meanwhile fly ray-casts the pictures of its scripted flight on the CPU."
        ),
        _ => NO_DRIVER.into(),
    }
}

/// The driver that Bevy will use, if there is one.
pub fn driver(backends: Backends) -> Option<Driver> {
    let mut descriptor = InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends;
    let options = RequestAdapterOptions {
        power_preference: PowerPreference::HighPerformance,
        ..Default::default()
    };
    let adapter = block_on(Instance::new(descriptor).request_adapter(&options)).ok()?;
    let info = adapter.get_info();
    let software = info.device_type == DeviceType::Cpu;
    Some(match mesa_version(&info.driver_info) {
        // Version 22.3 crashes, 25.0 does not; versions in between are untested.
        Some(version) if software && version < 25 => {
            Driver::CrashesWithAtmosphere(format!("{} of {}", info.name, info.driver_info))
        }
        _ => Driver::Good,
    })
}

/// The first number of "Mesa 22.3.6 (..)".
fn mesa_version(driver: &str) -> Option<u32> {
    let version = driver.strip_prefix("Mesa ")?;
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Whether a window can be opened.
///
/// Tries this in another process: a process can only try once, and panics if libraries are missing.
pub fn display() -> bool {
    if !cfg!(all(unix, not(target_os = "macos"))) {
        return true;
    }
    let Ok(this) = std::env::current_exe() else { return true };
    let probe = Command::new(this)
        .arg("--probe-display")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    probe.map_or(true, |status| status.success())
}

/// The probing process: reports whether winit finds a display.
pub fn open_display() -> ExitCode {
    match EventLoop::new() {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
