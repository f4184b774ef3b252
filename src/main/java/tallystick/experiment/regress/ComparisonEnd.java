package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.Outcome;
import tallystick.answer.TestCase;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.PercentText;
import tallystick.experiment.RateFormat;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.scenario.Counted;

/**
 * How a comparison ends. Each end says in one place what is its own: verdict, trust, next steps,
 * claims and outcome. What all ends share stands around them in the answer.
 */
sealed interface ComparisonEnd {
  /**
   * What an end says.
   *
   * @param mark before the verdict
   * @param verdict in one sentence
   * @param below what stands below it
   * @param trust whether to believe it
   * @param next what to do
   * @param cases claims for a pipeline, beside those of the metrics
   * @param outcome what it comes to
   */
  record Said(
      Mark mark, String verdict, List<String> below, String trust, List<String> next,
      List<TestCase> cases, Outcome outcome) {}

  String VERDICT = "VERDICT";

  TestCase COMPARABLE =
      new TestCase("comparison", "the runs can be compared", TestCase.Result.PASSED, "");

  /** What it says after this command. */
  Said said(Invocation asked);

  /** The end of a comparison. */
  static ComparisonEnd of(RegressReport report) {
    ComparisonEnd end = ofRuns(report);
    return report.purpose() == Purpose.CALIBRATE ? new Calibrated(end) : end;
  }

  private static ComparisonEnd ofRuns(RegressReport report) {
    Regression regression = report.regression();
    return switch (regression.verdict()) {
      case PASSED -> new Passed(report);
      case REGRESSED ->
          regression.isDrowned() ? new Overloaded(report) : new Regressed(report);
      case NOT_PROVEN -> {
        if (regression.isBaseAlone()) {
          yield new BaselineMeasured(report);
        }
        yield regression.metrics().isEmpty() ? new TooFewRuns(report) : new Inconclusive(report);
      }
      case INVALID -> new NotComparable(report);
    };
  }

  /** No metric is worse by its margin. */
  record Passed(RegressReport report) implements ComparisonEnd {
    @Override
    public Said said(Invocation asked) {
      List<Judged> open = with(report, Verdict.NOT_PROVEN);
      String verdict =
          "passed: no metric is worse by its margin (" + margins() + ")"
              + (open.isEmpty()
                  ? ""
                  : "; not judged: " + MetricText.names(open) + " (equal runs differ too much)");
      return new Said(
          new Mark(Tone.GOOD, VERDICT), verdict, List.of(), trust(report), List.of(),
          List.of(COMPARABLE), Outcome.GOOD);
    }

    /** The margin of most metrics, then those that have another. */
    private String margins() {
      Map<Double, List<String>> all = new TreeMap<>();
      report.regression().metrics().forEach(
          one ->
              all.computeIfAbsent(one.margin(), none -> new ArrayList<>())
                  .add(one.metric().words()));
      double most =
          Collections.max(
              all.keySet(), Comparator.comparingInt(margin -> all.get(margin).size()));
      String others =
          all.keySet().stream()
              .filter(margin -> margin != most)
              .map(
                  margin ->
                      ", " + String.join(" and ", all.get(margin)) + " "
                          + PercentText.plain(margin))
              .collect(Collectors.joining());
      return PercentText.plain(most) + others;
    }
  }

  /** A metric is surely worse by its margin. */
  record Regressed(RegressReport report) implements ComparisonEnd {
    @Override
    public Said said(Invocation asked) {
      List<String> below = new ArrayList<>();
      if (report.regression().metrics().stream().anyMatch(Judged::isLost)) {
        report.candidateRuns().stream()
            .flatMap(run -> run.spoiledBy().stream())
            .findFirst()
            .ifPresent(why -> below.add("a run of the candidate: " + why.text()));
      }
      below.addAll(passed(report));
      List<String> next =
          asked.folder().isEmpty()
              ? List.of()
              : List.of("./tally open " + asked.in("") + "  # its page: run by run");
      return new Said(
          new Mark(Tone.BAD, VERDICT),
          "regressed: " + MetricText.list(with(report, Verdict.REGRESSED)), below,
          trust(report), next, List.of(COMPARABLE), Outcome.FAILS);
    }
  }

