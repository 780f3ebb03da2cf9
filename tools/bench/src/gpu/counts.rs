//! What the GPU counts: invocations of shaders, and triangles.
//!
//! Bevy's shadow pass records no span, so in the frames that count, a pass before it draws the same
//! once more with one.

use std::ops::Add;

use bevy::core_pipeline::Core3d;
use bevy::diagnostic::DiagnosticsStore;
use bevy::ecs::error::BevyError;
use bevy::pbr::{
    EARLY_SHADOW_PASS, Shadow, ShadowView, ViewLightEntities,
    early_prepass_build_indirect_parameters, per_view_shadow_pass,
};
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::diagnostic::RecordDiagnostics;
use bevy::render::render_phase::ViewBinnedRenderPhases;
use bevy::render::render_resource::{RenderPassDescriptor, StoreOp};
use bevy::render::renderer::{RenderContext, ViewQuery};
use bevy::render::view::ExtractedView;

use super::stage::Stage;
use crate::clocks::gpu::{LAG, OPAQUE, TRANSPARENT, recorded};

/// The span of each shadow map.
const SHADOWS: &str = "counted_shadows";

/// What the GPU counted in a pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Invocations of the vertex shader.
    pub vertices: f64,
    /// Triangles that were assembled, before clipping.
    pub triangles: f64,
    /// Invocations of the fragment shader.
    pub fragments: f64,
}

/// In the render world: whether this frame counts.
#[derive(Resource)]
struct CountsShadows(bool);

/// Forgets what was recorded of spans.
pub fn forget(app: &mut App) {
    for diagnostic in app.world_mut().resource_mut::<DiagnosticsStore>().iter_mut() {
        diagnostic.clear_history();
    }
}

/// What the GPU counts in the main passes, and in shadow maps.
pub fn count(stage: &mut Stage) -> [Counts; 2] {
    forget(&mut stage.app);
    set(&mut stage.app, true);
    stage.frame();
    set(&mut stage.app, false);
    (0..LAG).for_each(|_| _ = stage.frame());
    [&[OPAQUE, TRANSPARENT][..], &[SHADOWS]].map(|spans| counts(&stage.app, spans))
}

/// The counts of spans in the newest frame, over all passes of these names.
fn counts(app: &App, spans: &[&str]) -> Counts {
    let sum = |name: &str| {
        let found = spans.iter().filter_map(|span| recorded(app, span, name));
        let newest = found.flat_map(|found| {
            let time = found.measurement().map(|newest| newest.time);
            found.measurements().filter(move |other| Some(other.time) == time)
        });
        newest.map(|measurement| measurement.value).fold(0.0, f64::add)
    };
    Counts {
        vertices: sum("vertex_shader_invocations"),
        triangles: sum("clipper_invocations"),
        fragments: sum("fragment_shader_invocations"),
    }
}

/// Adds the pass that counts shadows. Nothing is counted yet. Call it after `App::finish`.
pub fn add(app: &mut App) {
    let Some(render) = app.get_sub_app_mut(RenderApp) else { return };
    render.insert_resource(CountsShadows(false)).add_systems(
        Core3d,
        draw.after(early_prepass_build_indirect_parameters)
            .before(per_view_shadow_pass::<EARLY_SHADOW_PASS>)
            .run_if(|counts: Res<CountsShadows>| counts.0),
    );
}

/// Has the next frames count shadows, or not.
fn set(app: &mut App, counts: bool) {
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render.insert_resource(CountsShadows(counts));
    }
}

fn draw(
    world: &World,
    view: ViewQuery<&ViewLightEntities>,
    lights: Query<(&ShadowView, &ExtractedView)>,
    phases: Res<ViewBinnedRenderPhases<Shadow>>,
    mut context: RenderContext,
) -> Result<(), BevyError> {
    for &light in &view.into_inner().lights {
        let Ok((shadow, extracted)) = lights.get(light) else { continue };
        let Some(phase) = phases.get(&extracted.retained_view_entity) else { continue };
        let recorder = context.diagnostic_recorder();
        let depth = shadow.depth_attachment.get_attachment(StoreOp::Store);
        let mut pass = context.begin_tracked_render_pass(RenderPassDescriptor {
            label: Some(SHADOWS),
            color_attachments: &[],
            depth_stencil_attachment: Some(depth),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        let recorder = recorder.as_deref();
        let span = recorder.pass_span(&mut pass, SHADOWS);
        let drawn = phase.render(&mut pass, world, light);
        span.end(&mut pass);
        drawn?;
    }
    Ok(())
}
