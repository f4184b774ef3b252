package tallystick.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.cli.exit.ExitCode;
import tallystick.report.screen.RunOutcome;
import tallystick.report.screen.Terminal;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;
import tallystick.scenario.Objective;

/** Each way in which a run's answer can come out. */
class RunGoldenTest {
  private static final Map<String, Consumer<SampleAnalysis>> VARIANTS =
      new TreeMap<>(
          Map.of(
              "missed", sample -> { },
              "met", sample -> sample.objectives = only(Judged.MET),
              "too-close", sample -> sample.objectives = only(Judged.TOO_CLOSE),
              "no-objective", sample -> sample.objectives = List.of(),
              "invalid", sample -> sample.findings = List.of(late()),
              "ledger-open",
              sample ->
                  sample.reconciliation =
                      new Reconciliation(
                          Reconciliation.Verdict.NOT_RECONCILED, sample.reconciliation.rows()),
              "one-sided", sample -> sample.oneSided("the engine tells nothing"),
              "interrupted",
              sample ->
                  sample.withRun(
                      SampleAnalysis.facts(
                          "c", "m", State.INTERRUPTED, "", Manifest.Source.REAL)),
              "most-failed", sample -> sample.failed = 200,
              "many-objectives", RunGoldenTest::many));

  static {
    VARIANTS.put(
        "late-but-kept",
        sample -> {
          sample.objectives = only(Judged.MET);
          sample.findings =
              List.of(
                  new Finding(
                      Finding.Code.CLIENT_SATURATED, Finding.Severity.WARNING, "It was late.",
                      List.of("it paused"), "Lower the rate."));
        });
  }

  static List<String> variants() {
    return List.copyOf(VARIANTS.keySet());
  }

  @ParameterizedTest
  @MethodSource("variants")
  void saysWhatItSaid(String variant, @TempDir Path folder) throws IOException {
    SampleAnalysis sample = new SampleAnalysis();
    VARIANTS.get(variant).accept(sample);
    RunAnalysis analysis = sample.build();
    String at = "run/" + variant;

    Golden.assertSame(
        at + ".txt", Shown.firstScreen(analysis, Path.of("reports/run"), Terminal.PLAIN));
    SampleAnalysis.writeAll(analysis, folder);
    for (String file : List.of("report.html", "junit.xml", "answers.json")) {
      Golden.assertSame(at + "." + file, Files.readString(folder.resolve(file)));
    }
    Golden.assertSame(at + ".account.txt", SampleAnalysis.console(analysis, false));
    Golden.assertSame(
        at + ".code.txt",
        "" + ExitCode.of(RunOutcome.of(analysis, false)).number());
  }

  private static Finding late() {
    return new Finding(
        Finding.Code.CLIENT_SATURATED, "The harness was late.", List.of("it paused"),
        "Lower the rate.");
  }

  private static List<ObjectiveResult> only(Judgement judged) {
    Figure one = Figure.of(1);
    return List.of(
        new ObjectiveResult(
            new Objective(Objective.Metric.TTFT, 0.5, 0.9, ""), 240, 240, Figure.of(0.761), one,
            judged.verdict(), judged.strength(), one,
            new ObjectiveEvidence(one, one, one, one, Figure.of(2100), "too few")));
  }

  private static void many(SampleAnalysis sample) {
    List<ObjectiveResult> three = sample.objectives;
    sample.objectives = new java.util.ArrayList<>();
    for (int i = 0; i < 6; i++) {
      sample.objectives.addAll(three.reversed());
    }
  }
}
