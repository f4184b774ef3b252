#!/bin/sh
# CPU that 20 targets x 1 s x 100 KB cost the load process, record included:
#   bench/scrape-cost/run.sh [TARGETS] [SECONDS]
# The collector is the one that ./tally starts with. Needs a JDK 21 or newer, Python 3 and the test classes (mvn test-compile).
set -eu
targets=${1:-20}
seconds=${2:-20}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
classpath=${SCRAPE_CLASSPATH:-$(cd "$root" && mvn -q -B -o dependency:build-classpath \
  -Dmdep.outputFile="$work/cp" >/dev/null 2>&1 && cat "$work/cp")}
python3 "$here/expositions.py" "$root/src/test/resources/scrape" "$work"
port=$((20000 + $$ % 10000))
"${bin}java" "$here/TurnsServer.java" "$port" "$work/turn0" "$work/turn1" > "$work/out" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
until grep -q expositions "$work/out"; do sleep 0.1; done
"${bin}java" -Xmx512m -XX:+UseSerialGC -cp "$root/target/classes:$root/target/test-classes:$classpath" \
  tallystick.scrape.ScraperCost "http://127.0.0.1:$port/metrics" "$targets" "$seconds" "$work/run"
