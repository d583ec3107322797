"""What a checker says, and a mistake with a name."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """What a checker says of one answer: `.ok`, `.mistake` (short id or None), `.message`."""

    ok: bool
    mistake: str | None
    message: str

    def __str__(self):
        return self.message

    def __bool__(self):
        return self.ok


class Mistake:
    """A mistake with a name: one example of it, what to tell the reader, how to recognise it.

    example: a wrong function (in code), wrong numbers (by hand) or wrong inputs (break it).
    others: more examples of the same mistake, written so that they give other numbers.
    seen: for "break it" alone, a predicate on the parts handed in.
    """

    def __init__(self, example, message, *others, seen=None):
        self.example, self.message, self.others, self.seen = example, message, others, seen

    @property
    def examples(self):
        return (self.example, *self.others)
