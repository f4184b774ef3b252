package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import tallystick.scenario.Formatted;

/** Whether runs may be compared at all; what forbids it is named. */
public final class Comparability {
  /** Waits grow by a few times as much, which is still within their margins. */
  private static final double RATE_TOLERANCE = 0.01;

  /** Three standard errors: equal mixes differ more in 3 of 1,000 comparisons. */
  private static final double ERRORS = 3;

  /** What records of a live run wander by besides chance. */
  private static final double VARIATION_TOLERANCE = 0.1;
  private static final int LONGEST = 160; // Two lines of a terminal
  private static final String SAME = "same run";

  private final List<ComparedRun> base;
  private final List<ComparedRun> candidate;
  private final Map<String, Regression.Unlike> unlike = new LinkedHashMap<>();

  private Comparability(List<ComparedRun> base, List<ComparedRun> candidate) {
    this.base = base;
    this.candidate = candidate;
  }

  /** What forbids to compare these runs; empty where nothing does. */
  static List<Regression.Unlike> faults(
      List<ComparedRun> base, List<ComparedRun> candidate, boolean isPaired) {
    Comparability likeness = new Comparability(base, candidate);
    likeness.repeated();
    likeness.doubts("base", base);
    likeness.doubts("candidate", candidate);
    likeness.settings();
    likeness.load(isPaired);
    likeness.produced();
    return List.copyOf(likeness.unlike.values());
  }

  /** The same whatever spoiled a run, and of runs that no schedule pairs. */
  public static List<Regression.Unlike> apart(
      List<ComparedRun> base, List<ComparedRun> candidate) {
    Comparability likeness = new Comparability(base, candidate);
    likeness.settings();
    likeness.load(false);
    return List.copyOf(likeness.unlike.values());
  }

  private void add(String key, String text) {
    String cut = text.length() > LONGEST ? text.substring(0, LONGEST - 3) + "..." : text;
    unlike.putIfAbsent(key, new Regression.Unlike(key, cut));
  }

  /** One run is one observation, however often it is named. */
  private void repeated() {
    repeated(base);
    if (candidate == base) {
      return;
    }
    repeated(candidate);
    base.forEach(
        one ->
            candidate.stream()
                .filter(other -> one.runId().equals(other.runId()) && isOne(one, other))
                .forEach(other -> add(SAME, one.runId() + " stands on both sides")));
  }

  private void repeated(List<ComparedRun> runs) {
    for (int i = 0; i < runs.size(); i++) {
      ComparedRun one = runs.get(i);
      runs.stream()
          .skip(i + 1L)
          .filter(other -> isOne(one, other))
          .forEach(other -> add(SAME, other.runId() + " is " + one.runId() + " once more"));
    }
  }

  /** No two runs have all figures equal to the last digit. */
  private static boolean isOne(ComparedRun one, ComparedRun other) {
    return one.seed() == other.seed() && one.metrics().equals(other.metrics())
        && !one.metrics().isEmpty();
  }

  private void doubts(String side, List<ComparedRun> runs) {
    Map<String, List<ComparedRun.Doubt>> byKey = new LinkedHashMap<>();
    runs.forEach(
        run ->
            run.doubts().stream()
                .map(ComparedRun.Doubt::key)
                .distinct()
                .forEach(
                    key ->
                        byKey.computeIfAbsent(key, none -> new ArrayList<>()).add(
                            run.doubts().stream()
                                .filter(doubt -> doubt.key().equals(key))
                                .findFirst()
                                .orElseThrow())));
    byKey.forEach(
        (key, doubts) -> {
          boolean isResult =
              key.equals(ComparedRun.OVERLOADED)
                  || key.equals(ComparedRun.NOTHING_DONE) && isLost();
          if (!isResult) {
            add(
                key,
                doubts.size() + " of " + runs.size() + " runs of the " + side + ": "
                    + doubts.getFirst().text());
          }
        });
  }

  /** That runs of the candidate did nothing, and none of the base's, is what was asked. */
  private boolean isLost() {
    return base.stream().noneMatch(ComparedRun::isNothingDone);
  }

  private void settings() {
    ComparedRun first = base.getFirst();
    Set<String> keys = new TreeSet<>(first.likeness().keySet());
    candidate.forEach(run -> keys.addAll(run.likeness().keySet()));
    for (String key : keys) {
      Set<String> here = values(base, ComparedRun::likeness, key);
      Set<String> there = values(candidate, ComparedRun::likeness, key);
      if (!here.equals(there) || here.size() > 1) {
        add(key, apart(String.join(" or ", here), String.join(" or ", there)));
      }
    }
  }

  /** Two long texts from where they begin to differ. */
  private static String apart(String here, String there) {
    int same = 0;
    while (same < Math.min(here.length(), there.length())
        && here.charAt(same) == there.charAt(same)) {
      same++;
    }
    int from = Math.max(0, same - 20);
    int most = LONGEST / 2 - 20;
    return "base " + part(here, from, most) + ", candidate " + part(there, from, most);
  }

  private static String part(String text, int from, int most) {
    String rest = text.substring(Math.min(from, text.length()));
    String shown = rest.length() > most ? rest.substring(0, most) + "..." : rest;
    return (from > 0 ? "..." : "") + shown;
  }

  /** What runs have under a key of some of their words. */
  static Set<String> values(
      List<ComparedRun> runs, Function<ComparedRun, Map<String, String>> words, String key) {
    Set<String> values = new TreeSet<>();
    runs.forEach(run -> values.add(words.apply(run).getOrDefault(key, "absent")));
    return values;
  }

