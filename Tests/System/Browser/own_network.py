"""A network of the tests' own, so that those of other tests do not disturb the browser.

Chromium breaks off all requests of all pages (ERR_NETWORK_CHANGED) when an interface of its network
comes or goes. Tests beside make such interfaces. So the browser gets a network with a loopback and one
more interface, that nobody touches. Only what a Between asks of the service goes through the machine's.
"""

import ctypes
import os
import signal
import subprocess

NEW_NETWORK = 0x40000000
machine: int | None = None
"""A handle of the machine's network, where this process has left it."""


def leave_machine() -> bool:
    """Moves this thread to a network of its own; false without the right to it."""
    global machine
    libc = ctypes.CDLL(None, use_errno=True)
    here = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    if libc.unshare(NEW_NETWORK) != 0:
        os.close(here)
        return False
    machine = here
    commands = (
        "link set lo up",
        # With a loopback alone, browsers believe that they are offline.
        "link add wbrowser0 type veth peer name wbrowser1",
        "addr add 192.0.2.9/24 dev wbrowser0", "link set wbrowser0 up", "link set wbrowser1 up",
        "route add default via 192.0.2.1",
    )
    for at, command in enumerate(commands):
        done = subprocess.run(["ip", *command.split()], check=False, capture_output=True)
        if done.returncode and at == 0:
            raise OSError(f"ip {command}: {done.stderr.decode()}")
    return True


def enter_machine() -> None:
    """Moves this thread, and those that it starts, to the machine's network."""
    if machine is not None and ctypes.CDLL(None, use_errno=True).setns(machine, NEW_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def end_with_parent() -> None:
    """Has the kernel end this process when the thread that started it has died."""
    ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGTERM)
