"""Checks a report in a browser: on wide and narrow screens, by keyboard, by axe-core, on paper, without its script.

usage: look.py BROWSER PAGE [CHECK ...]

Prints `CHECK: WHERE: WHAT` for each fault, and exits with 1 if there is one. Without `ROBOCENSUS_FULL=1`, the checks
use only the narrowest and the widest window, and a few figures, tables and links. axe-core and the Tab key visit the
first figure of each section.
"""

import os
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import TimeoutError, sync_playwright

HERE = Path(__file__).parent
# These stop the browser's own requests. It has no sandbox, since a sandbox cannot start as root.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
IS_FULL = os.environ.get("ROBOCENSUS_FULL") == "1"
WIDTHS = [320, 600, 800, 1280] if IS_FULL else [320, 1280]
SCHEMES = ["light", "dark"]
# A4 without the margins of the page, in CSS pixels.
PAPER = {"width": 688, "height": 1001}
CHECKS = {}


def check(function):
    """Registers a check: a function that yields faults as WHERE and WHAT."""
    CHECKS[function.__name__] = function
    return function


@dataclass
class Reader:
    """A browser with the report, and the messages and requests so far."""

    browser: object
    path: Path
    messages: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    fetched: set = field(default_factory=set)

    @contextmanager
    def page(self, width=1280, scheme="light", script=True, media="screen", opened=False):
        """Opens the page in one view. `opened` opens all details."""
        where = f"{width} px, {scheme}, {media}" + ("" if script else ", no script")
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        page = context.new_page()
        page.emulate_media(media=media, color_scheme=scheme)
        page.on("console", lambda message: self.messages.append((where, f"{message.type}: {message.text}")))
        page.on("pageerror", lambda error: self.messages.append((where, f"error: {error}")))
        page.on("request", lambda request: self.requests.append((where, request.url)))
        page.goto(self.path.as_uri())
        page.evaluate((HERE / "seen.js").read_text())
        if opened:
            page.evaluate("() => document.querySelectorAll('details').forEach(details => { details.open = true })")
        try:
            yield page, where
        finally:
            context.close()


@check
def figures(reader):
    """Each figure is visible, and has a title, a caption, a description, data, SQL and files."""
    for width, script, media in [(w, True, "screen") for w in WIDTHS] + [(1280, False, "screen"), (PAPER["width"], True, "print")]:
        with reader.page(width, script=script, media=media) as (page, where):
            yield from ((where, wrong) for wrong in page.evaluate("() => seen.figures()"))
            files = page.eval_on_selector_all(".files a", "links => links.map(link => link.getAttribute('href'))")
            yield from ((where, f"no such file: {file}") for file in files if not (reader.path.parent / file).is_file())


@check
def fits(reader):
    """The page is as wide as the window. Wider elements scroll on their own, and can be reached by keyboard. No word of
    a host is broken."""
    for width in WIDTHS:
        # A page that fits with all details open also fits with them closed.
        for opened in [False, True] if IS_FULL else [True]:
            with reader.page(width, opened=opened) as (page, where):
                yield from ((where, wrong) for wrong in page.evaluate("() => seen.overflow()"))
                yield from ((where, wrong) for wrong in page.evaluate("() => seen.hosts()"))


@check
def labels(reader):
    """No label of a chart is cut off, overlaps another, or has too little contrast."""
    for width, scheme in [(320, "light"), (1280, "light"), (1280, "dark")] if IS_FULL else [(320, "dark"), (1280, "light")]:
        with reader.page(width, scheme) as (page, where):
            yield from ((where, wrong) for wrong in page.evaluate("() => seen.labels()"))


@check
def accessible(reader):
    """axe-core finds nothing, with all details open."""
    import axe_playwright_python

    axe = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    views = [(1280, "light", [])]
    if IS_FULL:
        views += [(1280, "dark", ["color-contrast"]), (320, "light", [])]
    for width, scheme, rules in views:
        with reader.page(width, scheme, opened=True) as (page, where):
            # A few rows suffice: tables have thousands of similar rows.
            page.evaluate("() => seen.shorten(3)")
            if not IS_FULL:
                page.evaluate("() => seen.keepFirstFigures()")
            page.evaluate(axe)
            found = page.evaluate("rules => axe.run(document, rules)", {"runOnly": rules} if rules else {})
            if len(found["passes"]) < (len(rules) or 20):
                yield where, f"axe-core has tried only {len(found['passes'])} rules"
            for wrong in found["violations"]:
                first = wrong["nodes"][0]
                yield where, f"{wrong['id']}: {wrong['help']}: {len(wrong['nodes'])} times, first {first['target']} {first['html'][:120]}"


@check
def keyboard(reader):
    """Tab reaches all controls, the focus is visible, and Enter and the space bar work."""
    with reader.page() as (page, where):
        page.keyboard.press("Tab")
        if page.evaluate("() => seen.focused()") != "a.skip":
            yield where, "the first element that Tab reaches is not the link that skips to the figures"
        page.keyboard.press("Enter")
        if page.evaluate("() => document.activeElement.id") != "content":
            yield where, "the link that skips does not move the focus"
    with reader.page() as (page, where):
        if not IS_FULL:
            page.evaluate("() => seen.keepFirstFigures()")
        wanted = page.evaluate("() => seen.focusable()")
        reached = 0
        for _ in range(wanted + 5):
            page.keyboard.press("Tab")
            name, wrong = page.evaluate("() => [seen.focused(), seen.focus()]")
            if name == "body":
                break
            reached += 1
            if wrong:
                yield where, wrong
        if reached != wanted:
            yield where, f"Tab reaches {reached} of {wanted} controls"
    for script in [True, False]:
        with reader.page(script=script) as (page, where):
            # Toggles are native elements, so those of a few figures suffice.
            for place, toggle in enumerate(page.query_selector_all("figure summary")[: 12 if IS_FULL else 3]):
                toggle.focus()
                states = []
                for key in ["Enter", "Space", "Enter"]:
                    page.keyboard.press(key)
                    states.append(toggle.evaluate("summary => summary.parentElement.open"))
                if states != [True, False, True]:
                    yield where, f"toggle {place + 1} does not open by Enter and close by the space bar"
                if not toggle.evaluate("summary => summary.nextElementSibling.getBoundingClientRect().height > 0"):
                    yield where, f"toggle {place + 1} opens nothing"


