#!/usr/bin/env bash
# Whether anything grows: the embedded engine and a run at a steady rate, with streams that live long among short ones.
#   bench/soak/run.sh FOLDER [SECONDS [RATE]]        an hour at 20 requests/s by default
# FOLDER keeps samples.csv and the run. The last line says "flat" or what grew; exit 1 where something did.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=$1 seconds=${2:-3600} rate=${3:-20}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
mkdir -p "$folder"
engine= run=
trap 'for pid in $run $engine; do kill "$pid" 2>/dev/null || true; done' EXIT
"$root/tally" engine --port 0 > "$folder/engine.log" 2>&1 & engine=$!
until url=$(grep -o 'http://[^ ]*' "$folder/engine.log"); do
  kill -0 "$engine" 2>/dev/null || { cat "$folder/engine.log" >&2; exit 3; }
  sleep 0.2
done
"$root/tally" run "$here/soak.yaml" --target "$url" --set workload.rate="$rate" --set duration="${seconds}s" \
  --quiet --out "$folder" > "$folder/run.log" 2>&1 & run=$!
until load=$(cat /proc/"$run"/task/*/children 2>/dev/null | grep -o '[0-9]*' | tail -n 1) && [ -n "$load" ] &&
    [ -r "/proc/$load/cmdline" ] && tr '\0' ' ' < "/proc/$load/cmdline" | grep -q RunSession; do
  kill -0 "$run" 2>/dev/null || { cat "$folder/run.log" >&2; exit 3; }
  sleep 0.2
done
"$java" -XX:+UseSerialGC --add-exports jdk.attach/sun.tools.attach=ALL-UNNAMED "$here/Soak.java" \
  sample "$folder/samples.csv" "$seconds" "engine=$engine" "run=$run" "load=$load"
wait "$run" || echo "the run ended with exit code $?"
run=
grep -E 'requests|late|trust' "$folder/run.log" | head -n 5 || true
"$java" --add-exports jdk.attach/sun.tools.attach=ALL-UNNAMED "$here/Soak.java" judge "$folder/samples.csv"
