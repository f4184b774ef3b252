"""A run's record as recount.py reads it, and the client's side, by docs/run-record.md."""
import json
import math
import os
from collections import defaultdict

LEVELS = {0.5: 6, 0.9: 36, 0.95: 72, 0.99: 368, 0.999: 3688}
FAILED_UNKNOWN = {500, 502, 504}


def lines(path):
    """Every line that can be read; the rest of a killed record's last line is none."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8", errors="replace") as rows:
        for row in rows:
            try:
                yield json.loads(row)
            except ValueError:
                continue


class Record:
    def __init__(self, run):
        folder = os.path.join(run, "record")
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)
        with open(os.path.join(folder, "plan.json"), encoding="utf-8") as file:
            self.plan = json.load(file)
        settings = self.plan["settings"]
        warmups = {phase["name"] for phase in settings["phases"] if phase["warmup"]}
        self.objectives = settings["objectives"]
        self.choices = {int(k): n for k, n in self.plan.get("choices", {}).items()}
        self.harness = list(lines(os.path.join(folder, "harness.ndjson")))
        self.marks = {row["mark"]: row["at_ns"] for row in self.harness if row["kind"] == "mark"}
        seen, self.rows = set(), []
        for row in lines(os.path.join(folder, "requests.ndjson")):
            if row["phase"] not in warmups and row["index"] not in seen:
                seen.add(row["index"])
                self.rows.append(row)
        self.scrapes = defaultdict(list)
        self.read_scrapes(os.path.join(folder, "scrapes.ndjson"))

    def read_scrapes(self, path):
        """Every scrape whole: (start, {series: value}), or None in place of a failed one's."""
        self.series, state = {}, defaultdict(dict)
        for row in lines(path):
            if "series" in row:
                self.series[row["target"], row["series"]] = row
            elif "error" in row:
                self.scrapes[row["target"]].append((row["started_ns"], None))
            else:
                now = state[row["target"]]
                for gone in row.get("gone", []):
                    now.pop(gone, None)
                now.update(zip(row["id"], map(float, row["value"])))
                self.scrapes[row["target"]].append((row["started_ns"], dict(now)))

    def n(self, row):
        return self.choices.get(row["index"], 1)


# --- the client ------------------------------------------------------------------------------
def arrivals(row):
    """Nanoseconds of each content chunk."""
    at, all_of_them = 0, []
    for step in row.get("chunk_ns", []):
        at += step
        all_of_them.append(at)
    return all_of_them


def last(row):
    """The end of a good answer; one without chunks was not streamed."""
    return (arrivals(row) or [row["ended_ns"]])[-1]


def in_order(row):
    """A request whose steps run backwards in time counts, but has no latency."""
    steps = [row["intended_ns"], row.get("started_ns", row["intended_ns"])]
    steps += arrivals(row) + [row["ended_ns"]]
    return all(a <= b for a, b in zip(steps, steps[1:]))


def tokens_of_chunks(row):
    tokens = row.get("chunk_tokens", -1)
    return tokens if isinstance(tokens, list) else [tokens] * len(row.get("chunk_ns", []))


def output_tokens(row):
    """What usage says, else what the chunks told together; -1 where nobody did."""
    told = tokens_of_chunks(row)
    if row.get("usage_completion_tokens", -1) >= 0 or not told or min(told) < 0:
        return row.get("usage_completion_tokens", -1)
    return sum(told)


def later_tokens(row):
    """Tokens that came after the first chunk's; -1 where nobody told how many those were."""
    tokens, told = output_tokens(row), tokens_of_chunks(row)
    if tokens < 1 or not told:
        return -1
    if len(told) == 1:
        return 0
    is_untold = told[0] < 0 and len(told) < tokens
    return -1 if is_untold else max(-1, tokens - max(1, told[0]))


def samples(record):
    found = defaultdict(list)
    for row in filter(in_order, record.rows):
        at, good, one = arrivals(row), row["outcome"] == "ok", record.n(row) == 1
        starts = {"intended": row["intended_ns"], "start": row.get("started_ns"),
                  "written": row.get("written_ns")}
        for word, start in starts.items():
            if at and start is not None:
                found["ttft_from_" + word].append((at[0] - start) / 1e9)
            if good and start is not None:
                found["e2e_from_" + word].append((last(row) - start) / 1e9)
        if not (good and one and at):
            continue
        gaps = [(b - a) / 1e9 for a, b in zip(at, at[1:])]
        found["chunk_gaps"] += gaps
        if gaps:
            found["largest_gaps"].append(max(gaps))
        for gap, tokens in zip(gaps, tokens_of_chunks(row)[1:]):
            if tokens > 0:
                found["token_gaps"] += [gap / tokens] * tokens
        later = later_tokens(row)
        if later > 0:
            found["tpot"].append((at[-1] - at[0]) / 1e9 / later)
    return found


