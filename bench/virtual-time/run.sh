#!/bin/sh
# An hour of load at 50 requests a second in virtual time, on one core. Run it from the project's root, on an idle machine.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for round in 1 2 3; do
  taskset -c 0 ./tally simulate bench/virtual-time/hour.yaml --engine-num-gpu-blocks-override 4096 --no-report --out "$out"
done
