package tallystick.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Interpretation;
import tallystick.runrecord.RecordReader;

/**
 * One cause, or two at once, planted in a run beside a healthy run of another seed: which
 * directions must be named, and which may be beside them.
 */
enum PlantedCause {
  NOTHING(base(14), base(14), ""),
  NETWORK(base(14), base(14).with("--network-us", "100000"), "outside_engine"),
  LOAD(base(14), base(30), "offered_load_beyond_capacity"),
  LONGER_PROMPTS(base(14), prompts(14, 700), "more_to_prefill"),
  LONGER_ANSWERS(base(14), answers(14, 90), "longer_answers"),
  BURSTY_ARRIVALS(
      base(14), new World("{gamma: 0.05}", "14", 350, 40), "bursty_arrivals",
      "offered_load_beyond_capacity"),
  SLOW_DECODE(base(14), base(14).with("--fault", "slow:decode=2.5"), "slow_decode"),
  SLOW_PREFILL(base(14), base(14).with("--fault", "slow:prefill=3"), "slow_prefill"),
  PREEMPTIONS(many(), many().with("--num-gpu-blocks-override", "950"), "saturation"),
  CLIENT_STARVED(base(14), paused(14), "client_late"),

  NETWORK_AND_LOAD(
      base(14), base(30).with("--network-us", "20000"),
      "outside_engine offered_load_beyond_capacity"),
  NETWORK_AND_LONGER_PROMPTS(
      base(14), prompts(14, 700).with("--network-us", "8000"), "outside_engine more_to_prefill"),
  NETWORK_FAR_ABOVE_LONGER_PROMPTS(
      base(14), prompts(14, 700).with("--network-us", "300000"), "outside_engine",
      "more_to_prefill"),
  LONGER_ANSWERS_AND_LOAD(
      base(14), answers(18, 90), "longer_answers offered_load_beyond_capacity"),
  LOST_PREFIX_CACHE(shared(22, true), shared(22, false), "more_to_prefill"),
  SLOW_DECODE_AND_LOAD(
      base(14), base(20).with("--fault", "slow:decode=2"),
      "slow_decode offered_load_beyond_capacity"),
  PREEMPTIONS_AND_NETWORK(
      many(), many().with("--num-gpu-blocks-override", "950", "--network-us", "250000"),
      "saturation outside_engine"),
  BURST_INSIDE_A_PHASE(
      base(14),
      new World("poisson", "{spike: {base: 14, peak: 40, at: 40s, for: 15s}}", 350, 40),
      "offered_load_beyond_capacity", "bursty_arrivals"),
  ONE_SLOW_REPLICA_OF_TWO(
      base(24).with("--data-parallel-size", "2"),
      base(24).with("--data-parallel-size", "2", "--fault", "slow:decode=3,engine=1"),
      "slow_decode"),
  SHORTER_PROMPTS_AND_LOAD(base(14), prompts(30, 200), "offered_load_beyond_capacity"),
  CLIENT_STARVED_AND_LOAD(base(14), paused(22), "client_late offered_load_beyond_capacity"),

  CLIENT_STARVED_AND_SLOW_PREFILL(
      base(14), paused(14).with("--fault", "slow:prefill=2.5"), "client_late slow_prefill"),
  CLIENT_STARVED_AND_NETWORK(
      base(14), paused(14).with("--network-us", "90000"), "client_late outside_engine"),
  SMALLER_STEPS_AND_SLOW_DECODE(
      base(14),
      base(14).with("--max-num-batched-tokens", "128", "--fault", "slow:decode=1.6"),
      "prefill_in_more_steps slow_decode"),
  SMALLER_STEPS_AND_LONGER_ANSWERS(
      base(14), answers(14, 75).with("--max-num-batched-tokens", "128"),
      "prefill_in_more_steps longer_answers"),
  SLOW_PREFILL_AND_PREEMPTIONS(
      base(14),
      base(14).with("--num-gpu-blocks-override", "260", "--fault", "slow:prefill=2.5"),
      "slow_prefill saturation"),
  SLOW_DECODE_AND_PREEMPTIONS(
      many(),
      many().with("--num-gpu-blocks-override", "950", "--fault", "slow:decode=1.6"),
      "slow_decode saturation"),
  SLOW_PREFILL_OF_LONGER_PROMPTS(
      base(14), prompts(14, 700).with("--fault", "slow:prefill=2.5"),
      "slow_prefill more_to_prefill"),
  NETWORK_AND_FEWER_PLACES(
      base(14), base(14).with("--max-num-seqs", "4", "--network-us", "90000"),
      "outside_engine fewer_at_once"),

