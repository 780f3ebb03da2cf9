//! Looks for a display and a graphics driver before Bevy does, since Bevy panics where it finds
//! none.

use std::process::{Command, ExitCode, Stdio};

use bevy::tasks::block_on;
use wgpu::{
    Backends, DeviceType, Instance, InstanceDescriptor, PowerPreference, RequestAdapterOptions,
};
use winit::event_loop::EventLoop;

/// What to say where there is no display.
pub const NO_DISPLAY: &str = "\
No display was found, so there will be no window: flying headless, as with --headless.
(Neither DISPLAY nor WAYLAND_DISPLAY leads to a display server, or its client libraries are missing.)";

/// What to say where there is no graphics driver.
pub const NO_DRIVER: &str = "\
No Vulkan driver was found. Install one:
  Debian, Ubuntu   apt install libvulkan1 mesa-vulkan-drivers
  Fedora           dnf install vulkan-loader mesa-vulkan-drivers
  Arch             pacman -S vulkan-icd-loader, and vulkan-radeon, vulkan-intel, nvidia-utils or vulkan-swrast
Mesa's drivers include a software renderer, which flies without a graphics card.
Meanwhile a script flies, and its pictures are drawn without a driver.";

/// What was found out about the graphics driver.
pub enum Driver {
    /// Nothing speaks against it.
    Good,
    /// A driver that crashes with Bevy's atmosphere, with its name.
    CrashesWithAtmosphere(String),
}

/// The driver that Bevy will use, if there is one.
pub fn driver() -> Option<Driver> {
    let mut descriptor = InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = Backends::PRIMARY;
    let options = RequestAdapterOptions {
        power_preference: PowerPreference::HighPerformance,
        ..Default::default()
    };
    let adapter = block_on(Instance::new(descriptor).request_adapter(&options)).ok()?;
    let info = adapter.get_info();
    let software = info.device_type == DeviceType::Cpu;
    Some(match mesa_version(&info.driver_info) {
        // Seen with 22.3, not with 25.0; between them nobody has looked.
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
/// Asked in a process of its own: a process may try only once, and libraries that are missing make
/// it panic.
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

/// The probing process: whether winit finds a display.
pub fn open_display() -> ExitCode {
    match EventLoop::new() {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