  /** The candidate does not carry a load that the base carries. */
  record Overloaded(RegressReport report) implements ComparisonEnd {
    @Override
    public Said said(Invocation asked) {
      Regression.Design design = report.regression().design();
      OverloadEvidence pileUp = report.regression().pileUp();
      String notCarried =
          "the candidate does not carry this load: requests pile up in " + pileUp.candidate()
              + " of " + design.candidate() + " of its runs and in " + pileUp.base() + " of "
              + design.base() + " of the base's (p " + Numbers.percent(pileUp.chance()) + ")";
      TestCase load =
          new TestCase(
              "load", "the candidate carries this load", TestCase.Result.FAILURE, notCarried);
      return new Said(
          new Mark(Tone.BAD, VERDICT), "regressed: " + notCarried,
          List.of(
              "no metric was compared: where requests pile up they tell how long the runs were"),
          trust(report), List.of(lessLoad(report)), List.of(COMPARABLE, load), Outcome.FAILS);
    }
  }

  /** These runs show neither that a metric is worse nor that it is not. */
  record Inconclusive(RegressReport report) implements ComparisonEnd {
    private static final Pattern TOO_FEW = Pattern.compile("n=\\d+, need (\\d+)");

    @Override
    public Said said(Invocation asked) {
      List<Judged> open = with(report, Verdict.NOT_PROVEN).stream().filter(Judged::gates).toList();
      String what =
          open.isEmpty()
              ? "no time can be judged here, equal runs differ too much"
              : MetricText.list(open);
      return new Said(
          new Mark(Tone.CAUTION, VERDICT), "not proven: " + what, passed(report), trust(report),
          moreRepeats(open).stream().toList(), List.of(COMPARABLE), Outcome.TOO_CLOSE);
    }

    /** One metric that is surely worse decides the whole; to pass, every one must be known. */
    private Optional<String> moreRepeats(List<Judged> open) {
      if (open.isEmpty()) {
        return Optional.of(
            "More repeats decide (--repeats), or wider margins where those are enough (--margin"
                + " tpot_mean=10%).");
      }
      if (open.stream().anyMatch(Judged::carriesMore)) {
        return Optional.of("Compare under a load of which the base fails nothing: a lower rate.");
      }
      Optional<Judged> worse =
          open.stream()
              .filter(one -> one.effect().low() > one.margin() && one.needed() > 0)
              .min(Comparator.comparingInt(Judged::needed));
      if (worse.isPresent()) {
        return Optional.of(
            "It looks worse in " + worse.get().metric().words() + " (chance "
                + PercentText.plain(worse.get().chance()) + ", asked "
                + PercentText.plain(RegressionJudge.LEVEL) + "): "
                + repeated(report, worse.get().needed()) + ".");
      }
      Optional<String> longer =
          open.stream()
              .map(one -> TOO_FEW.matcher(one.remark()))
              .filter(Matcher::lookingAt)
              .map(few -> "Each run needs " + few.group(1) + " requests: a longer duration.")
              .findFirst();
      int all = open.stream().mapToInt(Judged::needed).max().orElse(0);
      if (longer.isPresent() || all == 0) {
        return longer;
      }
      return Optional.of(
          all >= RegressionJudge.MOST_WORTH
              ? "More repeats will hardly tell: the change lies at the margin, or noise hides it."
              : "About " + all + " repeats decide: " + repeated(report, all) + ".");
    }
  }

  /** There are fewer repeats than any verdict takes. */
  record TooFewRuns(RegressReport report) implements ComparisonEnd {
    @Override
    public Said said(Invocation asked) {
      Regression.Design design = report.regression().design();
      int usual = RegressionJudge.USUAL_REPEATS;
      String runs = Counted.of(design.base(), "run", "runs");
      String verdict =
          design.base() == design.candidate()
              ? "none: " + runs + " of each cannot be told from chance; "
                  + (usual - design.base()) + " more of each make " + usual
              : "none: " + runs + " against " + design.candidate()
                  + " cannot be told from chance; " + usual + " of each can";
      return new Said(
          new Mark(Tone.CAUTION, VERDICT), verdict, List.of(), trust(report), List.of(),
          List.of(COMPARABLE, repeats(verdict)), Outcome.TOO_CLOSE);
    }
  }

