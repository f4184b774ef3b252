#!/usr/bin/env bash
# Runs tally with the engine's half read from a store, and with a balancer before two engines.
#   src/test/sh/stores.sh install DIR             Thanos by Go's module proxy; nginx and VictoriaMetrics
#                                                 unpacked from Debian's packages, not installed
#   src/test/sh/stores.sh CASE DIR [PORT]         CASE is one of those below; PORT (21000) and the 40
#                                                 after it are taken on loopback
#   thanos      two Prometheis scrape one engine, each with a sidecar: once deduplicated, once not
#   receive     a Prometheus writes on to another in shards; and to VictoriaMetrics, if it is there
#   restart     the engine restarts in the run; then Prometheus does; then it only cannot be reached
#   mimir       the same into DIR/mimir, a binary of your own, with tenants
#   balancer    nginx before two engines: in turns, by address, and by connection (stream)
# Every run has the engine's own /metrics beside the store as an exporter: both must grow alike.
# Needs the Debian packages prometheus and python3. All it starts is ended by process id. Exit 1 if
# something is not as it must be; the runs stay in DIR/reports.
set -euo pipefail
thanos_version=v0.39.2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
if [ $# -lt 2 ]; then sed -n '2,14p' "$0" >&2; exit 2; fi
case=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
port=${3:-21000}
tally=$here/tally
pids=()

stop_all() {
  local pid
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
}
trap stop_all EXIT

start() { # NAME COMMAND...: its process id is in $last
  local name=$1
  shift
  "$@" > "$dir/log/$name.log" 2>&1 &
  last=$!
  pids+=("$last")
}

stop() { kill "$1"; wait "$1" 2>/dev/null || true; }

await() { # URL [TEXT]
  for _ in $(seq 300); do
    curl -sfg --max-time 2 "$1" 2>/dev/null | grep -q "${2:-}" && return
    sleep 0.2
  done
  echo "stores: $1 did not answer ${2:-}; see $dir/log" >&2
  exit 3
}

check() { # WORDS COMMAND...: one line of the result
  local words=$1
  shift
  if "$@"; then echo "ok       $words"; else echo "FAILED   $words" | tee -a "$dir/failures"; fi
}

begin_prometheus() { # NAME PORT LABELS TARGET [LINES OF CONFIGURATION]: a Prometheus that scrapes each second
  mkdir -p "$dir/$1"
  cat > "$dir/$1/prometheus.yml" <<YML
global: {scrape_interval: 1s, external_labels: {$3}}
${5:-}
scrape_configs:
  - job_name: vllm
    static_configs: [{targets: ["$4"]}]
YML
  start "$1" prometheus --config.file="$dir/$1/prometheus.yml" --storage.tsdb.path="$dir/$1/data" \
    --storage.tsdb.min-block-duration=2h --storage.tsdb.max-block-duration=2h \
    --web.listen-address="127.0.0.1:$2" --web.enable-remote-write-receiver
}

engine() { # NAME PORT [FLAGS]
  start "$1" "$tally" engine --port "$2" "${@:3}"
  await "http://127.0.0.1:$2/version"
}

scenario() { # TARGET METRICS_URL DIRECT SECONDS
  cat > "$dir/scenario.yaml" <<YML
name: stores
endpoint: chat/completions
target: {url: $1, metrics_url: "$2"}
workload: {arrival: poisson, rate: 8, prompt_tokens: 16, output_tokens: 8}
duration: $4s
warmup: {requests: 2}
exporters:
  - name: direct
    url: $3/metrics
    metrics:
      requests: vllm:request_success
      prompt_tokens: vllm:prompt_tokens
      output_tokens: vllm:generation_tokens
      ttft: vllm:time_to_first_token_seconds
      itl: vllm:inter_token_latency_seconds
YML
}

run() { # NAME EXIT_CODE [OPTIONS]: its output is in $dir/NAME.txt, its folder $dir/reports/NAME/…
  local code=0
  rm -rf "$dir/reports/$1"
  "$tally" run "$dir/scenario.yaml" --out "$dir/reports/$1" "${@:3}" > "$dir/$1.txt" 2>&1 || code=$?
  # A busy machine makes the client late, which is no matter of the store's.
  if [ "$2" = 0 ] && [ $code = 4 ] && grep '^! INVALID' "$dir/$1.txt" | grep -qv 'The client'; then
    check "$1: exit 0" false
  elif [ "$2" = 0 ] && [ $code = 4 ]; then
    echo "ok       $1: exit 4, but only for a late client"
  else
    check "$1: exit $2" [ $code = "$2" ]
  fi
}

says() { # NAME WORDS
  check "$1 says: $2" grep -qE -- "$2" "$dir/$1.txt"
}

silent() { # NAME WORDS
  check "$1 does not say: $2" bash -c '! grep -qE -- "$1" "$2"' _ "$2" "$dir/$1.txt"
}

equal() { # NAME: the store and the direct scrape grew alike, in counts, sums and buckets
  check "$1: store and direct scrape agree" python3 - "$dir/reports/$1" <<'PY'
import glob, json, sys
[file] = glob.glob(sys.argv[1] + '/*/analysis.json')
points = {p['name']: p for p in json.load(open(file))['surroundings']['points']}
direct, stored = points['direct'], points['engine']
assert direct['counts'] == stored['counts'], (direct['counts'], stored['counts'])
assert direct['counts']['requests'] > 0
assert direct['latencies']['ttft']['count'] == stored['latencies']['ttft']['count']
means = [point['latencies']['ttft']['mean'] for point in (direct, stored)]
# VictoriaMetrics keeps decimal digits: its sums differ in the sixteenth.
assert abs(means[0] - means[1]) < 1e-12 * means[0], means
assert direct['distributions']['itl']['buckets'] == stored['distributions']['itl']['buckets']
print('         ', direct['counts'], 'TTFT means', *means)
PY
}

install_thanos() {
  [ -x "$dir/thanos" ] && return
  command -v go > /dev/null 2>&1 || { echo "stores: go is not there; Thanos is left out" >&2; return; }
  local module
  module=$(go mod download -json "github.com/thanos-io/thanos@$thanos_version" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])')
  rm -rf "$dir/thanos.src"
  cp -r "$module" "$dir/thanos.src"
  chmod -R u+w "$dir/thanos.src"
  # capnp is pinned to a version one of whose modules is not on the proxy any more.
  (
    cd "$dir/thanos.src"
    go mod edit -dropreplace capnproto.org/go/capnp/v3 -droprequire zenhack.net/go/util
    GOFLAGS=-mod=mod CGO_ENABLED=0 nice -n 10 go build -p 1 -ldflags '-s -w' -o "$dir/thanos" \
      ./cmd/thanos
  )
}

