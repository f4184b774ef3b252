#!/usr/bin/env bash
# tally as a harness of llm-d-benchmark: plays the scenario that is mounted as the profile against the stack's endpoint.
# TALLY names the launcher in the pod's image; TALLY_ARGUMENTS holds more words for `tally run`, for example --no-scrape.
set -uo pipefail
results=$LLMDBENCH_RUN_EXPERIMENT_RESULTS_DIR
profile=$LLMDBENCH_RUN_WORKSPACE_DIR/profiles/tallystick/$LLMDBENCH_RUN_EXPERIMENT_HARNESS_WORKLOAD_NAME
# The endpoint may come with the API's path; tally adds it itself.
endpoint=${LLMDBENCH_HARNESS_STACK_ENDPOINT_URL%/}
endpoint=${endpoint%/v1}
tally=${TALLY:-/opt/tallystick/tally}
read -r -a more <<< "${TALLY_ARGUMENTS:-}"

mkdir -p "$results" || exit 3
start=$(date --iso-8601=seconds)
"$tally" run "$profile" --target "$endpoint" --model "$LLMDBENCH_DEPLOY_CURRENT_MODEL" --out "$results/tallystick" --quiet \
  ${arguments} ${more[@]+"${more[@]}"} 2> >(tee -a "$results/stderr.log" >&2) | tee -a "$results/stdout.log"
code=${PIPESTATUS[0]}
printf 'harness_name: tallystick\nharness_rc: %s\nharness_start: %s\nharness_stop: %s\n' \
  "$code" "$start" "$(date --iso-8601=seconds)" > "$results/run_metadata.yaml"

# The newest run: a pod that was tried again has an older one beside it.
run=$(ls -td "$results"/tallystick/*/ 2> /dev/null | head -n 1)
if [ -n "$run" ]; then
  "$tally" export "$run" --format llm-d --output "$results" \
    && mv "$results/benchmark_report.json" "$results/benchmark_report_v0.2,_tallystick.json.yaml"
fi

# A violated objective (1) and an unproven one (5) are results: the stack was measured, and a pod that fails would be tried again.
case $code in
  1 | 5) echo "The stack was measured; its objectives are violated or not proven (exit code $code of tally)."; exit 0 ;;
  *) exit "$code" ;;
esac
