package tallystick.report.screen;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.report.Judged.MET;
import static tallystick.report.Judged.MISSED;
import static tallystick.report.Judged.TOO_CLOSE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.LoadSteps;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.Strength;
import tallystick.answer.Block;
import tallystick.answer.Tone;
import tallystick.report.SampleLater;

class StepsTest {
  private static final Judgement LIKELY =
      new Judgement(Judgement.Verdict.MET, Strength.LIKELY);
  private static final Judgement FELL_SHORT =
      new Judgement(Judgement.Verdict.MISSED, Strength.TOO_CLOSE);

  private static final Judgement UNJUDGED =
      new Judgement(Judgement.Verdict.NOT_JUDGED, Strength.TOO_CLOSE);
  private static final List<Judgement> EVERY =
      List.of(MET, LIKELY, TOO_CLOSE, FELL_SHORT, MISSED, UNJUDGED);

  @Test
  void theAnswerOfASteppedRunIsItsKnee() {
    assertThat(answer(MET, TOO_CLOSE, MET, MISSED, MISSED))
        .isEqualTo(
            "30.0 requests/s (sure), not 40.0: TTFT within 500 ms for 95 % of requests");
  }

  @Test
  void aStepThatIsMetAboveOneThatFailsIsNoKnee() {
    assertThat(steps(MET, MISSED, MET).answer().mark().word()).isEqualTo("MISSED");
    assertThat(answer(MET, MISSED, MET))
        .startsWith("20.0: ").endsWith("; no clear knee: 30.0 requests/s is met");
  }

  @Test
  void noRateHoldsAboveOneWhoseRequestsWereNotGoodEnough() {
    assertThat(answer(MET, FELL_SHORT, MET, MISSED)).startsWith("10.0 requests/s (sure), not 40.0");
    String knee = "no clear knee: 20.0 requests/s is met, yet a lower step fell short";
    assertThat(answer(FELL_SHORT, MET)).isEqualTo(knee);
    assertThat(answer(FELL_SHORT, MET, MISSED)).startsWith("30.0: ").endsWith("; " + knee);
  }

  @Test
  void whatIsMetAfterAHigherStepHolds() {
    List<PhaseAnalysis> falling = List.of(phase(45, MISSED), phase(10, MET), phase(20, MET));
    assertThat(made(falling, "requests/s", false).orElseThrow().answer().text())
        .startsWith("20.0 requests/s (sure), not 45.0: ");
    assertThat(
            made(List.of(phase(45, MISSED), phase(10, MISSED)), "requests/s", false)
                .orElseThrow().answer().text())
        .startsWith("in phase \"step\" at 45.0: ");
  }

  /** A queue has no time to grow at a rate that only passes by. */
  @Test
  void aPartOfARampShowsItsLeastRate() {
    assertThat(ramp(MET, MET, MISSED)).startsWith("15.0 requests/s, the low end of part (sure), ");
    assertThat(ramp(MET, MISSED, MISSED)).startsWith("5.00 requests/s, the low end of part ");
    assertThat(answer(MET, MET, MISSED)).startsWith("20.0 requests/s (sure), ");
  }

  @Test
  void aStepThatNoObjectiveJudgesIsNotCalledClose() {
    assertThat(answer(MET, UNJUDGED)).isEqualTo("10.0 requests/s (sure); 20.0 is not judged");
    assertThat(answer(UNJUDGED, UNJUDGED)).startsWith("no step could be judged: ");
  }

  private static String ramp(Judgement... verdicts) {
    List<PhaseAnalysis> parts = new ArrayList<>();
    for (PhaseAnalysis one : phases(verdicts)) {
      parts.add(
          SampleLater.step(
              "part", one.offeredPerSecond().orZero(), true, one.judgement(), one.goodput()));
    }
    return made(parts, "requests/s", false).orElseThrow().answer().text();
  }

