"""The engine's side and the ledger of recount.py, from scrapes.ndjson by docs/metrics.md."""
import math
from collections import defaultdict

from recount_client import LEVELS, FAILED_UNKNOWN, rank, tokens_of_chunks


class Engine:
    """Growth of every series from S0 to S1, and gauges under load."""

    def __init__(self, record):
        self.record = record
        marks = record.marks
        origin = marks.get("window_origin", 0)
        before = marks.get("quiet_before_window", origin)
        after = marks.get("quiet_after_window", math.inf)
        drained = marks.get("window_drained", math.inf)
        self.growth = defaultdict(float)   # (target, name, labels) -> growth
        self.resets, self.gauges = 0, defaultdict(dict)
        self.under_load = {True: 0, False: 0}
        self.targets = set()
        for target, scrapes in record.scrapes.items():
            for at, values in scrapes:
                if origin <= at <= drained:
                    self.under_load[values is not None] += 1
            good = [(at, v) for at, v in scrapes if v is not None]
            firsts = [(at, v) for at, v in good if at <= before]
            rest = [(at, v) for at, v in good if before < at <= after]
            chain = firsts[-1:] + rest
            if len(chain) < 2:
                continue
            self.targets.add(target)
            self.add_growth(target, [values for _, values in chain])
            for at, values in rest:
                if origin <= at <= drained:
                    self.add_gauges(target, at, values)
        self.choose_model()

    def key(self, target, identity):
        row = self.record.series[target, identity]
        return target, row["name"], tuple(sorted(row["labels"].items())), row["type"]

    def add_growth(self, target, chain):
        last = {}
        for place, values in enumerate(chain):
            for identity, value in values.items():
                before = last.get(identity, value if place == 0 else 0.0)
                self.resets += value < before
                if not math.isnan(value):
                    self.growth[self.key(target, identity)] += (
                        value - before if value >= before else value)
                    last[identity] = value

    def add_gauges(self, target, at, values):
        for identity, value in values.items():
            key = self.key(target, identity)
            if key[3] == "gauge" and not math.isnan(value):
                self.gauges[key][at] = value

    def choose_model(self):
        models = {dict(key[2]).get("model_name") for key in self.growth} - {None}
        self.model = self.record.manifest["model"] if len(models) > 1 else None

    def ours(self, key):
        model = dict(key[2]).get("model_name")
        return self.model is None or model is None or model == self.model

    def sum(self, name, **labels):
        """Growth of a sample name over engines and targets; None where it is not exposed."""
        found = [v for key, v in self.growth.items()
                 if key[1] in spellings(name) and self.ours(key)
                 and all(dict(key[2]).get(k) == want for k, want in labels.items())]
        return math.fsum(found) if found else None

    def labels(self, name, label):
        """Values of a label of which the engine counted any."""
        return {dict(key[2]).get(label) for key, value in self.growth.items()
                if key[1] in spellings(name) and self.ours(key) and value}

    def buckets(self, family):
        edges = defaultdict(float)
        for key, value in self.growth.items():
            if key[1] in spellings(family + "_bucket") and self.ours(key):
                edges[float(dict(key[2])["le"].replace("+", ""))] += value
        return sorted(edges.items())

    def distribution(self, family):
        buckets, n = self.buckets(family), self.sum(family + "_count")
        if n is None or not buckets:
            return None
        return {"count": n, "mean": self.sum(family + "_sum") / n if n else None,
                "brackets": [self.bracket(buckets, q, n) for q in LEVELS]}

    @staticmethod
    def bracket(buckets, q, n):
        if n < LEVELS[q]:
            return {"level": q, "low": None, "high": None}
        low = 0.0
        for edge, cumulative in buckets:
            if cumulative >= rank(q, n):
                return {"level": q, "low": low, "high": edge}
            low = edge
        return None

    def gauge(self, name):
        """A count: summed over engines and targets at each moment at which all answered."""
        by_target = defaultdict(lambda: defaultdict(float))
        for key, values in self.of_gauge(name):
            for at, value in values.items():
                by_target[key[0]][at] += value
        moments = sorted((at, target) for target, values in by_target.items() for at in values)
        limit = 0.75 * self.record.plan["settings"]["timing"]["scrape_interval_nanos"]
        totals, newest = {}, {}
        for at, target in moments:
            newest = {t: then for t, then in newest.items() if at - then <= limit}
            newest[target] = at
            if len(newest) == len(self.targets):
                totals[at] = sum(by_target[t][then] for t, then in newest.items())
                newest = {}
        return statistics(list(totals.values()))

    def ratio(self, name):
        """A ratio: every value of every engine, in order of time."""
        found = [(at, v) for _, values in self.of_gauge(name) for at, v in values.items()]
        return statistics([value for _, value in sorted(found, key=lambda one: one[0])])

    def of_gauge(self, name):
        return [(key, values) for key, values in self.gauges.items()
                if key[1] in spellings(name) and self.ours(key)]


