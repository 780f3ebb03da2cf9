// What the surface of water reflects.

#define_import_path bevy_orogeny::reflection

// Reflected rays rise at least so much: lower ones would hit the next wave, which shows the sky
// above the horizon as well. What an environment map has below the horizon is grey ground.
const LOWEST: f32 = 0.03;

// A normal of waves, turned so that the camera in the direction `eye` sees neither back faces nor
// what is below the horizon.
fn seen_normal(normal: vec3<f32>, eye: vec3<f32>) -> vec3<f32> {
    let front = normalize(normal + eye * max(0.02 - dot(normal, eye), 0.0));
    let ray = reflect(-eye, front);
    // From below, the surface shows what is above it.
    if eye.y <= 0.0 || ray.y >= LOWEST { return front; }
    return normalize(eye + normalize(vec3(ray.x, LOWEST, ray.z)));
}
