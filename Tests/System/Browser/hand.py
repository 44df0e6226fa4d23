"""What a person does to draw: presses, drags and fields, each counted. No part of the app is asked."""

from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput

from keys import ENTER

# The pixel of the window at which a pixel of the plan's picture is seen.
SEEN = """
    var picture = document.querySelector(arguments[0]);
    var box = picture.getBoundingClientRect();
    return [box.left + arguments[1] * box.width, box.top + arguments[2] * box.height];"""
PRESS = """
    var text = arguments[0];
    var found = [].filter.call(document.querySelectorAll('#page button, #page summary, #page a'), function (one) {
      var shown = one.offsetParent !== null && !one.disabled;
      return shown && (one.textContent.trim() === text || one.getAttribute('aria-label') === text); })[0];
    if (!found) return null;
    found.scrollIntoView({ block: 'nearest' });
    var box = found.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];"""


class Hand:
    """The hand of somebody at a page. `count` is how often it pressed, dragged or filled a field."""

    def __init__(self, page, words, kind: str = "mouse"):
        self.page, self.words, self.kind = page, words, kind
        self.count = 0
        self.plan = ".draw-plan"
        self.size = (1, 1)

    def tap(self, x: float, y: float) -> None:
        self.drag((x, y), None)

    def drag(self, start, end) -> None:
        """Presses at a pixel of the window, and lets go at another one."""
        self.count += 1
        driver = self.page.driver
        actions = ActionBuilder(driver, mouse=PointerInput(self.kind, self.kind), duration=0)
        mouse = actions.pointer_action
        mouse.move_to_location(round(start[0]), round(start[1])).pointer_down()
        if end:
            middle = [(one + other) / 2 for one, other in zip(start, end, strict=True)]
            mouse.move_to_location(round(middle[0]), round(middle[1]))
            mouse.move_to_location(round(end[0]), round(end[1]))
        mouse.pointer_up()
        actions.perform()

    def seen(self, x: float, y: float):
        """Where a point of the plan, in shares of its width and height, is on the window."""
        return self.page.run(SEEN, self.plan, x / self.size[0], y / self.size[1])

    def tap_plan(self, x: float, y: float) -> None:
        self.tap(*self.seen(x, y))

    def drag_plan(self, start, end) -> None:
        self.drag(self.seen(*start), self.seen(*end))

    def press(self, key: str, **values) -> None:
        """Presses what has this text of the words, or this label."""
        text = self.words.get(key, key)
        for name, value in values.items():
            text = text.replace("{%s}" % name, value)
        self.tap(*self.page.until(PRESS, 30, text))

    def field(self, selector: str, text: str, ends: str = "") -> None:
        """Types into a field; `ends` may be Enter."""
        self.count += 1
        self.page.until("return document.querySelector(arguments[0]) !== null", 30, selector)
        self.page.focus(selector)
        self.page.run("document.activeElement.select && document.activeElement.select()")
        self.page.keys(text, ends) if ends else self.page.keys(text)

    def name(self, text: str) -> None:
        """Types the name of what was just drawn: the keyboard is there already."""
        self.count += 1
        self.page.until("return document.activeElement.id === 'draw-name'", 30)
        self.page.keys(text, ENTER)
        self.page.until("return document.activeElement.id !== 'draw-name'", 30)

    def file(self, selector: str, path) -> None:
        self.count += 1
        self.page.until("return document.querySelector(arguments[0]) !== null", 30, selector)
        self.page.driver.find_element("css selector", selector).send_keys(str(path))
