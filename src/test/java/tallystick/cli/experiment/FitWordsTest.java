package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.result.Figure;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.cli.CommandRun;
import tallystick.cli.FrozenWords;
import tallystick.cli.NextLines;
import tallystick.experiment.fit.FitAnswer;
import tallystick.experiment.fit.FittedCost;
import tallystick.experiment.fit.FittedCost.Standing;
import tallystick.experiment.fit.FittedProfile;
import tallystick.experiment.fit.Prediction;
import tallystick.experiment.fit.StepCostTerm;
import tallystick.experiment.fit.StepTimeNoise;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

/** What a fit says for each thing it can find, on the screen, whole, and for programs. */
class FitWordsTest {
  private static final Path PROFILE = Path.of("a folder/engine.properties");
  private static final Invocation NOWHERE = new Invocation(List.of(), "");

  @TempDir private Path folder;

  @Test
  void costsThatAreKnown() throws IOException {
    check("known", costs(Standing.KNOWN, Standing.KNOWN), 0, Map.of(), none());
  }

  @Test
  void costsThatAreTooSmall() throws IOException {
    check("small", costs(Standing.KNOWN, Standing.NEGLIGIBLE), 0, Map.of(), none());
  }

  @Test
  void costsThatTheseRunsDoNotTell() throws IOException {
    check(
        "unknown", costs(Standing.NEGLIGIBLE, Standing.NOT_IDENTIFIABLE), 0,
        Map.of("max-num-seqs", "64"), none());
  }

  @Test
  void runsOfSeveralSpeeds() throws IOException {
    check("speeds", costs(Standing.NOT_IDENTIFIABLE, Standing.KNOWN), 0.3, Map.of(), none());
  }

  @Test
  void predictionsThatHold() throws IOException {
    FitAnswer.Checks checks =
        new FitAnswer.Checks(Map.of("main of b", of("TTFT", 1, 1.02, true)), Map.of("b", 1.01));
    check("held", costs(Standing.KNOWN, Standing.KNOWN), 0, Map.of(), checks);
  }

  @Test
  void predictionsThatAreOff() throws IOException {
    Map<String, List<Prediction>> all = new LinkedHashMap<>();
    for (int i = 0; i < 12; i++) {
      all.put("step-%d of c".formatted(i), of("ITL", 0.04, i < 6 ? 0.03 : 0.041, false));
    }
    check(
        "off", costs(Standing.KNOWN, Standing.NOT_IDENTIFIABLE), 0, Map.of(),
        new FitAnswer.Checks(all, Map.of("c", 1.31)));
  }

  @Test
  void runsThatCannotBeFitted() throws IOException {
    String screen =
        ScreenWriter.text(
            new FitAnswer.NotFitted("2 runs", "they differ").answer(NOWHERE), Terminal.PLAIN);
    FrozenWords.check("fit/refused", screen);
    NextLines.check(screen);
  }

  @Test
  void aRunOfARealEngine() throws IOException {
    String file = folder.resolve("p.properties").toString();
    String[] typed = {"fit", "reports/sample", "--out", file};
    CommandRun fit = CommandRun.of(typed);
    FrozenWords.check(
        "fit/sample",
        new CommandRun(fit.code(), fit.output().replaceAll("\\S*p\\.properties", "FILE")));
    FrozenWords.checkJson("fit/sample", json(file));
  }

  private static String json(String file) {
    CommandRun both = CommandRun.of("fit", "reports/sample", "--out", file, "--json");
    return both.output().substring(both.output().indexOf("\n{\n") + 1);
  }

  private static void check(
      String name, List<FittedCost> costs, double spread, Map<String, String> taken,
      FitAnswer.Checks checks)
      throws IOException {
    FittedProfile found =
        new FittedProfile(
            costs, new StepTimeNoise(0.05, 0.04, 0.03),
            new FittedProfile.Seen(90_000, 120, 0.02, 0.01, 500, 60, 0.9, 1.4, spread), "a run");
    Answer answer =
        new FitAnswer.Fitted("2 runs", found, taken, checks, PROFILE).answer(NOWHERE);
    String screen = ScreenWriter.text(answer, Terminal.PLAIN);
    FrozenWords.check("fit/" + name, screen);
    if (checks.predictions().isEmpty()) {
      NextLines.check(screen);
    }
    FrozenWords.check(
        "fit/" + name + "-verbose",
        FrozenWords.account(ScreenWriter.withAccount(answer, new Terminal(false, 120))));
  }

  private static FitAnswer.Checks none() {
    return new FitAnswer.Checks(Map.of(), Map.of());
  }

  /** Costs of steps, and others. */
  private static List<FittedCost> costs(Standing ofSteps, Standing others) {
    List<FittedCost> all = new ArrayList<>();
    for (StepCostTerm cost : StepCostTerm.values()) {
      Standing standing = cost.ordinal() < 3 ? ofSteps : others;
      boolean isOpen = standing == Standing.NOT_IDENTIFIABLE;
      String needs = cost.ordinal() == 1 ? "run longer, " + cost.remedy() : cost.remedy();
      all.add(
          new FittedCost(
              cost, 120.5, 115, cost.ordinal() == 7 && isOpen ? 115 : 131, standing,
              isOpen ? needs : ""));
    }
    return all;
  }

  private static List<Prediction> of(
      String quantity, double measured, double predicted, boolean isBounded) {
    List<Prediction> all = new ArrayList<>();
    for (String level : List.of(" P50", " P95")) {
      all.add(
          new Prediction(
              quantity + level, measured, predicted,
              isBounded ? Figure.of(measured) : Figure.missing("no step could be read"),
              isBounded ? Figure.of(predicted * 0.9) : Figure.missing("one run tells no spread"),
              isBounded ? Figure.of(predicted * 1.1) : Figure.missing("one run tells no spread")));
    }
    return all;
  }
}
