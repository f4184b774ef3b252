#!/usr/bin/env python3
"""Test vectors of a seed nobody has looked at, by a second implementation of the method.

  src/test/sh/fresh-vectors.py SEED DIR [PROMTOOL_2_42 [PROMTOOL_3]]
  mvn test -Dvectors=DIR -Dtest='RateExtrapolationTest,HistogramQuantileTest,EdgeGapsTest,...'

Written in plain Python from the formulas in docs/metrics.md and docs/decisions, not from the Java.
Where promtool is given, Prometheus itself first confirms every rate, increase, delta and
histogram_quantile here.
"""
import json, math, os, random, subprocess, sys

STEP, COUNT = 15, 41


def write(folder, name, tree):
    with open(os.path.join(folder, name), "w") as out:
        json.dump(tree, out)


# --- rate, increase, delta -------------------------------------------------------------------
def extrapolated(values, fn, span, t, version):
    points = [(i * STEP, v) for i, v in enumerate(values) if v is not None]
    inside = [p for p in points
              if p[0] <= t and (p[0] >= t - span if version == 2 else p[0] > t - span)]
    if len(inside) < 2:
        return None
    (tf, first), (tl, last) = inside[0], inside[-1]
    grown = last - first
    if fn != "delta":
        grown += sum(a[1] for a, b in zip(inside, inside[1:]) if b[1] < a[1])
    sampled = tl - tf
    average = sampled / (len(inside) - 1)
    start, end = tf - (t - span), t - tl
    limit = average * 1.1
    zero = sampled * first / grown if fn != "delta" and grown > 0 and first >= 0 else None
    if version == 2:
        start = min(start, zero) if zero is not None else start
        start = start if start < limit else average / 2
    else:
        start = average / 2 if start >= limit else start
        start = min(start, zero) if zero is not None else start
    end = average / 2 if end >= limit else end
    value = grown * (sampled + start + end) / sampled
    return value / span if fn == "rate" else value


def random_series(rng):
    kind, value, values = rng.randrange(5), rng.choice([0, 0, rng.randrange(1, 900)]), []
    for _ in range(COUNT):
        value += rng.choice([0, rng.randrange(1, 40), rng.random() * 5])
        if kind == 1 and rng.random() < 0.06:
            value = rng.randrange(0, 6)
        values.append(float(value))
    if kind == 2:
        values[:rng.randrange(1, 30)] = [None] * rng.randrange(1, 30)
        values = values[:COUNT]
    if kind == 3:
        values = [None if rng.random() < 0.3 else v for v in values]
    if kind == 4:
        keep = rng.randrange(2, 30)
        values = [v if i < keep else None for i, v in enumerate(values)]
    return values


def rates(rng):
    series = {"s%d" % i: random_series(rng) for i in range(40)}
    cases = []
    for name, values in series.items():
        for _ in range(12):
            fn = rng.choice(["rate", "increase", "delta"])
            span, t = rng.choice([30, 45, 60, 90, 150, 300]), rng.randrange(60, COUNT * STEP)
            t = t if rng.random() < 0.5 else t // STEP * STEP
            cases.append({"series": name, "fn": fn, "range_s": span, "t": t,
                          "expect_2_42": extrapolated(values, fn, span, t, 2),
                          "expect_3x": extrapolated(values, fn, span, t, 3)})
    return {"series": series, "cases": cases}


# --- histogram_quantile ----------------------------------------------------------------------
def bucket_quantile(q, pairs, version):
    if math.isnan(q):
        return math.nan
    if q < 0 or q > 1:
        return -math.inf if q < 0 else math.inf
    pairs = sorted([float(le), c] for le, c in pairs)
    if pairs[-1][0] != math.inf:
        return math.nan
    merged = []
    for le, c in pairs:
        if merged and merged[-1][0] == le:
            merged[-1][1] += c
        else:
            merged.append([le, c])
    highest = merged[0][1]
    for one in merged[1:]:
        if one[1] < highest:
            one[1] = highest
        highest = one[1]
    total = merged[-1][1]
    if len(merged) < 2 or total == 0:
        return math.nan
    rank = q * total
    at = next((i for i, b in enumerate(merged[:-1]) if b[1] >= rank), len(merged) - 1)
    if at == len(merged) - 1:
        return merged[-2][0]
    if at == 0 and merged[0][0] <= 0:
        return merged[0][0]
    low = merged[at - 1][0] if at else 0.0
    below = merged[at - 1][1] if at else 0.0
    width = merged[at][1] - below
    if width == 0:
        return math.nan
    return low + (merged[at][0] - low) * ((rank - below) / width)


