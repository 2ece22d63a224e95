"""Small PDF files, written by hand: text pages, an encrypted one, and bombs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from io import BytesIO

from pypdf import PdfReader, PdfWriter


def pdf_of(*pages: str) -> bytes:
    """A PDF with one line of Latin text per page."""
    streams = [f"BT /F1 12 Tf 72 720 Td ({page}) Tj ET".encode("latin-1") for page in pages]
    return _file(streams)


def bomb(megabytes: int) -> bytes:
    """A page whose content unpacks to so many megabytes of nothing."""
    return _file([zlib.compress(b"q Q " * (megabytes * 262_144), 9)], packed=True)


def encrypted(*pages: str) -> bytes:
    """The same, to be opened with a password."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf_of(*pages))))
    writer.encrypt("secret", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def _file(streams: Sequence[bytes], *, packed: bool = False) -> bytes:
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for index, stream in enumerate(streams):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * index} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        filters = " /Filter /FlateDecode" if packed else ""
        head = f"<< /Length {len(stream)}{filters} >>\nstream\n".encode()
        objects.append(head + stream + b"\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    trailer = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + f"xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}".encode()
