// Selects the instances that are seen in each view: `count`, `make_room`, `write_instances`,
// `write_arguments`. `count` and `write_instances` have a workgroup for each block of records, in
// rows along x and z, and for each view, along y.
//
// All views share the room for instances. Where it does not hold all of them, those that look
// smallest are left out, in all views alike: instances are counted by rings of sizes.

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
    // The numbers of shapes, draws, blocks and views.
    counts: vec4<u32>,
    // The number of instances that there is room for.
    room: vec4<u32>,
    jitter: vec4<f32>,
}

struct View {
    planes: array<vec4<f32>, 24>,
    eye: vec3<f32>,
    magnification: f32,
    plane_count: u32,
    is_camera: u32,
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
// For each shape in each view, the number of instances in each ring. Then for each of them, where
// the next instance of whole rings is written and where these end, the same of the ring of which
// there is room for a part, and where all begin. At last the number of whole rings, the part of the
// next one in 65536ths, and the number of instances that all views want.
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

// Rings, in which instances look smaller from one to the next by the square root of two. The first
// has those nearer than four times their size.
const RINGS: u32 = 16u;
const FIRST_RING: f32 = 4.0;

// The number of shapes of all views.
fn rows() -> u32 {
    return params.counts.x * params.counts.w;
}

// Where the places of a shape in a view are in `counters`.
fn of_row(row: u32) -> u32 {
    return RINGS * rows() + 5u * row;
}

// Where what they have in common is.
fn totals() -> u32 {
    return of_row(rows());
}

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
    ring: u32,
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
    let away = length(views[view].eye - out.base) / views[view].magnification;
    let distance = away
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
    let ring = 2.0 * log2(away / (FIRST_RING * around)) + 1.0;
    out.ring = u32(clamp(ring, 0.0, f32(RINGS) - 1.0));
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

// A number of a record, below 65536: the same in all frames and views.
fn chance(record: vec4<u32>) -> u32 {
    var n = (record.x * 0x9e3779b1u) ^ (record.y * 0x85ebca77u) ^ (record.z * 0xc2b2ae3du);
    n = (n ^ (n >> 15u)) * 0x2c1b3c6du;
    return (n ^ (n >> 12u)) & 0xffffu;
}

@compute @workgroup_size(64)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = record_of(group, lane);
    if at.y == NONE || !is_tile_seen(group.y, at.x) { return; }
    let found = selected(group.y, at.x, records[at.y]);
    if !found.is_drawn { return; }
    let row = group.y * params.counts.x + found.shape;
    atomicAdd(&counters[row * RINGS + found.ring], 1u);
}

@compute @workgroup_size(64)
fn write_instances(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let at = record_of(group, lane);
    if at.y == NONE || !is_tile_seen(group.y, at.x) { return; }
    let record = records[at.y];
    let found = selected(group.y, at.x, record);
    if !found.is_drawn { return; }
    let row = group.y * params.counts.x + found.shape;
    let whole = atomicLoad(&counters[totals()]);
    var area = of_row(row);
    if found.ring > whole { return; }
    if found.ring == whole {
        // The same ones in all frames: so few that all of them have a place, for by chance more of
        // a ring may be picked than its part.
        let part = f32(atomicLoad(&counters[totals() + 1u]));
        let count = f32(max(atomicLoad(&counters[row * RINGS + whole]), 1u));
        if f32(chance(record)) >= part - 4.0 * sqrt(65536.0 * part / count) { return; }
        area += 2u;
    }
    let number = atomicAdd(&counters[area], 1u);
    if number >= atomicLoad(&counters[area + 1u]) { return; }
    let place = 2u * number;
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
var<workgroup> rings: array<atomic<u32>, RINGS>;
var<workgroup> sums: array<u32, WORKERS>;

// A part of a number, rounded down. `part` is in 65536ths.
fn part_of(number: u32, part: u32) -> u32 {
    return (number >> 16u) * part + (((number & 0xffffu) * part) >> 16u);
}

// Finds room for the instances of all shapes in all views. It has one workgroup.
@compute @workgroup_size(256)
fn make_room(@builtin(local_invocation_index) lane: u32) {
    let all = rows();
    if lane < RINGS { atomicStore(&rings[lane], 0u); }
    workgroupBarrier();
    // WORKERS is a multiple of RINGS, so each worker adds up one ring.
    var own = 0u;
    for (var k = lane; k < all * RINGS; k += WORKERS) { own += atomicLoad(&counters[k]); }
    atomicAdd(&rings[lane % RINGS], own);
    workgroupBarrier();
    // Whole rings, as long as there is room, and a part of the next one.
    var wanted = 0u;
    var room = params.room.x;
    var whole = RINGS;
    var part = 0u;
    for (var ring = 0u; ring < RINGS; ring++) {
        let count = atomicLoad(&rings[ring]);
        wanted += count;
        if whole < RINGS { continue; }
        if count <= room {
            room -= count;
        } else {
            whole = ring;
            // Rounding must not make it too many.
            part = u32(65535.0 * (f32(room) / f32(count)));
        }
    }
    if lane == 0u {
        atomicStore(&counters[totals()], whole);
        atomicStore(&counters[totals() + 1u], part);
        atomicStore(&counters[totals() + 2u], wanted);
    }
    let each = (all + WORKERS - 1u) / WORKERS;
    let begin = min(lane * each, all);
    let end = min(begin + each, all);
    var sum = 0u;
    for (var row = begin; row < end; row++) {
        var count = 0u;
        for (var ring = 0u; ring < whole; ring++) {
            count += atomicLoad(&counters[row * RINGS + ring]);
        }
        var few = 0u;
        if whole < RINGS { few = part_of(atomicLoad(&counters[row * RINGS + whole]), part); }
        // In the place of the ends, until the beginning is known.
        atomicStore(&counters[of_row(row) + 1u], count);
        atomicStore(&counters[of_row(row) + 3u], few);
        sum += count + few;
    }
    sums[lane] = sum;
    workgroupBarrier();
    var place = 0u;
    for (var k = 0u; k < lane; k++) { place += sums[k]; }
    for (var row = begin; row < end; row++) {
        atomicStore(&counters[of_row(row) + 4u], place);
        for (var area = of_row(row); area < of_row(row) + 4u; area += 2u) {
            let count = atomicLoad(&counters[area + 1u]);
            atomicStore(&counters[area], place);
            place += count;
            atomicStore(&counters[area + 1u], place);
        }
    }
}

// Writes the arguments of draws: of as many instances as were written.
@compute @workgroup_size(64)
fn write_arguments(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= params.counts.y { return; }
    let draw = draws[id.x];
    let area = of_row(id.y * params.counts.x + draw.x);
    let end = min(atomicLoad(&counters[area + 2u]), atomicLoad(&counters[area + 3u]));
    let first = atomicLoad(&counters[area + 4u]);
    let place = 5u * (id.y * params.counts.y + id.x);
    arguments[place] = draw.y;
    arguments[place + 1u] = end - first;
    arguments[place + 2u] = draw.z;
    arguments[place + 3u] = draw.w;
    arguments[place + 4u] = first;
}
