package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.answer.chart.Plot;
import tallystick.cli.NextLines;
import tallystick.experiment.Budget;
import tallystick.experiment.JointObjective;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;
import tallystick.scenario.Objective;

class CapacityEndTest {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  private static String screen(CapacityEnd end) {
    return ScreenWriter.text(end.answer(MadeEnds.TYPED), Terminal.PLAIN);
  }

  private static String words(CapacityEnd end) {
    return screen(end).replaceAll("\\s+", " ");
  }

  private static String text(double[]... ratesAndGood) {
    return words(end(ratesAndGood));
  }

  /** What the page draws. */
  private static Plot curve(CapacityEnd end) {
    return ProbePlotsTest.of(end.answer(MadeEnds.TYPED).details().getFirst().blocks()).getFirst();
  }

  private static CapacityEnd end(double[]... ratesAndGood) {
    return end(new RateInterval(15, 30), ratesAndGood);
  }

  private static CapacityEnd end(RateInterval span, double[]... ratesAndGood) {
    List<ProbeResult> probes = new ArrayList<>();
    for (double[] each : ratesAndGood) {
      double seconds = each.length > 2 ? each[2] : 60;
      Probe probe = new Probe(probes.size() + 1, Probe.Purpose.NARROW, each[0], 5, seconds, 1);
      probes.add(
          MadeProbes.result(
              probe, 70, 1000, Math.round(1000 * each[1]), ProbeResult.Load.UNKNOWN,
              ProbeResult.Trust.TRUSTED, ""));
    }
    return MadeProbes.end(
        "chat", "requests/s", "an engine",
        new JointObjective(List.of(new Objective(Objective.Metric.TTFT, 0.5, 0.95, "")), 0.95),
        new Budget(NONE), new FleetSizing(NONE, NONE, NONE, Optional.empty()),
        new CapacityAnswer.TooClose(span, 600), probes,
        Optional.empty());
  }

  @Test
  void aRunThatWasStoppedEarlyWasOfferedItsRateAllTheSame() {
    // 1,000 of the 2,400 requests that 40/s bring in 60 s: it was stopped after 25 s.
    double[] stopped = {40, 0.5};
    assertThat(curve(end(stopped)).series().getLast().points().getFirst())
        .returns(40.0, Plot.Point::x).returns(20.0, Plot.Point::y);
    CapacityEnd whole = end(stopped);
    List<ProbeResult> early =
        whole.probes().stream()
            .map(
                one ->
                    with(one, new ProbeResult.Load(9, 9, false, 1, 8, 4, 0, 0, 20, 0, 0, 0, 25, 0)))
            .toList();
    assertThat(words(with(whole, early))).contains(" 40 25 s 50.00 % ");
  }

  /** A user of a closed loop sends many requests. */
  @Test
  void theTokensOfARequestAreThoseOfRequestsAtARate() {
    CapacityEnd whole = end(new double[] {40, 1});
    ProbeResult atRate =
        with(
            whole.probes().getFirst(),
            new ProbeResult.Load(9, 40, false, 1, 8, 4, 0, 0, 128, 0, 0, 0, 60, 0));
    ProbeResult burst =
        new ProbeResult(
            new Probe(2, Probe.Purpose.CEILING, 0, 32, 0, 20, 1), 30, 900, 0,
            new ProbeResult.Load(32, 45, false, 1, 32, 9, 0, 0, 402, 0, 0, 0, 20, 0),
            ProbeResult.Trust.TRUSTED, "", ProbeFigures.UNKNOWN);
    CapacityEnd priced =
        MadeProbes.end(
            whole.scenario(), whole.unit(), whole.engine(), whole.objective(), whole.budget(),
            new FleetSizing(NONE, OptionalDouble.of(2.5), NONE, Optional.empty()),
            new CapacityAnswer.Certified(40, new RateInterval(41, 43)), List.of(burst, atRate),
            Optional.empty());

    // 40 x 128 tokens/s are 18.4 million an hour for 2.50.
    assertThat(words(priced)).contains("COST 1 M output tokens cost 0.136 at 40/s");
  }

  private static CapacityEnd with(CapacityEnd end, List<ProbeResult> probes) {
    return MadeProbes.end(
        end.scenario(), end.unit(), end.engine(), end.objective(), end.budget(), end.sizing(),
        end.answer(), probes, Optional.empty());
  }

  private static ProbeResult with(ProbeResult one, ProbeResult.Load load) {
    return MadeProbes.result(
        one.probe(), one.elapsedSeconds(), one.judged(), one.good(), load, one.trust(),
        one.doubt());
  }

  @Test
  void aRunThatKeptItsObjectiveIsHeldThoughItsQueueGrew() {
    CapacityEnd end = end(new double[] {76, 0.99}, new double[] {95, 0.2});
    List<ProbeResult> grown =
        end.probes().stream().map(CapacityEndTest::withGrowingQueue).toList();
    CapacityEnd piled = with(end, grown);

    assertThat(screen(piled))
        .containsPattern("76 .* 99\\.00 % .*yes, queue grew\\n")
        .containsPattern("95 .* 20\\.00 % .* no: overloaded\\n");
    assertThat(screen(piled).lines()).allMatch(line -> line.length() <= 80);
    assertThat(curve(piled).series().get(1).points()).extracting(Plot.Point::x)
        .containsExactly(76.0);
  }

