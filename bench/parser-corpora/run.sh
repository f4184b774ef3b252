#!/bin/sh
# Runs our exposition parser over the test data of Prometheus' and prometheus_client's parsers and reports every
# disagreement: bench/parser-corpora/run.sh. Nothing of theirs is kept here: it is fetched from the Go module proxy
# and PyPI into a temporary folder. Needs go, python3 with venv, a JDK 21 or newer, the test classes (mvn test-compile).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
[ -n "${KEEP_CORPORA:-}" ] || trap 'rm -rf "$work"' EXIT
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
# The last releases whose sources carry the fuzz corpus, and the OpenMetrics tests.
common=v0.62.0 prometheus=v0.305.0 client=0.26.0 older=0.20.0

cp "$here/main.go" "$work"
cd "$work"
go mod init corpora >/dev/null 2>&1
go get "github.com/prometheus/prometheus@$prometheus" >/dev/null 2>&1
# It is built with a newer common than the one whose test data are taken.
go mod download -json "github.com/prometheus/common@$common" | sed -n 's/^.*"Dir": "\(.*\)".*/\1/p' > common.dir
go mod download -json "github.com/prometheus/prometheus@$prometheus" | sed -n 's/^.*"Dir": "\(.*\)".*/\1/p' > prometheus.dir
go get ./... >/dev/null 2>&1
go run . cases.ndjson "$(cat common.dir)" "$(cat prometheus.dir)"

python3 -m venv venv
venv/bin/pip -q install "prometheus_client==$client"
for version in $client $older; do
  venv/bin/pip -q download --no-deps --no-binary :all: "prometheus_client==$version" -d sdist
done
for archive in sdist/*.tar.gz; do tar xzf "$archive"; done
venv/bin/python "$here/collect.py" cases.ndjson prometheus_client-*/tests

classpath=$root/target/classes:$root/target/test-classes:${SCRAPE_CLASSPATH:-$(cd "$root" &&
  mvn -q -B -o dependency:build-classpath -Dmdep.outputFile="$work/cp" >/dev/null 2>&1 && cat "$work/cp")}
"$java" -cp "$classpath" tallystick.scrape.ParserCorpora cases.ndjson
