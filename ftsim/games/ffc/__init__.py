"""The FFC warband card game: warriors, weapons, armor, spells and fight cards, none with a printed price."""
