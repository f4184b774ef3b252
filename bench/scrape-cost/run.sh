#!/bin/sh
# CPU that 20 targets x 1 s x 100 KB cost the load process: bench/scrape-cost/run.sh [TARGETS] [SECONDS]
# Needs a JDK 21 or newer and the test classes (mvn test-compile). The file server is the JDK's.
set -eu
targets=${1:-20}
seconds=${2:-20}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
classpath=${SCRAPE_CLASSPATH:-$(cd "$root" && mvn -q -B -o dependency:build-classpath \
  -Dmdep.outputFile="$work/cp" >/dev/null 2>&1 && cat "$work/cp")}
# The recorded exposition of 68 KB and what fits of it again under another name: 100 KB.
python3 - "$root/src/test/resources/scrape/metrics-after-preempt.prom" "$work/metrics" <<'PY'
import sys
body = open(sys.argv[1]).read()
more = body.replace('vllm:', 'twin:')[:100_000 - len(body)]
open(sys.argv[2], 'w').write(body + more[:more.rindex('\n') + 1])
PY
port=$((20000 + $$ % 10000))
"${bin}jwebserver" -b 127.0.0.1 -p "$port" -d "$work" -o none >/dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
sleep 2
"${bin}java" -Xmx512m -cp "$root/target/classes:$root/target/test-classes:$classpath" \
  tallystick.scrape.ScraperCost "http://127.0.0.1:$port/metrics" "$targets" "$seconds"
