package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.analysis.result.Judgement.Verdict;

/** A planted truth: users suffer from load 1.0 on; one change to it for each refusal. */
class ThresholdDerivationTest {
  private static final double[] LOADS = {0.4, 0.6, 0.75, 1.1, 1.25};
  private static final List<Double> EDGES = List.of(0.5, 1.0, 2.5, 5.0, 10.0);
  private static final int WINDOWS = 4;

  private final List<WindowRow> rows = planted(List.of("a", "b"), 3);

  @Test
  void aSignalThatFollowsWhatUsersFeelGetsItsThreshold() {
    Derived badRatio = derived(rows, Signal.BAD_RATIO);
    assertThat(badRatio.threshold()).isBetween(0.004, 0.1);
    assertThat(badRatio.urgency()).isEqualTo(AlertSeverity.TICKET);
    assertThat(badRatio.evidence().area()).isEqualTo(1);
    assertThat(badRatio.evidence().byMix().orElseThrow().confusion().recall()).isEqualTo(1);
    assertThat(derived(rows, Signal.TTFT_P95).threshold()).isEqualTo(2.5);
    assertThat(derived(rows, Signal.WAITING_MEAN).urgency()).isEqualTo(AlertSeverity.WARNING);
  }

  /** All windows answer edges of 0.5 to 5 s alike; within the objective's 5 s nobody suffers. */
  @Test
  void aPercentileOfTheObjectivesOwnLatencyLiesNotBelowIt() {
    List<WindowRow> apart =
        mapped(row -> with(row, Signal.TTFT_P95, row.place().load() < 1 ? 0.3 : 6));
    assertThat(derived(apart, Signal.TTFT_P95).threshold()).isEqualTo(1);
    assertThat(
            ThresholdDerivation.derive(
                table(apart, Map.of(Signal.TTFT_P95, 5.0)), List.of(Signal.TTFT_P95), 7))
        .extracting(one -> ((Derived) one).threshold())
        .containsExactly(5.0);
  }

  @Test
  void aWindowAtWhoseEndUsersWaitTooLongIsNoHealth() {
    WindowRow calm = row("a", 0, 0.4, 0, 0);
    List<WindowRow> hang =
        List.of(
            calm,
            new WindowRow(calm.place(), 400, 400, 40, false, calm.signals()),
            new WindowRow(calm.place(), 0, 0, 40, false, calm.signals()));
    assertThat(LabelledWindow.of(hang, 0.99))
        .extracting(LabelledWindow::label)
        .containsExactly(Verdict.MET, Verdict.NOT_JUDGED, Verdict.NOT_JUDGED);
  }

  @Test
  void withOneMixASymptomMayWarnAndAResourceMayNot() {
    List<WindowRow> oneMix = planted(List.of("a"), 3);
    assertThat(derived(oneMix, Signal.BAD_RATIO).urgency()).isEqualTo(AlertSeverity.WARNING);
    refused(oneMix, Signal.KV_MEAN, RefusalCode.NOT_TRANSFERABLE, "1 mix, need >= 2");
  }

  @Test
  void noViolatingWindow() {
    List<WindowRow> healthy =
        rows.stream().filter(row -> row.place().load() < 1 || isFirst(row)).toList();
    refused(healthy, Signal.BAD_RATIO, RefusalCode.NO_VIOLATING_WINDOW, "1 missed window from");
  }

  @Test
  void noHealthyWindow() {
    List<WindowRow> bad = rows.stream().filter(row -> row.place().load() > 1).toList();
    refused(bad, Signal.BAD_RATIO, RefusalCode.NO_HEALTHY_WINDOW, "0 met windows from 0 steps");
  }

  @Test
  void tooFewObservations() {
    List<WindowRow> thin =
        mapped(row -> new WindowRow(row.place(), 90, share(row, 90), 0, false, row.signals()));
    refused(thin, Signal.BAD_RATIO, RefusalCode.TOO_FEW_OBSERVATIONS, "median of 90 requests");
    refused(rows, Signal.QUEUE_P95, RefusalCode.TOO_FEW_OBSERVATIONS, "number in 0 %");
  }

  @Test
  void notSeparable() {
    SplittableRandom random = new SplittableRandom(1);
    List<WindowRow> noise = mapped(row -> with(row, Signal.BAD_RATIO, random.nextDouble()));
    refused(
        noise, Signal.BAD_RATIO, RefusalCode.NOT_SEPARABLE, "it ranks a bad window above a good ");
    List<WindowRow> oneRun = planted(List.of("a"), 1);
    refused(oneRun, Signal.BAD_RATIO, RefusalCode.NOT_SEPARABLE, "1 run: leaving one run out");
  }

