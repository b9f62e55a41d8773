"""How figures look: one style for all notebooks.

The title names the subject. The subtitle says what is counted, of what and in which unit. The note has the number counted
and the question. Series are named where they are drawn. The colours are those of Okabe and Ito, which colour-blind
people can distinguish, and no series is distinguished by its colour alone.
"""

import csv
import re
import textwrap
from datetime import date
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import FuncFormatter, MaxNLocator

import census

BLUE, ORANGE, GREEN, RED, SKY, PURPLE, YELLOW = "#0072b2 #e69f00 #009e73 #d55e00 #56b4e9 #cc79a7 #f0e442".split()
# From 0 to 1, light to dark.
SHADES = LinearSegmentedColormap.from_list("shades", ["#ffffff", "#b9d9ea", BLUE, "#003d63"])
INK, FAINT, RULE = "#222222", "#595959", "#d0d0d0"

# Figures over time mark the events between their first and last crawl.
with open(Path(__file__).parent.parent / "datasets" / "events.csv", newline="", encoding="utf-8") as listed:
    EVENTS = [(date.fromisoformat(row["day"]), row["name"]) for row in csv.DictReader(listed)]

pyplot.rcParams.update(
    {
        "font.family": "DejaVu Sans",
        "font.size": 10,
        "text.color": INK,
        "axes.edgecolor": RULE,
        "axes.labelcolor": FAINT,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.grid": True,
        "grid.color": "#ececec",
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.major.size": 0,
        "xtick.major.pad": 7,
        "ytick.major.size": 0,
        "hatch.linewidth": 0.6,
        # The same figure has the same bytes, and text stays text.
        "svg.hashsalt": "robocensus",
        "svg.fonttype": "none",
    }
)

WIDTH = 9.0
# Inches above and below the axes.
LINE, ABOVE, BELOW = 0.21, 0.22, 0.2


def figure(title, subtitle, note, height, rows=1, columns=1, left=0.7, right=0.3, bottom=0.55, gap=0.7, above=0.0,
           **axes):
    """A figure with a title, a subtitle, a note, and axes of `height` inches per row."""
    head = textwrap.wrap(title, 82), textwrap.wrap(subtitle, 112)
    foot = [line for text in note.splitlines() for line in textwrap.wrap(text, 126)]
    top = ABOVE + 0.27 * len(head[0]) + LINE * len(head[1]) + 0.35 + above
    low = BELOW + 0.18 * len(foot) + bottom
    inner = height * rows + gap * (rows - 1)
    total = top + inner + low
    drawn, grid = pyplot.subplots(rows, columns, figsize=(WIDTH, total), squeeze=False, **axes)
    drawn.subplots_adjust(
        left=left / WIDTH,
        right=1 - right / WIDTH,
        top=1 - top / total,
        bottom=low / total,
        hspace=gap / height if rows > 1 else 0,
        wspace=0.18 if columns > 1 else 0,
    )
    margin = 0.25 / WIDTH
    at = total - ABOVE
    for lines, size, weight, colour, step in ((head[0], 14, "bold", INK, 0.27), (head[1], 10.5, "normal", FAINT, LINE)):
        for line in lines:
            drawn.text(margin, at / total, line, size=size, weight=weight, color=colour, va="top")
            at -= step
    for nth, line in enumerate(reversed(foot)):
        drawn.text(margin, (BELOW + 0.18 * nth) / total, line, size=8.5, color=FAINT, va="bottom")
    return drawn, grid


def save(drawn, name):
    """Writes a figure as SVG and as PNG."""
    census.FIGURES.mkdir(parents=True, exist_ok=True)
    drawn.savefig(census.FIGURES / f"{name}.svg", metadata={"Date": None})
    drawn.savefig(census.FIGURES / f"{name}.png", dpi=144, metadata={"Software": None})
    pyplot.close(drawn)
    print(census.FIGURES / f"{name}.svg")


def in_percent(axis, digits=0):
    # The axis may reach beyond 100 %, to leave room for the label of a bar.
    axis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.{digits}f} %" if share < 1.0001 else ""))


def in_percent_as_needed(axis):
    """Labels an axis in percent, with as many digits as its ticks have."""
    ticks = [100 * tick for tick in axis.get_majorticklocs()]
    in_percent(axis, next((digits for digits in (0, 1) if all(abs(tick - round(tick, digits)) < 1e-6 for tick in ticks)), 2))


def short(crawl, others):
    """The name of a crawl without the prefix that all of them share."""
    week = re.search(r"\d{4}-\d{2}$", crawl)
    return week[0] if week and len({other[: -len(week[0])] for other in others}) == 1 else crawl


def places(crawls):
    """The places of crawls on a time axis, in years; 0, 1, 2 … if their names do not end in distinct weeks."""
    weeks = [re.search(r"(\d{4})-(\d{2})$", crawl) for crawl in crawls]
    if all(week and 1 <= int(week[2]) <= 53 for week in weeks):
        years = [int(week[1]) + (int(week[2]) - 1) / 52.18 for week in weeks]
        if len(set(years)) == len(years):
            return years
    return [float(nth) for nth in range(len(crawls))]


