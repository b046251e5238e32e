"""Prints the form fields of a PDF, one a line: name, kind and current value."""

import sys

from pypdf import PdfReader


def main(path: str) -> None:
    fields = PdfReader(path).get_fields() or {}
    for name, field in sorted(fields.items()):
        print(name, field.get("/FT", "?"), field.get("/V", ""), sep="\t")


if __name__ == "__main__":
    main(sys.argv[1])