  @Test
  void unstable() {
    List<WindowRow> wide =
        mapped(
            row ->
                with(
                    row,
                    Signal.WAITING_MEAN,
                    row.place().load() < 1
                        ? 0.01
                        : row.place().run().equals("a0") ? 0.02 : 1000));
    refused(wide, Signal.WAITING_MEAN, RefusalCode.UNSTABLE, "90 % interval");
  }

  @Test
  void notTransferable() {
    List<WindowRow> shifted =
        mapped(
            row ->
                with(
                    row,
                    Signal.GENERATION_TOKENS_RATE,
                    row.place().load() * (row.place().mix().equals("a") ? 100 : 150)));
    refused(
        shifted, Signal.GENERATION_TOKENS_RATE, RefusalCode.NOT_TRANSFERABLE, "recall 0.500");
  }

  @Test
  void unresolvable() {
    List<WindowRow> low =
        mapped(row -> with(row, Signal.QUEUE_P95, row.place().load() < 1 ? 0.1 : 0.2));
    refused(
        low, Signal.QUEUE_P95, RefusalCode.UNRESOLVABLE,
        "below its first bucket edge, 0.3 s, in 100 % of the missed windows, allowed 40 %: it"
            + " works for an objective on ttft or e2e beyond 0.3 s");
    List<WindowRow> high =
        mapped(row -> with(row, Signal.QUEUE_P95, row.place().load() < 1 ? 2 : 3));
    refused(high, Signal.QUEUE_P95, RefusalCode.UNRESOLVABLE, "outside the finite buckets");
  }

  @Test
  void aRefusalNamesEverythingThatIsKnownToBeMissing() {
    List<WindowRow> healthy =
        planted(List.of("a"), 1).stream().filter(row -> row.place().load() < 1).toList();
    assertThat(needs(healthy, Signal.BAD_RATIO))
        .containsExactly(Requirement.VIOLATED_WINDOWS, Requirement.RUNS);
    assertThat(needs(healthy, Signal.KV_MEAN))
        .containsExactly(Requirement.VIOLATED_WINDOWS, Requirement.RUNS, Requirement.MIXES);
    assertThat(needs(List.of(), Signal.BAD_RATIO))
        .containsExactly(
            Requirement.VIOLATED_WINDOWS,
            Requirement.MET_WINDOWS,
            Requirement.REQUESTS,
            Requirement.RUNS);
  }

  @Test
  void overloadOnly() {
    List<WindowRow> growing =
        mapped(
            row ->
                new WindowRow(
                    row.place(), row.observed(), row.good(), 0, row.place().load() > 1,
                    row.signals()));
    refused(growing, Signal.BAD_RATIO, RefusalCode.OVERLOAD_ONLY, "queue kept growing");
  }

  @Test
  void unreconciled() {
    WindowTable table =
        WindowTable.of(
            rows, 0.99, Map.of(Signal.TTFT_P95, EDGES), Map.of(), List.of("run-1"));
    SignalOutcome only = ThresholdDerivation.derive(table, List.of(Signal.BAD_RATIO), 1).get(0);
    assertThat(((Refused) only).code()).isEqualTo(RefusalCode.UNRECONCILED);
    assertThat(((Refused) only).missing()).contains("run-1");
  }

  @Test
  void whereCapacityWandersSymptomsStillTellAndResourcesDoNot() {
    Map<Double, Double> offered = Map.of(0.4, 0.75, 0.6, 1.1, 0.75, 0.6, 1.1, 0.4, 1.25, 1.25);
    List<WindowRow> wandering =
        mapped(
            row ->
                new WindowRow(
                    new WindowRow.Place(
                        row.place().run(), row.place().mix(), row.place().step(),
                        offered.get(row.place().load()), row.place().endSeconds()),
                    row.observed(), row.good(), 0, false, row.signals()));
    refused(wandering, Signal.KV_MEAN, RefusalCode.NOT_SEPARABLE, "not monotone");
    refused(wandering, Signal.WAITING_MEAN, RefusalCode.NOT_SEPARABLE, "not monotone");
    assertThat(derived(wandering, Signal.BAD_RATIO).urgency()).isEqualTo(AlertSeverity.TICKET);
    assertThat(derived(wandering, Signal.TTFT_P95).threshold()).isEqualTo(2.5);
  }

  @Test
  void theSameSeedGivesTheSameEvidence() {
    assertThat(derived(rows, Signal.BAD_RATIO)).isEqualTo(derived(rows, Signal.BAD_RATIO));
  }

