// Selects the instances that are seen in each view: `count`, then `make_room`, then
// `write_instances`. There is a workgroup for each block of records, in rows along x and z, and for
// each view, along y.

struct Tier {
    // The range of distances, and the ranks that are kept at its ends.
    range: vec4<f32>,
    // How much instances widen there, and the distances between which shadows shrink.
    widen: vec4<f32>,
    // The level, whether it casts shadows, and the level of these.
    level: vec4<u32>,
}

struct Params {
    tiers: array<Tier, 12>,
    // For each class, the number of its first tier and the one after its last.
    classes: array<vec4<u32>, 3>,
    // The numbers of shapes, draws and blocks.
    counts: vec4<u32>,
    jitter: vec4<f32>,
}

struct View {
    planes: array<vec4<f32>, 24>,
    eye: vec3<f32>,
    magnification: f32,
    plane_count: u32,
    is_camera: u32,
    first_instance: u32,
}

struct Tile {
    base: vec3<f32>,
    reach: f32,
    scale: vec3<f32>,
    class_: u32,
    moved: vec3<f32>,
    first: u32,
    count: u32,
    // Whether shadows fall on it.
    is_receiver: u32,
}

struct Look {
    shapes: vec4<u32>,
    larger: vec4<f32>,
    class_: u32,
    colour: u32,
    height: f32,
    radius: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> views: array<View>;
// For each view and shape, the number of instances; then where the next one is written.
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;

@group(1) @binding(0) var<storage, read> blocks: array<vec2<u32>>;
@group(1) @binding(1) var<storage, read> tiles: array<Tile>;
@group(1) @binding(2) var<storage, read> records: array<vec4<u32>>;
@group(1) @binding(3) var<storage, read> looks: array<Look>;
@group(1) @binding(4) var<storage, read_write> instances: array<vec4<u32>>;

// The shape, the number of indices, and where indices and vertices begin.
@group(1) @binding(0) var<storage, read> draws: array<vec4<u32>>;
@group(1) @binding(1) var<storage, read_write> arguments: array<u32>;

// The workgroups in a row.
const ROW: u32 = 65535u;
const NONE: u32 = 0xffffffffu;

// Whether a ball is in sight.
fn is_seen(view: u32, middle: vec3<f32>, radius: f32) -> bool {
    for (var k = 0u; k < views[view].plane_count; k++) {
        let plane = views[view].planes[k];
        if dot(plane.xyz, middle) + plane.w < -radius { return false; }
    }
    return true;
}

// Whether some instance of a tile may be in sight.
fn is_tile_seen(view: u32, tile: u32) -> bool {
    let class_ = params.classes[tiles[tile].class_];
    let low = tiles[tile].base - tiles[tile].reach;
    let high = tiles[tile].base + tiles[tile].scale + tiles[tile].reach;
    let eye = views[view].eye;
    let off = max(max(low - eye, eye - high), vec3(0.0));
    let last = params.tiers[class_.y - 1u].range.y;
    if length(off) > last * (1.0 + params.jitter.x) * views[view].magnification { return false; }
    let middle = 0.5 * (low + high);
    let half_size = 0.5 * (high - low);
    for (var k = 0u; k < views[view].plane_count; k++) {
        let plane = views[view].planes[k];
        if dot(plane.xyz, middle) + plane.w < -dot(abs(plane.xyz), half_size) { return false; }
    }
    return true;
}

struct Selected {
    is_drawn: bool,
    shape: u32,
    base: vec3<f32>,
    // Across and upwards.
    size: vec2<f32>,
}

// How an instance is drawn in a view, if it is.
fn selected(view: u32, tile: u32, record: vec4<u32>) -> Selected {
    var out: Selected;
    let look = record.w >> 16u;
    let low = unpack2x16unorm(record.x);
    let high = unpack2x16unorm(record.y);
    let rank = high.y;
    let variant = unpack4x8unorm(record.z).w;
    let own_size = unpack2x16float(record.z).x;
    out.base = tiles[tile].base + tiles[tile].scale * vec3(low, high.x);
    // Each instance has its own distances.
    let distance = length(views[view].eye - out.base) / views[view].magnification
        / (1.0 + params.jitter.x * (2.0 * fract(variant * 7.31 + rank * 3.7) - 1.0));
    let class_ = params.classes[looks[look].class_];
    var tier = class_.x;
    while tier < class_.y && distance >= params.tiers[tier].range.y { tier++; }
    if tier == class_.y { return out; }
    let range = params.tiers[tier].range;
    let widen = params.tiers[tier].widen;
    let t = (distance - range.x) / (range.y - range.x);
    // Those of high rank shrink first. All that are not kept at the end have shrunk by then.
    var left = 1.0;
    if rank >= range.w {
        let order = (range.z - rank) / max(range.z - range.w, 1e-3);
        if order < 0.0 { return out; }
        let end = mix(0.35, 1.0, saturate(order));
        left = 1.0 - smoothstep(end - 0.25, end, t);
    }
    if views[view].is_camera == 0u {
        if params.tiers[tier].level.y == 0u { return out; }
        // Shadows must not end at once where the next tier has none.
        left *= 1.0 - smoothstep(widen.z, widen.w, distance);
    }
    if left <= 0.0 { return out; }
    let levels = params.tiers[tier].level;
    let level = select(levels.z, levels.x, views[view].is_camera != 0u);
    let wide = mix(widen.x, widen.y, t);
    let size = own_size * left * vec2(wide, sqrt(wide));
    let larger = looks[look].larger[level];
    // Its model is no more.
    if larger <= 0.0 { return out; }
    out.size = larger * size;
    out.shape = looks[look].shapes[level];
    let lean = unpack4x8snorm(record.w).xy;
    let axis = vec3(lean.x, sqrt(saturate(1.0 - dot(lean, lean))), lean.y);
    let half_height = 0.5 * looks[look].height * size.y;
    let radius = looks[look].radius * size.x;
    // Wind moves it by a part of its height, and small ones by more of it.
    let around = length(vec2(half_height, radius)) + 0.2 * half_height + 0.3;
    out.is_drawn = is_seen(view, out.base + half_height * axis, around);
    return out;
}

// The tile and the record of an invocation; NONE without one.
fn record_of(group: vec3<u32>, lane: u32) -> vec2<u32> {
    let number = group.x + ROW * group.z;
    if number >= params.counts.z { return vec2(NONE); }
    let block = blocks[number];
    let end = tiles[block.x].first + tiles[block.x].count;
    return vec2(block.x, select(NONE, block.y + lane, block.y + lane < end));
}

@compute @workgroup_size(64)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = record_of(group, lane);
    if at.y == NONE || !is_tile_seen(group.y, at.x) { return; }
    let found = selected(group.y, at.x, records[at.y]);
    if found.is_drawn { atomicAdd(&counters[group.y * params.counts.x + found.shape], 1u); }
}

