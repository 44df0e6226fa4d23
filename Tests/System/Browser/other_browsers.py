"""Firefox by Marionette and WebKit by its own driver, behind the calls that Chromium has.

Each page is a new process with an empty profile. The script that runs first in a page is put into it by
the Between, since these drivers have no call for that.
"""

import base64
import os
import pathlib
import socket
import subprocess
import tempfile
import time

from between import Between
from selenium_tab import HUNG_SECONDS, SeleniumTab, with_limit

HERE = pathlib.Path(__file__).resolve().parent
WATCH = (HERE / "page_watch.js").read_text()


def start_other(name: str):
    return {"firefox": Firefox, "webkit": WebKit}[name]()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Firefox:
    name = "firefox"

    def tab(self, size, ratio: float, before: str, between: Between):
        between.before = WATCH + before
        return FirefoxTab(size, ratio)

    def stop(self) -> None:
        pass


class FirefoxTab:
    def __init__(self, size, ratio: float):
        from marionette_driver.marionette import Marionette
        self.folder = tempfile.TemporaryDirectory()
        self.port = free_port()
        preferences = {
            "marionette.port": self.port, "layout.css.devPixelsPerPx": str(ratio),
            "layout.css.prefers-color-scheme.content-override": 1, "intl.accept_languages": "en",
            "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False,
            "browser.aboutwelcome.enabled": False, "app.update.enabled": False,
            "toolkit.telemetry.enabled": False, "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False,
            "media.navigator.streams.fake": True, "media.navigator.permission.disabled": True,
            "browser.tabs.remote.autostart": True,
        }
        lines = [f'user_pref("{name}", {prefer(value)});' for name, value in preferences.items()]
        (pathlib.Path(self.folder.name) / "user.js").write_text("\n".join(lines))
        self.process = subprocess.Popen(
            # Colours are set by a preference, which Marionette permits with system access only.
            ["/usr/bin/firefox-esr", "--marionette", "--remote-allow-system-access", "--headless",
             "--no-remote", "--profile", self.folder.name, "about:blank"],
            env={**os.environ, "HOME": self.folder.name, "MOZ_HEADLESS_WIDTH": "1500",
                 "MOZ_HEADLESS_HEIGHT": "1000"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.driver = Marionette(host="127.0.0.1", port=self.port, socket_timeout=HUNG_SECONDS)
        try:
            self.driver.raise_for_port(timeout=60)
            self.driver.start_session()
            self.driver.timeout.script = 120
            self.driver.timeout.page_load = 120
            self.resize(size)
        except BaseException:
            self.end()
            raise

    def resize(self, size) -> None:
        # The window has a frame around the page.
        self.driver.set_window_rect(width=size[0], height=size[1] + 100)
        inner = self.run("return [innerWidth, innerHeight]")
        outer = self.driver.window_rect
        self.driver.set_window_rect(width=outer["width"] + size[0] - inner[0],
                                    height=outer["height"] + size[1] - inner[1])

    def theme(self, name: str) -> bool:
        light = int(name == "light")
        self.driver.set_pref("layout.css.prefers-color-scheme.content-override", light)
        return True

    def go(self, address: str) -> None:
        self.driver.navigate(address)

    def back(self) -> None:
        self.driver.go_back()

    def forward(self) -> None:
        self.driver.go_forward()

    def run(self, script: str, *arguments):
        return self.driver.execute_script(
            script, script_args=arguments, new_sandbox=False, sandbox=None)

    def run_slowly(self, script: str, *arguments):
        return self.driver.execute_async_script(
            script, script_args=arguments, new_sandbox=False, sandbox=None)

    def keys(self, *keys) -> None:
        self.driver.get_active_element().send_keys(*keys)

    def picture(self, path: pathlib.Path) -> None:
        path.write_bytes(base64.b64decode(self.driver.screenshot(full=False)))

    def console(self) -> list[str]:
        return []

    def close(self) -> None:
        try:
            self.driver.delete_session()
        finally:
            self.end()

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            # A request that is never answered holds up the end of Firefox.
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()


def prefer(value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else f'"{value}"'


class WebKit:
    name = "webkit"

    def __init__(self):
        self.display = f":{90 + os.getpid() % 400}"
        self.server = subprocess.Popen(
            ["/usr/bin/Xvfb", self.display, "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while not pathlib.Path(f"/tmp/.X11-unix/X{self.display[1:]}").exists():
            if time.monotonic() > end or self.server.poll() is not None:
                raise OSError("Xvfb does not start")
            time.sleep(0.1)
        os.environ["DISPLAY"] = self.display
        # Without a graphics card, and as root in a container.
        os.environ["WEBKIT_DISABLE_DMABUF_RENDERER"] = "1"
        os.environ["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"

    def tab(self, size, ratio: float, before: str, between: Between):
        between.before = WATCH + before
        return WebKitTab(size)

    def stop(self) -> None:
        self.server.terminate()
        self.server.wait(30)


class WebKitTab(SeleniumTab):
    def __init__(self, size):
        from selenium import webdriver
        from selenium.webdriver.webkitgtk.options import Options
        from selenium.webdriver.webkitgtk.service import Service
        options = Options()
        options.binary_location = next(
            str(one) for one in sorted(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser")))
        options.add_argument("--automation")
        self.driver = with_limit(lambda: webdriver.WebKitGTK(
            options=options, service=Service("/usr/bin/WebKitWebDriver")))
        self.driver.set_script_timeout(120)
        self.driver.set_page_load_timeout(120)
        self.resize(size)

    def resize(self, size) -> None:
        self.driver.set_window_size(*size)
        inner = self.run("return [innerWidth, innerHeight]")
        self.driver.set_window_size(2 * size[0] - inner[0], 2 * size[1] - inner[1])

    def theme(self, name: str) -> bool:
        return name == "light"

    # The button of WebKit leaves out entries that a page made without a finger: those of tests.
    def back(self) -> None:
        self.run("history.back()")

    def forward(self) -> None:
        self.run("history.forward()")

    def console(self) -> list[str]:
        return []

    def close(self) -> None:
        self.driver.quit()
