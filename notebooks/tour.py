# %% [markdown]
# # A tour of the tables
#
# `robocensus ingest` writes a folder of Parquet files, `TABLE/crawl=CRAWL/part-NNNNN.parquet`, that any engine reads. Here
# DuckDB and Polars read them. `datasets/DICTIONARY.md` says what each column means. Start with these tables:
#
# - `captures` has a row for each answer to /robots.txt, `bodies` for each distinct body of a part. `(crawl, body_id)` joins
#   them, and joins `groups`, `rules`, `records`, `violations` and `policies` to both.
# - `sites` has a row for each protocol, host and port, with redirects followed. Count sites, not captures.
#
# For writing your own queries. The last two parts join data from elsewhere: Common Crawl's columnar index and a list of
# ranks. Without them the notebook makes small stand-ins from the tables. These only show how the join is made.
#
# figure: tour-answers: contents of the answers of each crawl, with DuckDB
# figure: tour-sizes: number of rules by size of the file, with Polars
# figure: tour-index: media type in Common Crawl's index, and kind of body
# figure: tour-ranks: outcomes of asking for robots.txt, by rank

# %%
import duckdb
import polars

import census
import drawing
from census import ask, files, number, percent

TABLES = "captures bodies groups rules records preferences violations policies skips inputs tracked_agents body_classes sites class_verdicts".split()

# %% [markdown]
# ## DuckDB: a view for each table
#
# The crawl is in the path of a file; `hive_partitioning` makes it a column.

# %%
engine = duckdb.connect()
engine.sql("SET TimeZone = 'UTC'")
for table in TABLES:
    engine.sql(
        f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{files(table)}', hive_partitioning = true, "
        "hive_types = {'crawl': varchar})"
    )
for table in TABLES:
    rows, crawls = engine.sql(f"SELECT count(*), count(DISTINCT crawl) FROM {table}").fetchall()[0]
    print(f"{table:<12} {rows:>12,} rows of {crawls} crawls")

# %% [markdown]
# A capture without a body, such as a redirect, has no `body_id`. Therefore the join is an outer join.

# %%
answers = engine.sql(
    """
    SELECT c.crawl, coalesce(b.kind, 'no body: ' || c.access_result) AS kind, count(*) AS captures
    FROM captures c LEFT JOIN bodies b USING (crawl, body_id)
    GROUP BY ALL ORDER BY crawl, captures DESC, kind
    """
).pl()
kinds = answers.group_by("kind").agg(polars.col("captures").sum()).sort("captures", "kind")["kind"].to_list()
crawls = census.in_order(answers)["crawl"].unique(maintain_order=True).to_list()
totals = dict(answers.group_by("crawl").agg(polars.col("captures").sum()).iter_rows())
columns = crawls[-4:]
drawn, grid = drawing.figure(
    "Contents of answers to /robots.txt",
    "Share of the captures of a crawl, by the kind of the body, or by the access result if there is no body",
    f"n: {', '.join(f'{drawing.short(crawl, crawls)}: {number(totals[crawl])} captures' for crawl in columns)}. A capture is "
    "an answer in an archive; a site may have several.\nSource: captures and bodies, joined by crawl and body_id.",
    height=0.3 * len(kinds) + 0.2,
    columns=len(columns),
    left=2.2,
    right=0.45,
    sharex=True,
    sharey=True,
)
for axes, crawl in zip(grid[0], columns):
    found = dict(answers.filter(polars.col("crawl") == crawl).select("kind", "captures").iter_rows())
    shares = [found.get(kind, 0) / totals[crawl] for kind in kinds]
    colours = [drawing.BLUE if kind == "robots" else drawing.ORANGE if kind.startswith("no body") else drawing.SKY for kind in kinds]
    axes.barh(range(len(kinds)), shares, 0.7, color=colours)
    for row, share in enumerate(shares):
        axes.annotate(percent(share), (share, row), xytext=(4, 0), textcoords="offset points", size=8.5, va="center")
    axes.set_title(drawing.short(crawl, crawls), loc="left", size=10.5)
    axes.grid(False, axis="y")
grid[0, 0].set_yticks(range(len(kinds)), kinds, color=drawing.INK)
grid[0, 0].set_xlim(0, 1.45 * max(found / totals[crawl] for crawl, _, found in answers.iter_rows()))
drawing.in_percent(grid[0, 0].xaxis)
drawing.save(drawn, "tour-answers")

# %% [markdown]
# ## Polars: lazily, over the same files
#
# Only the columns that are named are read.

