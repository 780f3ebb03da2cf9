//! Mute and solo of layers: state of the panel, not of the recipe.

use orogeny::Node;

use super::layers::{layers, layers_mut, neutral};

/// The marks of a node and of its children, in the structure of the tree of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Left out of the terrain.
    pub muted: bool,
    /// The other layers of the same node are left out, except those that are solo too.
    pub solo: bool,
    /// The marks of the node's children, in their order.
    pub children: Vec<Marks>,
}

impl Marks {
    /// The marks of a tree, with nothing muted or solo.
    pub fn of(node: &Node) -> Self {
        let children = node.children().into_iter().map(Self::of).collect();
        Self { children, ..Self::default() }
    }

    /// Adapts the marks to the structure of a changed tree.
    pub fn fit(&mut self, node: &Node) {
        let children = node.children();
        self.children.resize(children.len(), Self::default());
        self.children.iter_mut().zip(children).for_each(|(marks, child)| marks.fit(child));
    }

    /// Which children are active, if they are layers.
    pub fn active(&self) -> Vec<bool> {
        let solo = self.children.iter().any(|child| child.solo);
        self.children.iter().map(|child| if solo { child.solo } else { !child.muted }).collect()
    }

    /// Removes inactive layers from a tree of the same structure. If none is left, the neutral
    /// element replaces them.
    pub fn apply(&self, node: &mut Node) {
        self.children.iter().zip(node.children_mut()).for_each(|(marks, child)| marks.apply(child));
        if layers(node).is_none() {
            return;
        }
        let neutral = neutral(node);
        let mut active = self.active().into_iter();
        if let Some(list) = layers_mut(node) {
            list.retain(|_| active.next().unwrap_or(true));
            if list.is_empty() {
                list.push(neutral);
            }
        }
    }
}
