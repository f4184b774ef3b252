"""Objectives judged a second time, by docs/decisions/analysis-objectives-as-percentiles.md."""
import bisect
import math
import statistics
import struct

from recount_client import (arrivals, is_of_sessions, later_tokens, rank, session_nanos, sessions_begun,
                            tokens_of_chunks)

UNITS, NEVER, SECTIONS, LAST_CELL = 60, 1 << 60, 10, 33 * 32 - 1


def beta(x, a, b):
    """Regularized incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    above, below, result = 1.0, 0.0, 1.0
    for i in range(20000):
        m = i // 2
        if i == 0:
            term = 1.0
        elif i % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        below = 1 / (1 + term * below or tiny)
        above = 1 + term / above or tiny
        result *= below * above
        if i > 0 and abs(1 - below * above) < 1e-15:
            break
    return front * (result - 1)


def student(freedom):
    low, high = 0.0, 100.0
    for _ in range(200):
        t = (low + high) / 2
        inside = 1 - beta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
        low, high = (t, high) if inside < 0.975 else (low, t)
    return low


def student_below(t, freedom):
    """Student's distribution function at t >= 0."""
    return 1 - beta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2


def score(chance):
    return statistics.NormalDist().inv_cdf(min(max(chance, 1e-12), 1 - 1e-12))


