#!/bin/sh
# Sets our exposition parser beside Python's and Go's on one core: bench/scrape-parser/run.sh [SECONDS]
# Needs python3 with venv, go, a JDK 21 or newer and the test classes (mvn test-compile).
set -eu
seconds=${1:-4}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
core() { if command -v taskset >/dev/null; then taskset -c 0 "$@"; else "$@"; fi; }

python=${SCRAPE_PARSER_PYTHON:-$work/venv/bin/python}
if [ ! -x "$python" ]; then
  python3 -m venv "$work/venv"
  "$python" -m pip -q install prometheus_client==0.26.0
fi
(cd "$work" && cp "$here/main.go" . && go mod init bench >/dev/null 2>&1 &&
  go get github.com/prometheus/common/expfmt@v0.62.0 >/dev/null 2>&1 && go build -o expfmt .)
classpath=$root/target/classes:$root/target/test-classes:${SCRAPE_CLASSPATH:-$(cd "$root" &&
  mvn -q -B -o dependency:build-classpath -Dmdep.outputFile="$work/cp" >/dev/null 2>&1 &&
  cat "$work/cp")}

core "$python" "$here/parse.py" "$root/src/test/resources/scrape/metrics-after-preempt.prom" "$work" "$seconds"
GOMAXPROCS=1 core "$work/expfmt" "$work/first.prom" "$seconds"
core "$java" -XX:+UseSerialGC -Xmx1g -cp "$classpath" tallystick.scrape.ParserSpeed \
  "$work/first.prom" "$work/second.prom" "$seconds"
