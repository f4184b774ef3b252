#!/usr/bin/env python3
"""Do the headline numbers of a report follow from its record?

  src/test/sh/recount.py reports/RUN ...

Computes them a second time from the record's files alone, by docs/run-record.md and
docs/metrics.md, without a line of our Java, and compares each with analysis.json. Prints what
differs; exit 1 if anything does. Python's standard library is enough.
"""
import copy
import json
import math
import os
import sys

from recount_client import (Record, counts, distribution, in_order, samples, sessions,
                            sent_per_second, window_seconds)
from recount_engine import Engine, ledger
from recount_objectives import bench_serve, goodput, goodput_of_phase, objective, parts

SHORT = {
    "ttft": "time_to_first_token_seconds", "itl": "inter_token_latency_seconds",
    "tpot": "request_time_per_output_token_seconds", "e2e": "e2e_request_latency_seconds",
    "queue": "request_queue_time_seconds", "prefill": "request_prefill_time_seconds",
    "decode": "request_decode_time_seconds", "inference": "request_inference_time_seconds"}

class Check:
    def __init__(self):
        self.checked, self.wrong = 0, []

    def same(self, name, mine, theirs):
        if isinstance(mine, dict):
            for word, value in mine.items():
                self.same(f"{name}.{word}", value, (theirs or {}).get(word))
            return
        if isinstance(mine, list):
            for place, value in enumerate(mine):
                of = theirs[place] if theirs and place < len(theirs) else None
                self.same(f"{name}[{place}]", value, of)
            return
        self.checked += 1
        if isinstance(mine, str):
            if mine != theirs:
                self.wrong.append(f"{name}: recounted {mine}, reported {theirs}")
            return
        missing = theirs is None or isinstance(theirs, dict)
        if mine is None or missing:
            if not (mine is None and missing):
                self.wrong.append(f"{name}: recounted {mine}, reported {theirs}")
            return
        if not math.isclose(float(mine), float(theirs), rel_tol=1e-9, abs_tol=1e-9):
            self.wrong.append(f"{name}: recounted {mine}, reported {theirs}")


def check(run):
    record = Record(run)
    with open(os.path.join(run, "analysis.json"), encoding="utf-8") as file:
        report = json.load(file)
    result, rows = Check(), record.rows
    waiting = waits(record, report["run"]["closed_loop"])
    result.same("counts", counts(record), report["counts"])
    result.same("run.window_seconds", window_seconds(record), report["run"]["window_seconds"])
    found = samples(waiting)
    for name, theirs in report["client"].items():
        if isinstance(theirs, dict) and "percentiles" in theirs:
            result.same("client." + name, distribution(found[name]), theirs)
    lateness = [(row["started_ns"] - row["intended_ns"]) / 1e9
                for row in rows if "started_ns" in row and in_order(row)]
    if report["run"]["closed_loop"] is False:
        result.same("lateness", distribution(lateness), report["harness"]["lateness"])
    marks = record.marks
    if "window_origin" in marks and "window_drained" in marks:
        for place, theirs in enumerate(report["objectives"]):
            mine = objective(waiting, theirs["objective"], marks["window_origin"],
                             marks["window_drained"])
            if is_guarded(report, theirs):
                mine.pop("strength", None)
            result.same(f"objectives[{place}]", mine, theirs)
    check_goodput(result, waiting, window_seconds(record), report["load"]["goodput"])
    result.same("sessions", sessions(waiting, lambda row: is_good(waiting, row),
                                     parts(record.objectives), window_seconds(record)),
                report["sessions"])
    for place, phase in enumerate(report["phases"]):
        result.same(f"phases[{place}].goodput", goodput_of_phase(waiting, phase), phase["goodput"])
    if sent_per_second(record) is not None:
        result.same("load.offered", sent_per_second(record),
                    report["load"]["offered_per_second"])
    engine = Engine(record)
    theirs = report["engine"]
    if not theirs["available"]:
        result.same("engine.targets", 0, len(engine.targets))
        return result
    check_engine(result, record, engine, report)
    return result


def waits(record, is_closed):
    """The record as waits are counted: in a closed loop from when a request was begun."""
    if not is_closed:
        return record
    waiting = copy.copy(record)
    waiting.rows = [{**row, "intended_ns": row.get("started_ns", row["intended_ns"])}
                    for row in record.rows]
    return waiting


def is_guarded(report, theirs):
    """Whether a queue decides the strength: where requests pile up, or capacity is near."""
    piles_up = any(phase["overload"]["verdict"] == "overloaded" for phase in report["phases"])
    return piles_up or theirs["evidence"]["reason"].startswith("close to what the engine")


def is_good(record, row):
    """Whether a request kept every limit; None where nobody can tell."""
    kept = goodput(record, 1, [row])["from_intended"]
    return kept["good"] == 1 if kept["judged"] else None


def check_goodput(result, record, seconds, theirs):
    result.same("load.goodput", goodput(record, seconds), theirs)
    by_bench = bench_serve(record, seconds)
    if by_bench is not None:
        result.same("load.goodput by vllm bench serve", by_bench,
                    theirs["from_start"]["requests_per_second"])


def check_engine(result, record, engine, report):
    theirs = report["engine"]
    result.same("engine.good_scrapes", engine.under_load[True], theirs["good_scrapes"])
    result.same("engine.failed_scrapes", engine.under_load[False], theirs["failed_scrapes"])
    for name, value in theirs["counters"].items():
        result.same("counters." + name, engine.sum(name), value)
    for short, family in SHORT.items():
        if short in theirs["distributions"] or engine.sum(f"vllm:{family}_count") is not None:
            result.same("engine." + short, engine.distribution("vllm:" + family),
                        theirs["distributions"].get(short))
    for name, value in theirs["gauges"].items():
        if name in ("vllm:num_requests_running", "vllm:num_requests_waiting"):
            result.same("gauges." + name, engine.gauge(name), value)
        if name == "vllm:kv_cache_usage_perc":
            mine = engine.ratio(name)
            if len(engine.of_gauge(name)) > 1:
                mine.pop("last")  # of several engines the last one is nobody's
            result.same("gauges." + name, mine, value)
    seconds = window_seconds(record)
    result.same("load.completed",
                engine.sum("vllm:request_success_total") / seconds,
                report["load"]["completed_per_second"])
    result.same("load.admitted",
                engine.sum("vllm:time_to_first_token_seconds_count") / seconds,
                report["load"]["admitted_per_second"])
    mine = ledger(record, engine)
    for row in report["reconciliation"]["rows"]:
        key = (row["id"], row["quantity"] if row["id"] == "R1" else "")
        sides = mine.get(key)
        result.same("ledger." + row["id"] + " " + row["quantity"],
                    list(sides) if sides else [None, None], [row["client"], row["engine"]])


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    exit_code = 0
    for run in sys.argv[1:]:
        result = check(run)
        print(f"{run}: {result.checked} numbers recounted, {len(result.wrong)} differ")
        for line in result.wrong:
            print("  " + line)
        exit_code |= bool(result.wrong)
    sys.exit(exit_code)


main()
