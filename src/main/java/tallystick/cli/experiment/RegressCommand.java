package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.answer.Answer;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.GivenFile;
import tallystick.cli.option.GivenUrl;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.experiment.EngineProvider;
import tallystick.experiment.TestBed;
import tallystick.experiment.regress.Baseline;
import tallystick.experiment.regress.ComparisonAnswer;
import tallystick.experiment.regress.JsonInputFile;
import tallystick.experiment.regress.Purpose;
import tallystick.experiment.regress.RegressExperiment;
import tallystick.experiment.regress.RegressReport;
import tallystick.experiment.regress.Regression;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.reach.ServerUrl;
import tallystick.scenario.Counted;
import tallystick.scenario.Scenario;

/** Plays two engines in turn and says whether the second is worse. */
@Command(
    name = "regress",
    description = {
      "Run a base and a candidate in turn under the same schedules, and judge the candidate.",
      "Exit codes: 0 no worse, 1 regressed, 5 likely worse or too close. A run counts once.",
      "It checks after each pair, and ends as soon as the answer is sure either way.",
      "Without URLs two embedded, simulated engines are started; --rehearse runs in virtual time.",
      "--serve starts a real engine for each run, with the settings of its side.",
      "Ctrl-C keeps what is finished: --resume continues; with more --repeats it adds pairs."
    })
public final class RegressCommand extends ExperimentCommand {
  @Mixin private MarginOptions margins;

  @Mixin private JsonOption json;

  @Option(names = "--base", paramLabel = "URL", description = "the server to compare with")
  private String base;

  @Option(names = "--candidate", paramLabel = "URL", description = "the server that is judged")
  private String candidate;

  @Option(
      names = "--base-engine",
      paramLabel = "FLAGS",
      description =
          "settings of the base, if it is simulated or started by --serve:"
              + " \"max-num-seqs=64 block-size=32\"")
  private String baseEngine = "";

  @Option(
      names = "--candidate-engine",
      paramLabel = "FLAGS",
      description = "the same for the candidate")
  private String candidateEngine = "";

  @Option(
      names = "--repeats",
      paramLabel = "N",
      defaultValue = "5",
      description = "the most pairs of runs (default: ${DEFAULT-VALUE}, at least 3)")
  private int repeats;

  @Option(
      names = "--calibrate",
      description = "run the base against itself, for the --noise file")
  private boolean isCalibration;