  private static ProbeResult withGrowingQueue(ProbeResult one) {
    return with(one, new ProbeResult.Load(40, 70, true, 1, 8, 40, 0.5, 0, 20, 0, 0, 0, 0, 0));
  }

  @Test
  void anIntervalOfRatesHasItsUnit() {
    assertThat(text(new double[] {29, 0.99}))
        .containsPattern("between 15\\S* and 30\\S* requests/s, from single runs");
  }

  @Test
  void aRateOfSessionsIsNoneOfRequests() {
    CapacityEnd end = end(new double[] {2, 0.99});
    CapacityEnd ofSessions =
        MadeProbes.end(
            end.scenario(), "sessions/s", end.engine(), end.objective(), end.budget(),
            end.sizing(), end.answer(), end.probes(), Optional.empty());

    assertThat(words(ofSessions))
        .contains("between 15 and 30 sessions/s", " started/s for ")
        .doesNotContain("requests/s");
  }

  @Test
  void aRateThatFailsBelowOneThatNearlyHoldsIsSaid() {
    assertThat(text(new double[] {29, 0.34}, new double[] {31, 0.93}))
        .contains(
            "but 29/s kept only 34 % good and the higher 31/s 93 %: the engine's speed seems to"
                + " have changed");
  }

  @Test
  void aShortRunThatEndedBeforeItsQueueGrewIsNoDisagreement() {
    assertThat(text(new double[] {29, 0.34, 165}, new double[] {31, 0.99, 30}))
        .doesNotContain("moved");
  }

  @Test
  void burstsAndHigherRatesThatFailAreNoDisagreement() {
    assertThat(text(new double[] {29, 0.85}, new double[] {31, 0.97})).doesNotContain("moved");
    assertThat(text(new double[] {29, 0.3}, new double[] {31, 0.6})).doesNotContain("moved");
    assertThat(text(new double[] {29, 0.97}, new double[] {31, 0.3})).doesNotContain("moved");
  }

  private static String textOf(String remark, double... ratesAndGood) {
    CapacityEnd end = end(new double[] {ratesAndGood[0], ratesAndGood[1]});
    ProbeResult one = end.probes().getFirst();
    return words(
        MadeProbes.end(
            end.scenario(), end.unit(), end.engine(), end.objective(), end.budget(),
            end.sizing(), end.answer(),
            List.of(
                MadeProbes.result(
                    one.probe(), one.elapsedSeconds(), one.judged(), one.good(), one.load(),
                    one.trust(), remark)),
            Optional.empty()));
  }

  /** Who reads that no request waits would look for a slow engine. */
  @Test
  void whereARateFailsItIsSaidThatRequestsWereRefused() {
    assertThat(textOf("300 of 1000 requests failed (30.0 %; 300 with HTTP 429)", 12, 0.7))
        .contains("WHY at 12/s 300 of 1000 requests failed (30.0 %; 300 with HTTP 429)")
        .doesNotContain("; but");
  }

  /** An engine that cuts answers short carries more of them. */
  @Test
  void thatAnswersWereCutShortAtARateThatHeldIsSaid() {
    assertThat(textOf("9 of 10 answers are not as long as requested", 12, 0.99))
        .contains("client on time; but at 12/s: 9 of 10 answers are not as long as requested");
  }

  @Test
  void whereNoRunTellsAnythingNoRatesAreTold() {
    RateInterval nothing = new RateInterval(0, Double.POSITIVE_INFINITY);
    assertThat(words(end(nothing)))
        .contains("TOO CLOSE no run says anything about TTFT within 500 ms")
        .doesNotContain("from single runs");
  }

  @ParameterizedTest
  @MethodSource("answers")
  void whatFollowsAnAnswerCanBeTypedOrIsASentence(CapacityAnswer answer) {
    CapacityEnd end = end(new double[] {29, 0.99});
    for (OptionalDouble peak : List.of(NONE, OptionalDouble.of(100))) {
      NextLines.check(
          screen(
              MadeProbes.end(
                  end.scenario(), end.unit(), end.engine(), end.objective(), end.budget(),
                  new FleetSizing(peak, NONE, NONE, Optional.empty()), answer, end.probes(),
                  Optional.empty())));
    }
  }

  private static List<CapacityAnswer> answers() {
    RateInterval span = new RateInterval(28, 31);
    return List.of(
        new CapacityAnswer.Certified(29, span), new CapacityAnswer.Carries(29.5, span, 600, NONE),
        new CapacityAnswer.Carries(29.5, span, 600, OptionalDouble.of(28.5)),
        new CapacityAnswer.LowerBoundOnly(29, "a larger one does not fit"),
        new CapacityAnswer.InfeasibleAtLowLoad(0.1, 0.2),
        new CapacityAnswer.Untrusted("it was saturated"),
        new CapacityAnswer.BudgetTooSmall(40));
  }
}
