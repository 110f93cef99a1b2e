"""From strengths to points: models, verdicts, and how sure they are."""
