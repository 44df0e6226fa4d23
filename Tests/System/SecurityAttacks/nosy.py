"""A foreign program that the attacks on B7 let a service start. It writes what it can get hold of.

    nosy.py FILE TARGETS...     as a positioner; TARGETS are sockets of this machine: a path, or a port

Never start it without a service: unfiltered it attaches to its own ancestors, and stops them.
"""

import ctypes
import json
import os
import pathlib
import socket
import subprocess
import sys


def attempt(function) -> str:
    try:
        return f"got through: {function()!r}"[:300]
    except Exception as error:
        return f"refused: {error!r}"


def connect(target: str):
    family = socket.AF_UNIX if target.startswith("/") else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as stream:
        stream.settimeout(3)
        stream.connect(target if family == socket.AF_UNIX else ("127.0.0.1", int(target)))
    return "connected"


def trace(process: int):
    library = ctypes.CDLL(None, use_errno=True)
    if library.ptrace(16, process, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    return "attached"


def ring():
    library = ctypes.CDLL(None, use_errno=True)
    number = library.syscall(425, 8, ctypes.create_string_buffer(256))
    if number < 0:
        raise OSError(ctypes.get_errno(), "io_uring_setup")
    return number


def findings(targets: list[str]) -> dict:
    parent = os.getppid()
    ancestors = [parent]
    for _ in range(2):
        text = pathlib.Path(f"/proc/{ancestors[-1]}/stat").read_text().rsplit(")", 1)[1]
        ancestors.append(int(text.split()[1]))
    open_files = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            open_files[number] = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            pass
    tries = {f"connect {target}": attempt(lambda target=target: connect(target)) for target in targets}
    for process in ancestors:
        for name in ("environ", "mem", "maps"):
            tries[f"{name} of {process}"] = attempt(
                lambda: open(f"/proc/{process}/{name}", "rb").read(64))
        tries[f"trace {process}"] = attempt(lambda: trace(process))
    tries["connect io_uring"] = attempt(ring)
    tries["connect by a child"] = attempt(lambda: subprocess.run(
        [sys.executable, "-c", "import socket; socket.socket()"], check=True, capture_output=True))
    tries["connect datagram"] = attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    tries["connect netlink"] = attempt(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
    tries["connect vsock"] = attempt(lambda: socket.socket(40, socket.SOCK_STREAM))
    return {"environment": dict(os.environ), "files": open_files, "tries": tries,
            "ancestors": ancestors}


def main():
    file = pathlib.Path(sys.argv[1])
    found = findings(sys.argv[2:])
    part = file.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps(found))
    part.rename(file)
    if file.name.startswith("drawing"):
        sys.exit(1)
    for line in sys.stdin:
        query = json.loads(line)
        answer = {"ready": True} if "protocol" in query else {"query": query["query"], "estimate": None}
        print(json.dumps(answer), flush=True)


main()
