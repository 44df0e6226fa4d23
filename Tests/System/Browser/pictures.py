"""Takes the pictures of README and docs: deploy/screenshots calls it.

    pictures.py --at http://127.0.0.1:8080 --output docs/pictures
"""

import argparse
import base64
import pathlib
import sys

import own_network
from between import Between
from chromium import Chromium
from page import Page

LARGEST_BYTES = 150_000
DESK, PHONE = (1280, 720), (390, 800)
ROUTE = "from=0.N01&to=2.S05"
# The file, the address, the size, and whether it is dark. What is pressed first, if anything.
PICTURES = (
    ("route-on-a-desk", f"?{ROUTE}", DESK, "light", ".steps li:nth-child(3) button"),
    ("first-view", "?floor=floor-0", PHONE, "light", ".first .primary"),
    ("step-free-route-in-the-dark", f"?{ROUTE}&profile=wheelchair", PHONE, "dark", None),
    ("search-in-welsh", "?floor=floor-1&lang=cy", PHONE, "light", ".first .primary"),
)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--at", required=True)
    parser.add_argument("--app", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    given = parser.parse_args()
    own_network.leave_machine()
    between = Between(given.at)
    between.folder = given.app
    Page.browser = Chromium()
    try:
        for name, query, size, theme, pressed in PICTURES:
            # Twice as many pixels for a telephone, as they have.
            with Page(between, size, ratio=2.0 if size == PHONE else 1.5) as page:
                page.theme(theme)
                page.open("/s/bush-house" + query)
                page.until("return document.documentElement.classList.contains('outdoors')")
                if pressed:
                    page.click(pressed)
                if "lang=cy" in query:
                    page.focus(".search input")
                    page.keys("lab 1.n")
                    page.until("return document.querySelector('.search [role=option]') !== null")
                page.settled()
                data = compressed(page)
            (given.output / f"{name}.webp").write_bytes(data)
            print(f"   {name}.webp: {len(data)} bytes")
    finally:
        Page.browser.stop()
    return 0


def compressed(page: Page) -> bytes:
    """The picture in the best quality whose file is small enough."""
    for quality in (90, 80, 70, 55, 40):
        answer = page.command("Page.captureScreenshot", format="webp", quality=quality)
        data = base64.b64decode(answer["data"])
        if len(data) <= LARGEST_BYTES:
            return data
    raise ValueError("the picture can't be made small enough")


if __name__ == "__main__":
    sys.exit(main())