install_packages() {
  mkdir -p "$dir/packages"
  (
    cd "$dir/packages"
    apt-get -q download nginx libnginx-mod-stream victoria-metrics > download.log 2>&1 ||
      { tail -n 3 download.log >&2; exit 3; }
    for each in *.deb; do dpkg -x "$each" "$dir/debian"; done
  )
}

mkdir -p "$dir/log" "$dir/reports"
: > "$dir/failures"

during() { # NAME: waits until the run of that name measures
  for _ in $(seq 600); do
    cat "$dir/reports/$1"/*/record/harness.ndjson 2>/dev/null | grep -q window_origin && return
    sleep 0.1
  done
  echo "stores: the run $1 did not begin to measure; see $dir/$1.txt" >&2
  exit 3
}

begin_nginx() { # NAME PORT LINES OF http OR stream
  mkdir -p "$dir/$1"
  cat > "$dir/$1/nginx.conf" <<CONF
load_module $dir/debian/usr/lib/nginx/modules/ngx_stream_module.so;
daemon off;
worker_processes 1;
pid $dir/$1/pid;
error_log $dir/log/$1.error.log;
events {}
$3
CONF
  start "$1" "$dir/debian/usr/sbin/nginx" -p "$dir/$1" -c "$dir/$1/nginx.conf" \
    -e "$dir/log/$1.error.log"
}

http_block() { # SERVER LINES: an http block without files outside of DIR
  echo "http {
    access_log off;
    client_body_temp_path $dir/nginx-body; proxy_temp_path $dir/nginx-proxy;
    fastcgi_temp_path $dir/nginx-fastcgi; uwsgi_temp_path $dir/nginx-uwsgi;
    scgi_temp_path $dir/nginx-scgi;
    proxy_buffering off; proxy_http_version 1.1; proxy_set_header Connection '';
    $1
  }"
}

stored() { # BASE [LABELS]: a metrics URL
  echo "http://127.0.0.1:$1/api/v1/query?job=vllm${2:-}"
}

doctor() { # NAME EXIT_CODE OPTIONS
  local code=0
  "$tally" doctor --verbose "${@:3}" > "$dir/$1.txt" 2>&1 || code=$?
  check "$1: exit $2" [ $code = "$2" ]
}

case_thanos() {
  [ -x "$dir/thanos" ] || { echo "stores: no Thanos in $dir; install it first" >&2; exit 3; }
  engine engine "$port"
  local url=http://127.0.0.1:$port n=0 each sidecars=()
  for each in A B; do
    begin_prometheus "prometheus-$each" $((port + 1 + n)) "cluster: c, replica: $each" "127.0.0.1:$port"
    start "sidecar-$each" "$dir/thanos" sidecar --prometheus.url="http://127.0.0.1:$((port + 1 + n))" \
      --tsdb.path="$dir/prometheus-$each/data" --grpc-address="127.0.0.1:$((port + 3 + n))" \
      --http-address="127.0.0.1:$((port + 5 + n))"
    sidecars+=("$last")
    n=$((n + 1))
  done
  local endpoints=(--endpoint="127.0.0.1:$((port + 3))" --endpoint="127.0.0.1:$((port + 4))")
  local deduplicating=$((port + 7)) plain=$((port + 9))
  start query "$dir/thanos" query --http-address="127.0.0.1:$deduplicating" \
    --grpc-address="127.0.0.1:$((port + 8))" --query.replica-label=replica "${endpoints[@]}"
  start plain "$dir/thanos" query --http-address="127.0.0.1:$plain" \
    --grpc-address="127.0.0.1:$((port + 10))" "${endpoints[@]}"
  for each in A B; do await "$(stored $plain)&query=up%7Breplica=%22$each%22%7D" '"value"'; done
  await "$(stored $deduplicating)&query=up" '"value"'

  doctor thanos-doctor 0 --target "$url" --metrics-url "$(stored $deduplicating)"
  says thanos-doctor 'one stored scrape every'
  scenario "$url" "$(stored $deduplicating)" "$url" 10
  run thanos-deduplicated 0
  says thanos-deduplicated 'Ledger: reconciled$'
  equal thanos-deduplicated
  scenario "$url" "$(stored $plain)" "$url" 10
  run thanos-plain 3
  says thanos-plain 'apart only in replica: A, B'
  scenario "$url" "$(stored $plain '&replica=A')" "$url" 10
  run thanos-one-replica 0
  says thanos-one-replica 'Ledger: reconciled$'
  equal thanos-one-replica
  stop "${sidecars[1]}"
  scenario "$url" "$(stored $deduplicating)" "$url" 10
  run thanos-partial 3
  says thanos-partial 'its answer is partial'
}

case_receive() {
  engine engine "$port"
  local url=http://127.0.0.1:$port receiver=$((port + 2)) victoria=$((port + 3)) guard=$((port + 4))
  local queue="queue_config: {min_shards: 4, max_shards: 4, max_samples_per_send: 100}"
  local write="remote_write:
  - {url: 'http://127.0.0.1:$receiver/api/v1/write', $queue}"
  begin_prometheus receiver "$receiver" "store: r" 127.0.0.1:1
  if [ -x "$dir/debian/usr/bin/victoria-metrics" ]; then
    rm -rf "$dir/victoria"
    start victoria "$dir/debian/usr/bin/victoria-metrics" -httpListenAddr="127.0.0.1:$victoria" \
      -storageDataPath="$dir/victoria" -search.latencyOffset=5s
    begin_nginx guard "$guard" "$(http_block "server {
      listen 127.0.0.1:$guard;
      if (\$http_authorization != 'Bearer open sesame') { return 401; }
      location /fleet/prometheus/ { proxy_pass http://127.0.0.1:$victoria/prometheus/; }
    }")"
    write="$write
  - {url: 'http://127.0.0.1:$victoria/api/v1/write', $queue}"
  fi
  begin_prometheus writer $((port + 1)) "cluster: c" "127.0.0.1:$port" "$write"
  await "$(stored "$receiver")&query=up%7Bjob=%22vllm%22,cluster=%22c%22%7D" '"value"'
  scenario "$url" "$(stored "$receiver" '&cluster=c')" "$url" 10
  run receive-shards 0
  says receive-shards 'Ledger: reconciled$'
  equal receive-shards
  [ -x "$dir/debian/usr/bin/victoria-metrics" ] || return 0
  await "http://127.0.0.1:$victoria/api/v1/query?query=up" '"value"'
  scenario "$url" "http://127.0.0.1:$guard/fleet/prometheus/api/v1/query?job=vllm" "$url" 10
  run victoria-closed 3
  says victoria-closed 'it wants credentials; set TALLY_METRICS_TOKEN'
  TALLY_METRICS_TOKEN='open sesame' run victoria-token 0 --quiet-timeout 120
  says victoria-token 'Ledger: reconciled$'
  equal victoria-token
}

case_mimir() { # a Mimir of one process, its tenants kept apart; DIR/mimir is a binary you provide
  [ -x "$dir/mimir" ] || { echo "stores: no Mimir in $dir" >&2; exit 3; }
  engine engine "$port"
  local url=http://127.0.0.1:$port mimir=$((port + 2))
  rm -rf "$dir/mimir-data"
  mkdir -p "$dir/mimir-data"
  cat > "$dir/mimir-data/mimir.yml" <<YML
target: all
activity_tracker: {filepath: $dir/mimir-data/activity.log}
multitenancy_enabled: true
usage_stats: {enabled: false}
server: {http_listen_address: 127.0.0.1, http_listen_port: $mimir, grpc_listen_address: 127.0.0.1,
  grpc_listen_port: $((port + 3)), log_level: warn}
memberlist: {bind_addr: [127.0.0.1], bind_port: $((port + 4)), advertise_addr: 127.0.0.1,
  join_members: []}
frontend: {address: 127.0.0.1}
common: {storage: {backend: filesystem, filesystem: {dir: $dir/mimir-data/common}}}
blocks_storage: {storage_prefix: blocks, tsdb: {dir: $dir/mimir-data/tsdb},
  bucket_store: {sync_dir: $dir/mimir-data/sync}}
compactor: {data_dir: $dir/mimir-data/compactor, sharding_ring: {instance_addr: 127.0.0.1, kvstore: {store: inmemory}}}
distributor: {ring: {instance_addr: 127.0.0.1, kvstore: {store: inmemory}}}
ingester: {ring: {instance_addr: 127.0.0.1, kvstore: {store: inmemory}, replication_factor: 1}}
store_gateway: {sharding_ring: {instance_addr: 127.0.0.1, replication_factor: 1, kvstore: {store: inmemory}}}
ruler_storage: {backend: filesystem, filesystem: {dir: $dir/mimir-data/rules}}
alertmanager_storage: {backend: filesystem, filesystem: {dir: $dir/mimir-data/alerts}}
YML
  start mimir "$dir/mimir" -config.file="$dir/mimir-data/mimir.yml"
  await "http://127.0.0.1:$mimir/ready" ready
  # Prometheus 2.42 sends no header X-Scope-OrgID of its configuration; a proxy adds it.
  begin_nginx tenant $((port + 5)) "$(http_block "server {
    listen 127.0.0.1:$((port + 5));
    location / { proxy_set_header X-Scope-OrgID team; proxy_pass http://127.0.0.1:$mimir; }
  }")"
  begin_prometheus writer $((port + 1)) "cluster: c" "127.0.0.1:$port" "remote_write:
  - {url: 'http://127.0.0.1:$((port + 5))/api/v1/push',
     queue_config: {min_shards: 4, max_shards: 4, max_samples_per_send: 100}}"
  await "http://127.0.0.1:$((port + 5))/prometheus/api/v1/query?query=up" '"value"'
  scenario "$url" "http://127.0.0.1:$mimir/prometheus/api/v1/query?job=vllm" "$url" 10
  run mimir-no-tenant 3
  says mimir-no-tenant 'TALLY_METRICS_TENANT'
  TALLY_METRICS_TENANT=other run mimir-other-tenant 3
  says mimir-other-tenant 'has stored nothing for'
  TALLY_METRICS_TENANT=team run mimir-tenant 0
  says mimir-tenant 'Ledger: reconciled$'
  equal mimir-tenant
}

case_restart() {
  rm -rf "$dir/reports"/{unreachable,outage,restart}
  engine engine "$port"
  local url=http://127.0.0.1:$port engine=$last
  local prometheus=$((port + 1)) door=$((port + 2)) front
  begin_prometheus prometheus "$prometheus" "cluster: c" "127.0.0.1:$port"
  local process=$last
  front=$(http_block "server { listen 127.0.0.1:$door; location / { proxy_pass http://127.0.0.1:$prometheus; } }")
  begin_nginx door "$door" "$front"
  local doorman=$last
  await "$(stored "$door")&query=up" '"value"'
  scenario "$url" "$(stored "$door")" "$url" 25

  run unreachable 0 &
  local runner=$!
  during unreachable
  sleep 5
  stop "$doorman"
  sleep 10
  begin_nginx door "$door" "$front"
  doorman=$last
  wait "$runner"
  says unreachable 'Ledger: reconciled$'
  silent unreachable 'scrapes failed'
  equal unreachable

  run outage 0 &
  runner=$!
  during outage
  sleep 5
  stop "$process"
  sleep 6
  begin_prometheus prometheus "$prometheus" "cluster: c" "127.0.0.1:$port"
  process=$last
  wait "$runner"
  says outage 'Ledger: reconciled$'
  says outage 'scrapes failed, the longest hole is'
  equal outage

  run restart 4 &
  runner=$!
  during restart
  sleep 8
  stop "$engine"
  engine engine "$port"
  wait "$runner"
  says restart 'not reconciled'
  says restart 'the engine restarted'
}

case_balancer() {
  engine first "$port"
  engine second $((port + 1))
  local turns=$((port + 2)) sticky=$((port + 3)) connections=$((port + 4)) each
  local servers="server 127.0.0.1:$port; server 127.0.0.1:$((port + 1));"
  begin_nginx balancer "$turns" "$(http_block "
    upstream turns { $servers }
    upstream sticky { ip_hash; $servers }
    server { listen 127.0.0.1:$turns; location / { proxy_pass http://turns; } }
    server { listen 127.0.0.1:$sticky; location / { proxy_pass http://sticky; } }")
    stream {
      upstream connections { $servers }
      server { listen 127.0.0.1:$connections; proxy_pass connections; }
    }"
  for each in $turns $sticky $connections; do await "http://127.0.0.1:$each/version"; done
  for each in turns connections; do
    doctor "doctor-$each" 4 --target "http://127.0.0.1:${!each}"
    says "doctor-$each" 'untrusted +one process'
  done
  scenario "http://127.0.0.1:$turns" "http://127.0.0.1:$turns/metrics" "http://127.0.0.1:$port" 10
  run balancer-turns 4 --quiet-timeout 15
  says balancer-turns 'several replicas behind a load balancer'
  says balancer-turns 'The load was not sent'
  run balancer-turns-forced 4 --quiet-timeout 8 --allow-foreign-traffic
  says balancer-turns-forced 'a load balancer stands before'
  silent balancer-turns-forced 'Ledger: reconciled'
  # The scraper keeps its connection, and so one replica; the requests go to both.
  scenario "http://127.0.0.1:$connections" "http://127.0.0.1:$connections/metrics" \
    "http://127.0.0.1:$port" 10
  run balancer-connections 4 --quiet-timeout 15
  says balancer-connections 'The engine counted fewer requests than the client finished'
  silent balancer-connections 'Ledger: reconciled'
  # All requests of one address go to one replica, whose metrics are read: a true account of it.
  doctor doctor-sticky 0 --target "http://127.0.0.1:$sticky"
  scenario "http://127.0.0.1:$sticky" "http://127.0.0.1:$sticky/metrics" "http://127.0.0.1:$port" 10
  run balancer-sticky 0
  says balancer-sticky 'Ledger: reconciled$'
}

case $case in
  install)
    install_packages
    install_thanos
    ;;
  thanos | receive | mimir | restart | balancer)
    "case_$case"
    [ ! -s "$dir/failures" ] || { echo "stores: $case failed; see $dir" >&2; exit 1; }
    ;;
  *) sed -n '2,14p' "$0" >&2; exit 2 ;;
esac