@check
def tables(reader):
    """Tables sort by keyboard in both directions, and the field above them filters rows."""
    with reader.page(opened=True) as (page, where):
        found = page.query_selector_all("figure .scroll table")
        if not found:
            yield where, "there is no table"
        for table in found if IS_FULL else found[::10]:
            name = table.evaluate("table => table.caption.textContent")
            headers = table.query_selector_all("th")
            # A text column and a number column.
            for header in [headers[0], headers[-1]]:
                button = header.query_selector("button")
                if not button:
                    yield where, f"{name}: a column has no button to sort by"
                    break
                button.focus()
                for key, direction in [("Enter", "descending"), ("Space", "ascending")]:
                    page.keyboard.press(key)
                    wrong = header.evaluate("(header, direction) => seen.sorted(header, direction)", direction)
                    if wrong:
                        yield where, f"{name}: {wrong}"
        fields = page.query_selector_all(".filter input")
        for entry in fields if IS_FULL else fields[:2]:
            word = entry.evaluate("input => seen.word(input)")
            entry.focus()
            page.keyboard.type(word)
            if wrong := entry.evaluate("input => seen.filtered(input)"):
                yield where, wrong
            page.keyboard.press("Escape")
            if wrong := entry.evaluate("input => seen.filtered(input)"):
                yield where, f"after the field is cleared: {wrong}"


@check
def files(reader):
    """A link to a file downloads the whole file of its figure, by a click and by Enter."""
    for script in [True, False]:
        with reader.page(script=script) as (page, where):
            # All links work in the same way, so those of a few figures suffice.
            for link in page.query_selector_all("figure .files a")[: 6 if IS_FULL else 2]:
                path = link.get_attribute("href")
                if Path(path).stem != link.evaluate("link => link.closest('figure').id"):
                    yield where, f"{path} is another figure's"
                reader.fetched.add(reader.path.parent.joinpath(path).as_uri())
                for way, act in [("a click", link.click), ("Enter", lambda: link.press("Enter"))]:
                    try:
                        with page.expect_download(timeout=5_000) as download:
                            act()
                    except TimeoutError:
                        yield where, f"{path} is not downloaded by {way}"
                        continue
                    if Path(download.value.path()).read_bytes() != (reader.path.parent / path).read_bytes():
                        yield where, f"{path} is downloaded by {way} with other content"


@check
def without_script(reader):
    """The page has the same text without its script."""
    texts = []
    for script in [True, False]:
        with reader.page(script=script, opened=True) as (page, where):
            texts.append(page.evaluate("() => seen.text()"))
    for one, other in zip(*texts):
        if one != other:
            yield where, f"has the text {other[:60]!r} instead of {one[:60]!r}"
            return
    if len(texts[0]) != len(texts[1]):
        yield where, f"has {len(texts[1])} lines instead of {len(texts[0])}"


@check
def printed(reader):
    """In print, all text is visible and dark on white, and no chart is cut."""
    for scheme in SCHEMES if IS_FULL else SCHEMES[1:]:
        with reader.page(PAPER["width"], scheme, media="print") as (page, where):
            yield from ((where, wrong) for wrong in page.evaluate("height => seen.printed(height)", PAPER["height"]))
            yield from ((where, wrong) for wrong in page.evaluate("() => seen.overflow()"))
    with reader.page() as (page, where):
        paper = page.pdf(format="A4")
        pages = len(re.findall(rb"/Type\s*/Page\b", paper))
        if not paper.startswith(b"%PDF") or pages < 2:
            yield where, f"the PDF has {pages} pages"


@check
def quiet(reader):
    """The browser logs no message in any of the checks."""
    # Other checks have opened the page before.
    if not reader.requests:
        with reader.page(opened=True):
            pass
    yield from reader.messages


@check
def alone(reader):
    """The page loads nothing but itself, and its policy forbids other requests."""
    with reader.page(opened=True) as (page, where):
        policy = page.evaluate("() => document.querySelector('meta[http-equiv=Content-Security-Policy]')?.content ?? ''")
        if not policy.startswith("default-src 'none';") or "unsafe" in policy or "http" in policy:
            yield where, f"its policy is {policy!r}"
    own = {reader.path.as_uri(), *reader.fetched}
    yield from ((where, f"asks for {url}") for where, url in reader.requests if url.split("#")[0] not in own)


def look(reader, names):
    """Yields all faults. Messages and requests of the browser are checked last."""
    for name in sorted(names, key=list(CHECKS).index):
        yield from ((name, where, what) for where, what in CHECKS[name](reader))


@contextmanager
def browser(path):
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield opened
        finally:
            opened.close()


def main(program, path, *names):
    with browser(program) as opened:
        wrong = list(look(Reader(opened, Path(path).resolve()), names or CHECKS))
    for name, where, what in wrong:
        print(f"{name}: {where}: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
