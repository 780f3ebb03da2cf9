//! Rows of a node and of everything below it.

use bevy_egui::egui::{Id, Label, RichText, Sense, Ui};
use orogeny::limits::{CONSTANT, Number, SMOOTH};
use orogeny::{Erosion, Node};

use super::labels::{inside, label};
use super::lists::{shaped, transformed};
use super::noise::{about, fractal, noise, seed};
use super::row::{Fault, WRONG, explain, help, menu_of, name, number, numbers};
use super::typed::length;
use crate::controls;
use crate::document::choices::{layers, new_layers, wrappers};
use crate::document::draft::{Change, Marks, Part, Path};

/// Nodes down to this depth are open at first.
const OPEN: usize = 1;

/// Draws a tree. Numbers are edited in place. Changes of the structure are collected and applied
/// later, since they would move nodes that are being drawn.
pub struct Editor {
    part: Part,
    /// A seed for new noises.
    seed: u64,
    /// The changes that the user asked for.
    pub changes: Vec<Change>,
    path: Path,
}

/// How a node relates to its parent.
#[derive(Clone, Copy)]
enum Role<'a> {
    Part(&'a str),
    Layer { last: usize, active: bool },
}

impl Editor {
    /// An editor of a tree, whose new noises get this seed.
    pub fn new(part: Part, seed: u64) -> Self {
        Self { part, seed, changes: Vec::new(), path: Path::new() }
    }

    /// The whole tree.
    pub fn tree(&mut self, ui: &mut Ui, node: &mut Node, marks: &mut Marks, fault: Fault<'_>) {
        self.node(ui, node, marks, fault, Role::Part(""));
    }

    fn node(
        &mut self,
        ui: &mut Ui,
        node: &mut Node,
        marks: &mut Marks,
        fault: Fault<'_>,
        role: Role<'_>,
    ) {
        let id = Id::new(("node", self.part, &self.path));
        // Fractals start closed, so that a list of layers fits the window.
        let open = self.path.len() <= OPEN && !matches!(node, Node::Fractal(_));
        let title = |ui: &mut Ui| {
            let label = Label::new(headline(node, fault, role)).truncate();
            ui.add(label.sense(Sense::click())).on_hover_text(help(node))
        };
        let buttons = |ui: &mut Ui| self.buttons(ui, node, marks, role);
        let (mut state, header) = controls::header(ui, id, open, buttons, title);
        state.show_body_indented(&header, ui, |ui| {
            ui.push_id(id, |ui| self.body(ui, node, marks, fault));
        });
    }

    /// The buttons of a node, from right to left.
    fn buttons(&mut self, ui: &mut Ui, node: &Node, marks: &mut Marks, role: Role<'_>) {
        let about = "Duplicate, wrap, unwrap or replace this node";
        controls::menu(ui, "☰", about, |ui| self.menu(ui, node, role));
        let Role::Layer { last, .. } = role else { return };
        let index = self.path.last().copied().unwrap_or_default();
        let mut small = |ui: &mut Ui, text, help, enabled, change: fn(Path) -> Change| {
            if controls::small(ui, enabled, text, help) {
                self.changes.push(change(self.path.clone()));
            }
        };
        small(ui, "✖", "Remove this layer", last > 0, Change::Remove);
        small(ui, "⬇", "Move down", index < last, |path| Change::Move(path, 1));
        small(ui, "⬆", "Move up", index > 0, |path| Change::Move(path, -1));
        for (mark, text, help) in [
            (&mut marks.solo, "S", "Solo: leave out all other layers of this node. Not saved"),
            (&mut marks.muted, "M", "Mute: leave this layer out of the terrain. Not saved"),
        ] {
            if controls::toggle(ui, *mark, text, help) {
                *mark = !*mark;
            }
        }
    }

    fn menu(&mut self, ui: &mut Ui, node: &Node, role: Role<'_>) {
        let path = || self.path.clone();
        let mut requested = None;
        if matches!(role, Role::Layer { .. })
            && controls::button(ui, "Duplicate", "Insert a copy below this layer")
        {
            requested = Some(Change::Duplicate(path()));
        }
        let around = wrappers(node.clone(), self.seed);
        let around = menu_of(ui, "Wrap in", "Make this node an input of a new one", around);
        requested = around.map(|around| Change::Wrap(path(), around)).or(requested);
        if let Some(first) = node.children().first() {
            let text = format!("Unwrap: keep only {}", inside(&title(first)));
            if controls::button(ui, text, "Replace this node with its first input") {
                requested = Some(Change::Unwrap(path()));
            }
        }
        let about = "Discard this node and insert a new one";
        let other = menu_of(ui, "Replace with", about, new_layers(self.seed));
        requested = other.map(|other| Change::Replace(path(), other)).or(requested);
        if requested.is_some() {
            ui.close();
        }
        self.changes.extend(requested);
    }

