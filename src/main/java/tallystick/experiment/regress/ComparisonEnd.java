package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tallystick.analysis.result.Strength;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.TestCase;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.PercentText;
import tallystick.experiment.RateFormat;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.scenario.Counted;
import tallystick.scenario.LengthOfTime;

/**
 * How a comparison ends. Each end says in one place what is its own: verdict, trust, next steps,
 * claims and outcome. What all ends share stands around them in the answer.
 *
 * @param asked the command that it ends
 */
record ComparisonEnd(RegressReport report, Invocation asked) {
  private static final TestCase COMPARABLE =
      new TestCase("comparison", "the runs can be compared", TestCase.Result.PASSED, "");
  private static final Pattern TOO_FEW = Pattern.compile("n=\\d+, need (\\d+)");

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
      List<TestCase> cases, AnswerStatus outcome) {}

  /** What this end says; equal runs were played to know their noise, and all else spoils it. */
  Said said() {
    Said said = ofRuns();
    if (report.purpose() != Purpose.CALIBRATE) {
      return said;
    }
    AnswerStatus outcome =
        switch (said.outcome()) {
          case GOOD, TOO_CLOSE -> AnswerStatus.GOOD;
          case FAILS, MISTAKE, NOT_TRUSTED, WORLD_FAILED -> AnswerStatus.NOT_TRUSTED;
        };
    return new Said(
        said.mark(), said.verdict(), said.below(), said.trust(), said.next(), said.cases(),
        outcome);
  }

  private Said ofRuns() {
    if (!report.died().isEmpty()) {
      return died();
    }
    Regression regression = report.regression();
    return switch (regression.verdict()) {
      case PASSED -> noWorse();
      case REGRESSED -> regression.strength() == Strength.SURE ? regressed() : likelyWorse();
      case TOO_CLOSE ->
          regression.isBaseAlone()
              ? baselineMeasured()
              : regression.metrics().isEmpty() ? tooFewRuns() : tooClose();
      case INVALID -> notComparable();
    };
  }

  /** No metric is worse by more than is allowed. */
  private Said noWorse() {
    List<Judged> open = with(Verdict.TOO_CLOSE);
    String verdict =
        "no judged metric is worse by more than allowed (" + margins() + ") "
            + sure(report.regression().strength());
    List<String> below = new ArrayList<>();
    if (!open.isEmpty()) {
      below.add("not judged: " + MetricText.names(open) + " (" + open.getFirst().remark() + ")");
    }
    List<Judged> likely =
        with(Verdict.PASSED).stream()
            .filter(one -> one.strength() == Strength.LIKELY)
            .toList();
    likely.stream()
        .max(Comparator.comparingDouble(one -> one.effect().high() - one.margin()))
        .ifPresent(
            one ->
                below.add(
                    one.metric().words() + " could still be "
                        + new MetricText(one).size(one.effect().high()) + " (95 %); "
                        + price(needed(likely))));
    return new Said(
        new Mark(Tone.GOOD, "NO WORSE"), verdict, below, trust(),
        next(needed(likely)), List.of(COMPARABLE), AnswerStatus.GOOD);
  }

  /** The margin of most metrics, then those that have another. */
  private String margins() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    with(Verdict.PASSED).forEach(
        one ->
            all.computeIfAbsent(new MetricText(one).allowed(), none -> new ArrayList<>())
                .add(one.metric().words()));
    List<Map.Entry<String, List<String>>> groups = new ArrayList<>(all.entrySet());
    groups.sort(Comparator.comparing(group -> -group.getValue().size()));
    boolean hasUsual =
        groups.size() == 1 || groups.get(0).getValue().size() > groups.get(1).getValue().size();
    return groups.stream()
        .map(
            group ->
                hasUsual && group.equals(groups.getFirst())
                    ? group.getKey()
                    : String.join(" and ", group.getValue()) + " " + group.getKey())
        .collect(Collectors.joining(", "));
  }

  /** A metric is surely worse by more than is allowed. */
  private Said regressed() {
    List<Judged> sure =
        with(Verdict.REGRESSED).stream()
            .filter(one -> one.strength() == Strength.SURE)
            // Where a queue grows, shares of requests are what can be compared.
            .sorted(Comparator.comparing(Judged::isWithoutSize))
            .toList();
    List<String> below = new ArrayList<>();
    report.candidateRuns().stream()
        .flatMap(run -> run.spoiledBy().stream())
        .findFirst()
        .ifPresent(why -> below.add("a run of the candidate: " + why.text()));
    if (report.regression().isDrowned()) {
      below.add(
          "the candidate doesn't keep up with this load: requests pile up in "
              + report.regression().pileUp().candidate() + " of "
              + report.regression().design().candidate() + " of its runs; " + Judged.GROWS);
    }
    below.addAll(passed());
    List<String> next = new ArrayList<>();
    if (report.regression().isDrowned() || OverloadEvidence.isOf(report.baseRuns())) {
      next.add(lessLoad());
    }
    if (!asked.folder().isEmpty()) {
      next.add("./tally open " + asked.in("") + "  # its page: run by run");
    }
    return new Said(
        new Mark(Tone.BAD, "REGRESSED"),
        MetricText.list(sure, report) + " " + sure(Strength.SURE), below, trust(), next,
        List.of(COMPARABLE), AnswerStatus.FAILS);
  }

  /** It seems to be worse, and equal engines seldom look so. */
  private Said likelyWorse() {
    List<Judged> likely = with(Verdict.REGRESSED);
    int needed = likely.stream().mapToInt(Judged::needed).min().orElse(0);
    List<String> below = new ArrayList<>(List.of(price(needed)));
    below.addAll(passed());
    return new Said(
        new Mark(Tone.CAUTION, "LIKELY WORSE"), MetricText.list(likely, report), below,
        trust(), next(needed), List.of(COMPARABLE), AnswerStatus.TOO_CLOSE);
  }

  /** The candidate ended in the middle: that is a result, too. */
  private Said died() {
    TestCase alive =
        new TestCase(
            "comparison", "the candidate stays alive", TestCase.Result.FAILURE, report.died());
    int pairs = report.regression().design().base();
    return new Said(
        new Mark(Tone.BAD, "REGRESSED"), "the candidate " + report.died(),
        List.of(Counted.of(pairs, "pair was", "pairs were") + " finished before"),
        pairs == 0 ? "no run of both sides was finished" : trust(),
        asked.folder().isEmpty()
            ? List.of()
            : List.of(asked.resume() + "  # plays that pair again"),
        List.of(alive), AnswerStatus.FAILS);
  }

  /** These runs show neither that a metric is worse nor that it is not. */
  private Said tooClose() {
    List<Judged> open =
        with(Verdict.TOO_CLOSE).stream().filter(Judged::gates).toList();
    String what =
        open.isEmpty()
            ? "no latency can be judged: equal runs differ too much here"
            : MetricText.list(open, report);
    Optional<String> remedy = remedy(open);
    List<String> below = new ArrayList<>();
    int needed = remedy.isPresent() ? 0 : needed(open);
    if (needed > 0) {
      below.add(price(needed));
    }
    below.addAll(passed());
    List<String> next = new ArrayList<>(remedy.stream().toList());
    next.addAll(next(needed));
    return new Said(
        new Mark(Tone.CAUTION, "TOO CLOSE"), what, below, trust(), next,
        List.of(COMPARABLE), AnswerStatus.TOO_CLOSE);
  }

  /** What decides where more pairs do not. */
  private Optional<String> remedy(List<Judged> open) {
    if (open.isEmpty()) {
      return Optional.of(
          "Run more pairs (--repeats), or allow wider margins if you can accept them (--margin"
              + " tpot_mean=10%).");
    }
    if (open.stream().anyMatch(Judged::carriesMore)) {
      return Optional.of("Compare at a lower rate, at which the base fails no request.");
    }
    return open.stream()
        .map(one -> TOO_FEW.matcher(one.remark()))
        .filter(Matcher::lookingAt)
        .map(few -> "Each run needs " + few.group(1) + " requests: use a longer duration.")
        .findFirst();
  }

  /** There are fewer repeats than any verdict takes. */
  private Said tooFewRuns() {
    Regression.Design design = report.regression().design();
    int usual = RegressionJudge.USUAL_REPEATS;
    String runs = Counted.of(design.base(), "run", "runs");
    String verdict =
        design.base() == design.candidate()
            ? runs + " of each side can't rule out chance; run " + (usual - design.base())
                + " more of each"
            : runs + " against " + design.candidate()
                + " can't rule out chance; " + usual + " of each can decide";
    return new Said(
        new Mark(Tone.CAUTION, "TOO CLOSE"), verdict, List.of(), trust(), List.of(),
        List.of(COMPARABLE, repeats(verdict)), AnswerStatus.TOO_CLOSE);
  }

  /** The base alone was measured, to compare with later. */
  private Said baselineMeasured() {
    String verdict = "none: only the base was measured";
    return new Said(
        new Mark(Tone.CAUTION, "VERDICT"), verdict, List.of(), "yes: every run can be used",
        List.of("./tally regress SCENARIO --candidate URL --baseline FILE  # judges by it"),
        List.of(COMPARABLE, repeats(verdict)), AnswerStatus.GOOD);
  }

  /** What ends a refusal, by what the runs do not share. */
  private record Remedy(Set<String> keys, String words) {}

  private static final Remedy OTHER_LOAD =
      new Remedy(
          Set.of("mix", "offered rate", "arrivals", "phases", "requests", "loop", "endpoint"),
          "./tally regress SCENARIO --base URL --candidate URL  # both sides with one scenario");

  private static final String AS_THE_FILE =
      "Use the load that the baseline was saved with, or save a new one with --save-baseline.";

  private static final List<Remedy> REMEDIES =
      List.of(
          new Remedy(
              Set.of(ComparedRun.SATURATED),
              "Give the client cores of its own, with taskset, or a lower rate."),
          new Remedy(
              Set.of("incomplete", "unreconciled", "invalid", ComparedRun.NOTHING_DONE),
              "./tally report RUN  # says what is wrong with such a run"),
          new Remedy(
              Set.of("same run"), "Name each run once: the same run twice is not a repeat."),
          OTHER_LOAD,
          new Remedy(
              Set.of("answers"),
              "Ask for answers of one length, where the server can: --set"
                  + " request.ignore_eos=true."),
          new Remedy(
              Set.of("machine", "engine kind"),
              "Run both sides from one machine and on one kind of engine."),
          new Remedy(
              Set.of(SettingsOfSides.KEY),
              "Ask for values that the engine accepts: runs/…/engine.log may say why it used"
                  + " others."));

  /** The runs are no likes, or something spoiled them. */
  private Said notComparable() {
    List<Regression.Unlike> unlike = report.regression().unlike();
    String verdict =
        "these runs cannot be compared: "
            + unlike.stream().map(Regression.Unlike::words).collect(Collectors.joining(", "));
    TestCase refused =
        new TestCase(
            COMPARABLE.group(), COMPARABLE.name(), TestCase.Result.ERROR, verdict);
    return new Said(
        new Mark(Tone.BAD, "INVALID"), verdict,
        unlike.stream().map(one -> one.words() + ": " + one.text()).toList(),
        "no: nothing below was judged", remedies(), List.of(refused), AnswerStatus.NOT_TRUSTED);
  }

  private List<String> remedies() {
    if (report.regression().isBaseAlone()) {
      return List.of(
          "No baseline was saved, for the reason above. Run the command again.");
    }
    boolean isFile = report.cautions().contains(RegressReport.BASE_OF_A_FILE);
    return REMEDIES.stream()
        .filter(
            remedy ->
                report.regression().unlike().stream()
                    .anyMatch(one -> remedy.keys.contains(one.key())))
        .map(remedy -> isFile && remedy.equals(OTHER_LOAD) ? AS_THE_FILE : remedy.words)
        .toList();
  }

  /** Why to believe what two sides show. */
  private String trust() {
    Regression.Design design = report.regression().design();
    List<String> all = new ArrayList<>(List.of("yes: same mix, rate and machine"));
    all.add(design.paired() ? "same schedules in each pair" : "schedules not paired");
    if (PercentText.isTold(design.drift())) {
      all.add("base drifted " + PercentText.signed(design.drift()));
    }
    if (design.leftOut() > 0) {
      all.add(Counted.of(design.leftOut(), "pair", "pairs") + " left out: the client was late");
    }
    int repeats = Math.min(design.base(), design.candidate());
    if (repeats >= RegressionJudge.FEWEST) {
      String level = "false-alarm rate at most " + Numbers.percent(Looks.inAll(repeats));
      all.add(
          report.command().equals("compare")
              ? level
              : "judged after each pair; " + level);
      all.add(ofNoise());
    }
    return String.join("; ", all);
  }

  private String ofNoise() {
    String known =
        report.regression().metrics().stream()
            .filter(one -> one.noise() >= 0)
            .limit(2)
            .map(one -> one.metric().words() + " " + PercentText.plain(one.noise()))
            .collect(Collectors.joining(", "));
    if (report.purpose() == Purpose.CALIBRATE) {
      return "equal runs: what differs is noise";
    }
    return known.isEmpty()
        ? "A/A noise not measured (--calibrate)"
        : "A/A noise " + known + " (" + report.noise() + ")";
  }

  private static TestCase repeats(String why) {
    return new TestCase("comparison", "there are enough repeats", TestCase.Result.SKIPPED, why);
  }

  private List<Judged> with(Verdict verdict) {
    return report.regression().metrics().stream()
        .filter(one -> one.verdict() == verdict)
        .toList();
  }

  private List<String> passed() {
    List<Judged> passed = with(Verdict.PASSED);
    return passed.isEmpty()
        ? List.of()
        : List.of(
            "no worse: " + MetricText.names(passed) + " "
                + sure(Collections.max(passed.stream().map(Judged::strength).toList())));
  }

  private static String sure(Strength strength) {
    return "(" + strength.words() + ")";
  }

  private static int needed(List<Judged> metrics) {
    return metrics.stream().mapToInt(Judged::needed).max().orElse(0);
  }

  /** What it takes to be surer. */
  private String price(int repeats) {
    if (repeats >= RegressionJudge.MOST_WORTH) {
      return "more pairs will hardly decide: the change is at the margin, or noise hides it";
    }
    int more = repeats - report.regression().design().base();
    String time =
        report.pairSeconds() > 0
            ? " (" + LengthOfTime.words(more * report.pairSeconds()) + ")"
            : "";
    String pairs = report.command().equals("compare") ? "runs of each side" : "pairs";
    return "about " + more + " more " + pairs + time + " would make it sure";
  }

  /** How to know more. */
  private List<String> next(int repeats) {
    List<String> all = new ArrayList<>(more(repeats));
    if (OverloadEvidence.isOf(report.baseRuns())) {
      all.add(lessLoad());
    }
    return all;
  }

  /** More pairs; recorded runs are judged by a command that plays none. */
  private List<String> more(int repeats) {
    if (repeats == 0 || repeats >= RegressionJudge.MOST_WORTH) {
      return List.of();
    }
    if (report.command().equals("compare")) {
      return List.of("Record " + repeats + " runs of each side, and compare those.");
    }
    return List.of(
        asked.folder().isEmpty()
            ? "The same command with --repeats " + repeats + "."
            : asked.again("--budget", "--resume", "--out", "--repeats") + " --resume "
                + asked.in("") + " --repeats " + repeats);
  }

  /** How this scenario is played with less load. */
  private String lessLoad() {
    ComparedRun.Load load = report.baseRuns().getFirst().load();
    if (load.closedLoop()) {
      return "Compare with fewer users: a lower workload.concurrency.";
    }
    if (load.ratePerSecond() > 0) {
      return "Compare at a rate that both sides keep up with: first try half of this one, --set"
          + " workload.rate=" + RateFormat.text(load.ratePerSecond() / 2)
          + ". tally capacity finds the limit of each.";
    }
    double offered =
        report.baseRuns().stream()
            .mapToDouble(run -> run.load().offeredPerSecond())
            .average()
            .orElse(0);
    return "Compare under less load: lower the scenario's rates, or --speed for a trace"
        + (offered > 0
            ? "; tally capacity --from "
                + RateFormat.text(offered / 2)
                + " finds what each carries."
            : ".");
  }
}
