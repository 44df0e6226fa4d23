"""Plans as files: a sheet of lines as PDF, without any text."""

import pathlib
import struct
import zlib

POINTS_TO_METRE = 20
MARGIN = 30


def sheet(size, rooms, pages: int = 1) -> bytes:
    """Pages with the walls of rooms (west, south, east, north), in metres; `size` is the building's."""
    wide, high = (round(side * POINTS_TO_METRE + 2 * MARGIN) for side in size)
    lines = ["2 w"]
    for west, south, east, north in rooms:
        box = [MARGIN + west * POINTS_TO_METRE, MARGIN + south * POINTS_TO_METRE,
               (east - west) * POINTS_TO_METRE, (north - south) * POINTS_TO_METRE]
        lines.append(" ".join(f"{one:g}" for one in box) + " re S")
    drawing = "\n".join(lines).encode()
    kids = b" ".join(b"%d 0 R" % (4 + page) for page in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, pages),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
    ] + pages * [
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 3 0 R >>" % (wide, high)]
    body, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (body + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
            + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
            % (len(objects) + 1, len(body)))


def drawing(size, more: str = "") -> bytes:
    """The same sheet with the outer walls alone, as SVG; `more` is any element."""
    wide, high = sheet_size(size)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" '
            f'viewBox="0 0 {wide:g} {high:g}"><rect x="{MARGIN}" y="{MARGIN}" '
            f'width="{wide - 2 * MARGIN:g}" height="{high - 2 * MARGIN:g}" fill="none" '
            f'stroke="black" stroke-width="2"/>{more}</svg>').encode()


def picture(wide: int, high: int) -> bytes:
    """A white PNG."""
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\x00" + b"\xff" * wide for _ in range(high))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def share(size, x: float, y: float) -> tuple[float, float]:
    """The place of a point in metres on the sheet, in points from its upper left corner."""
    return (MARGIN + x * POINTS_TO_METRE, MARGIN + (size[1] - y) * POINTS_TO_METRE)


def sheet_size(size) -> tuple[float, float]:
    return tuple(side * POINTS_TO_METRE + 2 * MARGIN for side in size)


def write(folder: str, name: str, content: bytes) -> pathlib.Path:
    path = pathlib.Path(folder) / name
    path.write_bytes(content)
    return path
