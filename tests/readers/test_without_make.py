"""A learner without make, as on Windows: a clone, Python, and the two commands of the README.

Nothing here needs more than pytest and the standard library, or any one system.
"""

import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ("README.md", "book/how_to_use.md")
COMMANDS = re.compile(r"^ *(python -m pip install .*)\n *(python -m jupyter lab .*)$", re.M)
# What the lesson's kernel is asked, by the client that JupyterLab itself brings.
ASK = """
import sys
from jupyter_client import BlockingKernelClient

client = BlockingKernelClient(connection_file=sys.argv[1])
client.load_connection_file()
client.start_channels()
client.wait_for_ready(timeout=60)
code = "import qkv, torch, matplotlib, os; print(os.getcwd(), qkv.__file__, sep='\\\\n')"
reply = client.execute_interactive(code, timeout=60)
client.stop_channels()
assert reply["content"]["status"] == "ok", reply["content"]
"""


def commands(text):
    [found] = COMMANDS.findall((ROOT / text).read_text(encoding="utf-8"))
    return found


def test_readme_and_site_give_the_same_two_commands():
    first, second = (commands(text) for text in TEXTS)
    assert first == second


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [Path(name) for name in listed.stdout.decode().split("\0") if name]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The tracked files alone, as a download of the repository holds them."""
    folder = tmp_path_factory.mktemp("learner") / "book"
    for name in tracked():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    yield folder
    shutil.rmtree(folder.parent, ignore_errors=True)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture(scope="module")
def environment(copy):
    """The variables of a shell in a new virtual environment, with Jupyter's settings in the copy.

    They hold pip to the versions that the book is tested with, and JupyterLab to one port and no
    browser: so the commands themselves can be run word for word.
    """
    subprocess.run([sys.executable, "-m", "venv", copy / ".venv"], check=True)
    scripts = copy / ".venv" / ("Scripts" if os.name == "nt" else "bin")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    settings = copy.parent / "settings"
    port, token = free_port(), secrets.token_hex(16)
    server = {"open_browser": False, "ip": "127.0.0.1", "port": port, "port_retries": 0}
    settings.mkdir()
    (settings / "jupyter_server_config.json").write_text(
        json.dumps(
            {
                "ServerApp": {**server, "allow_root": True},
                "IdentityProvider": {"token": token},
                "LabApp": {"news_url": None},
            }
        )
    )
    return {
        **kept,
        "PATH": os.pathsep.join([str(scripts), os.environ["PATH"]]),
        "PIP_CONSTRAINT": str(copy / "requirements.txt"),
        "PIP_NO_COMPILE": "1",  # modules are compiled as they are imported: less to do
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "JUPYTER_CONFIG_DIR": str(settings),
        "JUPYTER_DATA_DIR": str(settings / "data"),
        "JUPYTER_RUNTIME_DIR": str(settings / "run"),
        "IPYTHONDIR": str(settings / "ipython"),
        "QKV_TEST_SERVER": f"http://127.0.0.1:{port} {token}",
    }


def asked(environment, path, data=None):
    """What JupyterLab answers, as JSON; `data` is posted."""
    address, token = environment["QKV_TEST_SERVER"].split()
    request = urllib.request.Request(
        f"{address}/api/{path}",
        data=None if data is None else json.dumps(data).encode(),
        headers={"Authorization": f"token {token}"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or "null")


def started(process, environment, log):
    """Wait until the server answers."""
    for _ in range(480):
        try:
            return asked(environment, "status")
        except OSError:
            assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")[-3000:]
            time.sleep(0.25)
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace")[-3000:])


def test_the_two_commands_open_a_lesson_whose_kernel_has_all(copy, environment):
    install, open_lab = commands("README.md")
    done = subprocess.run(
        install, shell=True, cwd=copy, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]

    log = copy.parent / "lab.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            open_lab, shell=True, cwd=copy, env=environment, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
        try:
            started(process, environment, log)
            names = [file["name"] for file in asked(environment, "contents")["content"]]
            lesson = min(name for name in names if name.endswith(".ipynb"))
            session = {"path": lesson, "name": lesson, "type": "notebook"}
            session["kernel"] = {"name": "python3"}
            kernel = asked(environment, "sessions", session)["kernel"]["id"]
            connection = copy.parent / "settings" / "run" / f"kernel-{kernel}.json"
            told = subprocess.run(
                f'python -c "import sys; exec(sys.stdin.read())" "{connection}"',
                input=ASK, shell=True, cwd=copy.parent, env=environment,
                capture_output=True, text=True,
            )  # fmt: skip
            assert told.returncode == 0, told.stdout + told.stderr
            folder, package = told.stdout.split("\n")[:2]
            assert Path(folder).samefile(copy / "notebooks")
            assert Path(package).samefile(copy / "qkv" / "__init__.py")
        finally:
            stop(process, environment)


def stop(process, environment):
    """End JupyterLab and its kernels: it is asked to, and if it can't, its processes are ended."""
    try:
        asked(environment, "shutdown", {})
        process.wait(timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        if os.name == "nt":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], check=False)
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)


def test_a_clone_has_the_same_line_ends_on_every_system(tmp_path):
    """Where git turns line ends, as on Windows, every file still has the bytes of the commit."""
    clone = tmp_path / "clone"
    command = ["git", "-c", "core.autocrlf=true", "-c", "core.eol=crlf", "clone", "--quiet"]
    subprocess.run([*command, "--no-local", "--depth=1", ROOT.as_uri(), clone], check=True)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=clone, capture_output=True, check=True)
    texts = 0
    for name in names.stdout.decode().split("\0")[:-1]:
        shown = ["git", "cat-file", "blob", f"HEAD:{name}"]
        stored = subprocess.run(shown, cwd=clone, capture_output=True, check=True).stdout
        assert (clone / name).read_bytes() == stored, name
        texts += name.endswith(".ipynb") and b"\r" not in stored
    assert texts == len(list((clone / "notebooks").glob("*.ipynb"))) > 0


@pytest.mark.parametrize(
    "name, attribute",
    [("a/b.ipynb", "eol: lf"), ("a/b.py", "eol: lf"), ("a/b.svg", "eol: lf"), ("run", "eol: lf"),
     ("a/b.png", "text: unset"), ("a/b.woff2", "text: unset"), ("a/b.npz", "text: unset"),
     ("a/b.safetensors", "text: unset")],
)  # fmt: skip
def test_each_kind_of_file_has_its_attribute(name, attribute):
    asked_for = attribute.split(":")[0]
    command = ["git", "check-attr", asked_for, "--", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{name}: {attribute}"
