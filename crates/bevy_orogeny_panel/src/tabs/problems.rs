//! The problems of terrain in the words of the panel.

use bevy_orogeny::{TerrainError, TerrainProblem};

use crate::recipe::labels::{capitalised, sentence, told};

/// A problem as a sentence without names of fields.
pub fn text(problem: &TerrainProblem) -> String {
    match problem {
        TerrainProblem::Terrain(TerrainError::Recipe(error)) => {
            format!("The terrain keeps its last valid recipe. {}", sentence(error))
        }
        TerrainProblem::Terrain(TerrainError::OutOfLimits(error)) => {
            let reason = told(error.limit.name, &error.to_string());
            format!("The terrain keeps its last valid settings. {reason}")
        }
        other => capitalised(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_have_no_names_of_fields() {
        let wrong = orogeny::Recipe {
            sea_level: Some(f32::NAN),
            ..orogeny::Recipe::new(1, 1.0, orogeny::Node::Constant(0.0))
        };
        let error = TerrainError::Recipe(wrong.build().unwrap_err());
        let text = text(&TerrainProblem::Terrain(error));
        assert!(text.contains("recipe. Sea level is NaN, but must be between"), "{text}");
    }
}
