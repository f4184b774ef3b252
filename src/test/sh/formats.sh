#!/usr/bin/env bash
# Reads what "tally alerts" and "tally lint" write with the tools it is written for.
#   src/test/sh/formats.sh DIR ALERTS [SARIF...]
# DIR keeps the tools and is used again; ALERTS is a folder of "tally alerts"; SARIF are reports of
# "tally lint --format sarif". Sloth validates sloth.yaml and makes rules of it, which promtool checks;
# oslo validates openslo.yaml; the operator's own Go types take prometheusrule.yaml without an unknown
# field; a SARIF library validates against the schema it brings; amtool checks alertmanager.yaml.
# Needs Go 1.25 or newer and its module proxy; some minutes the first time.
set -euo pipefail
if [ $# -lt 2 ] || [[ $1 == -* ]]; then sed -n '2,8p' "$0" >&2; exit 2; fi
if ! command -v go >/dev/null 2>&1; then
  echo "formats: go is not there; nothing is validated" >&2
  exit 3
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
tools=$(cd "$1" && pwd)
alerts=$(cd "$2" && pwd)
shift 2

build() { # NAME PACKAGE MODULE VERSION: one Go module for each, so that none decides another's versions
  [ -x "$tools/$1" ] && return
  mkdir -p "$tools/$1.src"
  (
    cd "$tools/$1.src"
    printf 'module tool\ngo 1.24\nrequire %s %s\n' "$3" "$4" > go.mod
    printf '//go:build tools\n\npackage tool\n\nimport _ "%s"\n' "$2" > tools.go
    go mod tidy > tidy.log 2>&1 || { tail -n 5 tidy.log >&2; exit 1; }
    GOFLAGS="-p=2 -buildvcs=false" go build -ldflags "-s -w" -o "$tools/$1" "$2"
  )
}

build sloth github.com/slok/sloth/cmd/sloth github.com/slok/sloth v0.12.0
build oslo github.com/OpenSLO/oslo/cmd/oslo github.com/OpenSLO/oslo v0.12.0
if [ ! -x "$tools/formats" ] || [ "$here/formats.go.txt" -nt "$tools/formats" ]; then
  mkdir -p "$tools/formats.src"
  cp "$here/formats.go.txt" "$tools/formats.src/main.go"
  (
    cd "$tools/formats.src"
    cat > go.mod <<'MOD'
module formats

go 1.25

require (
	github.com/owenrumney/go-sarif/v3 v3.3.1
	github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring v0.86.0
	github.com/xeipuuv/gojsonschema v1.2.0
	sigs.k8s.io/yaml v1.6.0
)
MOD
    GOFLAGS="-p=2 -mod=mod -buildvcs=false" go build -o "$tools/formats" . > build.log 2>&1 ||
      { tail -n 5 build.log >&2; exit 1; }
  )
fi

# Without an objective that held, sloth.yaml and openslo.yaml are comments that say why.
if grep -q '^version:' "$alerts/sloth.yaml"; then
  "$tools/sloth" validate --input "$alerts/sloth.yaml" 2>&1 | grep -o 'Validation succeeded'
  "$tools/sloth" generate --input "$alerts/sloth.yaml" --out "$tools/generated.yaml" > "$tools/sloth.log" 2>&1
  promtool check rules "$tools/generated.yaml"
  "$tools/oslo" validate -f "$alerts/openslo.yaml"
else
  sed -n 's/^# *refused/refused/p' "$alerts/sloth.yaml"
fi
"$tools/formats" rule "$alerts/prometheusrule.yaml"
amtool check-config "$alerts/alertmanager.yaml" | head -n 1
schema=$(cd "$tools/formats.src" && go list -mod=mod -m -f '{{.Dir}}' github.com/owenrumney/go-sarif/v3)/pkg/report/v210/sarif/schema.go
for report in "$@"; do "$tools/formats" sarif "$report" "$schema"; done
