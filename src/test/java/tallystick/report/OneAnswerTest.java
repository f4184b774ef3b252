package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Strength;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.TestCase.Result;
import tallystick.answer.Tone;
import tallystick.scenario.Objective;

/** First line, exit code, strength and JUnit of one run: whatever was found, they say the same. */
class OneAnswerTest {
  private static final List<Judgement> EVERY =
      List.of(
          new Judgement(Verdict.MET, Strength.SURE), new Judgement(Verdict.MET, Strength.LIKELY),
          new Judgement(Verdict.MET, Strength.TOO_CLOSE),
          new Judgement(Verdict.MISSED, Strength.TOO_CLOSE),
          new Judgement(Verdict.MISSED, Strength.LIKELY),
          new Judgement(Verdict.MISSED, Strength.SURE),
          new Judgement(Verdict.NOT_JUDGED, Strength.TOO_CLOSE));

  private final SampleAnalysis sample = new SampleAnalysis();

  private static ObjectiveResult objective(Objective.Metric metric, Judgement judged) {
    Figure none = Figure.missing("not asked");
    return new ObjectiveResult(
        new Objective(metric, 0.5, 0.95, ""), 90, 100, none, none, judged.verdict(),
        judged.strength(), none, new ObjectiveEvidence(none, none, none, none, none, ""));
  }

  private static PhaseAnalysis phase(String name, double rate, Judgement judged) {
    return SampleLater.step(name, rate, judged, SampleLater.phase().goodput());
  }

  /** All judgements of two objectives, and of two phases whose rate rises, falls or stays. */
  private List<RunAnalysis> runs() {
    List<RunAnalysis> runs = new ArrayList<>();
    for (Judgement first : EVERY) {
      for (Judgement second : EVERY) {
        sample.objectives =
            List.of(
                objective(Objective.Metric.TTFT, first), objective(Objective.Metric.E2E, second));
        sample.phases = List.of(phase("only", 4, first));
        runs.add(sample.build());
        for (Judgement whole : EVERY) {
          for (double rate : new double[] {2, 4, 8}) {
            sample.objectives = List.of(objective(Objective.Metric.TTFT, whole));
            sample.phases = List.of(phase("one", 4, first), phase("two", rate, second));
            runs.add(sample.build());
          }
        }
      }
    }
    return runs;
  }

  @Test
  void aTrustedRunSaysOneThing() {
    sample.findings = List.of();
    for (RunAnalysis run : runs()) {
      Answer answer = answer(run);
      Block.Item first = first(answer);
      String of = describe(run, answer, first);
      boolean isHeld = first.mark().word().equals("HOLDS");
      switch (answer.outcome()) {
        case GOOD -> {
          assertThat(first.mark().tone()).as(of).isEqualTo(Tone.GOOD);
          assertThat(answer.strength().orElseThrow()).as(of).isNotEqualTo(Strength.TOO_CLOSE);
          assertThat(count(answer, Result.FAILURE)).as(of).isZero();
        }
        case FAILS -> {
          assertThat(first.mark().word().equals("MISSED") || first.text().contains(", not "))
              .as(of).isTrue();
          assertThat(count(answer, Result.FAILURE)).as(of).isPositive();
        }
        case TOO_CLOSE -> {
          assertThat(first.mark().tone()).as(of).isEqualTo(Tone.CAUTION);
          assertThat(isHeld || first.mark().word().equals("TOO CLOSE")).as(of).isTrue();
          assertThat(count(answer, Result.FAILURE)).as(of).isZero();
          assertThat(count(answer, Result.SKIPPED)).as(of).isPositive();
        }
        default -> throw new AssertionError(of);
      }
      assertThat(count(answer, Result.ERROR)).as(of).isZero();
    }
  }

  @Test
  void anUntrustedRunIsNoVerdictAnywhere() {
    sample.findings =
        List.of(new Finding(Finding.Code.CLIENT_SATURATED, "Late.", List.of(), ""));
    for (RunAnalysis run : runs()) {
      Answer answer = answer(run);
      String of = describe(run, answer, first(answer));
      assertThat(answer.outcome()).as(of).isEqualTo(AnswerStatus.NOT_TRUSTED);
      assertThat(first(answer).mark().word()).as(of).isEqualTo("INVALID");
      assertThat(count(answer, Result.ERROR)).as(of).isPositive();
    }
  }

  private static Answer answer(RunAnalysis run) {
    return Reports.answer(run, List.of(), Path.of("run"), false);
  }

  private static Block.Item first(Answer answer) {
    return ((Block.Items) answer.blocks().getFirst()).items().getFirst();
  }

  private static long count(Answer answer, Result result) {
    return answer.suite().cases().stream().filter(one -> one.result() == result).count();
  }

  private static String describe(RunAnalysis run, Answer answer, Block.Item first) {
    return run.objectives().stream().map(one -> one.judgement().toString()).toList() + " phases "
        + run.phases().stream()
            .map(one -> one.offeredPerSecond().orZero() + " " + one.judgement())
            .toList()
        + " " + answer.outcome() + " " + answer.strength() + " " + first.mark().word() + " "
        + first.text();
  }
}
