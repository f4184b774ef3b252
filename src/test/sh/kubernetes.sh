#!/usr/bin/env bash
# The manifests of `tally launch kubernetes` against the schemas of three Kubernetes versions, without a cluster.
# Needs Python with venv, the network (kubernetes-validate from PyPI, which carries the schemas) and a built project.
#
#   src/test/sh/kubernetes.sh DIR [VERSION ...]      1.30, 1.33 and 1.36 by default; 1.28 to 1.37 are there
#
# JobSet is no part of Kubernetes and has no schema there: the Job inside it is taken out and held against that of a Job.
# What must be refused is tried as well, so that "valid" says something.
set -eu
cd "$(dirname "$0")/../../.."
mkdir -p "$1"
dir=$(readlink -f "$1")
shift
versions=${*:-1.30 1.33 1.36}
[ -x "$dir/venv/bin/kubernetes-validate" ] || {
  python3 -m venv "$dir/venv"
  "$dir/venv/bin/pip" install --quiet --disable-pip-version-check kubernetes-validate==1.37.0
}

launch() {
  ./tally launch kubernetes scenarios/steady-chat.yaml --target http://10.0.0.7:8000 --shards 4 --image registry.example/tally:1 \
    --claim results --out "$dir/$1" "${@:2}" > "$dir/$1.log"
}

launch plain
launch keyed --api-key-secret vllm-key --namespace load --cpu 500m --memory 3Gi --label 'a=x"$(whoami) ${name} {'"'"'; # \'

# The Job of a JobSet as a Job of its own, and a Job with a key that is none.
"$dir/venv/bin/python" - "$dir" << 'END'
import pathlib
import sys

import yaml

for folder in ("plain", "keyed"):
    place = pathlib.Path(sys.argv[1]) / folder
    job_set = yaml.safe_load((place / "jobset.yaml").read_text())
    for job in job_set["spec"]["replicatedJobs"]:
        inner = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": job["name"]}, "spec": job["template"]["spec"]}
        (place / "jobset-inner.yaml").write_text(yaml.safe_dump(inner))
    broken = yaml.safe_load((place / "job.yaml").read_text())
    broken["spec"]["template"]["spec"]["containers"][0]["imagee"] = "x"
    (place / "broken.yaml").write_text(yaml.safe_dump(broken))
END

wrong=0
for version in $versions; do
  for folder in plain keyed; do
    for file in job.yaml merge.yaml jobset-inner.yaml; do
      "$dir/venv/bin/kubernetes-validate" -k "$version" --strict "$dir/$folder/$file" || wrong=1
    done
    if "$dir/venv/bin/kubernetes-validate" -k "$version" --strict "$dir/$folder/broken.yaml" > "$dir/broken.log" 2>&1; then
      echo "$version: a key that is none was taken" >&2
      wrong=1
    fi
  done
  [ $wrong = 1 ] || echo "$version: job.yaml, merge.yaml and the Job of jobset.yaml are valid"
done
exit $wrong
