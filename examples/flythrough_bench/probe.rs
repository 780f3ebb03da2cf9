//! Looks for a graphics driver before Bevy does, since Bevy panics where it finds none.

use bevy::tasks::block_on;
use wgpu::{Backends, Instance, InstanceDescriptor, RequestAdapterOptions};

/// What to say where there is none.
pub const NO_DRIVER: &str = "\
--render: no Vulkan driver was found. Install one, or measure without --render:
  Debian, Ubuntu   apt install libvulkan1 mesa-vulkan-drivers
  Fedora           dnf install vulkan-loader mesa-vulkan-drivers
  Arch             pacman -S vulkan-icd-loader, and vulkan-radeon, vulkan-intel, nvidia-utils or vulkan-swrast
Mesa's drivers include a software renderer.";

/// Whether there is one.
pub fn driver() -> bool {
    let mut descriptor = InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = Backends::PRIMARY;
    block_on(Instance::new(descriptor).request_adapter(&RequestAdapterOptions::default())).is_ok()
}