def spellings(name):
    return {name, name.replace("vllm:", "vllm_")}


def statistics(values):
    if not values:
        return None
    return {"minimum": min(values), "mean": math.fsum(values) / len(values),
            "maximum": max(values), "last": values[-1]}


# --- the ledger ------------------------------------------------------------------------------
def is_finished(row):
    return bool(row.get("finish_reason")) or row["outcome"] in ("ok", "done_missing")


def is_refused(row):
    """Never reached the engine, or was turned away before it."""
    if is_finished(row):
        return False
    never = "written_ns" not in row
    return (row["outcome"] in ("refused", "redirected")
            or row["outcome"] == "http_error" and row.get("status") not in FAILED_UNKNOWN
            or row["outcome"] in ("client_cancelled", "timed_out", "no_answer", "cut_mid_stream") and never)


def tokens_seen(row):
    if "usage_completion_tokens" in row:
        return row["usage_completion_tokens"]
    return 0 if is_finished(row) else sum(max(0, k) for k in tokens_of_chunks(row))


def prompt_seen(record, row):
    tokens, choices = row.get("usage_prompt_tokens", 0), record.n(row)
    if is_finished(row):
        return tokens * choices
    return tokens if row.get("chunk_ns") and choices == 1 else 0


def ledger(record, engine):
    """R1-R9, both sides: (row, quantity where one row is not the only one) -> (client, engine)."""
    rows = [row for row in record.rows if not is_refused(row)]
    finished = [row for row in rows if is_finished(row)]
    reasons = defaultdict(int)
    for row in finished:
        reason = row.get("finish_reason", "")
        reasons["stop" if reason in ("tool_calls", "function_call") else reason] += 1
    success, table = "vllm:request_success_total", {}
    everything = sum(record.n(row) for row in finished)
    booked = engine.sum(success)
    table["R1", "requests finished, any reason"] = everything, booked
    for reason in set(reasons) | engine.labels(success, "finished_reason"):
        table["R1", "requests finished by " + reason] = (
            reasons[reason], engine.sum(success, finished_reason=reason) or 0)
    first = sum(record.n(row) for row in rows
                if row.get("chunk_ns") or row["outcome"] == "ok")
    table["R2", ""] = first, engine.sum("vllm:time_to_first_token_seconds_count")
    told = all("usage_completion_tokens" in row for row in finished)
    table["R3", ""] = (sum(prompt_seen(record, row) for row in rows) if told else None,
                       engine.sum("vllm:prompt_tokens_total"))
    tokens = engine.sum("vllm:generation_tokens_total")
    table["R4", ""] = sum(map(tokens_seen, rows)) if told else None, tokens
    begun = table["R2", ""][1]
    table["R5", ""] = (None if tokens is None or begun is None else tokens - begun,
                       engine.sum("vllm:inter_token_latency_seconds_count"))
    table["R6", ""] = everything, engine.sum("vllm:e2e_request_latency_seconds_count")
    table["R7", ""] = (sum(prompt_seen(record, row) for row in finished) if told else None,
                       engine.sum("vllm:request_prompt_tokens_sum"))
    table["R8", ""] = (
        math.fsum((row["ended_ns"] - row["written_ns"]) / 1e9 * record.n(row)
                  for row in finished if "written_ns" in row),
        engine.sum("vllm:e2e_request_latency_seconds_sum"))
    table["R9", ""] = 0, None if booked is None else booked - everything
    return table
