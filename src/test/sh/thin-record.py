#!/usr/bin/env python3
"""Packs records of runs into one zip, with their times cut down to 100 microseconds.

    src/test/sh/thin-record.py OUT.zip RUN...

Every request, every chunk and every scrape stays. A moment is cut, never raised, so that what came
first stays first. The manifest's host says so. What Gatling wrote beside is left out. What was cut
is not what was written: the pack carries no checksums.
"""
import json
import pathlib
import sys
import zipfile

STEP = 100_000
KEPT = ("scrapes.ndjson", "plan.json")


def cut(nanos):
    return nanos // STEP * STEP


def unsealed(line):
    row = json.loads(line)
    row.pop("sum", None)
    return row


def thin_request(line):
    row = unsealed(line)
    for name, value in row.items():
        if name.endswith("_ns") and isinstance(value, int) and name != "longest_read_lag_ns":
            row[name] = cut(value)
    at, before, gaps = 0, 0, []
    for gap in row.get("chunk_ns", []):
        at += gap
        gaps.append(cut(at) - before)
        before = cut(at)
    if gaps:
        row["chunk_ns"] = gaps
    return json.dumps(row, separators=(",", ":"))


def thin_harness(line):
    row = unsealed(line)
    if "late_ns" in row:
        row["late_ns"] = [cut(late) for late in row["late_ns"]]
    return json.dumps(row, separators=(",", ":"))


def thinned(file, thin):
    return "\n".join(map(thin, file.read_text().splitlines())) + "\n"


def main(out, runs):
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as pack:
        for run in sorted(map(pathlib.Path, runs)):
            record = run / "record"

            def put(name, text, run=run):
                # A fixed date: the same runs give the same bytes.
                entry = zipfile.ZipInfo(f"{run.name}/record/{name}", (2000, 1, 1, 0, 0, 0))
                pack.writestr(entry, text, zipfile.ZIP_DEFLATED, 9)

            manifest = json.loads((record / "manifest.json").read_text())
            manifest["host"]["record"] = "thinned: times cut to 100 us"
            manifest["format_version"] = 1
            for name in ("files", "sum"):
                manifest.pop(name, None)
            put("manifest.json", json.dumps(manifest, indent=2) + "\n")
            for name in KEPT:
                put(name, (record / name).read_text())
            put("harness.ndjson", thinned(record / "harness.ndjson", thin_harness))
            put("requests.ndjson", thinned(record / "requests.ndjson", thin_request))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
