//! One state of the document: a recipe, and which of its layers are muted or solo.

use orogeny::{Node, Recipe};

use super::choices::{layers, layers_mut, neutral};

/// The path from the root to a node: the index of a child at each level. Empty for the root.
pub type Path = Vec<usize>;

/// One of the trees of a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The field.
    Field,
    /// The relief of the rivers, if there are any and they have one.
    Relief,
    /// The detail of the ground with rivers.
    Detail,
}

/// Mute and solo of a node and of its children, in the structure of the tree of nodes: state of the
/// panel, not of the recipe.
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

/// A change of the structure of a tree.
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
    /// Mute and solo of each node of its field.
    pub marks: Marks,
    /// The same of the relief and the detail of its rivers.
    pub river_marks: [Marks; 2],
}

impl Draft {
    /// A recipe with every layer active.
    pub fn new(recipe: Recipe) -> Self {
        let marks = Marks::of(&recipe.field);
        let mut draft = Self { recipe, marks, river_marks: Default::default() };
        draft.fit();
        draft
    }

    /// The recipe without the layers that are inactive.
    pub fn active_recipe(&self) -> Recipe {
        let mut recipe = self.recipe.clone();
        self.marks.apply(&mut recipe.field);
        for (tree, marks) in river_trees(&mut recipe).into_iter().zip(&self.river_marks) {
            if let Some(tree) = tree {
                marks.apply(tree);
            }
        }
        recipe
    }

    /// Changes the structure of a tree. An invalid path changes nothing.
    pub fn change(&mut self, part: Part, change: Change) {
        match change {
            Change::Add(path, layer) => {
                if let Some((node, _)) = self.at(part, &path)
                    && let Some(layers) = layers_mut(node)
                {
                    layers.push(layer);
                }
            }
            Change::Remove(path) => self.in_layers(part, &path, |layers, marks, i| {
                if layers.len() > 1 {
                    layers.remove(i);
                    marks.remove(i);
                }
            }),
            Change::Move(path, by) => self.in_layers(part, &path, |layers, marks, i| {
                if let Some(to) = i.checked_add_signed(by).filter(|&to| to < layers.len()) {
                    layers.swap(i, to);
                    marks.swap(i, to);
                }
            }),
            Change::Duplicate(path) => self.in_layers(part, &path, |layers, marks, i| {
                layers.insert(i + 1, layers[i].clone());
                marks.insert(i + 1, marks[i].clone());
            }),
            Change::Wrap(path, around) => {
                if let Some((node, marks)) = self.at(part, &path) {
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
                if let Some((node, marks)) = self.at(part, &path)
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
                if let Some((node, marks)) = self.at(part, &path) {
                    *node = other;
                    marks.children.clear();
                }
            }
        }
        self.fit();
    }

    /// Gives the marks the structure of the trees.
    pub fn fit(&mut self) {
        self.marks.fit(&self.recipe.field);
        for (tree, marks) in river_trees(&mut self.recipe).into_iter().zip(&mut self.river_marks) {
            match tree {
                Some(tree) => marks.fit(tree),
                None => *marks = Marks::default(),
            }
        }
    }

    /// A tree with its marks, if the recipe has it.
    pub fn tree(&mut self, part: Part) -> Option<(&mut Node, &mut Marks)> {
        let [relief, detail] = &mut self.river_marks;
        let [relief_tree, detail_tree] = match part {
            Part::Field => return Some((&mut self.recipe.field, &mut self.marks)),
            Part::Relief | Part::Detail => river_trees(&mut self.recipe),
        };
        if part == Part::Relief {
            Some((relief_tree?, relief))
        } else {
            Some((detail_tree?, detail))
        }
    }

    /// The node at a path, and its marks.
    fn at(&mut self, part: Part, path: &[usize]) -> Option<(&mut Node, &mut Marks)> {
        let mut found = self.tree(part)?;
        for &i in path {
            let (node, marks) = found;
            found = (node.children_mut().into_iter().nth(i)?, marks.children.get_mut(i)?);
        }
        Some(found)
    }

    /// Calls `f` with the siblings of the layer at a path, their marks, and its index.
    fn in_layers(
        &mut self,
        part: Part,
        path: &[usize],
        f: impl FnOnce(&mut Vec<Node>, &mut Vec<Marks>, usize),
    ) {
        if let Some((&i, parent)) = path.split_last()
            && let Some((node, marks)) = self.at(part, parent)
            && let Some(layers) = layers_mut(node)
            && i < layers.len()
        {
            f(layers, &mut marks.children, i);
        }
    }
}

/// The relief and the detail of the rivers of a recipe.
fn river_trees(recipe: &mut Recipe) -> [Option<&mut Node>; 2] {
    let Some(rivers) = &mut recipe.rivers else { return [None, None] };
    [rivers.relief.as_mut(), rivers.detail.as_mut()]
}