  /** The base alone was measured, to compare with later. */
  record BaselineMeasured(RegressReport report) implements ComparisonEnd {
    @Override
    public Said said(Invocation asked) {
      String verdict = "none: the base alone was measured";
      return new Said(
          new Mark(Tone.CAUTION, VERDICT), verdict, List.of(), "yes: nothing spoiled a run",
          List.of("./tally regress SCENARIO --candidate URL --baseline FILE  # judges by it"),
          List.of(COMPARABLE, repeats(verdict)), Outcome.GOOD);
    }
  }

  /** The runs are no likes, or something spoiled them. */
  record NotComparable(RegressReport report) implements ComparisonEnd {
    /** What ends a refusal, by what the runs do not share. */
    private enum Remedy {
      CLIENT(
          Set.of(RunFigures.SATURATED),
          "Give the client cores of its own, with taskset, or a lower rate."),
      RUNS(
          Set.of("incomplete", "unreconciled", "invalid", RunFigures.NOTHING_DONE),
          "./tally report RUN  # of such a run, says what spoiled it; then play it again"),
      ONE_RUN(Set.of("same run"), "Name each run once: a run twice is no repeat."),
      LOAD(
          Set.of("mix", "offered rate", "arrivals", "phases", "requests", "loop", "endpoint"),
          "./tally regress SCENARIO --base URL --candidate URL  # both sides with one scenario"),
      ANSWERS(
          Set.of("answers"),
          "Ask for answers of one length, where the server can: --set request.ignore_eos=true."),
      PLACE(
          Set.of("machine", "engine kind"),
          "Play both sides from one machine and on one kind of engine."),
      SETTINGS(
          Set.of(SettingsOfSides.KEY),
          "Ask for values that the engine takes: runs/…/engine.log may say why it took others.");

      private final Set<String> keys;
      private final String words;

      Remedy(Set<String> keys, String words) {
        this.keys = keys;
        this.words = words;
      }
    }

    @Override
    public Said said(Invocation asked) {
      List<Regression.Unlike> unlike = report.regression().unlike();
      String verdict =
          "these runs cannot be compared: "
              + unlike.stream().map(Regression.Unlike::key).collect(Collectors.joining(", "))
              + (isNothingButLoad() ? "; under this load " + piled() : "");
      TestCase refused =
          new TestCase(
              COMPARABLE.group(), COMPARABLE.name(), TestCase.Result.ERROR, verdict);
      return new Said(
          new Mark(Tone.BAD, "INVALID"), verdict,
          unlike.stream().map(one -> one.key() + ": " + one.text()).toList(),
          "no: nothing below was judged", next(), List.of(refused), Outcome.NOT_TRUSTED);
    }

    private static boolean isOverload(Regression.Unlike one) {
      return one.key().equals(RunFigures.OVERLOADED);
    }

    private boolean isNothingButLoad() {
      List<Regression.Unlike> unlike = report.regression().unlike();
      return unlike.size() == 1 && isOverload(unlike.getFirst());
    }

    /** What is certain all the same, and what it lacks for a verdict. */
    private String piled() {
      Regression.Design design = report.regression().design();
      OverloadEvidence pileUp = report.regression().pileUp();
      String ofBase = runs(pileUp.base(), design.base()) + " of the base";
      if (design.candidate() == 0) {
        return "requests pile up in " + ofBase;
      }
      String all =
          "requests pile up in " + runs(pileUp.candidate(), design.candidate())
              + " of the candidate and in " + ofBase;
      if (pileUp.candidate() == 0) {
        return all
            + ", so the base alone does not carry it: that proves nothing of the candidate's waits";
      }
      return needed() == 0
          ? all
          : all + " (p " + Numbers.percent(pileUp.chance()) + "; from "
              + Numbers.percent(RegressionJudge.LEVEL)
              + " down it would prove that the candidate does not carry it)";
    }

    private static String runs(int piled, int of) {
      return piled + " of " + Counted.of(of, "run", "runs");
    }

    /** Repeats that would prove that the candidate does not carry this load; 0 if none would. */
    private int needed() {
      Regression.Design design = report.regression().design();
      return design.candidate() == 0
          ? 0
          : report.regression().pileUp().needed(design.base(), design.candidate());
    }

