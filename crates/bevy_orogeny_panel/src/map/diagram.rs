//! Where lands lie along the fields that decide, usually temperature and moisture: rectangles whose
//! edges can be dragged.

use bevy_egui::egui::{
    Color32, CursorIcon, FontId, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2,
    vec2,
};
use bevy_orogeny::orogeny::node::Land;

/// What the diagram has along one axis: the range of values that it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    pub min: f64,
    pub max: f64,
}

/// An end of a band of a land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub land: usize,
    /// 0 for the first field, 1 for the second.
    pub axis: usize,
    pub is_max: bool,
}

/// How near the pointer must be to an edge, in points.
const REACH: f32 = 5.0;
const HEIGHT: f32 = 190.0;

/// Draws the lands, and a cross at the values of the two fields where the camera is. Dragging
/// changes their bands.
pub fn show(ui: &mut Ui, lands: &mut [Land], axes: [Axis; 2], here: Option<[f32; 2]>) {
    let width = ui.available_width().floor();
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::drag());
    let frame = Frame { rect, axes };
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, Color32::from_gray(24));
    for land in &*lands {
        frame.draw(&painter, land);
    }
    frame.name(&painter, lands);
    if let Some(here) = here {
        let at = frame.point(here);
        for by in [vec2(6.0, 0.0), vec2(0.0, 6.0)] {
            painter.line_segment([at - by, at + by], Stroke::new(3.0, Color32::BLACK));
            painter.line_segment([at - by, at + by], Stroke::new(1.5, Color32::WHITE));
        }
    }
    // The edge that is dragged stays the same however the others lie.
    let id = response.id.with("edge");
    let pointer = response.interact_pointer_pos().or(response.hover_pos());
    if response.drag_started()
        && let Some(edge) = pointer.and_then(|at| frame.edge_at(lands, at))
    {
        ui.data_mut(|data| data.insert_temp(id, Some(edge)));
    }
    if response.drag_stopped() {
        ui.data_mut(|data| data.insert_temp(id, None::<Edge>));
    }
    let dragged: Option<Edge> = ui.data(|data| data.get_temp(id)).flatten();
    let hovered = pointer.and_then(|at| frame.edge_at(lands, at));
    if let Some(edge) = dragged.or(hovered) {
        let icon = [CursorIcon::ResizeHorizontal, CursorIcon::ResizeVertical][edge.axis];
        ui.ctx().set_cursor_icon(icon);
    }
    if let Some(edge) = dragged.filter(|_| response.dragged()) {
        frame.drag(lands, edge, response.drag_delta());
    }
}

/// The space around a name.
const PADDING: Vec2 = vec2(3.0, 1.0);
/// How many places across a land are tried for its name, and how many down.
const TRIES: [u32; 2] = [9, 7];

/// The places of names of the given sizes: inside the frame, clear of each other where there is
/// room, and on the part of a land's rectangle that higher lands leave free.
fn places(frame: Rect, lands: &[Rect], sizes: &[Vec2]) -> Vec<Rect> {
    let mut placed = vec![Rect::NOTHING; lands.len()];
    // Higher lands come first: they are whole.
    for i in (0..lands.len()).rev() {
        let covered = |place: &Rect, by: &[Rect]| -> f32 {
            let common = |other: &Rect| place.intersect(*other);
            let common = by.iter().map(common).filter(Rect::is_positive);
            common.map(|common| common.area()).sum()
        };
        // A name on another one is worse than one on a higher land, or beside its own.
        let cost = |place: &Rect| {
            let beside = place.area() - covered(place, &lands[i..=i]);
            100.0 * covered(place, &placed[i + 1..])
                + covered(place, &lands[i + 1..]).min(place.area())
                + 2.0 * beside
        };
        let tried = |area: Rect| {
            let space = area.size() - sizes[i];
            (0..TRIES[1]).flat_map(move |row| (0..TRIES[0]).map(move |column| (column, row))).map(
                move |(column, row)| {
                    let part = |k: u32, of: u32| k as f32 / (of - 1) as f32;
                    let by = vec2(part(column, TRIES[0]), part(row, TRIES[1])) * space;
                    Rect::from_min_size(area.min + by, sizes[i])
                },
            )
        };
        // On the land, or else anywhere.
        let inside = |place: &Rect| frame.contains_rect(*place);
        let all = tried(lands[i]).filter(inside).chain(tried(frame).filter(inside));
        let best = all.min_by(|a, b| cost(a).total_cmp(&cost(b)));
        placed[i] = best.unwrap_or(Rect::from_min_size(lands[i].min, sizes[i]));
    }
    placed
}