def distribution(values):
    values = sorted(values)
    n = len(values)
    return {
        "count": n, "mean": math.fsum(values) / n if n else None,
        "minimum": values[0] if n else None, "maximum": values[-1] if n else None,
        "percentiles": [
            {"level": q, "value": values[rank(q, n) - 1] if n >= need else None}
            for q, need in LEVELS.items()]}


def rank(q, n):
    """Rank of a quantile, safe from binary fractions such as 0.95 * 20 = 19.000000000000004."""
    return max(1, math.ceil(q * n - 1e-9))


def counts(record):
    rows, good = record.rows, [row for row in record.rows if row["outcome"] == "ok"]
    seconds = window_seconds(record)
    chunks = [k for row in rows for k in tokens_of_chunks(row)]
    outcomes = defaultdict(int)
    for row in rows:
        outcomes[row["outcome"]] += 1
    prompt = total(good, rows, "usage_prompt_tokens")
    completion = total(good, rows, "usage_completion_tokens")
    of_good = None if completion is None else sum(
        row.get("usage_completion_tokens", 0) for row in good)
    notes = [row["sent"] for row in record.harness if row["kind"] == "progress"]
    sent, state = max(notes[-1:] + [len(rows)]), record.manifest["ending"]["state"]
    is_told = (state in ("completed", "interrupted", "stopped")
               or "window_drained" in record.marks
               or state == "failed" and "window_origin" not in record.marks)
    return {
        "planned": record.plan["measured_count"],
        "sent": sent, "without_row": sent - len(rows) if is_told else None,
        "ended": len(rows), "ok": len(good), "by_outcome": dict(outcomes),
        "prompt_tokens": prompt, "completion_tokens": completion,
        "chunks": len(chunks),
        "merged_chunks":
            None if chunks and max(chunks) < 0 else sum(k > 1 for k in chunks),
        "unknown_chunks": sum(k < 0 for k in chunks),
        "coalesced_chunks": sum(row.get("coalesced_chunks", 0) for row in rows),
        "requests_per_second": len(good) / seconds if seconds else None,
        "completion_tokens_per_second":
            of_good / seconds if seconds and of_good is not None else None}


def total(good, rows, field):
    if not rows or any(field not in row for row in good):
        return None
    return sum(row.get(field, 0) for row in rows)


def origin(record):
    """The mark, or where it is lost the first intended start."""
    told = record.marks.get("window_origin")
    return min(r["intended_ns"] for r in record.rows) if told is None else told


def window_seconds(record):
    rows = record.rows
    return (max(r["ended_ns"] for r in rows) - origin(record)) / 1e9 if rows else 0


def sent_per_second(record):
    """Over the time in which requests were sent; None of fewer than two whose time nobody knows."""
    starts = [r["intended_ns"] for r in record.rows]
    timing = record.plan["settings"]["timing"]
    if timing.get("bounded", True) and "window_drained" in record.marks and starts:
        until = origin(record) + timing["duration_nanos"]
        until = max(min(until, record.marks.get("stopped", until)), max(starts))
        seconds = (min(until, max(r["ended_ns"] for r in record.rows)) - origin(record)) / 1e9
        if seconds > 1e-3:
            return len(starts) / seconds
    return (len(starts) - 1) * 1e9 / (max(starts) - min(starts)) if len(set(starts)) > 1 else None


def sessions_begun(record):
    """How many measured sessions are planned; of those begun what is planned, and what ended."""
    warm = {phase["name"] for phase in record.plan["settings"]["phases"] if phase["warmup"]}
    planned = []
    for request in record.plan["requests"]:
        if request.get("turn", 0) == 0:
            planned.append([])
        planned[-1].append(request)
    classes = {r.get("request_class", "default") for one in planned for r in one[1:]}
    planned = [one for one in planned
               if one[0].get("request_class", "default") in classes and one[0]["phase"] not in warm]
    rows = {row["index"]: row for row in record.rows}
    ended = [sorted((rows[r["index"]] for r in one if r["index"] in rows),
                    key=lambda r: r["ended_ns"]) for one in planned]
    return len(planned), [(one, got) for one, got in zip(planned, ended) if got]


def is_of_sessions(metric):
    return metric.startswith("session_")


def session_nanos(one, got, metric="session_time"):
    """First start to last end; without tools less the pauses in which only a tool ran."""
    whole = max(r["ended_ns"] for r in got) - min(r["intended_ns"] for r in got)
    if metric == "session_time":
        return whole
    tools = {r["index"] for r in one if r.get("tool", False)}
    starts = [r["intended_ns"] for r in got]
    waited = [r["intended_ns"] - max(o["ended_ns"] for o in got
                                     if o["intended_ns"] < r["intended_ns"])
              for r in got if r["index"] in tools and r["intended_ns"] > min(starts)]
    return whole - sum(wait for wait in waited if wait > 0)


