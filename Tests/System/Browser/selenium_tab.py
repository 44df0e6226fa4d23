"""What tabs of all browsers do that Selenium drives."""

import pathlib
import socket

# Seconds after which a driver that doesn't answer has hung: more than a page and a script may take.
HUNG_SECONDS = 150


def with_limit(start):
    """The driver that `start` gives. Without this, Selenium would wait for its answers for ever."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(HUNG_SECONDS)
    try:
        return start()
    finally:
        socket.setdefaulttimeout(before)


class SeleniumTab:
    """`driver` is the driver with this tab in front."""

    def go(self, address: str) -> None:
        self.driver.get(address)

    def run(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    def run_slowly(self, script: str, *arguments):
        return self.driver.execute_async_script(script, *arguments)

    def keys(self, *keys) -> None:
        self.driver.switch_to.active_element.send_keys(*keys)

    def picture(self, path: pathlib.Path) -> None:
        self.driver.save_screenshot(str(path))