/// The diagram on the screen.
struct Frame {
    rect: Rect,
    axes: [Axis; 2],
}

impl Frame {
    fn point(&self, values: [f32; 2]) -> Pos2 {
        let part = |k: usize| {
            let Axis { min, max } = self.axes[k];
            ((f64::from(values[k]) - min) / (max - min)).clamp(0.0, 1.0) as f32
        };
        let Rect { min, max } = self.rect;
        pos2(min.x + part(0) * (max.x - min.x), max.y - part(1) * (max.y - min.y))
    }

    /// By how much a value along an axis changes when the pointer moves.
    fn change(&self, by: Vec2, axis: usize) -> f32 {
        let size = self.rect.size();
        let part = if axis == 0 { by.x / size.x } else { -by.y / size.y };
        let Axis { min, max } = self.axes[axis];
        (f64::from(part) * (max - min)) as f32
    }

    fn rect_of(&self, land: &Land) -> Rect {
        let band = |k: usize| land.within.get(k).copied().unwrap_or_default();
        let (first, second) = (band(0), band(1));
        Rect::from_two_pos(self.point([first.min, second.min]), self.point([first.max, second.max]))
    }

    fn draw(&self, painter: &Painter, land: &Land) {
        let [r, g, b] = land.colour.map(|part| (255.0 * part) as u8);
        let rect = self.rect_of(land);
        painter.rect_filled(rect, 0.0, Color32::from_rgba_unmultiplied(r, g, b, 190));
        let stroke = Stroke::new(1.0, Color32::from_rgb(r / 2, g / 2, b / 2));
        painter.rect_stroke(rect, 0.0, stroke, StrokeKind::Inside);
    }

    /// Writes the names of lands where they can be read.
    fn name(&self, painter: &Painter, lands: &[Land]) {
        let font = FontId::proportional(11.0);
        let layout =
            |land: &Land| painter.layout_no_wrap(land.name.clone(), font.clone(), Color32::WHITE);
        let names: Vec<_> = lands.iter().map(layout).collect();
        let sizes: Vec<Vec2> = names.iter().map(|name| name.size() + 2.0 * PADDING).collect();
        let rects: Vec<Rect> = lands.iter().map(|land| self.rect_of(land)).collect();
        for (name, place) in names.into_iter().zip(places(self.rect, &rects, &sizes)) {
            painter.rect_filled(place, 3.0, Color32::from_black_alpha(170));
            painter.galley(place.min + PADDING, name, Color32::WHITE);
        }
    }

    /// The edge at a point: that of the highest land.
    fn edge_at(&self, lands: &[Land], at: Pos2) -> Option<Edge> {
        lands.iter().enumerate().rev().find_map(|(land, of)| {
            let rect = self.rect_of(of);
            if !rect.expand(REACH).contains(at) {
                return None;
            }
            let near = |x: f32, y: f32| (x - y).abs() <= REACH;
            let edges = [
                (0, false, near(at.x, rect.min.x)),
                (0, true, near(at.x, rect.max.x)),
                (1, false, near(at.y, rect.max.y)),
                (1, true, near(at.y, rect.min.y)),
            ];
            let movable = |&(axis, is_max, is_near): &(usize, bool, bool)| {
                let end = of.within.get(axis).map(|band| if is_max { band.max } else { band.min });
                // An end that a land does not have, or beyond the diagram, cannot be dragged.
                let Axis { min, max } = self.axes[axis];
                is_near && end.is_some_and(|end| (min..=max).contains(&f64::from(end)))
            };
            let (axis, is_max, _) = edges.into_iter().find(movable)?;
            Some(Edge { land, axis, is_max })
        })
    }