  FEWER_PLACES(base(14), base(14).with("--max-num-seqs", "4"), "fewer_at_once"),
  FEWER_PLACES_FOR_THE_SAME_USERS(
      users(20).with("--max-num-seqs", "32"), users(20).with("--max-num-seqs", "8"),
      "fewer_at_once"),
  FEWER_PLACES_AND_LOAD(
      answers(14, 100).with("--max-num-seqs", "40"),
      answers(20, 100).with("--max-num-seqs", "10"),
      "fewer_at_once offered_load_beyond_capacity"),
  SMALLER_STEPS(
      base(14).with("--max-num-seqs", "64"),
      base(14).with("--max-num-seqs", "64", "--max-num-batched-tokens", "128"),
      "prefill_in_more_steps"),
  /** Answers that decode beside dearer prompts are slower, too. */
  SLIGHTLY_SLOW_PREFILL(
      base(14).with("--max-num-seqs", "64"),
      base(14).with("--max-num-seqs", "64", "--fault", "slow:prefill=1.5"), "slow_prefill"),
  FEWER_ENGINES(
      base(24).with("--data-parallel-size", "2"), base(24), "fewer_engines"),
  ANOTHER_TENANT(base(14), base(14).with("--foreign-share", "0.8"), "foreign_load"),
  LOST_ACCEPTANCE(
      answers(14, 100).with("--speculative-tokens", "4", "--acceptance", "0.85"),
      answers(14, 100).with("--speculative-tokens", "4", "--acceptance", "0.3"),
      "fewer_tokens_per_step"),
  MORE_LOAD_ON_MORE_ENGINES(
      base(14),
      base(28).with("--data-parallel-size", "2", "--network-us", "60000"), "outside_engine");

  /** Each must be named. */
  final Set<String> planted;

  /** May be named as well, because it is the same truth in another word. */
  final Set<String> alike;

  private final World healthy;
  private final World judged;

  PlantedCause(World healthy, World judged, String planted, String... alike) {
    this.healthy = healthy;
    this.judged = judged;
    this.planted = planted.isEmpty() ? Set.of() : Set.of(planted.split(" "));
    this.alike = Set.of(alike);
  }

  /**
   * What a run of this cause is taken for, against a healthy run of another seed.
   *
   * @param played healthy runs and where they lie; many causes have the same beside them
   */
  Interpretation interpret(Path folder, long seed, Map<PlantedRun, Path> played)
      throws IOException {
    PlantedRun beside = healthy.run();
    if (!played.containsKey(beside)) {
      played.put(beside, beside.folder(folder, seed + 1_000_000));
    }
    return Analyzer.analyze(
            judged.run().play(folder, seed), RecordReader.open(played.get(beside)))
        .interpretation();
  }

  /** A load of 90 s on 16 places; medians of the lengths, whose spread is 30 %. */
  private record World(
      String arrival, String rate, int prompt, int answer, List<String> options) {
    World(String arrival, String rate, int prompt, int answer) {
      this(arrival, rate, prompt, answer, List.of());
    }

    World with(String... more) {
      List<String> all = new ArrayList<>(options);
      all.addAll(Arrays.asList(more));
      return new World(arrival, rate, prompt, answer, all);
    }

    PlantedRun run() {
      List<String> all = new ArrayList<>(options);
      if (!all.contains("--max-num-seqs")) {
        all.addAll(List.of("--max-num-seqs", "16"));
      }
      return PlantedRun.of(
          "{arrival: %s, %s: %s, prompt_tokens: %s, output_tokens: %s}"
              .formatted(
                  arrival, arrival.equals("closed") ? "concurrency" : "rate", rate,
                  length(prompt), length(answer)),
          90,
          all.toArray(String[]::new));
    }

    private static String length(int median) {
      return "{lognormal: {median: %d, sigma: 0.3, min: 8, max: 3000}}".formatted(median);
    }
  }

  private static World base(int rate) {
    return prompts(rate, 350);
  }

  private static World prompts(int rate, int prompt) {
    return new World("poisson", "" + rate, prompt, 40);
  }

  private static World answers(int rate, int answer) {
    return new World("poisson", "" + rate, 350, answer);
  }

  /** A closed loop of so many users. */
  private static World users(int users) {
    return new World("closed", "" + users, 350, 40);
  }

  /** So many long answers at once that a small cache would not hold them. */
  private static World many() {
    return new World("poisson", "9", 350, 300).with("--max-num-seqs", "64");
  }

  private static World paused(int rate) {
    return base(rate).with("--client-pause-at-ms", "40000", "--client-pause-for-ms", "8000");
  }

  /** Questions about four documents of 1,200 tokens, which the cache keeps or not. */
  private static World shared(int rate, boolean isKept) {
    return new World(
            "poisson", rate + ", shared_prefix: {groups: 4, share: 1.0, tokens: 1200}", 60, 40)
        .with(isKept ? "--enable-prefix-caching" : "--no-enable-prefix-caching");
  }
}
