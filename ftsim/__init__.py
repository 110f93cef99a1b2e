"""Balance analysis for fantasy battle games: rules to exact odds to priced verdicts."""