  @Test
  void nothingIsHeldThatIsNotProven() {
    assertThat(answer(TOO_CLOSE, MISSED))
        .startsWith("already at 20.0: ")
        .contains(" (sure); no lower step is met");
    assertThat(answer(TOO_CLOSE, TOO_CLOSE))
        .isEqualTo("no step is likely met or likely missed");
    assertThat(answer(MET, TOO_CLOSE)).isEqualTo(
        "10.0 requests/s (sure); 20.0 is too close to call");
  }

  /** What a run comes to is what its first line says; a mean over all steps is asked nowhere. */
  @Test
  void theRunComesToWhatItsStepsSay() {
    assertThat(judged(MET, TOO_CLOSE, MET, MISSED)).isEqualTo(MISSED);
    assertThat(judged(MET, MISSED, MET)).isEqualTo(MISSED);
    assertThat(judged(TOO_CLOSE, LIKELY)).as("what holds at a rate holds below").isEqualTo(LIKELY);
    assertThat(judged(MET, TOO_CLOSE).isTooClose()).isTrue();
    assertThat(judged(FELL_SHORT, MET).isTooClose()).isTrue();
    assertThat(judged(TOO_CLOSE, TOO_CLOSE).isTooClose()).isTrue();
    assertThat(
            LoadSteps.of(List.of(phase(10, MET), phase(30, MET), phase(5, MISSED)))
                .orElseThrow()
                .judgement())
        .isEqualTo(MISSED);
  }

  private static Judgement judged(Judgement... verdicts) {
    return LoadSteps.of(phases(verdicts)).orElseThrow().judgement();
  }

  @Test
  void theStepThatHoldsStandsInTheTable() {
    assertThat(
            rates(steps(MET, TOO_CLOSE, TOO_CLOSE, MISSED, MISSED, MISSED), 4).getFirst())
        .isEqualTo("10.0");
  }

  @Test
  void onlyTheHighestStepThatIsMetIsGreen() {
    assertThat(steps(MET, MET).answer().mark().tone()).isEqualTo(Tone.GOOD);
    assertThat(steps(MET, TOO_CLOSE).answer().mark().tone()).isEqualTo(Tone.CAUTION);
    assertThat(steps(MET, MISSED).answer().mark().tone()).isEqualTo(Tone.PLAIN);
  }

  @Test
  void aRateThatDoesNotRiseMakesNoSteps() {
    assertThat(LoadSteps.of(List.of(phase(10, MET), phase(10, MET))).orElseThrow().isRising())
        .isFalse();
    assertThat(LoadSteps.of(List.of(phase(0, MET)))).isEmpty();
  }

  /** Every order of three rates and six judgements: two readers of one value never disagree. */
  @Test
  void theFirstLineAndTheJudgementAreOne() {
    List<Double> rates = List.of(5.0, 10.0, 20.0);
    List<PhaseAnalysis> all =
        rates.stream().flatMap(rate -> EVERY.stream().map(one -> phase(rate, one))).toList();
    int asked = 0;
    for (PhaseAnalysis first : all) {
      for (PhaseAnalysis second : all) {
        for (PhaseAnalysis third : all) {
          LoadSteps load = LoadSteps.of(List.of(first, second, third)).orElseThrow();
          if (load.isRising() || load.judgement().isMissed()) {
            asked++;
            isOne(load);
          }
        }
      }
    }
    assertThat(asked).isGreaterThan(4000);
  }

  private static void isOne(LoadSteps load) {
    Judgement whole = load.judgement();
    Block.Item said = new Steps(load, "requests/s", false).answer();
    String of =
        load.steps().stream().map(one -> one.offeredPerSecond() + " " + one.judgement()).toList()
            + " others " + load.others().stream().map(PhaseAnalysis::judgement).toList()
            + ": " + whole + " said " + said.mark().word() + " " + said.text();
    boolean isHeld = said.mark().word().equals("HOLDS");
    assertThat(said.mark().word().equals("MISSED") || isHeld && said.text().contains(", not "))
        .as(of)
        .isEqualTo(whole.isMissed());
    assertThat(said.mark().tone() == Tone.GOOD).as(of).isEqualTo(whole.isMet());
    if (!whole.isMissed() && !whole.isMet()) {
      assertThat(said.mark().tone()).as(of).isEqualTo(Tone.CAUTION);
    }
    if (whole.isMet()) {
      assertThat(said.text()).as(of).contains("(" + whole.strength().words() + ")");
    }
    assertThat(said.text()).as(of).doesNotContain("()", ": ;", ":  ");
  }

