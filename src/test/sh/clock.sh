#!/usr/bin/env bash
# A run whose wall clock is set by an hour while it lasts, forwards and back: latencies must not move, and the report must say it.
# Needs a C compiler and a built project. Half a minute each; the engine keeps the true time. (Under libfaketime Java's waits hang.)
#
#   src/test/sh/clock.sh DIR [+3600 -3600 ...]       by how many seconds; the runs stay in DIR
set -eu
cd "$(dirname "$0")/../../.."
mkdir -p "$1"
dir=$(readlink -f "$1")
shift
cat > "$dir/clock.c" << 'END'
/* The wall clock of a process, set by as many seconds as the file $CLOCK_STEP says once it is there. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long step;

static long seconds(void) {
  const char *name = getenv("CLOCK_STEP");
  FILE *file = step == 0 && name ? fopen(name, "r") : NULL;
  long read = 0;
  if (file) {
    if (fscanf(file, "%ld", &read) == 1) step = read;
    fclose(file);
  }
  return step;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int) syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME && result == 0) now->tv_sec += seconds();
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}
END
cc -shared -fPIC -O2 -o "$dir/clock.so" "$dir/clock.c"
engine_pid=
trap '[ -z "$engine_pid" ] || kill "$engine_pid" 2> /dev/null || true' EXIT
cat > "$dir/clock.yaml" << 'END'
name: clock
endpoint: chat/completions
workload: {arrival: poisson, rate: 10, prompt_tokens: {uniform: [8, 40]}, output_tokens: {uniform: [8, 30]}}
duration: 15s
warmup: {requests: 4}
scrape_interval: 500ms
timeout: 10s
END
./tally engine --port 0 > "$dir/engine.log" 2>&1 &
engine_pid=$!
until url=$(grep -o 'http://[^ ]*' "$dir/engine.log"); do
  kill -0 "$engine_pid"
  sleep 0.2
done

wrong=0
for step in "${@:-+3600 -3600}"; do
  for one in $step; do
    out=$dir/run$one
    rm -f "$dir/step"
    # Java's waits and our latencies use the monotonic clock, which nobody can set.
    LD_PRELOAD=$dir/clock.so CLOCK_STEP=$dir/step \
      ./tally run "$dir/clock.yaml" --target "$url" --out "$out" --verbose > "$out.log" 2>&1 &
    run=$!
    until [ "$(cat "$out"/*/record/requests.ndjson 2> /dev/null | wc -l)" -ge 30 ]; do
      kill -0 $run
      sleep 0.2
    done
    echo "$one" > "$dir/step.new"
    mv "$dir/step.new" "$dir/step"
    wait $run && code=0 || code=$?
    echo "== $one s: exit code $code"
    grep -m 1 'The wall clock moved by' "$out.log" || { echo "not said: $out.log" >&2; wrong=1; }
    grep -m 1 -E '^TTFT +client' "$out.log" || true
  done
done
exit $wrong
