#!/usr/bin/env bash
# dynamo.sh - NVIDIA Dynamo on a CPU: its frontend and a worker with a simulated vLLM scheduler, no etcd, no NATS.
#
#   dynamo.sh install DIR            venv in DIR/venv (ai-dynamo from PyPI, no torch), tokenizer in DIR/model
#   dynamo.sh start   DIR [OPTIONS]  both processes; returns when the frontend lists the model
#   dynamo.sh stop    DIR
#   dynamo.sh with    DIR [OPTIONS] -- COMMAND...
#                                    start, COMMAND, stop, all in a network of their own (needs unshare -n): some
#                                    of Dynamo's event sockets listen on every address, and there nobody reaches them
#
# OPTIONS (defaults): --port N (8000, frontend)  --system-port N (8081, the worker's /metrics)  --name MODEL (tiny)
#                     --worker "ARGS" to dynamo.mocker  --frontend "ARGS" to dynamo.frontend
# The worker's vllm: families appear with its first request. Logs are in DIR/log.
# DYNAMO_VERSION: 1.4.2 is the newest whose requirements are all on the public index.
set -euo pipefail

die() { echo "dynamo: $*" >&2; exit 1; }
[ $# -ge 2 ] || { sed -n '2,16p' "$0" | sed 's/^# \{0,1\}//'; exit 2; }
COMMAND=$1; mkdir -p "$2"; DIR=$(cd "$2" && pwd); shift 2
SELF=$(readlink -f "$0")
PORT=8000 SYSTEM_PORT=8081 NAME=tiny WORKER= FRONTEND=; OPTIONS=("$@")
while [ $# -gt 0 ]; do case $1 in
  --port) PORT=$2; shift 2;; --system-port) SYSTEM_PORT=$2; shift 2;; --name) NAME=$2; shift 2;;
  --worker) WORKER=$2; shift 2;; --frontend) FRONTEND=$2; shift 2;;
  --) break;; *) die "unknown option $1";; esac; done
OPTIONS=("${OPTIONS[@]:0:${#OPTIONS[@]}-$#}")
PYTHON=$DIR/venv/bin/python

# The simulated scheduler draws token ids far above a small vocabulary. A token without text makes an empty
# delta, which Dynamo leaves out; so the vocabulary is padded with words until every id has one.
make_model() {
  "$PYTHON" - "$DIR/model" <<'PY'
import json, pathlib, sys
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
SPECIAL = ['<|bos|>', '<|eos|>', '<|im_start|>', '<|im_end|>']
SIZE = 131072
tokenizer = Tokenizer(models.BPE(unk_token=None))
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
tokenizer.train_from_iterator(
    ['a stick is split in two and each party keeps one half of the account'] * 50,
    trainers.BpeTrainer(vocab_size=1000, special_tokens=SPECIAL, show_progress=False,
                        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
words = json.loads(tokenizer.to_str())
vocabulary = words['model']['vocab']
for number in range(len(vocabulary), SIZE):
    vocabulary[f'\u0120w{number}'] = number

def write(name, content):
    (folder / name).write_text(json.dumps(content, ensure_ascii=False))

write('tokenizer.json', words)
write('tokenizer_config.json', {
    'tokenizer_class': 'PreTrainedTokenizerFast', 'bos_token': SPECIAL[0], 'eos_token': SPECIAL[1],
    'model_max_length': 32768,
    'chat_template': "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n"
                     "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"})
write('config.json', {
    'architectures': ['LlamaForCausalLM'], 'model_type': 'llama', 'vocab_size': SIZE,
    'hidden_size': 64, 'intermediate_size': 128, 'num_hidden_layers': 2, 'num_attention_heads': 4,
    'num_key_value_heads': 2, 'head_dim': 16, 'max_position_embeddings': 32768,
    'rms_norm_eps': 1e-5, 'rope_theta': 10000.0, 'torch_dtype': 'float32', 'hidden_act': 'silu',
    'bos_token_id': 0, 'eos_token_id': 1, 'tie_word_embeddings': False})
write('generation_config.json', {'bos_token_id': 0, 'eos_token_id': 1})
PY
}

install() {
  [ -x "$PYTHON" ] || python3 -m venv "$DIR/venv"
  "$PYTHON" -m pip install -q --disable-pip-version-check "ai-dynamo==${DYNAMO_VERSION:-1.4.2}"
  make_model
}

start() {
  [ -f "$DIR/model/config.json" ] || install
  rm -rf "$DIR/discovery"; mkdir -p "$DIR/discovery" "$DIR/log" "$DIR/run"
  export HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1 DO_NOT_TRACK=1
  export DYN_DISCOVERY_BACKEND=file DYN_FILE_KV=$DIR/discovery DYN_REQUEST_PLANE=tcp DYN_EVENT_PLANE=zmq
  # The last one takes the name of an interface: with an address the worker never registers.
  export DYN_HTTP_HOST=127.0.0.1 DYN_SYSTEM_HOST=127.0.0.1 DYN_TCP_RPC_HOST=127.0.0.1 \
    DYN_TCP_RESPONSE_STREAM_HOST=lo
  # shellcheck disable=SC2086 # the arguments are a list in one word
  DYN_SYSTEM_PORT=$SYSTEM_PORT setsid "$PYTHON" -m dynamo.mocker --model-path "$DIR/model" \
    --model-name "$NAME" $WORKER > "$DIR/log/worker.log" 2>&1 & echo $! > "$DIR/run/worker.pid"
  # shellcheck disable=SC2086
  setsid "$PYTHON" -m dynamo.frontend --http-host 127.0.0.1 --http-port "$PORT" $FRONTEND \
    > "$DIR/log/frontend.log" 2>&1 & echo $! > "$DIR/run/frontend.pid"
  for _ in $(seq 240); do
    # The worker's own /health says "notready" although it serves.
    curl -sf "http://127.0.0.1:$PORT/v1/models" 2>/dev/null | grep -q "\"$NAME\"" && return
    sleep 0.25
  done
  stop; die "did not come up within 60 s, see $DIR/log"
}

stop() {
  for each in frontend worker; do
    [ -f "$DIR/run/$each.pid" ] || continue
    kill "$(cat "$DIR/run/$each.pid")" 2>/dev/null || true
    rm -f "$DIR/run/$each.pid"
  done
}

case $COMMAND in
  install) install ;;
  start) start ;;
  stop) stop ;;
  with)
    [ "${1:-}" = -- ] && [ $# -gt 1 ] || die "with needs -- and a command"
    shift
    # The worker registers with the host's address; without one beside loopback it finds none.
    exec unshare -n bash -c 'ip link set lo up; ip addr add 10.255.0.1/32 dev lo
      script=$1 folder=$2 count=$3; shift 3
      trap "\"$script\" stop \"$folder\"" EXIT
      "$script" start "$folder" "${@:1:count}" && "${@:count+1}"' \
      _ "$SELF" "$DIR" "${#OPTIONS[@]}" "${OPTIONS[@]}" "$@" ;;
  *) die "unknown command $COMMAND" ;;
esac