  @Test
  void aPhaseAfterAHigherOneIsNoStepButItsFailureIsTold() {
    List<PhaseAnalysis> drained =
        List.of(phase(10, MET), phase(30, MISSED), phase(10, TOO_CLOSE), phase(5, MISSED));
    Steps steps = made(drained, "requests/s", false).orElseThrow();
    assertThat(steps.table().rows()).as("the steps, then what is none").hasSize(4);
    assertThat(steps.answer().text())
        .startsWith("10.0 requests/s (sure), not 30.0: ")
        .endsWith("; phase \"step\" at 5.00 missed");
    List<PhaseAnalysis> met = List.of(phase(10, MET), phase(30, MET), phase(5, MISSED));
    Block.Item missed = made(met, "requests/s", false).orElseThrow().answer();
    assertThat(missed.mark().word()).isEqualTo("MISSED");
    assertThat(missed.text())
        .startsWith("in phase \"step\" at 5.00: TTFT within 500 ms for 95 % of requests (sure)")
        .endsWith("; another phase at 30.0 requests/s (sure) is met");
  }

  /** Three steps of one rate are three: one that is missed is not lost in the mean of all. */
  @Test
  void aMissedPhaseIsToldWhereNoRateIsAboveAnother() {
    List<PhaseAnalysis> alike = List.of(phase(4, MET), phase(4, MET), phase(4, MISSED));
    assertThat(made(alike, "sessions/s", false).orElseThrow().answer().text())
        .endsWith("; another phase at 4.00 sessions/s (sure) is met");
    assertThat(LoadSteps.of(alike).orElseThrow().judgement()).isEqualTo(MISSED);
    assertThat(LoadSteps.of(alike).orElseThrow().telling()).hasSize(2);
    List<PhaseAnalysis> first = List.of(phase(4, MISSED), phase(4, MET));
    assertThat(LoadSteps.of(first).orElseThrow().judgement()).isEqualTo(MISSED);
    assertThat(made(first, "requests/s", false).orElseThrow().answer().text())
        .isEqualTo("in phase \"step\" at 4.00: TTFT within 500 ms for 95 % of requests (sure)");
  }

  @Test
  void aTableThatCannotHoldAllStepsShowsTheKnee() {
    Steps many = steps(MET, MET, MET, MET, MET, MET, MISSED, MISSED);
    assertThat(rates(many, 3)).containsExactly("60.0", "70.0", "80.0");
  }

  /** What is shown where rows of a higher rank have to go. */
  private static List<String> rates(Steps steps, int rank) {
    return steps.table().rows().stream()
        .filter(row -> row.spare() <= rank)
        .map(row -> row.cells().get(1).text())
        .toList();
  }

  private static String answer(Judgement... verdicts) {
    return steps(verdicts).answer().text();
  }

  private static Optional<Steps> made(List<PhaseAnalysis> phases, String unit, boolean isRough) {
    return LoadSteps.of(phases).map(load -> new Steps(load, unit, isRough));
  }

  private static Steps steps(Judgement... verdicts) {
    return made(phases(verdicts), "requests/s", false).orElseThrow();
  }

  private static List<PhaseAnalysis> phases(Judgement... verdicts) {
    List<PhaseAnalysis> phases = new ArrayList<>();
    for (Judgement verdict : verdicts) {
      phases.add(phase(10.0 * (phases.size() + 1), verdict));
    }
    return phases;
  }

  private static PhaseAnalysis phase(double rate, Judgement verdict) {
    return SampleLater.step("step", rate, verdict, SampleLater.phase().goodput());
  }
}
