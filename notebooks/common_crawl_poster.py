# %% [markdown]
# # The figures of Common Crawl's poster, from the questions of the census
#
# A poster of Common Crawl's robots.txt experiments shows the outcomes of asking for robots.txt over ten years of crawls,
# which agents are blocked by more or fewer sites than `*`, and how many sites disallow CCBot. The questions
# `access_classes`, `agent_bias` and `common_crawl_classes` count what these figures show, by the definitions of that
# study where the header of the question says so. This notebook draws them.
#
# For publishing figures that can be compared with those of others.
#
# figure: poster-access: stacked areas of the outcome of asking for robots.txt
# figure: poster-bias: agents blocked by more sites than *, and by fewer
# figure: poster-ccbot: share of sites that disallow CCBot
#
# With a list of ranks in `ROBOCENSUS_RANKS` the first and the last have a panel for each stratum, as on the poster.

# %%
import math

import polars

import census
import drawing
from census import ask, number, percent

BY = "rank-cumulative" if census.RANKS else "none"
STRATA = ["top 1,000", "top 10,000", "top 100,000", "top 1,000,000", "all"]


def strata(answer):
    """The strata of an answer, from the top down."""
    found = answer["stratum"].unique().to_list()
    return sorted(found, key=lambda name: (STRATA.index(name) if name in STRATA else len(STRATA), name))


OF_PANELS = "a crawl and panel" if census.RANKS else "a crawl"


# %% [markdown]
# ## Outcomes of asking for robots.txt

# %%
access = census.in_order(ask("access_classes", ["crawl", "stratum", "class"], census.RANKS, by=BY))
CLASSES = {
    "success": ("success", drawing.BLUE, ""),
    "notfound": ("not found", drawing.SKY, ""),
    "unauthorized": ("unauthorized", drawing.PURPLE, "xx"),
    "payment_required": ("payment required", drawing.GREEN, ""),
    "other": ("other", "#bdbdbd", ""),
    "redirect": ("redirect, no answer", drawing.YELLOW, ".."),
    "defer_visits": ("defer visits", drawing.ORANGE, "\\\\"),
    "forbidden": ("forbidden", drawing.RED, "//"),
}
panels = strata(access)
counted = access.group_by("crawl", "stratum").agg(polars.col("hosts_counted").first())
least, most = counted["hosts_counted"].min(), counted["hosts_counted"].max()
drawn, grid = drawing.figure(
    "Outcomes of asking for robots.txt",
    "Share of the hosts of a crawl, by the best answer that their protocols and ports gave; the classes are those of Common "
    "Crawl's experiments",
    f"n: {number(least)} to {number(most)} hosts {OF_PANELS}. Success: 200. Not found: 400, 404, 410. Defer visits: 429, "
    "5xx. Forbidden: 403. Redirects are followed in the crawl.\n"
    "Source: robocensus query access_classes, after commoncrawl/robotstxt-experiments.",
    height=3.4,
    rows=len(panels),
    right=2.2,
)
for axes, stratum in zip(grid[:, 0], panels):
    of_panel = access.filter(polars.col("stratum") == stratum)
    crawls = of_panel["crawl"].unique(maintain_order=True).to_list()
    series = []
    for kind, (name, _, _) in CLASSES.items():
        shares = of_panel.filter(polars.col("class") == kind)["share"].fill_null(0.0).to_list()
        series.append((name, shares))
    looks = list(CLASSES.values())
    drawing.stacked_areas(axes, crawls, series, [look[1] for look in looks], [look[2] for look in looks])
    if stratum != "all":
        axes.set_title(stratum, loc="left", size=11)
drawing.save(drawn, "poster-access")

# %% [markdown]
# ## Agents blocked by more or fewer sites than `*`
#
# The ratio is the number of sites that block the agent, divided by the number that block `*`, which is
# every crawler that the file does not name.
# It is drawn as a logarithm to the base 2: at 1 twice as many sites block the agent, at −1 half as many. The figure shows
# the latest crawl in which a site blocks `*`, since there is no ratio without one.

# %%
bias = ask("agent_bias", ["crawl", "stratum", "agent"], top=100000).filter(polars.col("log_ratio").is_not_null())
latest = census.in_order(bias)["crawl"][-1]
bias = bias.filter(polars.col("crawl") == latest)
of_either = bias.sort("log_ratio", descending=True)
if of_either.height > 24:
    of_either = polars.concat([of_either.head(16), of_either.tail(8)])
