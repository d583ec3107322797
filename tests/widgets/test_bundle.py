"""The joined module: every name once, nothing left to import, no text that ends a script."""

import re

import pytest

import qkv.widgets
from qkv.widgets._bundle import bundle


@pytest.mark.parametrize("cls", qkv.widgets.CLASSES, ids=lambda cls: cls.__name__)
def test_modules_are_whole(cls):
    text = str(cls._esm)
    assert not re.search(r"^import ", text, re.MULTILINE)
    assert text.count("export default") == 1 and text.count("export ") == 1
    assert "</script" not in text.lower() + str(cls._css).lower()


def test_a_name_declared_twice_is_refused(tmp_path):
    (tmp_path / "a.js").write_text("export function f() {}\n")
    (tmp_path / "b.js").write_text('import { f } from "./a.js";\n\nexport const f = 1;\n')
    with pytest.raises(ValueError, match="got f in both a.js and b.js"):
        bundle(tmp_path / "b.js")


def test_each_file_comes_once_and_before_its_users(tmp_path):
    (tmp_path / "a.js").write_text("export const one = 1;\n")
    (tmp_path / "b.js").write_text('import { one } from "./a.js";\nexport const two = one + one;\n')
    (tmp_path / "c.js").write_text(
        'import { two } from "./b.js";\nimport { one } from "./a.js";\nexport default two - one;\n'
    )
    assert bundle(tmp_path / "c.js") == (
        "const one = 1;\n\nconst two = one + one;\n\nexport default two - one;\n"
    )


@pytest.mark.parametrize("cls", qkv.widgets.CLASSES, ids=lambda cls: cls.__name__)
def test_still_is_a_picture_with_words(cls):
    still = cls().still()
    assert still.startswith("<svg") and 'role="img"' in still and 'aria-label="' in still
    assert cls().still() == still