    private List<String> next() {
      if (report.regression().isBaseAlone()) {
        return List.of(
            "No baseline was kept: what spoiled it stands above. Run the command again.");
      }
      List<Regression.Unlike> unlike = report.regression().unlike();
      List<String> all = new ArrayList<>();
      if (unlike.stream().anyMatch(NotComparable::isOverload)) {
        all.add(lessLoad(report));
      }
      if (isNothingButLoad() && needed() > 0) {
        all.add(
            "Or ask whether the candidate carries this load: about " + needed()
                + " repeats decide, if it goes on so: " + repeated(report, needed()) + ".");
      }
      for (Remedy remedy : Remedy.values()) {
        if (unlike.stream().anyMatch(one -> remedy.keys.contains(one.key()))) {
          all.add(remedy.words);
        }
      }
      return all;
    }
  }

  /** Equal runs, played to know their noise: whatever else they show spoils it. */
  record Calibrated(ComparisonEnd end) implements ComparisonEnd {
    @Override
    public Said said(Invocation asked) {
      Said as = end.said(asked);
      Outcome outcome =
          switch (as.outcome()) {
            case GOOD, TOO_CLOSE -> Outcome.GOOD;
            case FAILS, MISTAKE, NOT_TRUSTED, WORLD_FAILED -> Outcome.NOT_TRUSTED;
          };
      return new Said(
          as.mark(), as.verdict(), as.below(), as.trust(), as.next(), as.cases(), outcome);
    }
  }

  /** Why to believe what two sides show. */
  private static String trust(RegressReport report) {
    Regression.Design design = report.regression().design();
    List<String> all = new ArrayList<>(List.of("yes: same mix, rate and machine"));
    all.add(design.paired() ? "same schedules in each pair" : "schedules not paired");
    if (PercentText.isTold(design.order())) {
      all.add("second place in a pair " + PercentText.signed(design.order()) + ", taken out");
    }
    if (PercentText.isTold(design.drift())) {
      all.add("base drifted " + PercentText.signed(design.drift()));
    }
    if (design.leftOut() > 0) {
      all.add(Counted.of(design.leftOut(), "pair", "pairs") + " left out: the client was late");
    }
    if (!report.regression().isDrowned()) {
      all.add(ofNoise(report));
    }
    return String.join("; ", all);
  }

  private static String ofNoise(RegressReport report) {
    String known =
        report.regression().metrics().stream()
            .filter(one -> one.noise() >= 0)
            .limit(2)
            .map(one -> one.metric().words() + " " + PercentText.plain(one.noise()))
            .collect(Collectors.joining(", "));
    return known.isEmpty()
        ? "A/A noise not calibrated"
        : "A/A noise " + known + " (" + report.noise() + ")";
  }

  private static TestCase repeats(String why) {
    return new TestCase("comparison", "there are enough repeats", TestCase.Result.SKIPPED, why);
  }

  private static List<Judged> with(RegressReport report, Verdict verdict) {
    return report.regression().metrics().stream()
        .filter(one -> one.verdict() == verdict)
        .toList();
  }

  private static List<String> passed(RegressReport report) {
    List<Judged> passed = with(report, Verdict.PASSED);
    return passed.isEmpty() ? List.of() : List.of("passed: " + MetricText.names(passed));
  }

  /** Recorded runs are judged by a command that plays none. */
  private static String repeated(RegressReport report, int repeats) {
    return report.command().equals("compare")
        ? "play " + repeats + " runs of each side, and compare those"
        : "begin anew with --repeats " + repeats;
  }

  /** How this scenario is played with less load. */
  private static String lessLoad(RegressReport report) {
    RunFigures.Load load = report.baseRuns().getFirst().load();
    if (load.closedLoop()) {
      return "Compare with fewer users: a lower workload.concurrency.";
    }
    if (load.ratePerSecond() > 0) {
      return "Compare at a rate that both carry: first try --set workload.rate="
          + RateFormat.text(load.ratePerSecond() / 2)
          + " (half of it). tally capacity tells what each carries.";
    }
    double offered =
        report.baseRuns().stream()
            .mapToDouble(run -> run.load().offeredPerSecond())
            .average()
            .orElse(0);
    return "Compare under less load: lower the scenario's rates, or of a trace the --speed"
        + (offered > 0
            ? "; tally capacity --from "
                + RateFormat.text(offered / 2)
                + " tells what each carries."
            : ".");
  }
}