def things(row, metric):
    """(nanoseconds, seen at, left unfinished) of what a request brings to an objective."""
    at, ended, start = arrivals(row), row["ended_ns"], row["intended_ns"]
    gaps = [(b - a, b) for a, b in zip(at, at[1:])]
    if row["outcome"] not in ("ok", "client_cancelled"):
        return [(NEVER, ended, False)]
    left = row["outcome"] == "client_cancelled"
    if metric == "itl":
        return [(gap, seen, False) for gap, seen in gaps]
    if metric == "largest_gap":
        return [(max(gap for gap, _ in gaps), at[-1], left)] if gaps else []
    if metric == "ttft":
        return [(at[0] - start, at[0], False)] if at else [(ended - start, ended, True)] * left
    if metric == "e2e":
        if left:
            return [(ended - start, ended, True)]
        # A good answer without chunks was not streamed: its end is all that is known.
        return [(at[-1] - start, at[-1], False) if at else (ended - start, ended, False)]
    if metric == "answer_ttft":
        behind = row.get("thinking_chunks", 0)
        if behind < len(at):
            return [(at[behind] - start, at[behind], False)]
        return [(ended - start, ended, True)] if left else [(NEVER, ended, False)] * (behind > 0)
    if metric == "thinking_tokens":
        tokens = thinking_tokens(row)
        return [] if tokens is None else [(tokens * 10 ** 9, ended, left)]
    if metric != "tpot":
        raise ValueError("an objective that is not counted a second time: " + metric)
    later = later_tokens(row)
    return [] if left or later < 1 else [((at[-1] - at[0]) // later, at[-1], False)]


def thinking_tokens(row):
    """As the server counts them, else those of the chunks before the answer; None where untold."""
    counted = tokens_of_chunks(row)
    before = counted[:row.get("thinking_chunks", 0)]
    whole = row["outcome"] == "ok" and not counted
    tokens = row.get("usage_reasoning_tokens", -1 if whole or min(before, default=0) < 0
                     else sum(before))
    told = not min(counted, default=-1) < 0
    output = row.get("usage_completion_tokens", sum(counted) if told else -1)
    return tokens if 0 <= tokens <= output else None


def cannot_be_broken(row, metric, n):
    """A whole answer without time between its tokens, or its chunks."""
    chunks = len(arrivals(row))
    return (row["outcome"] == "ok" and n == 1 and chunks > 0
            and (metric == "tpot" and later_tokens(row) == 0
                 or metric == "largest_gap" and chunks == 1))


def of_one_limit(row, metric, n):
    """The same for a request of n answers: the gaps of their one stream belong to none."""
    is_shared = (n != 1 and metric in ("tpot", "itl", "largest_gap", "thinking_tokens")
                 and row["outcome"] in ("ok", "client_cancelled"))
    return [] if is_shared else things(row, metric)


def together(row, limits, n):
    """What a request brings to limits that it must keep all: the largest part of one it uses."""
    used, seen, is_open = 0, row["ended_ns"], row["outcome"] == "client_cancelled"
    for metric, limit in limits:
        brought = of_one_limit(row, metric, n)
        is_open = is_open or not (brought or cannot_be_broken(row, metric, n))
        for nanos, at, _ in brought:
            part = min(int(nanos / limit), NEVER // 2) if nanos < NEVER else NEVER
            within = nanos / 1e9 <= limit
            part = min(part, 10 ** 9) if within else max(part, 10 ** 9 + 1)
            if part > used:
                used, seen = part, at
    return [(used, seen, is_open)]


def parts(objectives):
    """Every limit on a request or a session: (class, metric, limit)."""
    return [(wanted["request_class"], part["metric"], part["threshold_seconds"])
            for wanted in objectives if wanted["metric"] != "itl"
            for part in wanted.get("limits") or [wanted]]


def of_session(record, one, got, limits):
    """What a session brings, as a request does; of several (metric, limit) a part of a limit."""
    ended, how = got[-1]["ended_ns"], got[-1]["outcome"]
    if how not in ("ok", "client_cancelled"):
        return [(NEVER, ended, False)]
    if how == "ok" and len(got) < len(one):
        return []
    if len(limits) == 1:
        return [(session_nanos(one, got, limits[0][0]), ended, how != "ok")]
    brought = [thing for row in got
               for thing in together(row, [l for l in limits if not is_of_sessions(l[0])],
                                     record.n(row))]
    for metric, limit in limits:
        if is_of_sessions(metric):
            nanos = session_nanos(one, got, metric)
            part = int(nanos / limit)
            part = min(part, 10 ** 9) if nanos / 1e9 <= limit else max(part, 10 ** 9 + 1)
            brought.append((part, ended, False))
    used, seen, _ = max(brought, key=lambda thing: thing[0])
    return [(used, seen, how != "ok" or any(is_open for _, _, is_open in brought))]


def goodput(record, seconds, rows=None):
    """Requests that keep every limit of every objective: (from the intended, the actual start)."""
    rows = record.rows if rows is None else rows
    limits = [part for part in parts(record.objectives) if not is_of_sessions(part[1])]
    sides = []
    for start in ("intended_ns", "started_ns"):
        good = judged = tokens = 0
        for row in rows:
            mine = [(metric, limit) for name, metric, limit in limits
                    if name in ("", row["class"])]
            if not mine or start not in row and row["outcome"] == "ok":
                continue
            moved = {**row, "intended_ns": row.get(start, row["intended_ns"])}
            used, _, is_open = together(moved, mine, record.n(row))[0]
            if used <= 10 ** 9 and is_open:
                continue
            judged += 1
            if used <= 10 ** 9:
                good += 1
                tokens += row.get("usage_completion_tokens", sum(tokens_of_chunks(row)))
        sides.append({
            "good": good, "judged": judged,
            "requests_per_second": good / seconds if judged and seconds else None,
            "output_tokens_per_second": tokens / seconds if judged and seconds else None})
    return dict(zip(("from_intended", "from_start"), sides))


def goodput_of_phase(record, phase):
    """The same of one phase's requests, from the intended start, at the rate it was offered."""
    rows = [row for row in record.rows if row["phase"] == phase["phase"]]
    counted = goodput(record, 1, rows)["from_intended"]
    good, judged = counted["good"], counted["judged"]
    offered, share = phase["offered_per_second"], good / judged if judged >= 20 else None
    return {"good": good, "judged": judged, "share": share,
            "requests_per_second": None if share is None or isinstance(offered, dict)
            else offered * share}


def bench_serve(record, seconds):
    """Requests per second by `vllm bench serve --goodput`: of what it counts, it counts this."""
    limits = {}
    for wanted in record.objectives:
        for part in wanted.get("limits") or [wanted]:
            word, limit = part["metric"], part["threshold_seconds"]
            if word not in ("ttft", "tpot", "e2e") or wanted["request_class"]:
                return None
            limits[word] = min(limit, limits.get(word, limit))
    good = 0
    for row in record.rows:
        at, tokens = arrivals(row), row.get("usage_completion_tokens", -1)
        if row["outcome"] == "client_cancelled" or record.n(row) != 1:
            return None
        if row["outcome"] != "ok":
            continue
        # The definitions are one only where the first chunk holds one token.
        if not at or tokens < 1 or later_tokens(row) != tokens - 1:
            return None
        ttft, latency = (at[0] - row["started_ns"]) / 1e9, (at[-1] - row["started_ns"]) / 1e9
        tpot = (at[-1] - at[0]) / 1e9 / (tokens - 1) if tokens > 1 else 0
        values = {"ttft": ttft, "tpot": tpot, "e2e": latency}
        good += all(values[word] <= limit for word, limit in limits.items())
    return good / seconds if limits and record.rows else None


def cell(nanos):
    return struct.unpack(">q", struct.pack(">d", max(1024.0, nanos)))[0] >> 47


def upper_edge(of):
    if of - cell(1024) >= LAST_CELL:
        return math.inf
    return struct.unpack(">d", struct.pack(">q", (of + 1) << 47))[0]


class Samples:
    def __init__(self, brought, origin, end):
        self.all = sorted(nanos for nanos, _, _ in brought)
        self.left = sorted(nanos for nanos, _, unfinished in brought if unfinished)
        self.units = [[] for _ in range(UNITS)]
        for nanos, seen, _ in brought:
            unit = int(max(0, min(UNITS - 1, (seen - origin) / (end - origin) * UNITS)))
            self.units[unit].append(cell(nanos))
        while self.units and not self.units[0]:
            self.units.pop(0)
        while self.units and not self.units[-1]:
            self.units.pop()

    def spread(self, level_cell, batches):
        """(effect, correlation) over so many batches of time."""
        counts, above = [0] * batches, [0] * batches
        span = len(self.units)
        if not any(c > level_cell for unit in self.units for c in unit):
            level_cell -= 1
        for place, unit in enumerate(self.units):
            counts[place * batches // span] += len(unit)
            above[place * batches // span] += sum(c > level_cell for c in unit)
        n, share = sum(counts), sum(above) / sum(counts)
        if share <= 0 or share >= 1:
            return 1, 0
        rest = [a - share * c for a, c in zip(above, counts)]
        mean = sum(rest) / batches
        squares = sum((r - mean) ** 2 for r in rest)
        alike = sum((a - mean) * (b - mean) for a, b in zip(rest, rest[1:])) / squares
        held = max(0, min(0.5, alike))
        effect = (sum(r * r for r in rest) * batches / (batches - 1) / (n * share * (1 - share))
                  * (1 + held) / (1 - held) * (student(batches - 1) / 1.959964) ** 2)
        return effect, alike

    def worth_at(self, level):
        """(count, whether the tenths do not follow one another)"""
        if len(self.units) < 10:
            return 1, False
        of = cell(self.all[rank(level, len(self.all)) - 1])
        (long, alike), (short, _) = (
            self.spread(of, 10), self.spread(of, min(20, len(self.units))))
        return max(1, math.floor(len(self.all) / max(1, long, short))), alike <= 0.5

    def worth(self, level):
        wider = [1 - times * (1 - level) for times in (2, 4)]
        return min(self.worth_at(q)[0] for q in [level] + [q for q in wider if q >= 0.5 - 1e-9])

    def sections(self, level):
        """(standard error of the percentile's logarithm, degrees of freedom)"""
        def of(cells):
            return upper_edge(sorted(cells)[rank(level, len(cells)) - 1])
        span = len(self.units)
        parts = [[c for unit in self.units[span * i // SECTIONS:span * (i + 1) // SECTIONS]
                  for c in unit] for i in range(SECTIONS)]
        ends = [of(part) for part in parts if part]
        whole = of([c for unit in self.units for c in unit])
        if len(ends) < 4:
            return math.inf, max(1, len(ends) - 1)
        if math.inf in ends or whole == math.inf:
            return math.nan, len(ends) - 1
        logs = [math.log(end) for end in ends]
        k, mean = len(logs), sum(logs) / len(logs)
        spread = sum((log - mean) ** 2 for log in logs)
        alike = (sum((a - mean) * (b - mean) for a, b in zip(logs, logs[1:])) / spread
                 if spread > 0 else 0)
        held = max(0, min(0.5, alike))
        variance = sum((log - math.log(whole)) ** 2 for log in logs) / (k - 1) + 0.03 ** 2 / 12
        return math.sqrt(variance / k * (1 + held) / (1 - held)), k - 1

    def counts(self, limit):
        """Good and judged things if this were the limit."""
        gone = bisect.bisect_right(self.left, limit)
        return bisect.bisect_right(self.all, limit) - gone, len(self.all) - gone

    def first(self, holds):
        """The shortest duration as a limit for which something holds; None where none does."""
        low, high = 0, len(self.all)
        while low < high:
            middle = (low + high) // 2
            good, judged = self.counts(self.all[middle])
            low, high = (low, middle) if judged and holds(good, judged) else (middle + 1, high)
        return seconds(self.all[low]) if low < len(self.all) else None


def seconds(nanos):
    return nanos / 1e9 if nanos < NEVER else None


def objective(record, wanted, origin, end):
    """What analysis.json says of one objective; an absent figure is None."""
    rows = [row for row in record.rows
            if wanted["request_class"] in ("", row["class"])]
    limits = [(one["metric"], one["threshold_seconds"]) for one in wanted.get("limits", [])]
    whole = limits or [(wanted["metric"], wanted["threshold_seconds"])]
    if any(is_of_sessions(metric) for metric, _ in whole):
        of_rows = [of_session(record, one, got, whole) for one, got in sessions_begun(record)[1]
                   if wanted["request_class"] in ("", got[0]["class"])]
    else:
        of_rows = [together(row, limits, record.n(row)) if limits
                   else of_one_limit(row, wanted["metric"], record.n(row)) for row in rows]
    brought = [thing for each in of_rows for thing in each]
    share, limit = wanted["share"], wanted["threshold_seconds"]
    counts = [[nanos / 1e9 <= limit for nanos, _, left in each if not left or nanos / 1e9 > limit]
              for each in of_rows]
    requests = sum(1 for each in counts if each)
    judged = [is_good for each in counts for is_good in each]
    if not judged:
        return {"good": 0, "judged": 0, "share": None, "verdict": "not_judged"}
    samples = Samples(brought, origin, end)
    good, count, n = sum(judged), len(judged), len(samples.all)
    worth = min(count, max(1, samples.worth(share) * count / n))
    is_met = good >= share * count - 1e-9
    bad = (1 - good / count) * worth
    kept = beta(1 - share, bad + 0.5, worth - bad + 0.5)
    counted = max(0.5, kept if is_met else 1 - kept)
    error, freedom = samples.sections(share)
    at = samples.all[rank(share, n) - 1]
    distance = abs(math.log(max(1, int(limit * 1e9))) - math.log(max(1, at)))
    away = 0.5 if math.isinf(error) else student_below(distance / error, freedom)
    chance = (counted if math.isnan(error)
              else statistics.NormalDist().cdf((score(counted) + min(2.5, score(away))) / 2))
    return {
        "good": good, "judged": count, "share": good / count,
        "verdict": "met" if is_met else "missed",
        "strength": "sure" if chance >= 0.95 else "likely" if chance >= 0.75 else "too_close",
        "evidence": {
            "percentile": samples.first(lambda g, j: g >= share * j - 1e-9),
            "independent_count": math.floor(worth + 0.5)}}