# %%
bodies = (
    polars.scan_parquet(files("bodies"), hive_partitioning=True)
    .filter((polars.col("kind") == "robots") & (polars.col("rule_count") > 0))
    .select("crawl", "body_bytes", "rule_count", "exceeds_500_kib", "conforms")
    .collect()
)
conforming, others = bodies.filter("conforms"), bodies.filter(~polars.col("conforms"))
drawn, grid = drawing.figure(
    "Number of rules by size of robots.txt",
    "Rules (allow and disallow lines) against decoded bytes, both on logarithmic scales; a mark is a distinct body",
    f"n: {number(bodies.height)} bodies that are robots.txt files and have a rule; longer than 500 KiB: "
    f"{number(bodies['exceeds_500_kib'].sum())}. A body is distinct within a part of a crawl. A ring conforms to the grammar of RFC 9309 to the letter, a cross does not.\nSource: bodies.",
    height=4.2,
    left=0.8,
    right=1.6,
    bottom=0.75,
)
axes = grid[0, 0]
small = 26 if bodies.height < 1000 else 7
axes.scatter(others["body_bytes"], others["rule_count"], small, color=drawing.ORANGE, marker="x", linewidth=0.9, alpha=0.8)
axes.scatter(conforming["body_bytes"], conforming["rule_count"], small, facecolor="none", edgecolor=drawing.BLUE, linewidth=0.9)
axes.set_xscale("log")
axes.set_yscale("log")
axes.set_ylim(0.8, max(20, 1.5 * (bodies["rule_count"].max() or 1)))
axes.minorticks_off()
axes.axvline(512_000, color=drawing.INK, linewidth=1, linestyle="--")
axes.annotate("500 KiB", (512_000, 1), xycoords=("data", "axes fraction"), xytext=(0, 3), textcoords="offset points",
              size=9, ha="center", va="bottom")
axes.set_xlabel("decoded bytes")
axes.set_ylabel("rules")
axes.xaxis.set_major_formatter(drawing.without_sign())
axes.yaxis.set_major_formatter(drawing.without_sign())
axes.annotate(f"× does not conform\n   {number(others.height)} bodies", (1.02, 0.6), xycoords="axes fraction", size=9.5)
axes.annotate(f"○ conforms\n   {number(conforming.height)} bodies", (1.02, 0.42), xycoords="axes fraction", size=9.5)
drawing.save(drawn, "tour-sizes")

# %% [markdown]
# ## Common Crawl's columnar index, by archive and offset
#
# The index has a row for each record of a crawl; those of robots.txt files are the partition `subset=robotstxt`, below
# `cc-index/table/cc-main/warc/crawl=CC-MAIN-YYYY-WW/` of the bucket `commoncrawl`. Download it with any S3 client, or
# over HTTPS by the list `cc-index-table.paths.gz` of the crawl; a crawl's `robotstxt` files are few gigabytes. Name the
# files in `ROBOCENSUS_CC_INDEX`, as `/data/cc-index/*.parquet`.
#
# `warc_filename` and `warc_record_offset` have the names of the index, so the two can be joined. Without an index, one is made
# from the captures themselves. It leaves out every seventh capture, as if the index were from another day.

# %%
stand_in = ""
index = census.CC_INDEX
if not index:
    census.FIGURES.mkdir(parents=True, exist_ok=True)
    index = str(census.FIGURES / "index-stand-in.parquet")
    stand_in = "Not a finding: the index is a stand-in made of the captures themselves, to show the join. "
    engine.sql(
        f"""
        COPY (
            SELECT url, url_host_name, fetch_status, content_digest, warc_filename, warc_record_offset, warc_record_length,
                   coalesce(content_mime_detected, content_mime_type) AS content_mime_detected
            FROM captures WHERE capture_id % 7 <> 6 ORDER BY capture_id, crawl
        ) TO '{index}' (FORMAT parquet)
        """
    )