    fn body(&mut self, ui: &mut Ui, node: &mut Node, marks: &mut Marks, fault: Fault<'_>) {
        // Errors of the node itself, not of a part of it.
        if fault.is_here() {
            explain(ui, fault);
        }
        let fault = fault.under((&*node).into());
        match node {
            Node::Constant(value) => number(ui, &CONSTANT, Number::F32(value), fault),
            Node::Noise(own) => noise(ui, "", own, fault),
            Node::Fractal(own) => fractal(ui, own, fault),
            Node::Wave(own) => numbers(ui, own, fault),
            Node::Named(name) => {
                controls::text_field(ui, name, NAMES);
                explain(ui, fault);
            }
            Node::Add(_) | Node::Multiply(_) => self.layers(ui, node, marks, fault),
            Node::Min { smooth, .. } | Node::Max { smooth, .. } => {
                number(ui, &SMOOTH, Number::F32(smooth), fault.under(SMOOTH.name));
                self.layers(ui, node, marks, fault.under("of"));
            }
            Node::Lerp { from, to, mask } => {
                for (i, (part, own)) in
                    [("from", from), ("to", to), ("mask", mask)].into_iter().enumerate()
                {
                    let role = Role::Part(&label(part));
                    self.child(ui, i, own, marks, fault.under(part), role);
                }
            }
            Node::Blend { of, along } => {
                let count = of.len();
                for (i, piece) in of.iter_mut().enumerate() {
                    let fault = fault.under("of").item(i);
                    for (k, band) in piece.within.iter_mut().enumerate() {
                        let fault = fault.under("within").item(k);
                        ui.push_id((i, k), |ui| numbers(ui, band, fault));
                    }
                    let fault = fault.under("field");
                    self.child(ui, i, &mut piece.field, marks, fault, Role::Part("Piece"));
                }
                for (i, own) in along.iter_mut().enumerate() {
                    let fault = fault.under("along").item(i);
                    self.child(ui, count + i, own, marks, fault, Role::Part("Along"));
                }
            }
            Node::Lands(of) => {
                for (i, (land, own)) in of.iter_mut().enumerate() {
                    self.child(ui, i, own, marks, fault.under(land), Role::Part(land));
                }
            }
            Node::Shape { field, by } => {
                shaped(ui, by, fault.under("by"));
                self.child(ui, 0, field, marks, fault.under("field"), Role::Part("Input"));
            }
            Node::Domain { field, by } => {
                transformed(ui, by, fault.under("by"));
                self.child(ui, 0, field, marks, fault.under("field"), Role::Part("Input"));
            }
            Node::Warp { field, by } => {
                self.child(ui, 0, field, marks, fault.under("field"), Role::Part("Input"));
                for (i, (own, part)) in by.iter_mut().zip(["Along x", "Along z"]).enumerate() {
                    let fault = fault.under("by").item(i);
                    self.child(ui, i + 1, own, marks, fault, Role::Part(part));
                }
            }
            Node::Erode { field, by } => {
                seed(ui, about::<Erosion>("seed"), &mut by.seed);
                numbers(ui, by, fault.under("by"));
                self.child(ui, 0, field, marks, fault.under("field"), Role::Part("Input"));
            }
            // Files cannot contain this node.
            Node::Invalid(_) => {}
        }
    }

    fn layers(&mut self, ui: &mut Ui, node: &mut Node, marks: &mut Marks, fault: Fault<'_>) {
        let active = marks.active();
        let last = layers(node).map_or(0, Vec::len).saturating_sub(1);
        // Error paths count active layers only.
        let mut index = 0;
        for (i, layer) in node.children_mut().into_iter().enumerate() {
            let active = active.get(i).copied().unwrap_or(true);
            let fault = if active { fault.item(index) } else { Fault::default() };
            index += usize::from(active);
            self.child(ui, i, layer, marks, fault, Role::Layer { last, active });
        }
        let about = "Append a layer to this node";
        let added = menu_of(ui, "Add layer", about, new_layers(self.seed));
        self.changes.extend(added.map(|layer| Change::Add(self.path.clone(), layer)));
    }

    fn child(
        &mut self,
        ui: &mut Ui,
        i: usize,
        node: &mut Node,
        marks: &mut Marks,
        fault: Fault<'_>,
        role: Role<'_>,
    ) {
        if let Some(marks) = marks.children.get_mut(i) {
            self.path.push(i);
            self.node(ui, node, marks, fault, role);
            self.path.pop();
        }
    }
}

/// What a name may be.
const NAMES: &str = "The name of a field of the recipe, \"temperature\" or \"moisture\"";

fn headline(node: &Node, fault: Fault<'_>, role: Role<'_>) -> RichText {
    let title = title(node);
    let text = RichText::new(match role {
        Role::Part(part) if !part.is_empty() => format!("{part}: {title}"),
        _ => title,
    });
    match role {
        _ if fault.is_inside() => text.color(WRONG),
        Role::Layer { active: false, .. } => text.weak().strikethrough(),
        _ => text,
    }
}

/// The type of a node and its most descriptive parameter.
pub fn title(node: &Node) -> String {
    let kind = name(node);
    match node {
        Node::Constant(value) => format!("{kind} {value}"),
        Node::Wave(wave) => format!("{kind}, {}", length(wave.length)),
        Node::Named(name) => name.clone(),
        Node::Noise(noise) => format!("{kind}: {}", inside(&name(noise))),
        Node::Fractal(fractal) => {
            let of = inside(&name(&fractal.kind));
            format!("{}, {of}", length(1.0 / fractal.frequency))
        }
        Node::Shape { by, .. } => listed(kind, by.iter().map(name)),
        Node::Domain { by, .. } => listed(kind, by.iter().map(name)),
        Node::Blend { of, .. } => format!("{kind} ({})", of.len()),
        Node::Lands(of) => format!("{kind} ({})", of.len()),
        Node::Erode { by, .. } => format!("{kind}, {}", length(by.scale)),
        _ => match layers(node) {
            Some(layers) => format!("{kind} ({})", layers.len()),
            None => kind,
        },
    }
}

fn listed(kind: String, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.map(|part| inside(&part)).collect();
    if parts.is_empty() { kind } else { format!("{kind}: {}", parts.join(", ")) }
}
