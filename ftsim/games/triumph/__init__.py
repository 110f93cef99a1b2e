"""Fantasy Triumph: troop types, battle cards, combat, magic, duels and armies."""
