//! One state of the document: a recipe, and which of its layers are muted or solo.

use orogeny::{Node, Recipe};

use crate::document::layers::layers_mut;
use crate::document::marks::Marks;

/// The path from the root to a node: the index of a child at each level. Empty for the root.
pub type Path = Vec<usize>;

/// A change of the structure of the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Appends a layer to the node at the path.
    Add(Path, Node),
    /// Removes a layer, unless it is the last one.
    Remove(Path),
    /// Moves a layer down by this many positions, or up if negative.
    Move(Path, isize),
    /// Puts a copy after a layer.
    Duplicate(Path),
    /// Replaces a node by one that has it as its first child.
    Wrap(Path, Node),
    /// Replaces a node by its first child.
    Unwrap(Path),
    /// Replaces a node by another.
    Replace(Path, Node),
}

/// A recipe, and which of its layers are muted or solo.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The whole recipe, muted layers included.
    pub recipe: Recipe,
    /// Mute and solo of each node of its tree.
    pub marks: Marks,
}

impl Draft {
    /// A recipe with every layer active.
    pub fn new(recipe: Recipe) -> Self {
        let marks = Marks::of(&recipe.field);
        Self { recipe, marks }
    }

    /// The recipe without the layers that are inactive.
    pub fn active_recipe(&self) -> Recipe {
        let mut recipe = self.recipe.clone();
        self.marks.apply(&mut recipe.field);
        recipe
    }

    /// Changes the structure of the tree. An invalid path changes nothing.
    pub fn change(&mut self, change: Change) {
        match change {
            Change::Add(path, layer) => {
                if let Some((node, _)) = self.at(&path)
                    && let Some(layers) = layers_mut(node)
                {
                    layers.push(layer);
                }
            }
            Change::Remove(path) => self.in_layers(&path, |layers, marks, i| {
                if layers.len() > 1 {
                    layers.remove(i);
                    marks.remove(i);
                }
            }),
            Change::Move(path, by) => self.in_layers(&path, |layers, marks, i| {
                if let Some(to) = i.checked_add_signed(by).filter(|&to| to < layers.len()) {
                    layers.swap(i, to);
                    marks.swap(i, to);
                }
            }),
            Change::Duplicate(path) => self.in_layers(&path, |layers, marks, i| {
                layers.insert(i + 1, layers[i].clone());
                marks.insert(i + 1, marks[i].clone());
            }),
            Change::Wrap(path, around) => {
                if let Some((node, marks)) = self.at(&path) {
                    *node = around;
                    // Mute and solo belong to the layer, which is now the outer node.
                    let inner = Marks {
                        children: core::mem::take(&mut marks.children),
                        ..Marks::default()
                    };
                    marks.children = vec![inner];
                }
            }
            Change::Unwrap(path) => {
                if let Some((node, marks)) = self.at(&path)
                    && let Some(first) = node.children().first().map(|&first| first.clone())
                {
                    *node = first;
                    marks.children = core::mem::take(&mut marks.children)
                        .into_iter()
                        .next()
                        .map_or_else(Vec::new, |first| first.children);
                }
            }
            Change::Replace(path, other) => {
                if let Some((node, marks)) = self.at(&path) {
                    *node = other;
                    marks.children.clear();
                }
            }
        }
        self.fit();
    }

    /// Gives the marks the structure of the tree.
    pub fn fit(&mut self) {
        self.marks.fit(&self.recipe.field);
    }

    /// The node at a path, and its marks.
    fn at(&mut self, path: &[usize]) -> Option<(&mut Node, &mut Marks)> {
        let mut found = (&mut self.recipe.field, &mut self.marks);
        for &i in path {
            let (node, marks) = found;
            found = (node.children_mut().into_iter().nth(i)?, marks.children.get_mut(i)?);
        }
        Some(found)
    }

    /// Calls `f` with the siblings of the layer at a path, their marks, and its index.
    fn in_layers(
        &mut self,
        path: &[usize],
        f: impl FnOnce(&mut Vec<Node>, &mut Vec<Marks>, usize),
    ) {
        if let Some((&i, parent)) = path.split_last()
            && let Some((node, marks)) = self.at(parent)
            && let Some(layers) = layers_mut(node)
            && i < layers.len()
        {
            f(layers, &mut marks.children, i);
        }
    }
}