    /// Moves an edge with the pointer, as far as the width of the band's edges allows.
    fn drag(&self, lands: &mut [Land], edge: Edge, by: Vec2) {
        let change = self.change(by, edge.axis);
        let land = lands.get_mut(edge.land);
        let Some(band) = land.and_then(|land| land.within.get_mut(edge.axis)) else { return };
        if edge.is_max {
            band.max = (band.max + change).max(band.min + band.soft);
        } else {
            band.min = (band.min + change).min(band.max - band.soft);
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy_orogeny::orogeny::Band;

    use super::*;

    fn frame() -> Frame {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(400.0, 100.0));
        Frame { rect, axes: [Axis { min: -10.0, max: 30.0 }, Axis { min: 0.0, max: 1.0 }] }
    }

    fn land(within: Vec<Band>) -> Land {
        Land { name: "land".into(), within, ..Land::default() }
    }

    #[test]
    fn edges_are_found_and_dragged() {
        let band = Band { min: 10.0, soft: 2.0, ..Band::default() };
        let mut lands = [land(vec![]), land(vec![band])];
        let frame = frame();
        assert_eq!(frame.point([10.0, 0.25]), pos2(200.0, 75.0));
        let edge = frame.edge_at(&lands, pos2(202.0, 50.0)).expect("the lower end");
        assert_eq!(edge, Edge { land: 1, axis: 0, is_max: false });
        // The first land has no edges, and the second none at the border of the diagram.
        assert_eq!(frame.edge_at(&lands, pos2(100.0, 50.0)), None);
        assert_eq!(frame.edge_at(&lands, pos2(399.0, 50.0)), None);
        frame.drag(&mut lands, edge, vec2(100.0, 20.0));
        assert_eq!(lands[1].within[0].min, 20.0);
        // Its land may be gone.
        frame.drag(&mut lands, Edge { land: 7, ..edge }, vec2(9.0, 0.0));
    }

    /// The names of lands that nearly cover each other.
    #[test]
    fn names_do_not_lie_on_each_other() {
        let frame = Rect::from_min_max(pos2(0.0, 0.0), pos2(340.0, 190.0));
        let rect = |x0, y0, x1, y1| Rect::from_min_max(pos2(x0, y0), pos2(x1, y1));
        let lands = [
            frame,
            rect(0.0, 0.0, 170.0, 190.0),
            rect(0.0, 0.0, 180.0, 100.0),
            rect(2.0, 2.0, 178.0, 96.0),
            rect(330.0, 0.0, 340.0, 190.0),
            rect(170.0, 10.0, 340.0, 60.0),
        ];
        let sizes = [vec2(60.0, 15.0); 6];
        let places = places(frame, &lands, &sizes);
        for (i, place) in places.iter().enumerate() {
            assert!(frame.contains_rect(*place), "{i}: {place:?}");
            let others = places.iter().enumerate().filter(|(k, _)| *k != i);
            let others = others.map(|(_, other)| place.intersect(*other));
            assert!(others.clone().all(|common| !common.is_positive()), "{i}: {place:?}");
        }
        // The lowest land has its name where no other lies.
        assert!(lands[1..].iter().all(|land| !land.intersect(places[0]).is_positive()));
    }

    #[test]
    fn edges_do_not_cross() {
        let band = Band { min: 0.0, max: 10.0, soft: 4.0 };
        let mut lands = [land(vec![]), land(vec![band])];
        let edge = Edge { land: 1, axis: 0, is_max: true };
        frame().drag(&mut lands, edge, vec2(-200.0, 0.0));
        assert_eq!(lands[1].within[0], Band { max: 4.0, ..band });
    }
}
