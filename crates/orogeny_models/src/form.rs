//! How the variants of a kind differ.

/// What has become of a plant. Seeds take turns, so that any four in a row differ clearly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As most are. From afar a renderer may draw this one for all.
    Typical,
    /// Slim and regular.
    Young,
    /// Broad and sparse.
    Old,
    /// With parts broken off or grown to one side.
    Battered,
}

impl Form {
    pub(crate) fn of(seed: u64) -> Form {
        [Form::Typical, Form::Young, Form::Old, Form::Battered][(seed % 4) as usize]
    }

    /// The value for this form, of those for all in their order.
    pub(crate) fn pick<T: Copy>(self, values: [T; 4]) -> T {
        values[self as usize]
    }
}
