#!/usr/bin/env python3
"""Runs Spark on a standalone cluster, and kills executors at random instants.

    spark_killed.py ROBOCENSUS ARCHIVES FOLDER INGESTS ANSWERS

A master and three workers run on loopback. In INGESTS rounds, an executor is killed by signal 9 while shards are made.
The tables must have the same bytes as those of one process. In ANSWERS rounds, an executor is killed while an answer is
computed. The answer must be DuckDB's, or the job must fail. Prints the outcome, and exits with 1 if an answer or a
table is wrong, a job hangs, or fewer than half of the jobs lost an executor while they ran.
"""

import concurrent.futures
import contextlib
import filecmp
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import answers
from answers import census


WORKERS = 3
# Seconds. Every job takes less than a minute.
HANGS_AFTER = 300
# Questions whose answers need a shuffle: groups, joins and windows.
QUESTIONS = ["explicit_vs_wildcard", "top_agents", "agent_cooccurrence", "rules_per_file", "top_digests"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def cluster(folder):
    """Runs a master and workers for the duration of the block. Yields the address of the master."""
    import pyspark

    home = pathlib.Path(pyspark.__file__).parent
    port = free_port()
    address = f"spark://127.0.0.1:{port}"
    environment = dict(os.environ, SPARK_HOME=str(home), SPARK_LOCAL_IP="127.0.0.1", SPARK_NO_DAEMONIZE="1",
                       SPARK_MASTER_OPTS="-Dspark.deploy.maxExecutorRetries=-1", SPARK_DAEMON_MEMORY="256m")
    start = [str(home / "bin" / "spark-class"), "org.apache.spark.deploy"]
    daemons = []
    try:
        with open(folder / "daemons.log", "w") as log:
            def daemon(name, *arguments):
                command = [start[0], f"{start[1]}.{name}", *arguments]
                daemons.append(subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True))

            daemon("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(free_port()))
            for worker in range(WORKERS):
                daemon("worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port",
                       str(free_port()), "--work-dir", str(folder / f"worker-{worker}"), address)
        yield address
    finally:
        for daemon in daemons:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(daemon.pid, signal.SIGKILL)
            daemon.wait()
        for pid in executors(folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def executors(folder):
    """The process ids of the executors whose workers are in a folder."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (process / "cmdline").read_bytes()
            is_ours = pathlib.Path(os.readlink(process / "cwd")).is_relative_to(folder.resolve())
            if is_ours and b"CoarseGrainedExecutorBackend\0--driver-url" in command:
                found.append(int(process.name))
    return found


def session(address):
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.executor.cores": "1",
        "spark.executor.memory": "600m",
        "spark.task.maxFailures": "8",
        "spark.sql.shuffle.partitions": "6",
        "spark.sql.adaptive.enabled": "false",
        "spark.log.level": "OFF",
    }
    builder = SparkSession.builder.master(address).appName("killed")
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


class Killer(threading.Thread):
    """Kills a random executor after some seconds, unless the job has ended before."""

    def __init__(self, folder, after):
        super().__init__(daemon=True)
        self.folder, self.after, self.killed, self.ended = folder, after, False, threading.Event()
        self.start()

    def run(self):
        if self.ended.wait(self.after):
            return
        # An executor that was killed in the round before may not have been replaced yet.
        while not (running := executors(self.folder)):
            if self.ended.wait(0.05):
                return
        with contextlib.suppress(ProcessLookupError):
            os.kill(random.choice(running), signal.SIGKILL)
            self.killed = not self.ended.is_set()

    def end(self):
        """Returns whether the job lost an executor while it ran."""
        self.ended.set()
        self.join()
        return self.killed


def within(seconds, work):
    """The result of `work`. Raises a timeout if it takes longer."""
    pool = concurrent.futures.ThreadPoolExecutor(1)
    return pool.submit(work).result(timeout=seconds)


def same_files(one, other):
    """Whether two folders have the same tables. Ledger and lock differ, since they have times and process ids."""
    names = lambda root: {path.relative_to(root) for path in root.rglob("*.parquet")}
    return names(one) == names(other) and all(filecmp.cmp(one / name, other / name, shallow=False) for name in names(one))


def main():
    robocensus, archives, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    ingests, asked = int(sys.argv[4]), int(sys.argv[5])
    random.seed(9309)
    whole = folder / "whole"
    subprocess.run([robocensus, "ingest", "--quiet", archives, "--out", whole], check=True)
    wrong = failed = killed = 0

    def ingest_into(out):
        return census.parse(["--robocensus", robocensus, "ingest", archives, "--shards", "6", "--out", str(out)])

    with cluster(folder) as address:
        spark = session(address)
        spark.range(0, 100, 1, 6).count()
        took = time_of(lambda: census.ingest(spark, ingest_into(folder / "calm")))
        for round in range(ingests):
            out = folder / f"round-{round}"
            options = ingest_into(out)
            killer, start = Killer(folder, random.uniform(0, took)), time.monotonic()
            try:
                within(HANGS_AFTER, lambda: census.ingest(spark, options))
                wrong += not same_files(out, whole)
            except concurrent.futures.TimeoutError:
                print(f"ingest {round} hangs")
                return 1
            except (Exception, SystemExit) as error:
                failed += 1
                print(f"ingest {round}: {(str(error).splitlines() or [type(error).__name__])[0]}")
            killed += killer.end()
            took = 0.7 * took + 0.3 * (time.monotonic() - start)
            shutil.rmtree(out)
        print(f"ingest: {ingests} rounds, {killed} executors killed, {failed} failed, {wrong} wrong")
        too_few = 2 * killed < ingests or failed == ingests
        killed = failed = 0
        expected = {}
        for name in QUESTIONS:
            sql = census.statement(robocensus, whole, [name])
            expected[name] = (sql, duckdb_answer(robocensus, whole, name))
            took = time_of(lambda: answer(spark, sql))
        for round in range(asked):
            name = QUESTIONS[round % len(QUESTIONS)]
            sql, rows = expected[name]
            killer, start = Killer(folder, random.uniform(0, took)), time.monotonic()
            try:
                found = within(HANGS_AFTER, lambda: answer(spark, sql))
                if found != rows:
                    wrong += 1
                    print(f"{name}: the answer differs from DuckDB's")
            except concurrent.futures.TimeoutError:
                print(f"{name} hangs")
                return 1
            except Exception as error:
                failed += 1
                print(f"{name}: {str(error).splitlines()[0]}")
            killed += killer.end()
            took = 0.7 * took + 0.3 * (time.monotonic() - start)
        print(f"answers: {asked} rounds, {killed} executors killed, {failed} failed, {wrong} wrong")
        too_few |= 2 * killed < asked or failed == asked
        spark.stop()
    if too_few:
        print("too few executors were killed while a job ran, or all jobs failed, so nothing is proven")
    return 1 if wrong or too_few else 0


def time_of(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def answer(spark, sql):
    return [[answers.plain(value) for value in row] for row in census.ask(spark, sql).collect()]


def duckdb_answer(robocensus, tables, name):
    import duckdb

    sql = answers.statement(robocensus, tables, name, "--engine", "duckdb")
    rows = duckdb.connect().execute(sql).fetchall()
    return [[answers.plain(value) for value in row] for row in rows]


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    # A hanging job has a thread that never ends, so a normal exit would wait for it.
    os._exit(status)
