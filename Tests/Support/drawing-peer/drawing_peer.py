"""Draws plans with ezdxf, in each version of DXF that it writes.

    drawing_peer.py FOLDER

Each plan is FOLDER/NAME.dxf, and FOLDER/expected.json says by name: the unit, and the name and the
area in square metres of each room, by name.
"""

import json
import pathlib
import sys

import ezdxf
from ezdxf import units
from ezdxf.enums import TextEntityAlignment

UNITS = {"millimetres": (units.MM, 0.001), "inches": (units.IN, 0.0254), "feet": (units.FT, 0.3048)}


def plan(version: str, unit: str, kind: str):
    code, metres = UNITS[unit]
    document = ezdxf.new(version, setup=False)
    document.units = code
    space = document.modelspace()
    for name in ("ROOMS", "WALLS", "NAMES", "FURNITURE"):
        document.layers.add(name)
    document.layers.get("FURNITURE").off()

    def at(*points):
        return [(x / metres, y / metres) for x, y in points]

    def text(words, x, y):
        height = 0.2 / metres
        added = space.add_text(words, height=height, dxfattribs={"layer": "NAMES"})
        added.set_placement((x / metres, y / metres), align=TextEntityAlignment.MIDDLE_CENTER)

    rooms = {"Office 1.01": 20.0, "Küche": 15.0, "Round": 3.1416 * 1.5 ** 2, "Cabin": 2.0}
    boxes = [((0, 0), (5, 0), (5, 4), (0, 4)), ((5, 0), (10, 0), (10, 3), (5, 3))]
    if kind == "outlines":
        for box in boxes:
            if version == "R12":
                space.add_polyline2d(at(*box), close=True, dxfattribs={"layer": "ROOMS"})
            else:
                space.add_lwpolyline(at(*box), close=True, dxfattribs={"layer": "ROOMS"})
    else:
        for box in boxes:
            for start, end in zip(box, box[1:] + box[:1]):
                space.add_line(*at(start, end), dxfattribs={"layer": "WALLS"})
    space.add_circle(at((20, 0))[0], 1.5 / metres, dxfattribs={"layer": "ROOMS"})
    block = document.blocks.new("CABIN")
    corners = [(0, 0), (1, 0), (1, 2), (0, 2)]
    if version == "R12":
        block.add_polyline2d(at(*corners), close=True)
    else:
        block.add_lwpolyline(at(*corners), close=True)
    space.add_blockref(
        "CABIN", at((30, 5))[0], dxfattribs={"layer": "ROOMS", "rotation": 30})
    space.add_line(*at((0, 0), (9, 9)), dxfattribs={"layer": "FURNITURE"})
    space.add_line(*at((0, 1), (5, 2)), dxfattribs={"layer": "FURNITURE"})
    text("Office 1.01", 2, 2)
    text("20.0 m²", 2, 1)
    if version == "R12":
        text("Küche", 7, 1)
    else:
        mtext = space.add_mtext("{\\fArial|b0;Küche}", dxfattribs={"layer": "NAMES"})
        mtext.dxf.insert = (7 / metres, 1 / metres)
        mtext.dxf.char_height = 0.2 / metres
    text("Round", 20, 0)
    text("Cabin", 30 - 0.1, 6)
    return document, rooms


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    expected = {}
    for version in ("R12", "R2000", "R2004", "R2007", "R2010", "R2013", "R2018"):
        for unit in UNITS:
            for kind in ("outlines", "lines"):
                name = f"{version}-{unit}-{kind}"
                document, rooms = plan(version, unit, kind)
                document.saveas(folder / f"{name}.dxf")
                expected[name] = {"unit": unit, "rooms": rooms}
    (folder / "expected.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    main()