def text(x):
    if x is None:
        return None
    return "NaN" if math.isnan(x) else ("+Inf" if x > 0 else "-Inf") if math.isinf(x) else x


def quantiles(rng):
    edges = [0.001, 0.01, 0.06, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0]
    histograms, cases = {}, []
    for i in range(30):
        chosen = sorted(rng.sample(edges, rng.randrange(1, len(edges))))
        count, pairs = 0, []
        for edge in chosen:
            count += rng.choice([0, 0, rng.randrange(1, 60)])
            pairs.append([edge, float(count)])
        count += rng.choice([0, rng.randrange(1, 20)])
        pairs.append(["+Inf", float(count)])
        if i % 7 == 3 and len(pairs) > 2:
            pairs[1][1] = max(0.0, pairs[0][1] - 3)
        histograms["h%d" % i] = pairs
        numeric = [[math.inf if le == "+Inf" else le, c] for le, c in pairs]
        for q in (-0.1, 0.0, rng.random(), rng.random(), 0.5, 0.95, 0.99, 1.0, 1.1):
            value = bucket_quantile(q, [list(p) for p in numeric], 2)
            cases.append({"hist": "h%d" % i, "q": q,
                          "expect_2_42": text(value), "expect_3x": text(value)})
    return {"histograms": histograms, "cases": cases}


# --- what Prometheus says of the two above ---------------------------------------------------
def confirm(promtool, folder, rate_tree, quantile_tree, key):
    lines = ["rule_files: []", "evaluation_interval: 15s", "tests:", "- interval: 15s",
             "  input_series:"]
    for name, values in rate_tree["series"].items():
        words = " ".join("_" if v is None else repr(v) for v in values)
        lines += ["  - series: " + name, "    values: '%s'" % words]
    for name, pairs in quantile_tree["histograms"].items():
        for le, c in pairs:
            word = le if le == "+Inf" else repr(float(le))
            lines += ["  - series: '%s_bucket{le=\"%s\"}'" % (name, word), "    values: '%r'" % c]
    lines.append("  promql_expr_test:")

    def expect(call, t, value):
        # promtool 2.42 compares to the last bit, and NaN equals nothing.
        if value is None:
            expr, wanted = call, None
        elif value == "NaN":
            expr, wanted = "(%s) == bool (%s)" % (call, call), 0
        elif isinstance(value, str):
            expr, wanted = "(%s) == bool (%s)" % (call, value), 1
        else:
            near = "abs(%s - (%r)) <= bool %r" % (call, value, 1e-9 * max(1.0, abs(value)))
            expr, wanted = near, 1
        lines.extend(["  - expr: '%s'" % expr, "    eval_time: %ds" % t, "    exp_samples:"])
        if wanted is None:
            lines[-1] += " []"
        else:
            lines.extend(["    - labels: '{}'", "      value: %d" % wanted])

    for c in rate_tree["cases"]:
        expect("%s(%s[%ds])" % (c["fn"], c["series"], c["range_s"]), c["t"], c[key])
    for c in quantile_tree["cases"]:
        expect("histogram_quantile(%r, %s_bucket)" % (c["q"], c["hist"]), 0, c[key])
    path = os.path.join(folder, "confirm-%s.yml" % key)
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")
    done = subprocess.run([promtool, "test", "rules", path], capture_output=True, text=True)
    print("%s: %d cases, %s" % (promtool, len(rate_tree["cases"]) + len(quantile_tree["cases"]),
                                "confirmed" if done.returncode == 0 else "NOT CONFIRMED"))
    if done.returncode:
        print((done.stdout + done.stderr)[:3000])
        sys.exit(1)


