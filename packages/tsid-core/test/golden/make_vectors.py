"""Golden vectors from an independent implementation: Python's own integers, written by positional arithmetic.

No code of this package runs here. `int` is unbounded, so there are no halves, shifts of 32 bits or roundings to get
wrong; `int.to_bytes` and `format(…, '016x')` are Python's. Run: python3 make_vectors.py > vectors.json
"""

import json
from datetime import datetime, timedelta, timezone

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
UNIX = datetime(1970, 1, 1, tzinfo=timezone.utc)


def digits(value, alphabet, width):
    text = ""
    while value > 0:
        value, rest = divmod(value, len(alphabet))
        text = alphabet[rest] + text
    return text.rjust(width, alphabet[0])


def forms(value):
    return {
        "decimal": str(value),
        "crockford": digits(value, CROCKFORD, 13),
        "base62": digits(value, BASE62, 11),
        "hex": format(value, "016x"),
        "bytes": list(value.to_bytes(8, "big")),
    }


def parts(layout, epoch, time_bits, node_bits, sequence_bits, moment, node, sequence):
    epoch_ms = (epoch - UNIX) // timedelta(milliseconds=1)
    time_ms = (moment - UNIX) // timedelta(milliseconds=1)
    assert time_bits + node_bits + sequence_bits == 64
    value = ((time_ms - epoch_ms) * 2**node_bits + node) * 2**sequence_bits + sequence
    return {
        "layout": layout,
        "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "node": node,
        "sequence": sequence,
        "decimal": str(value),
    }


values = {0, 1, 31, 32, 61, 62, 63, 2**32 - 1, 2**32, 2**53 - 1, 2**53, 2**53 + 1}
values |= {2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1, 38358284406638835, 911802340644769792}
state = 20200101
for _ in range(200):
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    values.add(state)

e20 = datetime(2020, 1, 1, tzinfo=timezone.utc)
e24 = datetime(2024, 1, 1, tzinfo=timezone.utc)
made = []
for moment in [
    datetime(2024, 1, 1, 0, 0, 0, 1000, tzinfo=timezone.utc),
    datetime(2026, 11, 21, 2, 16, 58, 478000, tzinfo=timezone.utc),
    datetime(2038, 1, 19, 3, 14, 7, 999000, tzinfo=timezone.utc),
    datetime(2058, 11, 3, 19, 53, 47, 775000, tzinfo=timezone.utc),
]:
    for node in (0, 1, 511, 1023):
        made.append(parts("42/10/12", e20, 42, 10, 12, moment, node, 4095))
        made.append(parts("42/10/12", e20, 42, 10, 12, moment, node, 0))
        made.append(parts("41/10/13", e24, 41, 10, 13, moment, node, 8191))
        made.append(parts("41/10/13", e24, 41, 10, 13, moment, node, 7))

print(
    json.dumps(
        {
            "source": "Python integers, see make_vectors.py",
            "forms": [forms(value) for value in sorted(values)],
            "parts": made,
        },
        indent=1,
    )
)
