#!/usr/bin/env bash
# promql-of-the-guide.sh - a real Prometheus scrapes the embedded engine under load and answers the usual PromQL for vLLM.
#
#   promql-of-the-guide.sh [ENGINE_PORT [PROMETHEUS_PORT]]
#
# Needs prometheus and promtool (Debian package prometheus, 2.42). Takes about 40 s. Fails if promtool finds a fault in the
# exposition, if a scrape fails, or if a query has no answer or answers NaN.
set -euo pipefail

here=$(cd "$(dirname "$0")/../../.." && pwd)
port=${1:-8000} prometheus_port=${2:-9090}
url=http://127.0.0.1:$port
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2> /dev/null || true; wait 2> /dev/null || true; rm -rf "$work"' EXIT
# A small cache, so that there are preemptions to count.
"$here/tally" engine --port "$port" --profile tiny-cpu --num-gpu-blocks-override 140 --block-size 32 > "$work/engine.log" 2>&1 &
pids+=($!)
for _ in $(seq 600); do
  curl -sf "$url/health" > /dev/null 2>&1 && break
  kill -0 "${pids[0]}" 2> /dev/null || { cat "$work/engine.log" >&2; exit 3; }
  sleep 0.2
done
cat > "$work/prometheus.yml" << 'YAML'
global: {scrape_interval: 1s}
scrape_configs:
  - job_name: vllm
    static_configs: [{targets: ["ENGINE"]}]
YAML
sed -i "s/ENGINE/127.0.0.1:$port/" "$work/prometheus.yml"
prometheus --version 2>&1 | head -n 1
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" \
  --web.listen-address="127.0.0.1:$prometheus_port" > "$work/prometheus.log" 2>&1 &
pids+=($!)

prompt=$(seq -s, 100 180)
for round in $(seq 12); do
  loads=()
  for stream in $(seq 36); do
    curl -sf "$url/v1/completions" -H 'content-type: application/json' \
      -d "{\"prompt\":[$((stream % 9 + 9)),$prompt],\"max_tokens\":200,\"ignore_eos\":true}" > /dev/null & loads+=($!)
  done
  wait "${loads[@]}"
  sleep 0.5
done
curl -sf "$url/metrics" | promtool check metrics > "$work/lint.log" 2>&1 || rc=$?
# 3: only remarks on style, the same that vLLM's own names get.
[ "${rc:-0}" -eq 0 ] || [ "$rc" -eq 3 ] || { cat "$work/lint.log" >&2; exit 1; }

answers=0
ask() { # NAME QUERY
  local answer
  answer=$(curl -sf "http://127.0.0.1:$prometheus_port/api/v1/query" --data-urlencode "query=$2")
  echo "$1: $(echo "$answer" | grep -oE '"value":\[[^]]*\]' | sed -E 's/.*,"([^"]*)"\]/\1/' | paste -sd' ')"
  echo "$answer" | grep -q '"value"' && ! echo "$answer" | grep -q '"NaN"' || { echo "no answer to $2: $answer" >&2; exit 1; }
  answers=$((answers + 1))
}

quantile() { echo "histogram_quantile($1, sum by (le, model_name) (rate(vllm:$2_bucket[30s])))"; }
ask "up" 'min_over_time(up[10s]) == 1'
ask "P95 TTFT s" "$(quantile 0.95 time_to_first_token_seconds)"
ask "P99 ITL s" "$(quantile 0.99 inter_token_latency_seconds)"
ask "P95 TPOT s" "$(quantile 0.95 request_time_per_output_token_seconds)"
ask "P95 queue s" "$(quantile 0.95 request_queue_time_seconds)"
ask "P95 e2e s" "$(quantile 0.95 e2e_request_latency_seconds)"
ask "prompt tokens/s" 'sum by (model_name) (rate(vllm:prompt_tokens_total[30s]))'
ask "generation tokens/s" 'sum by (model_name) (rate(vllm:generation_tokens_total[30s]))'
ask "preemptions/s" 'sum by (model_name) (rate(vllm:num_preemptions_total[30s])) > 0'
ask "prefix cache hit ratio" \
  'sum(rate(vllm:prefix_cache_hits_total[30s])) / sum(rate(vllm:prefix_cache_queries_total[30s])) > 0'
ask "completions/s by reason" 'sum by (finished_reason) (rate(vllm:request_success_total[30s]))'
ask "KV cache usage" 'max_over_time(vllm:kv_cache_usage_perc[30s]) > 0'
ask "running" 'max_over_time(vllm:num_requests_running[30s]) > 0'
ask "waiting" 'max_over_time(vllm:num_requests_waiting[30s]) > 0'
echo "$answers queries answered"
