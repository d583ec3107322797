"""The three roles of position 3 of the running example: q₃, k₃ and v₃ from one x₃."""

from figures._draw import MUTED, Paper, number
from qkv import inputs

ROLES = [("q", "W_Q", "asks"), ("k", "W_K", "is found"), ("v", "W_V", "is handed over")]
CELL = (38, 30)


def draw():
    running = inputs()["running"]
    x = running["X"][2]
    made = {role: x @ running[name] for role, name, _ in ROLES}
    paper = Paper(
        720, 400, "One vector, three roles",
        f"x3 = {pair(x)} goes through W_Q, W_K and W_V and becomes q3 = {pair(made['q'])}, "
        f"k3 = {pair(made['k'])} and v3 = {pair(made['v'])}, drawn as arrows from one origin.",
    )  # fmt: skip
    start = paper.matrix(22, 205, [x], "x_3^⊤", cell=CELL)
    for row, (role, name, job) in enumerate(ROLES):
        y = 70 + 120 * row
        grid = paper.matrix(158, y, running[name], f"[{role}:W_{name[2]}]", role, cell=CELL)
        paper.arrow(*start.right_of(0), *middle_left(grid), color=role, dash=dash(role))
        end = paper.matrix(290, y + 15, [made[role]], f"[{role}:{role}_3]^⊤", role, cell=CELL)
        paper.arrow(grid.right + 10, y + 30, end.x - 12, y + 30, color=role, dash=dash(role))
        paper.text(end.x, end.bottom + 21, job, 16, color=MUTED)
    plane(paper, x, made)
    return paper.svg()


def plane(paper, x, made):
    axes = paper.axes(450, 78, 240, 240, (0, 2.4), (0, 2.4), [0, 1, 2], [1, 2])
    for role, vector in made.items():
        axes.arrow(0, 0, *vector, color=role, width=4 if role == "q" else 3, head=14,
                   dash=dash(role))  # fmt: skip
    names = {"q": (8, -6), "k": (10, 4), "v": (-10, -16)}
    for role, (dx, dy) in names.items():
        same = "x_3 = " if (made[role] == x).all() else ""
        axes.text(*made[role], f"{same}[{role}:{role}_3]", dx=dx, dy=dy, size=18, bold=True)
    paper.text(570, 371, "drawn as arrows", 16, "middle", MUTED)


def middle_left(grid):
    return grid.x - 12, (grid.y + grid.bottom) / 2


def dash(role):
    return {"k": "9 5", "v": "3 4"}.get(role)


def pair(vector):
    return f"[{', '.join(map(number, vector))}]"
