"""The percentile part of a report in DuckDB: TTFT, E2E, largest gap and ITL of one requests.ndjson.

usage: percentiles.py REQUESTS_NDJSON [exact|approximate]
Nearest-rank percentiles (quantile_disc) as tally's; approximate takes DuckDB's t-digest for ITL.
"""
import json
import resource
import sys
import time

import duckdb

path = sys.argv[1]
approximate = len(sys.argv) > 2 and sys.argv[2] == "approximate"
levels = [0.5, 0.9, 0.95, 0.99]
start = time.monotonic()
connection = duckdb.connect()
connection.execute("set threads = 2")
connection.execute(f"""
    create table requests as
    select intended_ns, ended_ns, chunk_ns,
           chunk_ns[1] - intended_ns as ttft,
           list_sum(chunk_ns) - intended_ns as e2e,
           list_max(chunk_ns[2:]) as largest_gap
    from read_ndjson('{path}', columns = {{
        intended_ns: 'BIGINT', ended_ns: 'BIGINT', phase: 'VARCHAR', outcome: 'VARCHAR',
        chunk_ns: 'BIGINT[]'}})
    where phase <> 'warmup' and outcome = 'ok'""")
loaded = time.monotonic()
rows = {}
for name in ("ttft", "e2e", "largest_gap"):
    rows[name] = connection.execute(
        f"select count({name}), avg({name}), quantile_disc({name}, {levels}) from requests"
    ).fetchone()
quantile = "approx_quantile" if approximate else "quantile_disc"
rows["itl"] = connection.execute(
    f"select count(gap), avg(gap), {quantile}(gap, {levels}) from"
    " (select unnest(chunk_ns[2:]) as gap from requests)"
).fetchone()
ended = time.monotonic()
for name, (count, mean, percentiles) in rows.items():
    print(json.dumps({
        "quantity": name, "n": count, "mean_ms": round(mean / 1e6, 4),
        "percentiles_ms": [round(value / 1e6, 4) for value in percentiles]}))
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "duckdb": duckdb.__version__, "read_seconds": round(loaded - start, 1),
    "seconds": round(ended - start, 1), "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
    "peak_mib": usage.ru_maxrss // 1024}))