# --- distributions ---------------------------------------------------------------------------
def comparison(rng, edges):
    n = rng.randrange(20, 300)
    engine = sorted(round(rng.lognormvariate(-1.2, 0.9), 4) for _ in range(n))
    kind = rng.randrange(3)
    gaps = [round([0.03, rng.random() * 0.2, -0.05][kind], 4) for _ in engine]
    client = sorted(max(0.0001, round(e + g, 4)) for e, g in zip(engine, gaps))
    cum = [sum(x <= e for x in engine) for e in edges]
    rows, lows, highs = [], [], []
    for e, r in zip(edges, cum):
        below = sum(c <= e for c in client)
        low = client[r - 1] - e if r >= 1 else None
        high = client[r] - e if r < n else None
        lows += [] if low is None else [low]
        highs += [] if high is None else [high]
        rows.append({"client_cum": below, "crossers": r - below,
                     "gap_lower": low, "gap_upper": high})
    lower, upper = max(lows), min(highs) if highs else None
    f_e = [r / n for r in cum] + [1.0]
    f_c = [row["client_cum"] / n for row in rows] + [1.0]
    mean = sum(client) / n
    before = [0.0] + f_e[:-1], [0.0] + f_c[:-1]
    levels = []
    for q in (0.5, 0.9, 0.95, 0.99):
        rank = max(1, math.ceil(q * n - 1e-9))
        at = next((i for i, r in enumerate(cum) if r >= rank), len(edges))
        low = edges[at - 1] if at else 0.0
        high = edges[at] if at < len(edges) else "+Inf"
        c = client[rank - 1]
        levels.append({"q": q, "client": c, "engine_bracket": [low, high],
                       "gap_bracket": [("-Inf" if high == "+Inf" else c - high), c - low]})
    gap = mean - sum(engine) / n
    return {"client": client, "edges": edges, "engine_cum": cum + [n], "engine_sum": sum(engine),
            "expect": {
                "edges": rows,
                "constant_gap_feasible": upper is not None and lower < upper,
                "constant_gap_interval": [lower, upper],
                "order_violations": [e for e, row in zip(edges, rows) if row["crossers"] < 0],
                "max_edge_gap": max(0.0, lower),
                "ks_lower": max(abs(a - b) for a, b in zip(f_e, f_c)),
                "ks_upper": max(max(c - p, e - b) for c, p, e, b
                                in zip(f_c, before[0], f_e, before[1])),
                "mean_gap_exact": gap, "quantiles": levels}}


# --- series over time ------------------------------------------------------------------------
def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result, i = [0.0] * len(values), 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
            j += 1
        for k in range(i, j + 1):
            result[order[k]] = (i + j) / 2 + 1
        i = j + 1
    return result


def pearson(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    xy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    xx, yy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    return xy / math.sqrt(xx * yy) if xx > 0 and yy > 0 else 0.0


def correlation(rng):
    n = rng.randrange(60, 90)
    pre = [rng.randrange(1, 7) if rng.random() < 0.12 else 0 for _ in range(n)]
    stalls = [rng.choice([0, 0, 1, 1, 2]) + (pre[i - 1] if i else 0) for i in range(n)]
    ccf = {}
    for lag in range(-4, 5):
        a = pre[max(0, -lag):n - max(0, lag)]
        b = stalls[max(0, lag):n - max(0, -lag)]
        ccf[str(lag)] = pearson(ranks(a), ranks(b))
    rx, ry = ranks(pre), ranks(stalls)

    def largest(k):
        return max(pearson(rx, [ry[(t + lag - k) % n] for t in range(n)]) for lag in range(3))

    observed = largest(0)
    shifts = list(range(5, n - 4))
    p = (1 + sum(largest(k) >= observed for k in shifts)) / (1 + len(shifts))
    events = [i for i, v in enumerate(pre) if v > 0]
    study = {}
    for offset in range(-2, 4):
        seen = [stalls[e + offset] for e in events if 0 <= e + offset < n]
        study[str(offset)] = sum(seen) / len(seen)
    far = [stalls[i] for i in range(n) if not any(e - 2 <= i <= e + 3 for e in events)]
    return {"preempt": pre, "stalls": stalls, "ccf": ccf, "stat": observed,
            "n_shifts": len(shifts), "p": p, "events": events, "event_study": study,
            "baseline": sum(far) / len(far)}


def student_tail(t, df):
    """P(T > t) by Simpson's rule over the density up to 400; the rest is below 1e-15 here."""
    norm = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    steps = 40000
    # With t = tan(a) the density is smooth and the range finite.
    a, b = math.atan(t), math.pi / 2
    h = (b - a) / steps
    total = 0.0
    for i in range(steps + 1):
        angle = a + i * h
        c = math.cos(angle)
        f = 0.0 if c < 1e-12 else norm * (1 + math.tan(angle) ** 2 / df) ** (-(df + 1) / 2) / c ** 2
        total += f * (1 if i in (0, steps) else 4 if i % 2 else 2)
    return total * h / 3


def slope(rng):
    seconds = rng.choice([5, 10, 20])
    drift = rng.choice([0, 0.3, 1.5, 4])
    means = [round(20 + drift * i + rng.gauss(0, 2), 3) for i in range(12)]
    t = [(i + 0.5) * seconds for i in range(12)]
    mt, my = sum(t) / 12, sum(means) / 12
    sxx = sum((a - mt) ** 2 for a in t)
    b = sum((a - mt) * (m - my) for a, m in zip(t, means)) / sxx
    rss = sum((m - my - b * (a - mt)) ** 2 for a, m in zip(t, means))
    p = student_tail(b / math.sqrt(rss / 10 / sxx), 10)
    growth = b * 12 * seconds / my
    return {"batch_means": means, "batch_seconds": seconds, "slope": b, "p_one_sided": p,
            "relative_growth": growth, "overload": p < 0.01 and growth > 0.5}


# --- shares and ranks ------------------------------------------------------------------------
def binomial_below(n, p):
    below, total = [], 0.0
    for k in range(n + 1):
        total += math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
                          + k * math.log(p) + (n - k) * math.log1p(-p))
        below.append(total)
    return below


