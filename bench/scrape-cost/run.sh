#!/bin/sh
# CPU that 20 targets x 1 s x 100 KB cost the load process, record included:
#   bench/scrape-cost/run.sh [TARGETS] [SECONDS]
# Needs a JDK 21 or newer, Python 3 and the test classes (mvn test-compile).
set -eu
targets=${1:-20}
seconds=${2:-20}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
classpath=${SCRAPE_CLASSPATH:-$(cd "$root" && mvn -q -B -o dependency:build-classpath \
  -Dmdep.outputFile="$work/cp" >/dev/null 2>&1 && cat "$work/cp")}
# Two recorded expositions of 68 KB of an engine under load, filled up to 100 KB with themselves
# under another name. They differ in 277 of 627 samples and are served in turns of a second.
python3 - "$root/src/test/resources/scrape" "$work" <<'PY'
import sys
for turn in '01':
    body = open(f'{sys.argv[1]}/metrics-preempt-during{turn}.prom').read()
    more = body.replace('vllm:', 'twin:')[:100_000 - len(body)]
    open(f'{sys.argv[2]}/turn{turn}', 'w').write(body + more[:more.rindex('\n') + 1])
PY
port=$((20000 + $$ % 10000))
"${bin}java" "$here/TurnsServer.java" "$port" "$work/turn0" "$work/turn1" > "$work/out" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
until grep -q expositions "$work/out"; do sleep 0.1; done
"${bin}java" -Xmx512m -cp "$root/target/classes:$root/target/test-classes:$classpath" \
  tallystick.scrape.ScraperCost "http://127.0.0.1:$port/metrics" "$targets" "$seconds" "$work/run"
