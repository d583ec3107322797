"""python -m qkv.reproduce [NN …]"""

import sys

from qkv import reproduce
from qkv.reproduce import lessons, table


def main(chosen):
    if {"-h", "--help"} & set(chosen):
        print(f"{reproduce.__doc__.strip()}\n\nThere are: {', '.join(lessons())}.")
        return 0
    chosen = list(dict.fromkeys(name.zfill(2) if name.isdigit() else name for name in chosen))
    unknown = sorted(set(chosen) - set(lessons()))
    if unknown:
        print(f"No rows for {', '.join(unknown)}. There are: {', '.join(lessons())}.")
        return 2
    total = bad = 0
    for lesson in chosen or lessons():
        lines, differ = table(lesson)
        print("\n".join(lines), end="\n\n")
        total, bad = total + len(lines) - 2, bad + differ
    print(f"{total} rows, {bad} that differ." if bad else f"{total} rows, all as quoted.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
