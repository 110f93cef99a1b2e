"""Fantasy Warlord: movement through terrain, buildings and fire, shooting and fighting, morale, points."""