def time_axis(axes, crawls, xs):
    """Names as many crawls below an axis as fit, and marks the events between the first and the last."""
    span = (max(xs) - min(xs)) or 1.0
    kept = []
    for x, crawl in zip(xs, crawls):
        if not kept or x - kept[-1][0] >= span / 9:
            kept.append((x, short(crawl, crawls)))
    axes.set_xticks([x for x, _ in kept], [name for _, name in kept])
    axes.grid(False, axis="x")
    events(axes, xs)


def events(axes, xs, are_named=True):
    """Marks the events between the first and the last of some places in time."""
    last, height = None, 0
    for day, name in EVENTS:
        x = day.year + (day.timetuple().tm_yday - 1) / 365.25
        # Crawls without a week in their names are at 0, 1, 2, so no event is between them.
        if min(xs) < x < max(xs):
            axes.axvline(x, color=FAINT, linewidth=0.8, linestyle=(0, (2, 3)), zorder=1)
            if are_named:
                # Names of events that follow each other closely stand above each other.
                height = height + 9 if last is not None and x - last < (max(xs) - min(xs)) / 5 else 0
                last = x
                axes.annotate(name, (x, 1.0), xycoords=("data", "axes fraction"), xytext=(0, 3 + height),
                              textcoords="offset points", size=8, color=FAINT, ha="center", va="bottom")


def events_between(xs):
    """A sentence that names the event lines, for figures whose panels are too small."""
    years = [(day, name, day.year + (day.timetuple().tm_yday - 1) / 365.25) for day, name in EVENTS]
    named = [f"{name} ({day:%B %Y})" for day, name, x in years if min(xs) < x < max(xs)]
    return f" Dotted: {', '.join(named)}." if named else ""


def end_labels(axes, x, ends, gap=0.055):
    """Names lines after their last points, and moves overlapping names apart. `ends` are texts and heights."""
    low, high = axes.get_ylim()
    step = gap * (high - low)
    ends = sorted(ends, key=lambda end: end[1])
    heights = []
    for _, height in ends:
        heights.append(max(height, heights[-1] + step) if heights else height)
    # Names that are above the axes now move down again.
    ceiling = high
    for nth in reversed(range(len(heights))):
        heights[nth] = min(heights[nth], ceiling)
        ceiling = heights[nth] - step
    for (text, height), at in zip(ends, heights):
        axes.annotate(text, (x, height), xytext=(1.03, at), textcoords=("axes fraction", "data"), size=9, va="center",
                      arrowprops={"arrowstyle": "-", "color": RULE, "linewidth": 0.8, "shrinkA": 2, "shrinkB": 4,
                                  "relpos": (0, 0.5)})


def stacked_areas(axes, crawls, series, colours, hatches):
    """Stacked areas over time, named at the right; a bar if there is one crawl."""
    xs = places(crawls)
    if len(xs) == 1:
        base = 0.0
        for (name, shares), colour, hatch in zip(series, colours, hatches):
            axes.bar(0, shares[0], 0.6, base, color=colour, hatch=hatch, edgecolor="white", linewidth=0.8)
            base += shares[0]
        axes.set_xlim(-0.4, 0.35)
        axes.set_xticks([0], crawls)
    else:
        stack = axes.stackplot(xs, [shares for _, shares in series], colors=colours, edgecolor="white", linewidth=0.8)
        for area, hatch in zip(stack, hatches):
            area.set_hatch(hatch)
        axes.set_xlim(min(xs), max(xs))
        time_axis(axes, crawls, xs)
        if len(xs) <= 12:
            for x in xs[1:-1]:
                axes.axvline(x, color="white", linewidth=0.8, alpha=0.7)
    axes.set_ylim(0, 1)
    in_percent(axes.yaxis)
    middles, base = [], 0.0
    for name, shares in series:
        if max(shares) > 0:
            middles.append((f"{name}  {census.percent(shares[-1])}", base + shares[-1] / 2))
        base += shares[-1]
    end_labels(axes, axes.get_xlim()[1], middles)


def stacked_bars(axes, widths, base, name, colour, hatch):
    """One part of each bar, with its share in it if there is room."""
    rows = range(len(widths))
    axes.barh(rows, widths, 0.68, base, color=colour, hatch=hatch, edgecolor="white", linewidth=0.8, label=name)
    dark = colour in (BLUE, RED, GREEN)
    for row, width in zip(rows, widths):
        if width >= 0.045:
            axes.text(base[row] + width / 2, row, census.percent(width, 0), ha="center", va="center", size=9,
                      color="white" if dark else INK, bbox={"facecolor": colour, "edgecolor": "none", "pad": 1.5})


def legend_below(drawn, axes, title):
    """The names of colours and patterns in one row below the axes."""
    handles, names = axes.get_legend_handles_labels()
    drawn.canvas.draw()
    box = axes.get_position()
    inch = 1 / drawn.get_figheight()
    legend = drawn.legend(handles, names, title=title, loc="upper left", bbox_to_anchor=(0.018, box.y0 - 0.35 * inch),
                          ncols=len(names), frameon=False, fontsize=9, title_fontsize=8.5, alignment="left",
                          columnspacing=1.2, handlelength=1.6, borderpad=0.2)
    legend.get_title().set_color(FAINT)


def whole_numbers():
    return MaxNLocator(integer=True, nbins=7)


def without_sign():
    return FuncFormatter(lambda value, _: census.number(abs(value)))
