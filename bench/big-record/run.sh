#!/usr/bin/env bash
# usage: bench/big-record/run.sh FOLDER [REQUESTS]
# Makes a record with `tally simulate` in FOLDER unless one lies there, then analyses it with tally
# and DuckDB by turns, three times each. Needs python3 with duckdb (PYTHON names another one).
set -euo pipefail
folder=$1 requests=${2:-1000000}
home=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}
mkdir -p "$folder"
run=$(find "$folder" -maxdepth 1 -name "big-record-virtual-*" | head -n 1)
if [ -z "$run" ]; then
  "$home/tally" simulate "$home/bench/big-record/big-record.yaml" --set requests="$requests" \
    --out "$folder" --no-report
  run=$(find "$folder" -maxdepth 1 -name "big-record-virtual-*" | head -n 1)
fi
du -sh "$run/record/requests.ndjson"
for turn in 1 2 3; do
  echo "== turn $turn"
  JAVA_TOOL_OPTIONS=-Xmx256m /usr/bin/time -f "tally: %e s, CPU %U s + %S s, peak %M KiB" \
    "$home/tally" report "$run" > "$folder/tally.out"
  "$python" "$home/bench/big-record/percentiles.py" "$run/record/requests.ndjson" > "$folder/exact.out"
  tail -n 1 "$folder/exact.out"
  "$python" "$home/bench/big-record/percentiles.py" "$run/record/requests.ndjson" approximate \
    > "$folder/approximate.out" && tail -n 1 "$folder/approximate.out"
done
"$python" - "$run/analysis.json" "$folder/exact.out" <<'P'
import json, sys
client = json.load(open(sys.argv[1]))["client"]
names = {"ttft": "ttft_from_intended", "e2e": "e2e_from_intended",
         "largest_gap": "largest_gaps", "itl": "chunk_gaps"}
for line in open(sys.argv[2]):
    row = json.loads(line)
    if row.get("quantity"):
        ours = [p["value"] * 1e3 for p in client[names[row["quantity"]]]["percentiles"]][:4]
        worst = max(abs(a - b) / b for a, b in zip(ours, row["percentiles_ms"]))
        print(f"{row['quantity']}: tally within {worst:.2e} of DuckDB's exact percentiles")
P
