"""How the built programs are started. programs.json beside this folder says it for all system tests."""

import json
import os
import pathlib

WORDS = json.loads((pathlib.Path(__file__).resolve().parents[1] / "programs.json").read_text())


def command(folder, name: str) -> list[str]:
    """The beginning of the command that runs a service, `serve` or `whereabouts` from that folder.

    An older release's folder may have a program for each service; then it is that one.
    """
    folder = pathlib.Path(folder).resolve()
    own = folder / name
    if own.is_file() and os.access(own, os.X_OK):
        return [str(own)]
    program, *arguments = WORDS[name]
    return [str(folder / program), *arguments]
