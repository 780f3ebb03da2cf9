//! Invocations of shaders in shadow maps.
//!
//! Bevy's shadow pass records no span, so in the frames that count, a pass before it draws the same
//! once more with one.

use bevy::core_pipeline::Core3d;
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

/// The span of each shadow map.
pub const SPAN: &str = "counted_shadows";

/// In the render world: whether this frame counts.
#[derive(Resource)]
struct Counts(bool);

/// Adds the pass. Nothing is counted yet.
pub fn add(app: &mut App) {
    let Some(render) = app.get_sub_app_mut(RenderApp) else { return };
    render.insert_resource(Counts(false)).add_systems(
        Core3d,
        draw.after(early_prepass_build_indirect_parameters)
            .before(per_view_shadow_pass::<EARLY_SHADOW_PASS>)
            .run_if(|counts: Res<Counts>| counts.0),
    );
}

/// Has the next frames count, or not.
pub fn set(app: &mut App, counts: bool) {
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render.insert_resource(Counts(counts));
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
            label: Some(SPAN),
            color_attachments: &[],
            depth_stencil_attachment: Some(depth),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        let recorder = recorder.as_deref();
        let span = recorder.pass_span(&mut pass, SPAN);
        let drawn = phase.render(&mut pass, world, light);
        span.end(&mut pass);
        drawn?;
    }
    Ok(())
}
