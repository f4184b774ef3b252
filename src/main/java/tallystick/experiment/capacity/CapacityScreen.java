package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.experiment.Budget;
import tallystick.experiment.JointObjective;
import tallystick.experiment.Rates;
import tallystick.experiment.ScreenLines;

/** The first screen of a search: decision, trust, where the limit comes from, probes, next. */
final class CapacityScreen {
  private static final int MOST_ROWS = 9;
  private static final String AGAIN = ScreenLines.COMMAND + " --resume " + ScreenLines.FOLDER;

  /**
   * Runs near the limit differ in their bursts, but seldom by so much: of 110 searches on engines
   * whose speed never moved one said that it seems to have.
   */
  private static final double BY_FAR = 0.25;

  private static final double NEARLY = 0.05;

  /** In 42 searches on simulated engines of one speed the probes' costs lay within 0.4 %. */
  private static final double MOVED = 1.1;

  private final CapacityEnd end;
  private final JointObjective objective;
  private final CapacityAnswer answer;
  private final List<ProbeResult> probes;
  private final ScreenLines lines = new ScreenLines();

  CapacityScreen(CapacityEnd end) {
    this.end = end;
    this.objective = end.objective();
    this.answer = end.answer();
    this.probes = end.probes();
  }

  /** All runs at one rate together. */
  private record Row(
      double perSecond,
      int runs,
      long judged,
      long good,
      double goodput,
      double inFlight,
      boolean overloaded) {}

  String text() {
    lines.add(
        "capacity   ",
        end.scenario() + " on " + end.engine() + "   " + end.budget().used(end.elapsedSeconds()));
    lines.add(head(), verdict());
    lines.add("TRUST", trust());
    where().ifPresent(words -> lines.add("WHERE", words));
    end.forecast()
        .ifPresent(forecast -> lines.add("FORECAST", forecast.words(answer, end.unit())));
    sizing().forEach(words -> lines.add("REPLICAS", words));
    energy().ifPresent(words -> lines.add("ENERGY", words));
    addTable();
    List<String> next = next();
    for (int i = 0; i < next.size(); i++) {
      lines.add(i == 0 ? "NEXT" : "", next.get(i));
    }
    return lines.text();
  }

  private String head() {
    return switch (answer) {
      case CapacityAnswer.Untrusted untrusted -> "INVALID";
      case CapacityAnswer.Certified certified -> "VERDICT";
      case CapacityAnswer.Unproven unproven -> "VERDICT";
      case CapacityAnswer.AtLeast atLeast -> "VERDICT";
      case CapacityAnswer.NeverHeld never -> "VERDICT";
      case CapacityAnswer.BudgetTooSmall small -> "VERDICT";
    };
  }

  private String verdict() {
    return switch (answer) {
      case CapacityAnswer.Certified certified ->
          rate(certified.perSecond()) + " hold " + objective.words()
              + "; three fresh runs confirm it; the largest such rate lies "
              + between(certified.span()) + " (95 % interval)";
      case CapacityAnswer.Unproven unproven -> unproven(unproven);
      case CapacityAnswer.AtLeast atLeast ->
          "not proven: " + rate(atLeast.perSecond()) + " held "
              + objective.words() + " in one run; " + atLeast.why();
      case CapacityAnswer.NeverHeld never ->
          "no rate holds " + objective.words() + ": at " + Rates.text(never.perSecond())
              + "/s requests hardly meet, and only " + JointObjective.percent(never.goodShare())
              + " are good";
      case CapacityAnswer.Untrusted untrusted ->
          "the last probes cannot be used: " + untrusted.why();
      case CapacityAnswer.BudgetTooSmall small ->
          "the budget is too small for one probe: it needs at least "
              + (long) Math.ceil(small.leastSeconds()) + " s";
    };
  }

  private String unproven(CapacityAnswer.Unproven unproven) {
    String needed =
        "; a certified rate needs about " + Budget.minutes(unproven.neededSeconds())
            + " min more";
    if (unproven.span().equals(new RateCurve.Span(0, Double.POSITIVE_INFINITY))) {
      return "not proven: no run tells anything of " + objective.words() + needed;
    }
    return unproven.isProven()
        ? "not proven: the largest rate that holds " + objective.words() + " lies "
            + between(unproven.span()) + " (95 % interval)" + needed
        : "not proven: the largest rate that holds " + objective.words() + " seems to lie "
            + between(unproven.span()) + " by single runs, which differ by chance" + needed;
  }

  private String rate(double perSecond) {
    return Rates.text(perSecond) + " " + end.unit();
  }

  private String between(RateCurve.Span span) {
    if (span.low() > 0 && Double.isFinite(span.high())) {
      return "between " + Rates.text(span.low()) + " and " + rate(span.high());
    }
    if (span.low() > 0) {
      return "above " + rate(span.low());
    }
    return Double.isFinite(span.high())
        ? "below " + rate(span.high())
        : "where these runs cannot tell";
  }