of_either = of_either.reverse()
drawn, grid = drawing.figure(
    "Agents that sites favour and penalise",
    f"Sites that block the agent per site that blocks *, {latest}, on a scale of doublings; beside the marks the ratio and "
    "the number of sites that block the agent",
    f"n: {number(bias['sites_counted'][0])} sites whose file was read or that have none; {number(bias['sites_wildcard'][0])} of them "
    f"block *, every crawler that the file does not name. Drawn: {of_either.height} of {bias.height} agents, the most penalised and the most favoured. "
    "Blocked: the rules allow no path.\nSource: robocensus query agent_bias.",
    height=max(1.6, 0.27 * of_either.height),
    left=2.1,
    right=0.9,
)
axes = grid[0, 0]
rows = range(of_either.height)
values = of_either["log_ratio"].to_list()
for row, value in zip(rows, values):
    colour, marker = (drawing.RED, "o") if value > 0 else (drawing.BLUE, "s")
    axes.plot([0, value], [row, row], color=colour, linewidth=2.2, solid_capstyle="butt")
    axes.plot(value, row, marker, color=colour, markersize=7)
    sites = of_either["sites"][row]
    unit = " sites" if row == rows[-1] else ""
    axes.annotate(f"×{2**value:.2f}, {number(sites)}{unit}", (value, row), xytext=(9 if value > 0 else -9, 0),
                  textcoords="offset points", ha="left" if value > 0 else "right", va="center", size=8.5)
axes.axvline(0, color=drawing.INK, linewidth=1)
low, high = min(0, *values), max(0, *values)
room = 0.26 * ((high - low) or 1)
axes.set_xlim(low - (room if low < 0 else 0.04), high + room)
axes.set_ylim(-0.7, of_either.height - 0.3)
axes.set_yticks(rows, of_either["agent"].to_list(), color=drawing.INK)
steps = [(2.0**step, f"×{2**step}" if step >= 0 else f"×1/{2**-step}") for step in range(-12, 13)]
if axes.get_xlim()[1] - axes.get_xlim()[0] < 2.5:
    steps = [(ratio, f"×{ratio}") for ratio in (0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4)]
steps = [(math.log2(ratio), name) for ratio, name in steps if axes.get_xlim()[0] <= math.log2(ratio) <= axes.get_xlim()[1]]
axes.set_xticks([step for step, _ in steps], [name for _, name in steps])
axes.grid(False, axis="y")
drawing.save(drawn, "poster-bias")

# %% [markdown]
# ## Sites that disallow CCBot
#
# CCBot has two lines. One counts rule sets that name CCBot and are `Disallow: /` and nothing else. The other also counts
# such wildcard groups where CCBot is not named. Other agents are drawn for comparison.

# %%
AGENTS = ["ccbot", "gptbot", "googlebot"]
classes = census.in_order(
    ask("common_crawl_classes", ["crawl", "stratum", "agent"], census.RANKS, by=BY, tokens=",".join(AGENTS))
)
panels = strata(classes)
LINES = [
    ("ccbot", "share_with_wildcard_disallow_all", "CCBot, by name or by *", drawing.BLUE, "--", "D"),
    ("ccbot", "share_disallow_all", "CCBot by name", drawing.BLUE, "-", "o"),
    ("gptbot", "share_disallow_all", "GPTBot by name", drawing.ORANGE, "-", "s"),
    ("googlebot", "share_disallow_all", "Googlebot by name", drawing.GREEN, "-", "^"),
    ("*", "share_disallow_all", "* itself", drawing.PURPLE, ":", "v"),
]
counted = classes["sites_counted"]
drawn, grid = drawing.figure(
    "Sites that disallow CCBot",
    "Share of the sites with rules whose rule set for the agent is one Disallow: / and nothing else, by crawl",
    f"n: {number(counted.min())} to {number(counted.max())} sites with rules {OF_PANELS}. Sites that allow a "
    "part are not counted.\nSource: robocensus query common_crawl_classes, after commoncrawl/robotstxt-experiments.",
    height=3.4,
    rows=len(panels),
    right=2.4,
    sharey=True,
)
peak = max(classes[column].max() for _, column, *_ in LINES)
for axes, stratum in zip(grid[:, 0], panels):
    crawls = classes.filter(polars.col("stratum") == stratum)["crawl"].unique(maintain_order=True).to_list()
    xs = drawing.places(crawls)
    axes.set_ylim(0, 1.12 * (peak or 0.01))
    ends = []
    for agent, column, name, colour, dash, marker in LINES:
        of_line = classes.filter((polars.col("stratum") == stratum) & (polars.col("agent") == agent))
        known = dict(of_line.select("crawl", column).iter_rows())
        ys = [known.get(crawl) or 0.0 for crawl in crawls]
        axes.plot(xs, ys, dash, color=colour, marker=marker, markersize=6, linewidth=2.4 if agent == "ccbot" else 1.6,
                  clip_on=False)
        ends.append((f"{name}  {percent(ys[-1])}", ys[-1]))
    drawing.time_axis(axes, crawls, xs)
    drawing.in_percent_as_needed(axes.yaxis)
    drawing.end_labels(axes, xs[-1], ends)
    if stratum != "all":
        axes.set_title(stratum, loc="left", size=11)
drawing.save(drawn, "poster-ccbot")
