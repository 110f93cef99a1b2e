"""What dice are for: the fourth word of their address; fixed numbers, never used again. 0x0700 marks this game."""

DEFENCE_VALUE = 0x0701
FIRE_CASUALTIES = 0x0702
FIRE_FIGHTING = 0x0703
COLLAPSE = 0x0704
EXCHANGE = 0x0705
VOLLEY = 0x0706
WOUND = 0x0707