  private String trust() {
    long left = probes.stream().filter(one -> !one.isTrusted()).count();
    long kept = probes.size() - left;
    if (kept == 0) {
      return left == 0 ? "nothing was measured" : "no: no probe can be used";
    }
    String others = left == 0 ? "" : "; " + left + " left out (see capacity.json)";
    return "yes, in " + kept + " probes: " + checked(kept) + ", client on time"
        + ScreenLines.simulated(end.engine()) + others
        + Stream.concat(moved().or(this::disagreement).stream(), remark().stream())
            .map(words -> "; but " + words)
            .collect(Collectors.joining());
  }

  private String checked(long kept) {
    long partly =
        probes.stream()
            .filter(one -> one.trust() == ProbeResult.Trust.PARTLY_CHECKED)
            .count();
    return ScreenLines.compared(partly, kept);
  }

  /** How far apart the probes' engines were in speed, by what their steps cost. */
  private Optional<String> moved() {
    List<Crowding> known =
        probes.stream()
            .filter(ProbeResult::isTrusted)
            .map(ProbeResult::crowding)
            .filter(Crowding::isKnown)
            .toList();
    double apart = known.isEmpty() ? 1 : Pace.of(known).slowestOverFastest();
    return apart < MOVED
        ? Optional.empty()
        : Optional.of(
            "the engine's speed seems to have moved: by what its steps cost, requests took "
                + JointObjective.percent(Math.round(100 * (apart - 1)) / 100.0)
                + " longer in one probe than in another");
  }

  /**
   * A rate that failed by far, although a higher one was near to holding for as long: a short run
   * may end before the queue has grown.
   */
  private Optional<String> disagreement() {
    List<ProbeResult> kept = probes.stream().filter(ProbeResult::isTrusted).toList();
    return kept.stream()
        .filter(high -> high.goodShare() >= objective.share() - NEARLY)
        .flatMap(
            high ->
                kept.stream()
                    .filter(low -> low.probe().perSecond() < high.probe().perSecond())
                    .filter(
                        low -> low.probe().measuredSeconds() <= high.probe().measuredSeconds())
                    .filter(low -> high.goodShare() - low.goodShare() > BY_FAR)
                    .map(low -> disagreement(low, high)))
        .findFirst();
  }

  private static String disagreement(ProbeResult low, ProbeResult high) {
    return Rates.text(low.probe().perSecond()) + "/s kept only "
        + JointObjective.percent(low.goodShare()) + " good and the higher "
        + Rates.text(high.probe().perSecond()) + "/s " + JointObjective.percent(high.goodShare())
        + ": the engine's speed seems to have moved";
  }

  /** Of the largest rate that held: requests that failed there, or answers that were cut short. */
  private Optional<String> remark() {
    return probes.stream()
        .filter(one -> one.isTrusted() && one.holds(objective.share()))
        .filter(one -> !one.doubt().isEmpty())
        .max(Comparator.comparingDouble(one -> one.probe().perSecond()))
        .map(one -> "at " + Rates.text(one.probe().perSecond()) + "/s " + one.doubt());
  }

  private Optional<String> energy() {
    OptionalDouble capacity = end.provenPerSecond();
    Optional<String> known =
        capacity.isEmpty()
            ? Optional.empty()
            : end.energy(capacity.getAsDouble()).map(TokenEnergy::words);
    String why =
        capacity.isEmpty() ? "no rate is proven to hold" : "nobody counted output tokens";
    return known.isPresent() || end.sizing().watts().isEmpty()
        ? known
        : Optional.of("n/a: " + why);
  }

  private List<String> sizing() {
    if (!end.sizing().isAsked()) {
      return List.of();
    }
    OptionalDouble capacity = end.provenPerSecond();
    if (capacity.isEmpty()) {
      return List.of("n/a: no rate is proven to hold");
    }
    double proven = capacity.getAsDouble();
    return Stream.concat(
            Stream.of(end.sizing().words(proven, end.tokensPerRequest())),
            end.sizing().trafficWords(proven).stream())
        .filter(words -> !words.isEmpty())
        .toList();
  }

  /** What the engine said in the lowest rate that failed. */
  private Optional<String> where() {
    return probes.stream()
        .filter(one -> one.isTrusted() && !one.holds(objective.share()))
        .filter(one -> one.load().waitingMost() >= 0 || !one.doubt().isEmpty())
        .min(Comparator.comparingDouble(one -> one.probe().perSecond()))
        .map(
            one -> {
              ProbeResult.Load load = one.load();
              if (load.waitingMost() < 0) {
                return "at " + Rates.text(one.probe().perSecond()) + "/s " + one.doubt();
              }
              String queue = load.waitingMost() >= 1
                  ? String.format(Locale.ROOT, "up to %.0f requests wait", load.waitingMost())
                  : "no request waits";
              String memory = load.kvCacheMost() < 0
                  ? ""
                  : String.format(Locale.ROOT, " (KV up to %.0f %%, %s)",
                      100 * load.kvCacheMost(), preempted(load));
              return "at " + Rates.text(one.probe().perSecond()) + "/s " + queue + memory
                  + (one.doubt().isEmpty() ? "" : "; " + one.doubt());
            });
  }

