"""Reports: findings as one self-contained page, and the tables published beside it."""
