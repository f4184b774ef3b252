#!/usr/bin/env bash
# A run through a network that is slow, loses packets and is cut: the engine in one network namespace, the load in another.
# Needs root, iproute2 and a built project. Each run takes half a minute.
#
#   src/test/sh/network.sh DIR [plain|delay|loss|cut]...   plays these, or all, and prints what each report says first;
#                                                          the runs stay in DIR
#
# Delay and loss need netem in the kernel (module sch_netem); where it is missing they are left out and said to be.
set -eu
cd "$(dirname "$0")/../../.."
dir=$1
shift
mkdir -p "$dir"
tag=tally$$
engine_ns=${tag}e
load_ns=${tag}l
engine_pid=

clean_up() {
  [ -z "$engine_pid" ] || kill "$engine_pid" 2> /dev/null || true
  ip netns del "$engine_ns" 2> /dev/null || true
  ip netns del "$load_ns" 2> /dev/null || true
}
trap clean_up EXIT

ip netns add "$engine_ns"
ip netns add "$load_ns"
ip link add "${tag}a" netns "$load_ns" type veth peer name "${tag}b" netns "$engine_ns"
ip -n "$load_ns" addr add 10.77.0.1/24 dev "${tag}a"
ip -n "$engine_ns" addr add 10.77.0.2/24 dev "${tag}b"
for ns in "$load_ns" "$engine_ns"; do
  ip -n "$ns" link set lo up
done
ip -n "$load_ns" link set "${tag}a" up
ip -n "$engine_ns" link set "${tag}b" up

cat > "$dir/network.yaml" << 'END'
name: network
endpoint: completions
workload: {arrival: poisson, rate: 10, prompt_tokens: {uniform: [8, 40]}, output_tokens: {uniform: [8, 30]}}
duration: 12s
warmup: {requests: 4}
scrape_interval: 500ms
timeout: 6s
END

ip netns exec "$engine_ns" ./tally engine --host 10.77.0.2 --port 8000 > "$dir/engine.log" 2>&1 &
engine_pid=$!
until grep -q 'ready at' "$dir/engine.log"; do
  kill -0 "$engine_pid"
  sleep 0.2
done

run() {
  local name=$1
  shift
  echo "== $name"
  ip netns exec "$load_ns" ./tally run "$dir/network.yaml" --target http://10.77.0.2:8000 --out "$dir/$name" "$@" \
    > "$dir/$name.log" 2>&1 && code=0 || code=$?
  sed -n '/^network /,/^NEXT/p' "$dir/$name.log"
  echo "exit code $code"
}

netem() {
  ip netns exec "$load_ns" tc qdisc replace dev "${tag}a" root netem "$@" 2> /dev/null
}

# Takes the line away for four seconds once thirty requests have ended.
cut_line() {
  until [ "$(cat "$dir"/cut/*/record/requests.ndjson 2> /dev/null | wc -l)" -ge 30 ]; do sleep 0.2; done
  ip -n "$engine_ns" link set "${tag}b" down
  sleep 4
  ip -n "$engine_ns" link set "${tag}b" up
}

for trouble in "${@:-plain delay loss cut}"; do
  for one in $trouble; do
    case $one in
      plain) run plain ;;
      delay) if netem delay 100ms; then run delay; else echo "== delay left out: this kernel has no netem"; fi ;;
      loss) if netem delay 20ms loss 3%; then run loss; else echo "== loss left out: this kernel has no netem"; fi ;;
      cut)
        cut_line &
        run cut
        kill $! 2> /dev/null || true
        ;;
      *) echo "no such trouble: $one" >&2; exit 2 ;;
    esac
  done
done
