#!/usr/bin/env bash
# Shards under a real Slurm against a run of one machine: N virtual nodes on this host, the embedded engine as the server.
# Needs Debian's slurm-wlm and munge, root, Python and a built project; listens on 127.0.0.1 alone. Two minutes a run.
#
#   src/test/sh/slurm.sh DIR [NODES ...]       2, 3 and 4 nodes by default; the runs stay in DIR
#
# The last lines say for each whether its schedule is that of one machine, and how its job ended. A merged run may be INVALID (exit
# code 4) because so many Javas start on few cores that one is late; its schedule is the same all the same.
set -eu
cd "$(dirname "$0")/../../.."
mkdir -p "$1"
dir=$(readlink -f "$1")
shift
base=${BASE_PORT:-17000}
lead=${LEAD:-90s}
for tool in slurmctld slurmd munged sbatch; do
  command -v $tool > /dev/null || { echo "no $tool: apt-get install --no-install-recommends slurm-wlm munge" >&2; exit 3; }
done
export SLURM_CONF=$dir/slurm.conf
engine_pid=

clean_up() {
  [ -z "$engine_pid" ] || kill "$engine_pid" 2> /dev/null || true
  for file in "$dir"/run/slurmd.*.pid "$dir"/run/slurmctld.pid "$dir"/run/munged.pid; do
    [ ! -f "$file" ] || kill "$(cat "$file")" 2> /dev/null || true
  done
}
trap clean_up EXIT

most=4
for nodes in "$@"; do [ "$nodes" -le $most ] || most=$nodes; done
mkdir -p "$dir"/run "$dir"/log "$dir"/state "$dir"/munge
chmod 711 "$dir/munge"
[ -f "$dir/munge/key" ] || head -c 128 /dev/urandom > "$dir/munge/key"
chmod 600 "$dir/munge/key"
munged --force --socket="$dir/munge/socket" --key-file="$dir/munge/key" --pid-file="$dir/run/munged.pid" \
  --seed-file="$dir/munge/seed" --log-file="$dir/log/munged.log"
host=$(hostname -s)
cat > "$SLURM_CONF" << END
ClusterName=tally
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge/socket
SlurmctldPort=$base
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.%n.pid
SlurmdSpoolDir=$dir/spool.%n
StateSaveLocation=$dir/state
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
END
for node in $(seq 1 $most); do
  mkdir -p "$dir/spool.n$node"
  echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + node)) CPUs=2 RealMemory=1000" >> "$SLURM_CONF"
done
echo "PartitionName=load Nodes=ALL Default=YES MaxTime=INFINITE State=UP" >> "$SLURM_CONF"
slurmctld -c -f "$SLURM_CONF"
for node in $(seq 1 $most); do slurmd -N "n$node" -f "$SLURM_CONF"; done
for _ in $(seq 1 60); do
  [ "$(sinfo -h -N -o %t | grep -c '^idle')" -lt $most ] || break
  sleep 0.5
done
sinfo -N -l

cat > "$dir/shards.yaml" << 'END'
name: shards
endpoint: completions
workload:
  arrival: poisson
  rate: 30
  classes:
    - {name: short, weight: 3, prompt_tokens: {uniform: [8, 40]}, output_tokens: {uniform: [4, 30]}}
    - {name: long, weight: 1, prompt_tokens: 64, output_tokens: 60}
duration: 15s
warmup: {requests: 8}
seed: 20261125
scrape_interval: 500ms
timeout: 30s
END
./tally engine --port 0 > "$dir/engine.log" 2>&1 &
engine_pid=$!
until url=$(grep -o 'http://[^ ]*' "$dir/engine.log"); do
  kill -0 "$engine_pid"
  sleep 0.2
done

mkdir -p "$dir/one"
./tally run "$dir/shards.yaml" --target "$url" --shard 0/1 --start-at "$(($(date +%s) + 45))" --out "$dir/one/shards" --quiet
./tally merge "$dir/one/shards" --out "$dir/one/run" > "$dir/one/merge.log" && code=0 || code=$?
ends="one machine ended with exit code $code"
runs=()
for nodes in "${@:-2 3 4}"; do
  for one in $nodes; do
    ./tally launch slurm "$dir/shards.yaml" --target "$url" --shards "$one" --lead "$lead" --out "$dir/launch-$one"
    mkdir -p "$dir/$one"
    (cd "$dir/$one" && sbatch --wait "$dir/launch-$one"/*.sbatch) && code=0 || code=$?
    ends="$ends
$one nodes ended with exit code $code: $(grep -h -m 1 -E 'INVALID|trust' "$dir/$one"/*.log || echo valid)"
    runs+=("$dir/$one"/*/run)
  done
done
echo "$ends"
python3 src/test/sh/same-schedule.py "$dir/one/run" "${runs[@]}"
