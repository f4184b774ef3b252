package tallystick.cli;

import java.io.IOException;
import java.nio.file.Path;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Interpretation;

/**
 * A cause that a row of the matrix in docs/runbook.md names, produced on purpose in virtual time
 * beside a healthy run of another seed.
 */
enum MatrixRow {
  HEALTHY("", chat(6), chat(6)),
  LOAD_BEYOND_CAPACITY(
      "offered_load_beyond_capacity", narrow(8), narrow(22)),
  LARGE_PREFILLS_HOLD_THE_SCHEDULER(
      "more_to_prefill", bursts("[100, 200]", "slow:prefill=4"),
      bursts("[1000, 1300]", "slow:prefill=4")),
  LONGER_PROMPTS("more_to_prefill", lone("[300, 500]"), lone("[1500, 2500]")),
  LESS_CACHE_REUSE("more_to_prefill", documents(1), documents(4000)),
  SLOW_PREFILL("slow_prefill", lone("[300, 500]"), lone("[300, 500]", "slow:prefill=4")),
  SLOW_DECODE("slow_decode", decoding("slow:decode=1"), decoding("slow:decode=2")),
  UNEVEN_DECODE("slow_decode", decoding("slow:decode=1"), decoding("slow:decode=4,share=0.08")),
  SATURATION_WITH_PREEMPTION("saturation", pressed(1), pressed(14)),
  NETWORK("outside_engine", chat(6), chat(6, "--network-us", "40000"));

  /** The first direction to be named; empty for none. */
  final String direction;

  private final PlantedRun healthy;
  private final PlantedRun judged;

  MatrixRow(String direction, PlantedRun healthy, PlantedRun judged) {
    this.direction = direction;
    this.healthy = healthy;
    this.judged = judged;
  }

  /** What a run of this cause is taken for, against a healthy run of another seed. */
  Interpretation interpret(Path folder, long seed) throws IOException {
    return Analyzer.analyze(
            judged.play(folder, seed), healthy.play(folder, seed + 1_000_000))
        .interpretation();
  }

  private static PlantedRun chat(int rate, String... options) {
    return PlantedRun.of(
        "{arrival: poisson, rate: %d, prompt_tokens: {uniform: [200, 500]},"
                .formatted(rate)
            + " output_tokens: {uniform: [60, 180]}}",
        120,
        options);
  }

  /** Few sequences at once, so that the queue grows long before a step does. */
  private static PlantedRun narrow(int rate) {
    return PlantedRun.of(
        "{arrival: poisson, rate: %d, prompt_tokens: {uniform: [32, 96]},"
                .formatted(rate)
            + " output_tokens: {uniform: [60, 180]}}",
        120,
        "--max-num-seqs", "16");
  }

  /** Users who come together but seldom, each for a long answer: most gaps see no prefill. */
  private static PlantedRun bursts(String promptTokens, String fault) {
    return PlantedRun.of(
        "{arrival: {gamma: 0.07}, rate: 0.12, prompt_tokens: {uniform: %s},"
                .formatted(promptTokens)
            + " output_tokens: {uniform: [1100, 1500]}}",
        3000,
        "--num-gpu-blocks-override", "20000",
        "--fault", fault);
  }

  /** A user now and then, so that few steps hold a prompt. */
  private static PlantedRun lone(String promptTokens, String... fault) {
    return PlantedRun.of(
        "{arrival: poisson, rate: 1, prompt_tokens: {uniform: %s},".formatted(promptTokens)
            + " output_tokens: {uniform: [100, 300]}}",
        300,
        fault.length == 0 ? new String[0] : new String[] {"--fault", fault[0]});
  }

  /** Slow steps; long, because a user who waits for one step more has a slower TTFT as well. */
  private static PlantedRun decoding(String fault) {
    return PlantedRun.of(
        "{arrival: poisson, rate: 1, prompt_tokens: {uniform: [2500, 3300]},"
            + " output_tokens: {uniform: [100, 300]}}",
        1500,
        "--fault", fault);
  }

  /** Questions about so many documents. */
  private static PlantedRun documents(int documents) {
    return PlantedRun.of(
        "{arrival: poisson, rate: 1, prompt_tokens: 100, output_tokens: {uniform: [100, 300]},"
            + " shared_prefix: {groups: %d, share: 1.0, tokens: 2000}}".formatted(documents),
        300);
  }

  /** The healthy run at one request a second must hold a hundred whatever the seed. */
  private static PlantedRun pressed(int rate) {
    return PlantedRun.of(
        "{arrival: poisson, rate: %d, prompt_tokens: {uniform: [200, 500]},".formatted(rate)
            + " output_tokens: {uniform: [150, 350]}}",
        rate == 1 ? 180 : 120,
        "--num-gpu-blocks-override", "500");
  }
}
