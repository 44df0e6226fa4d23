"""A page of a browser, and the few calls that the tests need."""

import time

from between import Between

SETTLED = "return window.pageWatch ? pageWatch.quiet() : '';"


class Page:
    """A page of the running browser, with no storage and no cookies.

    `base` is an address or a Between, `size` is in CSS pixels, `before` is a script that runs
    before those of each page.
    """

    browser = None
    """The browser of all pages: set once."""
    stays = False
    """Whether it outlives its test."""
    newest: list = []
    """The pages that are open now, for the report of a failed check."""

    def __init__(self, base, size=(390, 844), ratio=1.0, before=""):
        self.base = base.address if isinstance(base, Between) else base
        self.tab = Page.browser.tab(size, ratio, before, Between.all.get(self.base))
        self.log: list[str] = []
        Page.newest.append(self)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            Page.reports = self.report()
        self.close()

    reports = ""
    """What the pages of a failed check looked like, and wrote to the console."""

    def report(self) -> str:
        try:
            lines = [f"at {self.run('return location.href')}"] + self.console()
            return "\n".join(f"      | {one[:300]}" for one in lines[:20] + lines[20:][-20:])
        except Exception as error:
            return f"      | the page can't be asked: {error}"

    def close(self):
        if self in Page.newest:
            Page.newest.remove(self)
            self.tab.close()

    @property
    def driver(self):
        """The driver itself: for what only one browser has."""
        return self.tab.driver

    def command(self, name: str, **members):
        """A command of Chromium's DevTools protocol."""
        return self.tab.command(name, **members)

    def theme(self, name: str) -> bool:
        """Light or dark; false where the browser's driver can't set it."""
        return self.tab.theme(name)

    def resize(self, size):
        self.tab.resize(size)

    def run(self, script: str, *arguments):
        return self.tab.run(script, *arguments)

    def run_slowly(self, script: str, *arguments):
        """A script that calls its last argument with its value."""
        return self.tab.run_slowly(script, *arguments)

    def until(self, script: str, seconds=60.0, *arguments):
        """The first true value of a script; an error after the time."""
        end = time.monotonic() + seconds
        pause = 0.03
        while True:
            try:
                value = self.run(script, *arguments)
            except Exception as error:
                # A page that is just left has no elements; the driver's errors have no base of
                # their own in all browsers.
                value, fault = None, str(error).split("\n")[0]
            else:
                fault = ""
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {script} {fault}")
            time.sleep(pause)
            pause = min(0.25, pause * 1.3)

    def load(self, path: str):
        """Opens a page of the service, and waits for nothing."""
        self.tab.go(self.base + path)

    def open(self, path: str):
        """Opens a page of the service, and waits until the map and the panel are there."""
        self.load(path)
        # The first floor is shown, and all modules have arrived.
        ready = "var list = document.documentElement.classList;" \
            "return list.contains('ready') && list.contains('arrived');"
        for turn in range(6):
            try:
                self.until(ready, 10)
                break
            except AssertionError:
                if turn == 5 or any("ERR_NETWORK_CHANGED" in one for one in self.console()):
                    raise
        self.settled()

    def show(self, path: str):
        """Goes to another address of the open page within the app, as its links and buttons do."""
        self.run("history.pushState(null, '', arguments[0]);"
                 "window.dispatchEvent(new PopStateEvent('popstate'));", path)
        self.settled()

    def settled(self, seconds=60.0):
        """Waits until the page asks nothing, shows no wait, and moves nothing."""
        end = time.monotonic() + seconds
        before = None
        while True:
            now = self.run(SETTLED)
            if now and now == before:
                return
            if time.monotonic() > end:
                shown = self.text(".content")[-200:] + " | " + self.text(".waits")
                raise AssertionError(f"the page still waits: {shown}")
            before = now
            time.sleep(0.12)

    def keys(self, *keys):
        self.tab.keys(*keys)

    def back(self):
        self.tab.back()

    def forward(self):
        self.tab.forward()

    def picture(self, path):
        self.tab.picture(path)

    def text(self, selector: str) -> str:
        return self.run("var one = document.querySelector(arguments[0]);"
                        "return one ? one.textContent : '';", selector)

    def click(self, selector: str):
        """Clicks on an element as soon as it is there."""
        self.until("var one = document.querySelector(arguments[0]);"
                   "if (one) one.click(); return one !== null;", 60, selector)

    def focus(self, selector: str):
        self.run("document.querySelector(arguments[0]).focus()", selector)

    def console(self) -> list[str]:
        self.log += self.tab.console()
        return self.log
