"""Plants faults in copies of a report, one at a time, and checks that `look.py` finds each.

usage: faults.py BROWSER PAGE

Prints each fault that was not found, and exits with 1 if there is one. Without `ROBOCENSUS_FULL=1`, one fault per check
is planted.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from look import IS_FULL, Reader, browser, look

# Disables the content security policy of the page, which would block the fault.
WITHOUT_POLICY = ('http-equiv="Content-Security-Policy"', 'name="was-policy"')


def style(rules):
    return [WITHOUT_POLICY, ("</style>", rules + "</style>")]


# The check, the fault, and the replacements. A replacement changes only the first match.
FAULTS = [
    ("quiet", "a handler in an element", [("<h1>", "<h1 onclick=\"x()\">")]),
    ("quiet", "a script that the policy does not allow", [("</main>", "</main><script>1</script>")]),
    ("quiet", "a script that fails", [WITHOUT_POLICY, ('"use strict";', '"use strict"; absent();')]),
    ("quiet", "a warning on the console", [WITHOUT_POLICY, ('"use strict";', '"use strict"; console.warn("x");')]),
    ("alone", "an image from elsewhere", [WITHOUT_POLICY, ("</main>", '<img src="http://127.0.0.1:9/x.png" alt=""></main>')]),
    ("alone", "a style from elsewhere", [WITHOUT_POLICY, ("<style>", '<style>@import "http://127.0.0.1:9/x.css";')]),
    ("alone", "a policy that allows any script", [("script-src ", "script-src 'unsafe-inline' ")]),
    ("figures", "a chart without shapes", [(re.compile(r"(?s)(</desc>).*?</svg>"), r"\1</svg>")]),
    ("figures", "a chart that is not shown", style(".chart{display:none}")),
    ("figures", "both charts at once", style(".narrow{display:block!important}")),
    ("figures", "a texture that is missing", [('id="texture-3"', 'id="texture-33"')]),
    ("figures", "textures that are not drawn", style("svg.hidden{display:none}")),
    ("figures", "a chart without height", style("svg{height:0!important}")),
    ("figures", "a chart without a description", [(re.compile(r"<desc [^>]*>[^<]*"), "<desc>")]),
    ("figures", "a figure without a caption", [(re.compile(r"(?s)<figcaption>.*?</figcaption>"), "")]),
    ("figures", "a figure without SQL", [('<details class="sql">', '<details class="other">')]),
    ("figures", "a file that is missing", [('href="data/', 'href="data/absent-')]),
    ("fits", "a host that is broken within a word", style("td.host{display:block!important;width:2rem!important;min-width:0!important;overflow-wrap:anywhere!important}")),
    ("fits", "a line that is too wide", style("h1{white-space:nowrap;width:400px}")),
    ("fits", "a table that cannot be reached", [(re.compile(r'(<div class="scroll" role="region") tabindex="0"'), r"\1")]),
    ("fits", "a table that scrolls without a hint", style(".sideways{display:none}")),
    ("fits", "a text that is cut off", style("figcaption{overflow:hidden;white-space:nowrap}")),
    ("labels", "a label that is cut off", [(re.compile(r'(<text x=)"\d+"'), r'\1"-40"')]),
    ("labels", "labels that overlap", [(re.compile(r"(?s)(<text [^>]*>[^<]*</text>)"), r"\1\1")]),
    ("labels", "a pale label", style("svg text{fill:#aaa!important}")),
    ("accessible", "a pale text", style(".question{color:#bbb!important}")),
    ("accessible", "a pale text in the dark", style("@media (prefers-color-scheme:dark){.question{color:#444!important}}")),
    ("accessible", "no landmark", [("<main", "<div"), ("</main>", "</div>")]),
    ("accessible", "an image without a text", [("</main>", '<img src="data:,"></main>')]),
    ("accessible", "a skipped heading level", [("<h2 ", "<h5 "), ("</h2>", "</h5>")]),
    ("keyboard", "a focus that is not visible", style(":focus-visible{outline:none!important}")),
    ("keyboard", "a focus on a hidden element", style(".files{opacity:0}")),
    ("keyboard", "no link that skips to the figures", [(re.compile(r'<a class="skip".*?</a>'), "")]),
    ("keyboard", "a toggle that does not open", [WITHOUT_POLICY, ('"use strict";', '"use strict"; document.addEventListener("keydown", (e) => { if (e.key === "Enter") e.preventDefault(); });')]),
    ("keyboard", "a keyboard trap", [WITHOUT_POLICY, ('"use strict";', '"use strict"; document.addEventListener("keydown", (e) => { if (document.activeElement.localName === "summary") e.preventDefault(); });')]),
    ("tables", "no button to sort by", [WITHOUT_POLICY, ("header.append(button)", "header.append(button.textContent)")]),
    ("tables", "rows in the wrong order", [WITHOUT_POLICY, ("return down ? -order : order;", "return 0;")]),
    ("tables", "an order that is not announced", [WITHOUT_POLICY, ('header.setAttribute("aria-sort"', 'header.setAttribute("data-sort"')]),
    ("tables", "a filter that keeps all rows", [WITHOUT_POLICY, ("row.hidden = ", "row.hidden = false && ")]),
    ("files", "a link that does nothing", [WITHOUT_POLICY, ('"use strict";', '"use strict"; document.addEventListener("click", (e) => { if (e.target.closest(".files")) e.preventDefault(); });')]),
    ("files", "a link to the file of another figure", [(re.compile(r'href="data/[a-z_]+\.csv"'), 'href="data/status_codes.csv"')]),
    ("without_script", "a text that the script writes", [WITHOUT_POLICY, ('"use strict";', '"use strict"; document.querySelector("h1").append("x");')]),
    ("printed", "a caption that is not printed", style("@media print{figcaption{display:none}}")),
    ("printed", "a dark background", style("@media print{body{background:#000!important}}")),
    ("printed", "a table wider than the paper", style("@media print{td{white-space:nowrap!important;min-width:20rem!important}}")),
    ("printed", "a short word that is broken", style("@media print{td{min-width:0!important;max-width:.5rem!important}td,td *{display:block;width:.5rem;overflow-wrap:anywhere!important}}")),
    ("printed", "charts that are cut", style("@media print{svg{break-inside:auto!important}}")),
    ("printed", "everything on one page", style("@media print{main{display:none}}")),
]


def planted(page, changes):
    for old, new in changes:
        changed = old.sub(new, page, count=1) if isinstance(old, re.Pattern) else page.replace(old, new, 1)
        if changed == page:
            sys.exit(f"nothing to plant a fault in: {old}")
        page = changed
    return page


def main(program, path):
    source = Path(path).resolve()
    page = source.read_text(encoding="utf-8")
    missed = 0
    with browser(program) as opened, tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "report"
        shutil.copytree(source.parent, copy)
        for check, fault, changes in FAULTS if IS_FULL else {check: (check, *rest) for check, *rest in FAULTS}.values():
            (copy / source.name).write_text(planted(page, changes), encoding="utf-8")
            # The whole list, since the driver fails if a page is closed early.
            if not list(look(Reader(opened, copy / source.name), [check])):
                print(f"{check}: does not find {fault}")
                missed += 1
    return 1 if missed else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