  private static Derived derived(List<WindowRow> rows, Signal signal) {
    SignalOutcome outcome = outcome(rows, signal);
    assertThat(outcome).isInstanceOf(Derived.class);
    return (Derived) outcome;
  }

  @Test
  void aStudyLearnsWhatItHasAndWhatEachSignalLacks() {
    List<WindowRow> oneMix = planted(List.of("a"), 3);
    WindowTable table = table(oneMix);
    List<SignalOutcome> soFar =
        ThresholdDerivation.derive(table, List.of(Signal.BAD_RATIO, Signal.KV_MEAN), 7);
    assertThat(table.windows(Verdict.MISSED)).isEqualTo(24);
    assertThat(table.steps(Verdict.MISSED)).isEqualTo(6);
    assertThat(table.windows(Verdict.MET)).isEqualTo(36);
    assertThat(table.steps(Verdict.MET)).isEqualTo(9);
    assertThat(table.runs()).isEqualTo(3);
    assertThat(soFar.getFirst().lacks()).isEmpty();
    UnmetRequirement mixes = soFar.getLast().lacks().getFirst();
    assertThat(mixes.need()).isEqualTo(Requirement.MIXES);
    assertThat(mixes.found()).isEqualTo(1);
    assertThat(mixes.limit()).isEqualTo(2);
  }

  private static List<Requirement> needs(List<WindowRow> rows, Signal signal) {
    return ((Refused) outcome(rows, signal)).lacks().stream().map(UnmetRequirement::need).toList();
  }

  private static void refused(
      List<WindowRow> rows, Signal signal, RefusalCode code, String missing) {
    SignalOutcome outcome = outcome(rows, signal);
    assertThat(outcome).isInstanceOf(Refused.class);
    assertThat(((Refused) outcome).code()).as(outcome.toString()).isEqualTo(code);
    assertThat(((Refused) outcome).missing()).contains(missing);
  }

  private static SignalOutcome outcome(List<WindowRow> rows, Signal signal) {
    return ThresholdDerivation.derive(table(rows), List.of(signal), 7).getFirst();
  }

  private static WindowTable table(List<WindowRow> rows) {
    return table(rows, Map.of());
  }

  private static WindowTable table(List<WindowRow> rows, Map<Signal, Double> least) {
    Map<Signal, List<Double>> edges =
        Map.of(Signal.TTFT_P95, EDGES, Signal.QUEUE_P95, List.of(0.3, 0.5, 1.0));
    return WindowTable.of(rows, 0.99, edges, least, List.of());
  }

  private List<WindowRow> mapped(Function<WindowRow, WindowRow> change) {
    return rows.stream().map(change).toList();
  }

  private static boolean isFirst(WindowRow row) {
    WindowRow.Place place = row.place();
    return place.run().equals("a0") && place.load() == 1.1 && place.endSeconds() == 0;
  }

  private static long share(WindowRow row, long count) {
    return Math.round(count * (double) row.good() / row.observed());
  }

  private static WindowRow with(WindowRow row, Signal signal, double value) {
    Map<Signal, Double> signals = new java.util.EnumMap<>(Signal.class);
    signals.putAll(row.signals());
    signals.put(signal, value);
    return new WindowRow(row.place(), row.observed(), row.good(), 0, row.overloaded(), signals);
  }

  /** Three runs of each mix, five steps, four windows of 400 requests each. */
  private static List<WindowRow> planted(List<String> mixes, int runs) {
    List<WindowRow> rows = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(3);
    for (String mix : mixes) {
      for (int run = 0; run < runs; run++) {
        for (double load : LOADS) {
          for (int window = 0; window < WINDOWS; window++) {
            rows.add(row(mix, run, load, window, random.nextDouble()));
          }
        }
      }
    }
    return rows;
  }

  private static WindowRow row(String mix, int run, double load, int window, double noise) {
    double bad = load < 1 ? 0.003 * noise : (load - 1) * (0.8 + 0.4 * noise);
    long observed = 400;
    long good = observed - Math.round(bad * observed);
    WindowRow.Place place =
        new WindowRow.Place(mix + run, mix, "load-" + load, load, window * 300.0);
    return new WindowRow(
        place,
        observed,
        good,
        0,
        false,
        Map.of(
            Signal.BAD_RATIO, bad,
            Signal.TTFT_P95, load < 1 ? 0.4 + load : 3 + 2 * noise,
            Signal.WAITING_MEAN, load < 1 ? noise : 8 + 4 * noise,
            Signal.KV_MEAN, 0.7 * load + 0.05 * noise));
  }
}
