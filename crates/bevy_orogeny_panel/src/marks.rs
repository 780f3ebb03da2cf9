//! Which layers of a tree are heard: state of the panel, kept beside the recipe.

use orogeny::Node;

use crate::layers::{layers, layers_mut, silence};

/// A tree of marks as deep and wide as the tree of nodes that it belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Left out of the terrain.
    pub muted: bool,
    /// Heard alone among the layers beside it.
    pub solo: bool,
    /// Those of the node's children, in their order.
    pub children: Vec<Marks>,
}

impl Marks {
    /// No marks for a tree.
    pub fn of(node: &Node) -> Self {
        let children = node.children().into_iter().map(Self::of).collect();
        Self { children, ..Self::default() }
    }

    /// Takes on the form of a tree that was changed.
    pub fn fit(&mut self, node: &Node) {
        let children = node.children();
        self.children.resize(children.len(), Self::default());
        self.children.iter_mut().zip(children).for_each(|(marks, child)| marks.fit(child));
    }

    /// Which of the children are heard, where they are layers.
    pub fn heard(&self) -> Vec<bool> {
        let solo = self.children.iter().any(|child| child.solo);
        self.children.iter().map(|child| if solo { child.solo } else { !child.muted }).collect()
    }

    /// Leaves what is not heard out of a tree of the same form. Where no layer is left, there is
    /// what changes nothing.
    pub fn apply(&self, node: &mut Node) {
        self.children.iter().zip(node.children_mut()).for_each(|(marks, child)| marks.apply(child));
        if layers(node).is_none() {
            return;
        }
        let silence = silence(node);
        let mut heard = self.heard().into_iter();
        if let Some(list) = layers_mut(node) {
            list.retain(|_| heard.next().unwrap_or(true));
            if list.is_empty() {
                list.push(silence);
            }
        }
    }
}