  private void load(boolean isPaired) {
    if (base.getFirst().load().closedLoop()) {
      lengths();
      return;
    }
    arrivals();
    if (!isPaired) {
      mix();
    } else {
      for (int i = 0; i < base.size(); i++) {
        ComparedRun.Load here = base.get(i).load();
        ComparedRun.Load there = candidate.get(i).load();
        if (!here.schedule().equals(there.schedule())) {
          add(
              "mix",
              Formatted.of(
                  "pair %d sends different requests: base %d of %.0f + %.0f tokens, candidate %d"
                      + " of %.0f + %.0f",
                  i + 1, here.requests(), here.promptTokens(), here.answerTokens(),
                  there.requests(), there.promptTokens(), there.answerTokens()));
        }
        rate(here.offeredPerSecond(), there.offeredPerSecond(), RATE_TOLERANCE);
      }
    }
  }

  private void rate(double here, double there, double tolerance) {
    if (here == 0 || there == 0 || Math.abs(there / here - 1) > tolerance) {
      add(
          "offered rate",
          here == 0 || there == 0
              ? "unknown for some runs"
              : Formatted.of("base %.4g/s, candidate %.4g/s", here, there));
    }
  }

  /** Runs of other schedules differ by chance; more than that is another mix. */
  private void mix() {
    double byChance = ERRORS * Math.hypot(rateError(base), rateError(candidate));
    rate(
        mean(base, run -> run.load().offeredPerSecond()),
        mean(candidate, run -> run.load().offeredPerSecond()),
        sameSeeds() ? RATE_TOLERANCE : Math.max(RATE_TOLERANCE, byChance));
    lengths();
  }

  /** Of the rate of a side, as a share: bursts make it wander more than single arrivals. */
  private static double rateError(List<ComparedRun> runs) {
    double variation = mean(runs, run -> run.load().shape().gapVariation());
    return (Double.isNaN(variation) ? 1 : variation) / Math.sqrt(requests(runs));
  }

  private void lengths() {
    length(
        "prompt tokens", run -> run.load().promptTokens(),
        run -> run.load().shape().promptSpread());
    length(
        "answer tokens", run -> run.load().answerTokens(), run -> run.load().answerSpread());
  }

  /** Shorter answers take less time, whatever was asked. */
  private void produced() {
    if (OverloadEvidence.isOf(base) || OverloadEvidence.isOf(candidate)) {
      // Of a side that drowns the short answers come first.
      return;
    }
    double here = mean(base, run -> produced(run));
    double there = mean(candidate, run -> produced(run));
    double byChance =
        ERRORS * Math.hypot(producedError(base, here), producedError(candidate, there));
    if (Math.abs(there - here) > Math.max(RATE_TOLERANCE * here, byChance)) {
      add(
          "answers",
          Formatted.of(
              "answers came out at %.1f %% of max_tokens, the candidate's at %.1f %%",
              100 * here, 100 * there));
    }
  }

  /**
   * By how much answers scatter, or runs, where those of one run are alike; a record that does not
   * tell may scatter by its mean.
   */
  private static double producedError(List<ComparedRun> runs, double mean) {
    double scatter = mean(runs, run -> run.load().shape().answerScatter());
    double squares = mean(runs, run -> Math.pow(produced(run) - mean, 2));
    double ofRuns = Math.sqrt(squares / Math.max(1, runs.size() - 1));
    return Math.max(
        ofRuns, (Double.isNaN(scatter) ? mean : scatter) / Math.sqrt(requests(runs)));
  }

  private static double produced(ComparedRun run) {
    return run.engine().getOrDefault(ComparedRun.OF_ALLOWED, Double.NaN);
  }

  private boolean sameSeeds() {
    Set<Long> here = new HashSet<>(base.stream().map(ComparedRun::seed).toList());
    return here.equals(new HashSet<>(candidate.stream().map(ComparedRun::seed).toList()));
  }

  private void length(
      String what, ToDoubleFunction<ComparedRun> length, ToDoubleFunction<ComparedRun> spread) {
    double here = mean(base, length);
    double there = mean(candidate, length);
    double byChance =
        ERRORS * Math.hypot(error(base, length, spread), error(candidate, length, spread));
    if (Math.abs(there - here) > Math.max(RATE_TOLERANCE * Math.max(1, here), byChance)) {
      add(
          "mix",
          Formatted.of("mean %s: base %.1f, candidate %.1f", what, here, there));
    }
  }

  /** Of the mean length of all requests of a side. */
  private static double error(
      List<ComparedRun> runs, ToDoubleFunction<ComparedRun> length,
      ToDoubleFunction<ComparedRun> spread) {
    double known = mean(runs, spread);
    return (Double.isNaN(known) ? mean(runs, length) : known) / Math.sqrt(requests(runs));
  }

  /** The requests of a side, at least 1. */
  static double requests(List<ComparedRun> runs) {
    return Math.max(1, runs.stream().mapToLong(run -> run.load().requests()).sum());
  }

  /** Bursts at the same rate make longer queues: that is another load. */
  private void arrivals() {
    double here = mean(base, run -> run.load().shape().gapVariation());
    double there = mean(candidate, run -> run.load().shape().gapVariation());
    double byChance =
        ERRORS * Math.hypot(variationError(base, here), variationError(candidate, there));
    if (Math.abs(there - here) > VARIATION_TOLERANCE * Math.max(1, here) + byChance) {
      add(
          "arrivals",
          Formatted.of(
              "time between requests varies by %.2f of its mean, the candidate's by"
                  + " %.2f",
              here, there));
    }
  }

  /** As of gaps that are Gamma distributed. */
  private static double variationError(List<ComparedRun> runs, double variation) {
    return variation * Math.sqrt((1 + variation * variation) / 2 / requests(runs));
  }

  private static double mean(List<ComparedRun> runs, ToDoubleFunction<ComparedRun> of) {
    return runs.stream().mapToDouble(of).average().orElse(0);
  }
}
