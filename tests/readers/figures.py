"""Whether figures are there and have something drawn on them.

    figures.py FOLDER NAME...

NAME.png and NAME.svg have to be in FOLDER. Text and axes are grey in all figures and marks are in colour, so that a
figure without coloured points shows nothing. It prints a line for each figure that is missing or blank, and ends with 1
if there is one.
"""

import sys
import xml.etree.ElementTree
from pathlib import Path

import numpy
from PIL import Image

WIDTH = 600
# Of a figure with three short bars it is some 1 %.
LEAST_SHARE = 0.001


def fault(folder, name):
    """What is wrong with a figure, or nothing."""
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
