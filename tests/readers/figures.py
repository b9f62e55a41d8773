"""Checks that figures exist and are not blank.

    figures.py FOLDER NAME...

FOLDER must have NAME.png and NAME.svg. In all figures, text and axes are grey and marks are in colour, so a figure
without coloured pixels is blank. Prints a line for each figure that is missing or blank, and exits with 1 if there is
one.
"""

import sys
import xml.etree.ElementTree
from pathlib import Path

import numpy
from PIL import Image

WIDTH = 600
# A figure with three short bars has about 1 % coloured pixels.
LEAST_SHARE = 0.001


def fault(folder, name):
    """The fault of a figure, or `None`."""
    picture, drawing = folder / f"{name}.png", folder / f"{name}.svg"
    missing = [path.name for path in (picture, drawing) if not path.is_file()]
    if missing:
        return f"{' and '.join(missing)} not written"
    texts = [element for element in xml.etree.ElementTree.parse(drawing).iter() if element.tag.endswith("}text")]
    if not texts:
        return f"{drawing.name} has no text"
    with Image.open(picture) as opened:
        pixels = numpy.asarray(opened.convert("RGB")).astype(int)
    if pixels.shape[1] < WIDTH:
        return f"{picture.name} is {pixels.shape[1]} pixels wide"
    coloured = (pixels.max(axis=2) - pixels.min(axis=2) > 40).mean()
    if coloured < LEAST_SHARE:
        return f"{picture.name} is blank: {coloured:.4%} of it is in colour"
    return None


def main():
    folder, *names = sys.argv[1:]
    faults = [(name, fault(Path(folder), name)) for name in names]
    for name, found in faults:
        if found:
            print(f"{name}: {found}")
    return 1 if not names or any(found for _, found in faults) else 0


if __name__ == "__main__":
    sys.exit(main())
