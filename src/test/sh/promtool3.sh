#!/usr/bin/env bash
# Builds promtool and prometheus 3.x from their Go module, for the tests that need promtool.
#   src/test/sh/promtool3.sh DIR          builds DIR/promtool and DIR/prometheus
#   src/test/sh/promtool3.sh DIR --test   and runs those tests with them instead of the installed ones
# Needs Go 1.24 or newer and its module proxy; about five minutes the first time. The web pages of
# Prometheus are left out. DIR is kept and used again.
set -euo pipefail
version=v0.305.0 # the Go module of Prometheus 3.5
released=3.5.0
if [ $# -lt 1 ] || [[ $1 == -* ]]; then sed -n '2,6p' "$0" >&2; exit 2; fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)

if [ ! -x "$folder/promtool" ] || [ ! -x "$folder/prometheus" ]; then
  if ! command -v go >/dev/null 2>&1; then
    echo "promtool3: go is not there; Prometheus 3.x is left out" >&2
    exit 3
  fi
  mkdir -p "$folder/src"
  cd "$folder/src"
  printf 'module promtool3\ngo 1.24\nrequire github.com/prometheus/prometheus %s\n' "$version" > go.mod
  # The commands are imported so that go.sum has all they need; a replaced dependency of theirs
  # forbids "go install path@version".
  cat > tools.go <<'GO'
//go:build tools

package promtool3

import (
	_ "github.com/prometheus/prometheus/cmd/prometheus"
	_ "github.com/prometheus/prometheus/cmd/promtool"
)
GO
  go mod tidy > tidy.log 2>&1 || { tail -n 5 tidy.log >&2; exit 1; }
  for command in promtool prometheus; do
    GOFLAGS="-p=2 -mod=mod -buildvcs=false" go build \
      -ldflags "-s -w -X github.com/prometheus/common/version.Version=$released" \
      -o "$folder/$command" "github.com/prometheus/prometheus/cmd/$command"
  done
fi
"$folder/promtool" --version 2>&1 | head -n 1

if [ "${2:-}" = --test ]; then
  cd "$root"
  tests=$(grep -rl '@NeedsProgram("promtool")' src/test/java | sed 's|.*/||; s|\.java$||' | paste -sd, -)
  PATH="$folder:$PATH" mvn -q -B test "-Dtest=$tests" -Dsurefire.failIfNoSpecifiedTests=false \
    ${MAVEN_ARGUMENTS:-}
fi