engine.sql(f"CREATE VIEW cc_index AS SELECT * FROM read_parquet('{index}')")
found = engine.sql(
    """
    SELECT b.kind, coalesce(i.content_mime_detected, 'unknown') AS detected, count(*) AS captures
    FROM captures c JOIN cc_index i USING (warc_filename, warc_record_offset) JOIN bodies b USING (crawl, body_id)
    GROUP BY ALL ORDER BY captures DESC, kind, detected
    """
).pl()
only_here, only_there = engine.sql(
    """
    SELECT (SELECT count(*) FROM captures c ANTI JOIN cc_index i USING (warc_filename, warc_record_offset)),
           (SELECT count(*) FROM cc_index i ANTI JOIN captures c USING (warc_filename, warc_record_offset))
    """
).fetchall()[0]
by_size = polars.col("captures").sum()
detected = found.group_by("detected").agg(by_size).sort("captures", "detected", descending=[True, False])["detected"].head(8).to_list()
kinds = found.group_by("kind").agg(by_size).sort("captures", "kind", descending=[True, False])["kind"].to_list()
cells = {(kind, mime): captures for kind, mime, captures in found.iter_rows()}
per_type = dict(found.group_by("detected").agg(by_size).iter_rows())
drawn, grid = drawing.figure(
    "Media type in Common Crawl's index, and kind of body",
    f"{stand_in}Share and number of the captures of a media type, by the kind of the body; the eight commonest types",
    f"n: {number(found['captures'].sum())} captures with a body that are in both; {number(only_here)} captures are not in "
    f"the index, {number(only_there)} rows of it not among the captures.\n"
    "Source: captures, bodies and the index, joined by warc_filename and warc_record_offset.",
    height=0.52 * len(detected) + 0.1,
    left=2.3,
    right=0.4,
    bottom=0.45,
)
axes = grid[0, 0]
shares = [[cells.get((kind, mime), 0) / per_type[mime] for kind in kinds] for mime in detected]
axes.imshow(shares, cmap=drawing.SHADES, vmin=0, vmax=1, aspect="auto")
for row, mime in enumerate(detected):
    for column, kind in enumerate(kinds):
        if captures := cells.get((kind, mime)):
            share = shares[row][column]
            axes.text(column, row, f"{percent(share, 0)}\n{number(captures)}", ha="center", va="center", size=8.5,
                      color="white" if share > 0.55 else drawing.INK)
axes.set_xticks(range(len(kinds)), kinds, color=drawing.INK, size=9)
axes.set_yticks(range(len(detected)), detected, color=drawing.INK)
axes.grid(False)
drawing.save(drawn, "tour-index")

# %% [markdown]
# ## A list of ranks, through a question
#
# Questions take a list as the table `ranks`: a CSV of host and rank, or of rank and host without a header, as
# [Tranco](https://tranco-list.eu) has it. Name the file in `ROBOCENSUS_RANKS`; a study names the list's own number and
# day. Without one, hosts get ranks here in the order of their names.

# %%
stand_in = ""
ranks = census.RANKS
if not ranks:
    hosts = engine.sql("SELECT DISTINCT url_host_name AS host FROM sites WHERE host IS NOT NULL ORDER BY host").pl()
    spread = 10.0 ** (6.0 * (polars.int_range(polars.len()) + 1) / polars.len())
    ranks = census.FIGURES / "ranks-stand-in.csv"
    hosts.with_columns(spread.ceil().cast(polars.Int64).alias("rank")).write_csv(ranks)
    stand_in = "Not a finding: the ranks are a stand-in, hosts in the order of their names, to show the join. "
by_rank = ask("access_by_rank", ["crawl", "stratum", "outcome"], ranks)
last = census.in_order(by_rank)["crawl"][-1]
by_rank = by_rank.filter(polars.col("crawl") == last)
OUTCOMES = {
    "rules": ("rules", drawing.BLUE, ""),
    "no_rules": ("no rules", drawing.SKY, ".."),
    "not_robots": ("not a robots.txt", drawing.PURPLE, "xx"),
    "unavailable": ("none (4xx)", "#d9d9d9", ""),
    "redirect_unresolved": ("redirect, no answer", drawing.YELLOW, ".."),
    "unreachable": ("unreachable (5xx)", drawing.RED, "//"),
}
strata = by_rank["stratum"].unique(maintain_order=True).to_list()
counted = dict(by_rank.select("stratum", "sites_counted").unique().iter_rows())
drawn, grid = drawing.figure(
    "Outcomes of asking for robots.txt, by rank of the site",
    f"{stand_in}Share of the sites of a stratum, {last}; strata exclude one another",
    f"n: {number(sum(counted.values()))} sites; each stratum names its own number.\nSource: robocensus query access_by_rank.",
    height=max(1.2, 0.5 * len(strata)),
    left=2.6,
    right=0.45,
    bottom=1.15,
)
axes = grid[0, 0]
base = [0.0] * len(strata)
for outcome, (name, colour, hatch) in OUTCOMES.items():
    shares = dict(by_rank.filter(polars.col("outcome") == outcome).select("stratum", "share").iter_rows())
    widths = [shares.get(stratum) or 0.0 for stratum in strata]
    drawing.stacked_bars(axes, widths, base, name, colour, hatch)
    base = [before + width for before, width in zip(base, widths)]
names = [f"{stratum}  ({number(counted[stratum])} sites)" for stratum in strata]
axes.set_yticks(range(len(strata)), names, color=drawing.INK)
axes.invert_yaxis()
axes.set_xlim(0, 1)
drawing.in_percent(axes.xaxis)
axes.grid(False, axis="y")
drawing.legend_below(drawn, axes, "in the order of the bars, from the left")
drawing.save(drawn, "tour-ranks")
