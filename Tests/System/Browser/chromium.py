"""Headless Chromium: one process for all tests, and a fresh context for each page."""

import json
import pathlib
import urllib.request

import websocket
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium_tab import SeleniumTab, with_limit

WATCH = (pathlib.Path(__file__).resolve().parent / "page_watch.js").read_text()
ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--lang=en",
    "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking",
    "--disable-component-update", "--no-first-run",
    # A green picture with a clock, and yes where a browser would ask.
    "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
    # A walk goes on in a page behind another one.
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
)


class Chromium:
    """The process. A context has its own cookies, storage, cache and service workers."""

    name = "chromium"

    def __init__(self):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = with_limit(lambda: webdriver.Chrome(
            options=options, service=Service("/usr/bin/chromedriver")))
        self.driver.set_script_timeout(120)
        self.driver.set_page_load_timeout(120)
        at = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{at}/json/version", timeout=30) as answer:
            address = json.load(answer)["webSocketDebuggerUrl"]
        # The driver sends commands to pages only; contexts are the browser's.
        self.socket = websocket.create_connection(address, suppress_origin=True, timeout=60)
        self.count = 0
        self.first = self.driver.current_window_handle
        self.shown = self.first

    def command(self, name: str, **members):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": name, "params": members}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                return answer["result"]

    def tab(self, size, ratio: float, before: str, _between):
        return ChromiumTab(self, size, ratio, before)

    def show(self, handle: str) -> None:
        if self.shown != handle:
            self.driver.switch_to.window(handle)
            self.shown = handle

    def stop(self) -> None:
        self.socket.close()
        self.driver.quit()


class ChromiumTab(SeleniumTab):
    """A page in a context of its own."""

    def __init__(self, browser: Chromium, size, ratio: float, before: str):
        self.browser = browser
        self.context = browser.command("Target.createBrowserContext")["browserContextId"]
        self.handle = browser.command(
            "Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.ratio = ratio
        self.resize(size)
        self.theme("light")
        # Other pages are open at the same time: each is as if it had the keyboard.
        self.command("Emulation.setFocusEmulationEnabled", enabled=True)
        for source in (WATCH, before):
            if source:
                self.command("Page.addScriptToEvaluateOnNewDocument", source=source)

    @property
    def driver(self):
        self.browser.show(self.handle)
        return self.browser.driver

    def command(self, name: str, **members):
        return self.driver.execute_cdp_cmd(name, members)

    def resize(self, size) -> None:
        self.command("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                     deviceScaleFactor=self.ratio, mobile=size[0] < 700)

    def theme(self, name: str) -> bool:
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name}])
        return True

    def back(self) -> None:
        self.driver.back()

    def forward(self) -> None:
        self.driver.forward()

    def console(self) -> list[str]:
        """What pages wrote to the console since the last call."""
        return [f"{one['level']} {one['message']}" for one in self.driver.get_log("browser")]

    def close(self) -> None:
        self.browser.show(self.browser.first)
        self.browser.command("Target.disposeBrowserContext", browserContextId=self.context)
