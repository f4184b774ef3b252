package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Whether runs may be compared at all; what forbids it is named. */
public final class Likeness {
  private static final double RATE_TOLERANCE = 0.01;
  private static final double ERRORS = 3;
  private static final int LONGEST = 160;

  private final List<RunFigures> base;
  private final List<RunFigures> candidate;
  private final Map<String, Regression.Unlike> unlike = new LinkedHashMap<>();

  private Likeness(List<RunFigures> base, List<RunFigures> candidate) {
    this.base = base;
    this.candidate = candidate;
  }

  /** What forbids to compare these runs; empty where nothing does. */
  static List<Regression.Unlike> faults(
      List<RunFigures> base, List<RunFigures> candidate, boolean isPaired) {
    Likeness likeness = new Likeness(base, candidate);
    likeness.doubts("base", base);
    likeness.doubts("candidate", candidate);
    likeness.settings();
    likeness.load(isPaired);
    return List.copyOf(likeness.unlike.values());
  }

  /** The same whatever spoiled a run, and of runs that no schedule pairs. */
  public static List<Regression.Unlike> apart(
      List<RunFigures> base, List<RunFigures> candidate) {
    Likeness likeness = new Likeness(base, candidate);
    likeness.settings();
    likeness.load(false);
    return List.copyOf(likeness.unlike.values());
  }

  private void add(String key, String text) {
    String cut = text.length() > LONGEST ? text.substring(0, LONGEST - 3) + "..." : text;
    unlike.putIfAbsent(key, new Regression.Unlike(key, cut));
  }

  /** A burst of arrivals looks like overload in a single short run; in most runs it is none. */
  private void doubts(String side, List<RunFigures> runs) {
    Map<String, List<RunFigures.Doubt>> byKey = new LinkedHashMap<>();
    runs.forEach(
        run ->
            run.doubts().stream()
                .map(RunFigures.Doubt::key)
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
          boolean isChance =
              key.equals(RunFigures.OVERLOADED) && 2 * doubts.size() < runs.size();
          if (!isChance) {
            add(
                key,
                doubts.size() + " of " + runs.size() + " runs of the " + side + ": "
                    + doubts.getFirst().text());
          }
        });
  }

  private void settings() {
    RunFigures first = base.getFirst();
    Set<String> keys = new TreeSet<>(first.likeness().keySet());
    candidate.forEach(run -> keys.addAll(run.likeness().keySet()));
    for (String key : keys) {
      Set<String> here = values(base, key);
      Set<String> there = values(candidate, key);
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

  private static Set<String> values(List<RunFigures> runs, String key) {
    Set<String> values = new TreeSet<>();
    runs.forEach(run -> values.add(run.likeness().getOrDefault(key, "absent")));
    return values;
  }

  private void load(boolean isPaired) {
    if (base.getFirst().load().closedLoop()) {
      return;
    }
    if (!isPaired) {
      mix();
    } else {
      for (int i = 0; i < base.size(); i++) {
        RunFigures.Load here = base.get(i).load();
        RunFigures.Load there = candidate.get(i).load();
        if (!here.schedule().equals(there.schedule())) {
          add(
              "mix",
              String.format(
                  Locale.ROOT,
                  "pair %d asks differently: base %d requests of %.0f + %.0f tokens, candidate %d"
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
              ? "not known of every run"
              : String.format(Locale.ROOT, "base %.4g/s, candidate %.4g/s", here, there));
    }
  }

  /** Runs of other schedules differ by chance; more than that is another mix. */
  private void mix() {
    double requests =
        Math.min(mean(base, run -> run.load().requests()) * base.size(),
            mean(candidate, run -> run.load().requests()) * candidate.size());
    double byChance = ERRORS * Math.sqrt(2 / Math.max(1, requests));
    rate(
        mean(base, run -> run.load().offeredPerSecond()),
        mean(candidate, run -> run.load().offeredPerSecond()),
        sameSeeds() ? RATE_TOLERANCE : Math.max(RATE_TOLERANCE, byChance));
    length("prompt tokens", run -> run.load().promptTokens(), byChance);
    length("answer tokens", run -> run.load().answerTokens(), byChance);
  }

  private boolean sameSeeds() {
    Set<Long> here = new HashSet<>(base.stream().map(RunFigures::seed).toList());
    return here.equals(new HashSet<>(candidate.stream().map(RunFigures::seed).toList()));
  }

  private void length(String what, ToDoubleFunction<RunFigures> length, double byChance) {
    double here = mean(base, length);
    double there = mean(candidate, length);
    double spread =
        here == 0 ? 1 : Math.max(1, mean(base, run -> run.load().answerSpread()) / here);
    if (Math.abs(there - here) > Math.max(RATE_TOLERANCE, byChance * spread) * Math.max(1, here)) {
      add(
          "mix",
          String.format(
              Locale.ROOT, "mean %s: base %.1f, candidate %.1f", what, here, there));
    }
  }

  private static double mean(List<RunFigures> runs, ToDoubleFunction<RunFigures> of) {
    return runs.stream().mapToDouble(of).average().orElse(0);
  }
}
