"""A JupyterLab of its own on loopback, with its settings and files in a temporary folder."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import nbformat
from nbformat import v4

# The quiet kind of JupyterLab: no question about news, no look for updates.
QUIET = '{"fetchNews": "false", "checkForUpdates": false}'
# What the page's widget shows: everything up to eight positions, then the reader's row.
INTERACT = """
import numpy as np
import qkv
from ipywidgets import FloatSlider, interact

X = np.array({X})
W_Q, W_K, W_V = (np.array(W) for W in {W})

def read(x):
    X[0, 0] = x
    found = qkv.attention(X @ W_Q, X @ W_K, X @ W_V)
    rows = slice(None) if len(X) <= 8 else slice(1, 2)
    print(x, found.scores[rows], found.weights[rows], found.output[rows], "end", sep="\\n")

interact(read, x=FloatSlider(min=-50, max=50, step=1, value=0))
None
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write_notebook(path, X, W):
    """A notebook with one cell: `interact` over the package's own NumPy function."""
    cell = v4.new_code_cell(INTERACT.format(X=X, W=W).strip())
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel}), path)


@contextmanager
def jupyter_lab(folder):
    """Run JupyterLab over `folder/files` while the block runs → a function name → address."""
    files, settings = folder / "files", folder / "settings"
    files.mkdir(parents=True)
    notices = settings / "@jupyterlab" / "apputils-extension"
    notices.mkdir(parents=True)
    (notices / "notification.jupyterlab-settings").write_text(QUIET)
    port, token = free_port(), secrets.token_hex(16)
    home = f"http://127.0.0.1:{port}/"
    env = dict(
        os.environ, JUPYTERLAB_SETTINGS_DIR=str(settings),
        JUPYTERLAB_WORKSPACES_DIR=str(folder / "workspaces"),
        JUPYTER_CONFIG_DIR=str(folder / "config"), JUPYTER_RUNTIME_DIR=str(folder / "runtime"),
        IPYTHONDIR=str(folder / "ipython"),
    )  # fmt: skip
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
        "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={files}", f"--IdentityProvider.token={token}",
        "--LabApp.expose_app_in_browser=True",
    ]  # fmt: skip
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            command, env=env, stdout=log, stderr=log, cwd=files, start_new_session=True
        )
    try:
        wait_until_up(process, f"{home}api?token={token}", folder / "log")
        yield lambda name: f"{home}lab/tree/{name}?token={token}&reset"
    finally:
        stop(process)


def wait_until_up(process, address, log, seconds=120):
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.3)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


def stop(process):
    """End the server, and with it the kernels of its session."""
    for how, patience in ((signal.SIGTERM, 15), (signal.SIGKILL, 5)):
        try:
            os.killpg(process.pid, how)
            process.wait(patience)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