@compute @workgroup_size(64)
fn write_instances(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = record_of(group, lane);
    if at.y == NONE || !is_tile_seen(group.y, at.x) { return; }
    let record = records[at.y];
    let found = selected(group.y, at.x, record);
    if !found.is_drawn { return; }
    let next = (groups.y + group.y) * params.counts.x + found.shape;
    let place = 2u * atomicAdd(&counters[next], 1u);
    let moved = tiles[at.x].moved;
    instances[place] =
        vec4(bitcast<vec3<u32>>(found.base), pack2x16float(found.size));
    instances[place + 1u] = vec4(
        (record.z >> 16u) | (record.w << 16u),
        looks[record.w >> 16u].colour | (tiles[at.x].is_receiver << 16u),
        pack2x16float(moved.xy),
        pack2x16float(vec2(moved.z, 0.0)),
    );
}

const WORKERS: u32 = 256u;
var<workgroup> sums: array<u32, WORKERS>;

// Finds room for the instances of each shape, and writes the arguments of draws.
@compute @workgroup_size(256)
fn make_room(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32,
    @builtin(num_workgroups) groups: vec3<u32>) {
    let shapes = params.counts.x;
    let first = group.y * shapes;
    let next = (groups.y + group.y) * shapes;
    let each = (shapes + WORKERS - 1u) / WORKERS;
    let begin = min(lane * each, shapes);
    let end = min(begin + each, shapes);
    var sum = 0u;
    for (var shape = begin; shape < end; shape++) { sum += atomicLoad(&counters[first + shape]); }
    sums[lane] = sum;
    workgroupBarrier();
    var place = views[group.y].first_instance;
    for (var k = 0u; k < lane; k++) { place += sums[k]; }
    for (var shape = begin; shape < end; shape++) {
        atomicStore(&counters[next + shape], place);
        place += atomicLoad(&counters[first + shape]);
    }
    storageBarrier();
    workgroupBarrier();
    for (var draw = lane; draw < params.counts.y; draw += WORKERS) {
        let row = draws[draw];
        let out = 5u * (group.y * params.counts.y + draw);
        arguments[out] = row.y;
        arguments[out + 1u] = atomicLoad(&counters[first + row.x]);
        arguments[out + 2u] = row.z;
        arguments[out + 3u] = row.w;
        arguments[out + 4u] = atomicLoad(&counters[next + row.x]);
    }
}
