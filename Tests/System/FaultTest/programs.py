"""How the built programs are started. programs.json beside this folder says it for all system tests."""

import json
import pathlib

WORDS = json.loads((pathlib.Path(__file__).resolve().parents[1] / "programs.json").read_text())


def command(folder, name: str) -> list[str]:
    """The beginning of the command that runs a service, `serve` or `whereabouts` from that folder."""
    program, *arguments = WORDS[name]
    return [str(pathlib.Path(folder).resolve() / program), *arguments]
