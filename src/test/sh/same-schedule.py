#!/usr/bin/env python3
"""Is a merged run the run of one machine?

  src/test/sh/same-schedule.py ONE MERGED ...

Compares the records of runs of one scenario and seed, by docs/how-to/cluster.md: the plan byte by byte; of each request the intended start after
its window's origin, class, user, target, lengths, the number in its id and how it ended. Of the warm-up neither the start nor the answer's
length: each shard sends one of its requests ahead, with one token. Prints one line for each run; exit 1 where anything differs.
Python's standard library is enough.
"""
import json
import pathlib
import sys


def rows(run, name):
    return [json.loads(line) for line in (run / "record" / name).read_text().splitlines()]


def schedule(run):
    """Index -> what one machine and many must agree on."""
    origin = next(row["at_ns"] for row in rows(run, "harness.ndjson")
                  if row["kind"] == "mark" and row["mark"] == "window_origin")
    found = {}
    for row in rows(run, "requests.ndjson"):
        one = (row["phase"], row["class"], row["user"], row["target"], row["prompt_tokens"], row["request_id"].rsplit("-", 1)[1])
        if row["phase"] != "warmup":
            one += (row["intended_ns"] - origin, row["max_tokens"], row["outcome"])
        found[row["index"]] = one
    return found


def main(first, others):
    one = schedule(first)
    plan = (first / "record" / "plan.json").read_bytes()
    wrong = False
    for other in others:
        faults = []
        if (other / "record" / "plan.json").read_bytes() != plan:
            faults.append("plan.json differs")
        found = schedule(other)
        apart = [index for index in sorted(one.keys() | found.keys()) if one.get(index) != found.get(index)]
        for index in apart[:3]:
            faults.append(f"request {index}: {one.get(index)} and {found.get(index)}")
        if len(apart) > 3:
            faults.append(f"and {len(apart) - 3} more requests")
        print(f"{other}: " + ("; ".join(faults) or f"{len(found)} requests, none differs"))
        wrong |= bool(faults)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]))