  @Option(
      names = "--save-baseline",
      paramLabel = "FILE",
      description = "save the base's figures to this file, to compare with later")
  private Path savedBaseline;

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description = "take the base from a saved file")
  private Path baselineFile;

  /** The command; Ctrl-C ends its runs and keeps what is finished. */
  public RegressCommand(Interruption interruption) {
    super(interruption);
  }

  @Override
  public Integer call() throws Exception {
    Purpose purpose = purpose();
    requirePlace("--save-baseline", savedBaseline);
    requirePlace("--noise", isCalibration ? margins.noiseFile() : null);
    Optional<Baseline> baseline =
        baselineFile == null
            ? Optional.empty()
            : Optional.of(GivenFile.read(baselineFile, JsonInputFile::baseline));
    Scenario ofBase = benches.scenario(target("--base", base));
    Scenario ofCandidate = benches.scenario(target("--candidate", candidate));
    Map<String, String> baseFlags = flags("--base-engine", baseEngine);
    Map<String, String> candidateFlags =
        isCalibration ? baseFlags : flags("--candidate-engine", candidateEngine);
    if (baseline.isPresent()) {
      requireAsMany(baseline.get());
      try (EngineProvider engines = benches.engines(ofCandidate, interruption)) {
        RegressExperiment.Side only = side(engines, candidateFlags, 1);
        return play(purpose, baseline, ofCandidate, only, only);
      }
    }
    Scenario played = isCalibration ? ofBase : ofCandidate;
    requireCandidate(purpose, played);
    boolean areOne = ofBase.targets().equals(played.targets());
    try (EngineProvider one = benches.engines(ofBase, interruption);
        EngineProvider other = areOne ? one : benches.engines(played, interruption)) {
      RegressExperiment.Side first = side(one, baseFlags, 0);
      return purpose == Purpose.BASELINE
          ? play(purpose, baseline, ofBase, first, first)
          : play(purpose, baseline, ofBase, first, side(other, candidateFlags, 1));
    }
  }

  /** What is written after hours of load must have a place before. */
  private void requirePlace(String option, Path file) {
    if (file == null) {
      return;
    }
    Path parent = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw new Mistake(option + " " + file + " is a folder: name a file");
    }
    if (!Files.isDirectory(parent)) {
      throw new Mistake(option + " " + file + ": there is no folder " + parent + ": make it first");
    }
  }

  /** A file cannot be played again: as many runs as it holds, or fewer. */
  private void requireAsMany(Baseline baseline) {
    int held = baseline.runs().size();
    if (!spec().commandLine().getParseResult().hasMatchedOption("--repeats")) {
      repeats = Math.max(held, RegressionJudge.FEWEST);
    }
    if (repeats > held) {
      throw new Mistake(
          baselineFile + " holds " + Counted.of(held, "run", "runs") + ", so --repeats " + repeats
              + " has no base: make it anew with --save-baseline FILE --repeats " + repeats);
    }
  }

  private Purpose purpose() {
    boolean hasCandidate = candidate != null || !candidateEngine.isEmpty();
    if (isCalibration && (hasCandidate || baselineFile != null)) {
      throw new Mistake(
          "--calibrate runs the base against itself: name no candidate, no --baseline");
    }
    if (baselineFile != null && (base != null || !baseEngine.isEmpty() || savedBaseline != null)) {
      throw new Mistake("--baseline takes the place of the base: leave --base and --save-baseline"
          + " out");
    }
    if (isCalibration) {
      return Purpose.CALIBRATE;
    }
    return savedBaseline != null && !hasCandidate ? Purpose.BASELINE : Purpose.COMPARE;
  }

  private void requireCandidate(Purpose purpose, Scenario played) {
    if (benches.isRehearsal() && (base != null || candidate != null)) {
      throw new Mistake("--rehearse calls no server: leave --base and --candidate out");
    }
    if (benches.isServed() && (base != null || candidate != null)) {
      throw new Mistake(
          "the started engine has a URL of its own: leave --base and --candidate out");
    }
    boolean isLive =
        !benches.isRehearsal() && !benches.isServed() && !played.targets().isEmpty();
    if (purpose == Purpose.COMPARE && (isLive || base != null) && candidate == null) {
      throw new Mistake("two servers are compared: name the second one with --candidate URL");
    }
    boolean isNothingAsked = candidate == null && (baseEngine + candidateEngine).isBlank();
    if (purpose == Purpose.COMPARE && !benches.isRehearsal() && !benches.isServed()
        && isNothingAsked) {
      throw new Mistake(
          "base and candidate would be the same engine: name what differs, with --candidate URL or"
              + " --candidate-engine \"max-num-seqs=32\"; --calibrate compares equal runs");
    }
    if (!benches.isRehearsal() && candidate != null && base == null && played.targets().isEmpty()) {
      throw new Mistake("two servers are compared: name the first one with --base URL");
    }
  }

  private List<String> target(String option, String url) {
    return url == null
        ? List.of()
        : List.of("target=" + GivenUrl.checked(option, url, ServerUrl.Use.TARGET));
  }

  private Map<String, String> flags(String option, String text) {
    Map<String, String> flags = new TreeMap<>();
    for (String flag : text.strip().split("\\s+")) {
      int equals = flag.indexOf('=');
      if (equals < 1 && !flag.isEmpty()) {
        throw new Mistake(option + " is written as \"max-num-seqs=64\", was \"" + text + "\"");
      }
      if (!flag.isEmpty()) {
        flags.put(flag.substring(0, equals).replaceFirst("^--", ""), flag.substring(equals + 1));
      }
    }
    return flags;
  }

  private RegressExperiment.Side side(
      EngineProvider engines, Map<String, String> given, long salt) {
    TestBed bench = Mistake.orSay(() -> engines.with(given, salt));
    String flags = given.toString();
    String words =
        !given.isEmpty()
            ? flags.substring(1, flags.length() - 1)
            : benches.isRehearsal() ? "the scenario's engine" : bench.words();
    return new RegressExperiment.Side(bench, words);
  }

  private int play(
      Purpose purpose, Optional<Baseline> baseline, Scenario scenario,
      RegressExperiment.Side first, RegressExperiment.Side second)
      throws IOException, InterruptedException {
    RegressExperiment.Asked asked =
        new RegressExperiment.Asked(
            repeats, options.budget(), benches.seed(scenario), margins.margins(),
            isCalibration ? Optional.empty() : margins.noise(), baseline, purpose);
    RegressExperiment experiment =
        Mistake.orSay(() -> new RegressExperiment(scenario, asked, first, second));
    try {
      return play(
          experiment, scenario, json, (folder, report) -> conclude(experiment, folder, report));
    } catch (IllegalArgumentException e) {
      throw new Mistake(e.getMessage());
    }
  }

  private Answer conclude(RegressExperiment experiment, Path folder, RegressReport report)
      throws IOException {
    Answer answer = options.show(folder, new ComparisonAnswer(report));
    boolean isInvalid = report.regression().verdict() == Regression.Verdict.INVALID;
    if (savedBaseline != null && !isInvalid) {
      experiment.saveBaseline(report, savedBaseline);
      console().println("The base's figures are in " + savedBaseline);
    }
    if (isCalibration && !isInvalid) {
      experiment.saveNoise(
          report, margins.noiseFile(),
          Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS).toString());
      console().println("The noise of equal runs is in " + margins.noiseFile());
    }
    return answer;
  }
}