  private static String preempted(ProbeResult.Load load) {
    return load.preempted() > 0
        ? String.format(Locale.ROOT, "%.0f preempted", load.preempted())
        : "no preemption";
  }

  private void addTable() {
    List<Row> rows = rows();
    if (rows.isEmpty()) {
      return;
    }
    lines.add(
        (end.unit().startsWith("requests") ? " requests/s" : "  started/s")
            + "   runs   requests       good   good/s   "
            + (end.forecast().isPresent() ? "predicted" : "in flight") + "   in these runs");
    double middle = rows.get(0).perSecond();
    if (answer instanceof CapacityAnswer.Certified certified) {
      middle = certified.perSecond();
    } else if (answer instanceof CapacityAnswer.Unproven unproven && unproven.span().low() > 0) {
      middle = unproven.span().low();
    }
    double centre = middle;
    List<Row> shown =
        rows.stream()
            .sorted(
                Comparator.comparingDouble(row -> Math.abs(Math.log(row.perSecond() / centre))))
            .limit(
                MOST_ROWS - (end.sizing().isAsked() ? 3 : 0) - (energy().isPresent() ? 2 : 0)
                    - (remark().isPresent() ? 2 : 0))
            .sorted(Comparator.comparingDouble(Row::perSecond))
            .toList();
    shown.forEach(row -> lines.add(line(row)));
    if (shown.size() < rows.size()) {
      lines.add(" and " + (rows.size() - shown.size()) + " rates farther off, in capacity.json");
    }
  }

  private String line(Row row) {
    double share = row.judged() == 0 ? 0 : (double) row.good() / row.judged();
    return String.format(
        Locale.ROOT, " %10s %6d %,10d %8.2f %% %8.2f %11s   %s",
        Rates.text(row.perSecond()), row.runs(), row.judged(), 100 * share,
        row.goodput(),
        end.forecast()
            .map(forecast -> forecast.cell(row.perSecond()))
            .orElse(String.format(Locale.ROOT, "%.1f", row.inFlight())),
        word(row, share >= objective.share()));
  }

  // A queue may grow to the end of a run that keeps its objective all the same.
  private static String word(Row row, boolean holds) {
    if (row.overloaded()) {
      return holds ? "held, piled up" : "overloaded";
    }
    return holds ? "held" : "failed";
  }

  private List<Row> rows() {
    TreeMap<Double, Row> rows = new TreeMap<>();
    for (ProbeResult one : probes) {
      if (one.isTrusted()) {
        Row row =
            new Row(
                one.probe().perSecond(), 1, one.judged(), one.good(), one.goodputPerSecond(),
                one.load().meanInFlight(), one.load().overloaded());
        rows.merge(one.probe().perSecond(), row, CapacityScreen::together);
      }
    }
    return new ArrayList<>(rows.values());
  }

  private static Row together(Row a, Row b) {
    int runs = a.runs() + b.runs();
    return new Row(
        a.perSecond(), runs, a.judged() + b.judged(), a.good() + b.good(),
        (a.goodput() * a.runs() + b.goodput() * b.runs()) / runs,
        (a.inFlight() * a.runs() + b.inFlight() * b.runs()) / runs,
        a.overloaded() || b.overloaded());
  }

  private List<String> next() {
    return switch (answer) {
      case CapacityAnswer.Certified certified ->
          end.sizing().isAsked()
              ? List.of("The same command without --budget, or with more, narrows the interval.")
              : List.of(
                  "Replicas and cost for a peak, without load:",
                  AGAIN + " --peak RATE --price PER_HOUR");
      case CapacityAnswer.Unproven unproven ->
          List.of(
              AGAIN + " --budget "
                  + (long) Math.ceil((end.elapsedSeconds() + unproven.neededSeconds()) / 60)
                  + "m");
      case CapacityAnswer.AtLeast atLeast ->
          List.of("Take a client with more cores, or a scenario whose requests cost more.");
      case CapacityAnswer.NeverHeld never ->
          List.of("A run at a low rate shows which limit one request alone breaks.");
      case CapacityAnswer.Untrusted untrusted ->
          List.of(
              "Mend what tally report says of the newest folder in FOLDER/probes. Then:", AGAIN);
      case CapacityAnswer.BudgetTooSmall small ->
          List.of(
              ScreenLines.COMMAND + " --budget " + (long) Math.ceil(small.leastSeconds()) + "s");
    };
  }
}
