"""Takes a screenshot of one figure of a report, for the README.

usage: picture.py BROWSER PAGE FIGURE FILE
"""

import sys
from pathlib import Path

from look import browser


def main(program, page, figure, file):
    with browser(program) as opened:
        tab = opened.new_page(viewport={"width": 1180, "height": 900}, color_scheme="light")
        tab.goto(Path(page).resolve().as_uri())
        tab.locator(f"#{figure}").screenshot(path=file)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
