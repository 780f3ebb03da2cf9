//! Looks for a GPU driver before Bevy does, since Bevy panics without one.

use bevy::tasks::block_on;
use wgpu::{Backends, Instance, InstanceDescriptor, RequestAdapterOptions};

/// The message if there is no driver.
pub const NO_DRIVER: &str = "\
No Vulkan driver found. Install one:
  Debian, Ubuntu   apt install libvulkan1 mesa-vulkan-drivers
  Fedora           dnf install vulkan-loader mesa-vulkan-drivers
  Arch             pacman -S vulkan-icd-loader, and one of
                   vulkan-radeon, vulkan-intel, nvidia-utils, vulkan-swrast
Mesa includes a software renderer that needs no graphics card.";

/// Whether there is a driver.
pub fn driver() -> bool {
    let mut descriptor = InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = Backends::PRIMARY.with_env();
    block_on(Instance::new(descriptor).request_adapter(&RequestAdapterOptions::default())).is_ok()
}