def busy_nanos(got):
    """How long one of the requests at least was under way."""
    busy, ended = 0, 0
    for r in sorted(got, key=lambda r: r["intended_ns"]):
        busy += max(0, r["ended_ns"] - max(ended, r["intended_ns"]))
        ended = max(ended, r["ended_ns"])
    return busy


def sessions(record, is_good, limits, seconds):
    """Sessions as wholes, and their requests by turn.

    is_good says True, False or None of a row; limits are (class, metric, limit)."""
    planned, begun = sessions_begun(record)
    of, wanted = {}, defaultdict(int)
    whole = [(one, got) for one, got in begun
             if len(got) == len(one) and all(r["outcome"] == "ok" for r in got)]
    left = [(one, got) for one, got in begun if got[-1]["outcome"] == "client_cancelled"]
    failed = [(one, got) for one, got in begun
              if got[-1]["outcome"] not in ("ok", "client_cancelled")]

    def verdict(one, got):
        mine = [limit for limit in limits if limit[0] in ("", got[0]["class"])]
        times = [session_nanos(one, got, word) / 1e9 <= most
                 for _, word, most in mine if is_of_sessions(word)]
        told = times + [is_good(r) for r in got if len(times) < len(mine)]
        return None if not told else False if False in told else None if None in told else True

    verdicts = [verdict(one, got) for one, got in whole]
    judged = [verdict(one, got) is not None for one, got in whole]
    judged += [verdict(one, got) is False for one, got in left]
    judged += [any(limit[0] in ("", got[0]["class"]) for limit in limits) for _, got in failed]
    timed = [(one, got) for one, got in whole if all(map(in_order, got))]
    tools = {r["index"] for one, _ in begun for r in one if r.get("tool", False)}
    for one, got in begun:
        place = 0
        rows = {r["index"]: r for r in got}
        for request in one:
            place += not (request.get("tool", False) or request.get("agent", 0))
            line = max(first for first in (1, 2, 3, 4, 5, 9) if first <= place)
            if request["index"] in rows:
                of.setdefault(line, []).append((place, one[0]["index"], rows[request["index"]]))
                wanted[place, one[0]["index"]] += 1
            else:
                wanted[place, one[0]["index"]] = -len(one)
    return {
        "planned": planned, "begun": len(begun), "completed": len(whole),
        "failed": len(failed), "left": len(left),
        "cut": len(begun) - len(whole) - len(failed) - len(left),
        "requests": sum(len(got) for _, got in begun),
        "unsent": sum(len(one) - len(got) for one, got in begun),
        "seconds": distribution([session_nanos(*each) / 1e9 for each in timed]),
        "without_tool_seconds": distribution(
            [session_nanos(*each, "session_time_without_tools") / 1e9 for each in timed]),
        "tool_calls": sum(r["index"] in tools for _, got in begun for r in got),
        "request_seconds": distribution(
            [busy_nanos(got) / 1e9 for _, got in timed]),
        "completed_per_hour": len(whole) / seconds * 3600 if begun else None,
        "good": verdicts.count(True),
        "judged": sum(judged),
        "good_per_hour":
            verdicts.count(True) / seconds * 3600 if begun and sum(judged) else None,
        "turns": [turn(line, of[line], wanted) for line in sorted(of)]}


def turn(first, placed, wanted):
    rows, turns = [r for _, _, r in placed], defaultdict(list)
    for place, session, r in placed:
        turns[place, session].append(r)
    whole = [sorted(got, key=lambda r: r["ended_ns"]) for key, got in turns.items()
             if len(got) == wanted[key]
             and all(r["outcome"] == "ok" and in_order(r) for r in got)]
    told = [r for r in rows if "usage_prompt_tokens" in r]
    cached = [r for r in told if "usage_cached_tokens" in r]
    at = [(r, arrivals(r)) for r in rows if in_order(r) and arrivals(r)]
    good = [r for r in rows if in_order(r) and r["outcome"] == "ok"]
    return {
        "first": first, "requests": len(rows),
        "ttft": distribution([(a[0] - r["intended_ns"]) / 1e9 for r, a in at]),
        "e2e": distribution(
            [(last(r) - r["intended_ns"]) / 1e9 for r in good]),
        "seconds": distribution(
            [(got[-1]["ended_ns"] - min(r["intended_ns"] for r in got)) / 1e9
             for got in whole]),
        "prompt_tokens":
            sum(r["usage_prompt_tokens"] for r in told) / len(told) if told else None,
        "cached_share":
            sum(r["usage_cached_tokens"] for r in cached)
            / sum(r["usage_prompt_tokens"] for r in cached) if cached else None}
