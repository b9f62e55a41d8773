# %% [markdown]
# # How robots.txt changed from crawl to crawl
#
# A share may change because other sites were crawled, or because sites changed their files. The first figure has all sites
# of each crawl. The others compare the same sites in two successive crawls.
#
# For studying how rules for crawlers change. The questions are `agent_adoption_curve`, `panel_change`,
# `policy_flips` and `churn_rate`.
#
# figure: time-adoption: share of sites that name each AI agent, over the crawls
# figure: time-panel: changes of the files of sites that two crawls have
# figure: time-flips: agents newly blocked and no longer blocked
# figure: time-churn: how many rules a changed file gained or lost
#
# It needs tables of at least two crawls.

# %%
import polars

import census
import drawing
from census import ask, number, percent

crawls = census.crawls()
if len(crawls) < 2:
    raise SystemExit(f"nothing to compare: {census.TABLES}: the tables are of one crawl")
pairs = list(zip(crawls, crawls[1:]))
short = {crawl: drawing.short(crawl, crawls) for crawl in crawls}

# %% [markdown]
# ## AI agents named, by crawl
#
# A named agent need not be blocked: its group may allow all.

# %%
SHOWN = 8
curve = ask("agent_adoption_curve", ["crawl", "stratum", "agent"], only="ai", top=SHOWN)
agents = curve.group_by("agent").agg(polars.col("share").max()).sort("share", "agent", descending=[True, False])["agent"]
counted = curve["sites_counted"]
columns, rows = 4, -(-max(len(agents), 1) // 4)
xs = drawing.places(crawls)
drawn, grid = drawing.figure(
    "AI agents named in robots.txt, by crawl",
    f"Share of the sites of each crawl whose file was read that name the agent; the {len(agents)} most named, on one scale",
    f"n: {number(counted.min())} to {number(counted.max())} sites a crawl, and not the same sites in each. Above each panel "
    f"the share in the last crawl; faint lines are the other agents.{drawing.events_between(xs)}\nSource: robocensus query agent_adoption_curve --only ai.",
    height=1.6,
    rows=rows,
    columns=columns,
    gap=0.85,
    right=0.45,
    sharex=True,
    sharey=True,
    above=0.25,
)
lines = {}
for agent in agents:
    shares = dict(curve.filter(polars.col("agent") == agent).select("crawl", "share").iter_rows())
    lines[agent] = [shares.get(crawl) or 0.0 for crawl in crawls]
for axes in grid.flat[len(agents):]:
    axes.set_visible(False)
for axes, agent in zip(grid.flat, agents):
    for other in lines.values():
        axes.plot(xs, other, color=drawing.RULE, linewidth=0.8, zorder=1)
    axes.plot(xs, lines[agent], color=drawing.BLUE, marker="o", markersize=4.5, linewidth=2, clip_on=False)
    axes.set_title(agent, loc="left", size=10, color=drawing.INK)
    axes.set_title(percent(lines[agent][-1]), loc="right", size=9, color=drawing.INK)
    axes.grid(False, axis="x")
    axes.set_xticks([xs[0], xs[-1]], [short[crawls[0]], short[crawls[-1]]], size=8.5)
    axes.tick_params(labelbottom=True)
    first_name, last_name = axes.get_xticklabels()
    first_name.set_horizontalalignment("left")
    last_name.set_horizontalalignment("right")
    drawing.events(axes, xs, are_named=False)
grid.flat[0].set_ylim(0, 1.25 * max([0.004, *(max(line) for line in lines.values())]))
drawing.in_percent_as_needed(grid.flat[0].yaxis)
drawing.save(drawn, "time-adoption")

# %% [markdown]
# ## Changes of the files of sites that two crawls have

# %%
CHANGES = {
    "same_file": ("same file", drawing.BLUE, ""),
    "same_rules": ("same rules, other text", drawing.SKY, ".."),
    "other_rules": ("other rules", drawing.RED, "//"),
    "file_gained": ("file gained", drawing.GREEN, "\\\\"),
    "file_lost": ("file lost", drawing.ORANGE, "xx"),
    "no_file_in_either": ("no file in either", "#d9d9d9", ""),
}


def of_pairs(question, key, **parameters):
    """The answers to a question about two crawls for each crawl and the next."""
    answers = [ask(question, key, crawl_from=one, crawl_to=other, **parameters) for one, other in pairs]
    return polars.concat(answers, how="vertical_relaxed")


def pair_names():
    return [f"{short[one]} to {short[other]}" for one, other in pairs]


panel = of_pairs("panel_change", ["crawl_from", "crawl_to", "change"])
both = panel.group_by("crawl_from", maintain_order=True).agg(polars.col("sites_counted").first())["sites_counted"].to_list()
drawn, grid = drawing.figure(
    "Changes of robots.txt of sites that two crawls have",
    "Share of the sites that are in both crawls, crawl after crawl",
    f"n: {', '.join(f'{name}: {number(sites)} sites in both' for name, sites in list(zip(pair_names(), both))[-4:])}.\n"
    "A file also counts as lost or gained if the server failed once. Source: robocensus query panel_change.",
    height=max(1.3, 0.55 * len(pairs)),
    left=1.7,
    right=0.4,
    bottom=1.15,
)
axes = grid[0, 0]
base = [0.0] * len(pairs)
for change, (name, colour, hatch) in CHANGES.items():
    shares = panel.filter(polars.col("change") == change)["share"].fill_null(0.0).to_list()
    drawing.stacked_bars(axes, shares, base, name, colour, hatch)
    base = [before + share for before, share in zip(base, shares)]
axes.set_yticks(range(len(pairs)), pair_names(), color=drawing.INK)
axes.invert_yaxis()
axes.set_xlim(0, 1)
drawing.in_percent(axes.xaxis)
axes.grid(False, axis="y")
drawing.legend_below(drawn, axes, "in the order of the bars, from the left")
drawing.save(drawn, "time-panel")

# %% [markdown]
# ## Agents newly blocked and no longer blocked
#
# Sites that are in both of the last two crawls, and in both have a file that was read or no file (4xx).

# %%
first, last = pairs[-1]
flips = ask("policy_flips", ["crawl_from", "crawl_to", "agent"], crawl_from=first, crawl_to=last)
moved = (polars.col("sites_newly_blocked") + polars.col("sites_no_longer_blocked")).alias("moved")
shown = flips.with_columns(moved).filter(polars.col("moved") > 0).sort("moved", "agent", descending=[True, False]).head(14)
shown = shown.sort(polars.col("sites_newly_blocked") - polars.col("sites_no_longer_blocked"), "moved", "agent")
drawn, grid = drawing.figure(
    "Agents newly blocked and no longer blocked",
    f"Sites that block the agent in one of {first} and {last} and not in the other; the {shown.height} agents "
    "for which most sites changed",
    f"n: {number(flips['sites_counted'][0])} sites that both crawls have, whose file was read in both or that have none. "
    "Dark: the file names the agent; pale: the wildcard group blocks it.\nSource: robocensus query policy_flips.",
    height=max(1.4, 0.29 * shown.height),
    left=2.0,
    right=0.5,
)
axes = grid[0, 0]
rows = range(shown.height)
widest = max([1, *shown["sites_newly_blocked"], *shown["sites_no_longer_blocked"]])
for sign, side, colour, pale in ((1, "newly_blocked", drawing.RED, "#f2bf9f"), (-1, "no_longer_blocked", drawing.BLUE, "#9fcbe6")):
    sites = shown[f"sites_{side}"].to_list()
    named = shown[f"sites_{side}_by_name"].to_list()
    axes.barh(rows, [sign * value for value in sites], 0.7, color=pale, hatch="//", edgecolor="white", linewidth=0)
    axes.barh(rows, [sign * value for value in named], 0.7, color=colour)
    for row, value in zip(rows, sites):
        if value:
            axes.annotate(number(value), (sign * value, row), xytext=(4 * sign, 0), textcoords="offset points", size=9,
                          ha="left" if sign > 0 else "right", va="center")
axes.axvline(0, color=drawing.INK, linewidth=1)
axes.set_xlim(-1.2 * widest, 1.2 * widest)
axes.set_ylim(-0.6, max(shown.height, 1) - 0.4)
axes.set_yticks(rows, shown["agent"].to_list(), color=drawing.INK)
axes.grid(False, axis="y")
axes.xaxis.set_major_locator(drawing.whole_numbers())
axes.xaxis.set_major_formatter(drawing.without_sign())
for x, text in ((0.25, "◀ sites that no longer block it"), (0.75, "sites that newly block it ▶")):
    axes.text(x, 1.02, text, transform=axes.transAxes, ha="center", va="bottom", size=9.5)
drawing.save(drawn, "time-flips")

# %% [markdown]
# ## How much of a file changes

# %%
churn = of_pairs("churn_rate", ["crawl_from", "crawl_to", "change"])
SIZES = churn.filter(polars.col("crawl_from") == first)["change"].to_list()
counted = churn.group_by("crawl_from", maintain_order=True).agg(polars.col("sites_counted").first())["sites_counted"].to_list()
shown_pairs = list(zip(pairs, pair_names(), counted))[-3:]
drawn, grid = drawing.figure(
    "How much of a robots.txt changes from one crawl to the next",
    "Share of the sites whose file was read in both crawls, by how many rules the file gained or lost",
    f"n: {', '.join(f'{name}: {number(sites)} sites' for _, name, sites in shown_pairs)}. A rule is an agent, allow or disallow, and a pattern; a "
    "changed pattern counts as one lost and one gained.\nSource: robocensus query churn_rate.",
    height=0.36 * len(SIZES) + 0.2,
    columns=len(shown_pairs),
    left=3.45,
    right=0.5,
    sharey=True,
    sharex=True,
)
for axes, ((one, _), name, _) in zip(grid[0], shown_pairs):
    shares = churn.filter(polars.col("crawl_from") == one)["share"].fill_null(0.0).to_list()
    colours = [drawing.SKY if size.startswith("none") else drawing.RED for size in SIZES]
    axes.barh(range(len(SIZES)), shares, 0.68, color=colours)
    for row, share in enumerate(shares):
        axes.annotate(percent(share), (share, row), xytext=(4, 0), textcoords="offset points", size=8.5, va="center")
    axes.set_title(name, loc="left", size=10)
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", labelcolor=drawing.INK)
grid[0, 0].set_yticks(range(len(SIZES)), SIZES, size=9.5)
grid[0, 0].invert_yaxis()
grid[0, 0].set_xlim(0, 1.3 * max([0.01, *churn["share"].fill_null(0.0)]))
drawing.in_percent_as_needed(grid[0, 0].xaxis)
drawing.save(drawn, "time-churn")
