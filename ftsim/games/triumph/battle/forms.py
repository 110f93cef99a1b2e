"""What a row of `spec` is for the moment: itself, riding on transports, or another type than it is (FT 39, 45)."""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import match_rows
from ftsim.games.triumph.battle.exchanges import look_like
from ftsim.games.triumph.battle.layout import (
    BEGIN,
    BITS,
    CF_FOOT,
    CF_MOUNTED,
    CHARGES,
    COST,
    DELAYED,
    E_DROPS,
    E_RIDES,
    END,
    FAKE,
    FLAGS,
    HARD,
    HOLD_CLASS,
    LEAVES,
    LENT,
    LOW_FACTOR,
    MIND,
    MOVE,
    MOVE_ALONE,
    MOVE_FAST,
    NEGATE_ZONE,
    NO_CONTACT,
    ON_BOARD,
    OPEN_ORDER,
    OWN_FLAGS,
    OWNER,
    PLACE,
    RANGED,
    REAL,
    REGENERATES,
    RIDE_BITS,
    RIDE_FLAGS,
    RIDE_HARD,
    RIDE_MOVE,
    RIDING,
    SENDS_AWAY,
    SHOOT,
    SHOWABLE,
    SHOWN,
    SIDE,
    SLOT,
    SLOWED,
    SPEC,
    SPEC_COLUMNS,
    SPELL,
    ST,
    STATUS,
    SURCHARGE,
    TRANSPORTS,
    UNRELIABLE,
    WORLD,
    World,
)
from ftsim.games.triumph.battle.outcomes import note
from ftsim.kernels import kernel


@kernel(f"void({WORLD}, int64)")
def become_real(w: World, i: int) -> None:
    """Make a row what it is in truth, and match its rules anew."""
    spec, real = w[SPEC], w[REAL]
    for c in range(SPEC_COLUMNS):
        spec[i, c] = real[i, c]
    w[ST][i, LENT] = 0
    match_rows(w, i)


@kernel(f"void({WORLD}, int64)")
def ride(w: World, i: int) -> None:
    """Put a stand on its transports (FT 45): faster, in open order, without shooting."""
    spec = w[SPEC]
    spec[i, MOVE], spec[i, HARD] = spec[i, RIDE_MOVE], spec[i, RIDE_HARD]
    spec[i, MOVE_ALONE], spec[i, MOVE_FAST] = spec[i, RIDE_MOVE], spec[i, RIDE_MOVE]
    spec[i, OWN_FLAGS] = spec[i, RIDE_FLAGS]
    spec[i, BITS], spec[i, FLAGS] = spec[i, RIDE_BITS], spec[i, RIDE_FLAGS]
    spec[i, SHOOT] = 0
    spec[i, RANGED] = 0
    match_rows(w, i)
    w[ST][i, LENT] = 1
    note(w, E_RIDES, i, spec[i, TRANSPORTS], 0, 0)


@kernel(f"void({WORLD}, int64)")
def drop_transports(w: World, i: int) -> None:
    """Take a stand off its transports, for good; nothing happens to one that rides none (FT 45.6)."""
    spec = w[SPEC]
    if not spec[i, FLAGS] & RIDING:
        return
    become_real(w, i)
    w[ST][i, LENT] = 1
    note(w, E_DROPS, i, w[ST][i, PLACE], 0, 0)


@kernel(f"void({WORLD}, int64)")
def wear(w: World, i: int) -> None:
    """Make an illusion look like the stand that it shows; its command costs and limits stay (FT 39.3)."""
    spec, real = w[SPEC], w[REAL]
    model = w[ST][i, SHOWN]
    for c in range(SPEC_COLUMNS):
        spec[i, c] = real[model, c]
    for c in (SLOT, OWNER, DELAYED, FAKE, TRANSPORTS, SHOWABLE, CHARGES, HOLD_CLASS):
        spec[i, c] = real[i, c]
    # What is not there cannot act, and what acts shows itself.
    for c in (SHOOT, RANGED, MIND, SPELL):
        spec[i, c] = 0
    spec[i, REGENERATES] = 0
    spec[i, FLAGS] &= ~(NEGATE_ZONE | UNRELIABLE | LEAVES | SENDS_AWAY)
    spec[i, OWN_FLAGS] &= ~LEAVES
    if not spec[i, FAKE]:
        spec[i, SURCHARGE] = real[i, SURCHARGE]
        spec[i, FLAGS] |= real[i, FLAGS] & NO_CONTACT
    match_rows(w, i)
    w[ST][i, LENT] = 1
    look_like(w, i, model)


@kernel(f"void({WORLD}, int64)")
def see_through(w: World, owner: int) -> None:
    """Let a side see its own illusions as they are: a fake wins and loses nothing, a disguise only moves."""
    spec, st, real, side = w[SPEC], w[ST], w[REAL], w[SIDE]
    moves = SLOWED | OPEN_ORDER
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, SHOWN] < 0 or st[i, STATUS] != ON_BOARD:
            continue
        model = st[i, SHOWN]
        if spec[i, FAKE]:
            spec[i, CF_FOOT], spec[i, CF_MOUNTED], spec[i, COST] = LOW_FACTOR, LOW_FACTOR, 0
            look_like(w, i, -1)
        else:
            become_real(w, i)
            spec[i, MOVE], spec[i, HARD] = real[model, MOVE], real[model, HARD]
            spec[i, FLAGS] = (spec[i, FLAGS] & ~(moves | LEAVES)) | (real[model, FLAGS] & moves)
            look_like(w, i, i)


@kernel(f"void({WORLD}, int64)")
def show_again(w: World, owner: int) -> None:
    """Let the enemy see the illusions of a side again as what they show."""
    st, side = w[ST], w[SIDE]
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, SHOWN] >= 0 and st[i, STATUS] == ON_BOARD:
            wear(w, i)