def interval(n, p, conf):
    below, tail = binomial_below(n, p), (1 - conf) / 2
    low = [r for r in range(1, n + 1) if below[r - 1] <= tail]
    high = [r for r in range(1, n + 1) if below[r - 1] >= 1 - tail]
    return {"n": n, "p": p, "conf": conf, "lower_rank": low[-1] if low else None,
            "upper_rank": high[0] if high else None}


def smallest(p, conf):
    n = 1
    while max(p ** n, (1 - p) ** n) > (1 - conf) / 2:
        n += 1
    return n


def wilson(k, n, z):
    middle = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    return [max(0.0, middle - half), min(1.0, middle + half)]


def proportion(rng):
    n = rng.randrange(5, 5000)
    k = rng.randrange(0, n + 1) if rng.random() < 0.5 else n - min(n, rng.randrange(0, 9))
    z = {"0.9": 1.6448536269514722, "0.95": 1.959963984540054, "0.99": 2.5758293035489004}
    case = {"k": k, "n": n}
    for conf, value in z.items():
        case["wilson_" + conf] = wilson(k, n, value)
    low, high = case["wilson_0.9"]
    case["label_slo_0.99_conf_0.90"] = (
        "met" if low >= 0.99 else "violated" if high < 0.99 else "indeterminate")
    return case


def growth(rng):
    samples = [rng.randrange(0, 500)]
    for _ in range(rng.randrange(2, 30)):
        reset = rng.random() < 0.15
        samples.append(rng.randrange(0, 20) if reset else samples[-1] + rng.randrange(0, 50))
    drops = [a for a, b in zip(samples, samples[1:]) if b < a]
    return {"samples": samples, "delta": samples[-1] - samples[0] + sum(drops),
            "resets": len(drops)}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rng, folder = random.Random(int(sys.argv[1])), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    rate_tree, quantile_tree = rates(rng), quantiles(rng)
    for promtool, key in zip(sys.argv[3:], ("expect_2_42", "expect_3x")):
        confirm(promtool, folder, rate_tree, quantile_tree, key)
    write(folder, "rate_increase.json", rate_tree)
    write(folder, "histogram_quantile.json", quantile_tree)
    edges = [0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0]
    write(folder, "distribution_compare.json",
          {"cases": [comparison(rng, edges) for _ in range(40)]})
    write(folder, "counter_delta.json", {"cases": [growth(rng) for _ in range(60)]})
    write(folder, "correlation.json", correlation(rng))
    write(folder, "overload_slope.json", {"cases": [slope(rng) for _ in range(30)]})
    levels = [0.5, 0.9, 0.95, 0.99, 0.999]
    write(folder, "quantile_ci.json", {
        "cases": [interval(rng.randrange(1, 3000), rng.choice(levels), rng.choice([0.9, 0.95]))
                  for _ in range(60)],
        "min_n": [{"p": p, "two_sided_0.9": smallest(p, 0.9), "two_sided_0.95": smallest(p, 0.95)}
                  for p in levels]})
    write(folder, "proportions.json", {"cases": [proportion(rng) for _ in range(80)]})
    print("vectors of seed %s in %s" % (sys.argv[1], folder))


main()
