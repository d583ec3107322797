"""Where the source lives: from _config.yml, else GITHUB_REPOSITORY, else the git remote.

With none of them, the site shows no source and no Colab button: never an address nobody owns.
"""

import os
import re
import subprocess

GITHUB = re.compile(
    r"^(?:https://(?:[^@/]+@)?github\.com/|(?:ssh://)?git@github\.com[:/])"
    r"([\w.-]+/[\w.-]+?)(?:\.git)?/?$"
)


def from_remote(folder):
    """owner/name of the git remote `origin` if that is a GitHub address, else ""."""
    try:
        command = ["git", "remote", "get-url", "origin"]
        found = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except OSError:
        return ""
    match = GITHUB.match(found.stdout.strip())
    return match[1] if match else ""


def find(url, folder):
    """The repository's address without a trailing slash, or "" if it is not known."""
    if url:
        return url.removesuffix("/").removesuffix(".git")
    name = os.environ.get("GITHUB_REPOSITORY", "") or from_remote(folder)
    return f"https://github.com/{name}" if name else ""


def on_config(app, config):
    options = config.html_theme_options
    config.qkv_repository = find(options.get("repository_url", ""), app.srcdir)
    config.qkv_branch = options.get("repository_branch") or "main"
    options.pop("repository_url", None)  # the theme's own buttons are not used


def setup(app):
    app.add_config_value("qkv_repository", "", "html")
    app.add_config_value("qkv_branch", "main", "html")
    app.connect("config-inited", on_config)
