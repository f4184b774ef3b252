package tallystick.report.screen;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Goodput;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.LoadSteps;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Thinking;
import tallystick.analysis.result.Usability;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Fact;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.TestCase;
import tallystick.answer.Tone;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.report.section.EngineSection;
import tallystick.report.section.LedgerSection;
import tallystick.report.section.LoadSection;
import tallystick.report.section.SessionSection;
import tallystick.runrecord.Manifest;
import tallystick.scenario.Counted;
import tallystick.scenario.Objective;
import tallystick.scenario.PlainText;

/**
 * A run's answer: the verdict, whether to believe it, where the time went, the figures behind it,
 * what happened and what to do next. An invalid run has no verdict.
 */
public final class RunAnswer {
  /** A client that is on time keeps within it: more is the wait for a place. */
  private static final double HELD_BACK_SECONDS = 0.1;
  private static final int MOST_PARTS = 3; // as a line holds
  private static final int MOST_EVIDENCE = 4; // lines of a short screen

  /** Left out last where a screen is too short. */
  private static final int LEAST_SPARED = 1;

  private final RunAnalysis analysis;
  private final Optional<Steps> steps;
  private final Advice advice;

  private RunAnswer(RunAnalysis analysis) {
    this.analysis = analysis;
    this.steps =
        isValid()
            ? analysis.steps()
                .map(
                    load ->
                        new Steps(
                            load, analysis.unitOfRates(), Usability.of(analysis).isRough()))
            : Optional.empty();
    this.advice = new Advice(analysis, isValid(), asked());
  }

  /**
   * The answer.
   *
   * @param folder where the run lies, for the commands that come next
   * @param details the whole account
   * @param cases its claims
   * @param foreignTraffic whether the ledger need not close
   */
  public static Answer of(
      RunAnalysis analysis, Path folder, List<Section> details, List<TestCase> cases,
      boolean foreignTraffic) {
    RunAnswer answer = new RunAnswer(analysis);
    Answer.Builder built = Answer.of(analysis.run().scenario());
    answer.what().forEach(built::subject);
    built.block(new Block.Items(false, answer.said()));
    AnswerStatus outcome = RunOutcome.of(analysis, foreignTraffic);
    if (!answer.isValid() && outcome != AnswerStatus.NOT_TRUSTED) {
      built.say(
          Tone.CAUTION, "ALLOWED",
          "others' traffic (--allow-foreign-traffic): the exit code is of the objectives alone");
    }
    answer.compared().ifPresent(built::block);
    built.block(new Block.Facts(answer.happened()));
    answer.warn(built);
    answer.next(built, folder);
    details.forEach(built::detail);
    cases.forEach(built::testCase);
    RunOutcome.strength(analysis).ifPresent(built::strength);
    RunAnalysis.RunFacts run = analysis.run();
    return built
        .suite(
            run.scenario() + " (" + Wording.engine(run.source()) + ")", run.startedUtc(),
            run.windowSeconds())
        .figures("analysis.json", analysis)
        .comesTo(outcome);
  }

  boolean isStepped() {
    return steps.isPresent();
  }

  static RunAnswer whole(RunAnalysis analysis) {
    return new RunAnswer(analysis);
  }

  /** Its answers alone, each under its word; what has no word goes on with the one above. */
  public static List<Block.Item> answers(RunAnalysis analysis) {
    return new RunAnswer(analysis).answers();
  }

  List<Block.Item> answers() {
    List<Block.Item> answers = said();
    // A page may be moved, and a run's name is no path that leads to its folder.
    advice.lines("FOLDER", steps.isPresent()).stream()
        .map(line -> line.contains(" FOLDER ") ? line + "; FOLDER: this run's folder" : line)
        .map(line -> Block.Item.of(Tone.PLAIN, "NEXT", line))
        .forEach(answers::add);
    return answers;
  }

  private boolean isValid() {
    return Usability.of(analysis).isForVerdicts();
  }

  private List<Block.Item> said() {
    List<Block.Item> answers = new ArrayList<>();
    if (isValid()) {
      answers.addAll(
          steps.map(found -> List.of(found.answer()))
              .orElseGet(() -> new RunVerdict(analysis).lines()));
      trust(answers);
      where(answers);
      SessionSection.sentence(analysis.sessions())
          .ifPresent(told -> answers.add(Block.Item.of(Tone.PLAIN, "SESSIONS", told)));
    } else {
      invalid(answers);
    }
    return answers;
  }

  /** What a run that cannot be trusted says of its objectives would be taken for a verdict. */
  private Optional<Block> compared() {
    return isValid()
        ? Optional.of(steps.map(Steps::table).orElseGet(() -> new ObjectiveTable(analysis).table()))
        : Optional.of(Usability.of(analysis).use())
            .filter(use -> use == Usability.Use.COUNTS)
            .map(use -> new ObjectiveTable(analysis).spoiled());
  }

  private List<Mark> what() {
    RunAnalysis.RunFacts run = analysis.run();
    Figure sent = LoadSection.sent(analysis);
    boolean isNowhere = run.targets().isEmpty() || run.source() == Manifest.Source.VIRTUAL;
    String at = isNowhere ? "" : " at " + String.join(", ", run.targets());
    List<PhaseAnalysis> rising =
        analysis.steps()
            .filter(LoadSteps::isRising)
            .map(LoadSteps::steps)
            .orElse(List.of());
    String load =
        run.closedLoop()
            ? "closed loop"
            : !rising.isEmpty()
                ? rising.size() + " steps, " + Numbers.number(rising.getFirst().offeredPerSecond())
                    + " to " + Numbers.number(rising.getLast().offeredPerSecond()) + "/s"
                : sent instanceof Figure.Known
                    ? "sent " + Numbers.number(sent) + "/s"
                    : Counted.of(analysis.counts().sent(), "request", "requests");
    return List.of(
        new Mark(Tone.PLAIN, Wording.engine(analysis) + at),
        new Mark(Tone.PLAIN, LatencyUnit.SECONDS.text(run.windowSeconds())),
        new Mark(Tone.PLAIN, load));
  }

  private void trust(List<Block.Item> answers) {
    List<String> cautions = Wording.cautions(analysis.run());
    boolean isWhole = Wording.stateSentence(analysis.run()).isEmpty();
    String counted = Wording.verdictSentence(analysis.reconciliation().verdict());
    Tone tone = LedgerSection.mark(analysis.reconciliation().verdict()).tone();
    String word =
        switch (analysis.reconciliation().verdict()) {
          case RECONCILED, RECONCILED_WITH_TOLERANCE -> isWhole ? "yes" : "in part";
          case RECONCILED_IN_PART -> "in part";
          case NOT_CHECKED -> "one side only";
          case NOT_RECONCILED -> "no";
        };
    boolean isExact = Usability.of(analysis).isForLatencies();
    String when =
        isExact
            ? late()
            : "The client was late at times: figures with ~ include its delay; no verdict"
                + " depends on it.";
    answers.add(Block.Item.of(
        isWhole && isExact ? tone : Tone.CAUTION, "TRUST", word + ": " + counted + " " + when));
    cautions.forEach(caution -> answers.add(Block.Item.of(Tone.CAUTION, "", caution)));
  }

  private String late() {
    if (analysis.run().closedLoop()) {
      Distribution turnaround = analysis.harness().turnaround();
      return turnaround.percentile(0.95) instanceof Figure.Known known
          ? "95 % of users asked again at most " + Numbers.latency(known) + " later than due."
          : "";
    }
    Distribution lateness = analysis.harness().lateness();
    boolean isLate = lateness.maximum().orZero() > 0;
    if (Advice.isCapped(analysis) && lateness.maximum().orZero() > HELD_BACK_SECONDS) {
      return "The limit on requests in flight held them back by up to "
          + Numbers.latency(lateness.maximum()) + "; that wait counts as theirs.";
    }
    return isLate && lateness.percentile(0.99) instanceof Figure.Known known
        ? "99 % of requests were sent " + onSchedule(known)
        : "Every request was sent " + onSchedule(lateness.maximum());
  }

  // In virtual time no request is late.
  private static String onSchedule(Figure latest) {
    return latest instanceof Figure.Known known && known.value() == 0
        ? "exactly on schedule."
        : "within " + Numbers.latency(latest) + " of schedule.";
  }

  private void where(List<Block.Item> answers) {
    String parts =
        steps.isPresent()
            ? changed()
            : asked().map(this::parts).orElse("no wait was measured");
    answers.add(Block.Item.of(Tone.PLAIN, "WHY", parts));
    Optional.of(analysis.interpretation())
        .filter(one -> steps.isPresent() || !advice.keepsItsObjectives())
        .flatMap(Wording::foremost)
        .map(text -> new Block.Item(Mark.NONE, text, LEAST_SPARED))
        .ifPresent(answers::add);
  }

  /** What grew from a step that was well to the worst one; means over all steps tell nothing. */
  private String changed() {
    Interpretation read = analysis.interpretation();
    Latency asked = isAfterFirst() ? Latency.E2E : Latency.TTFT;
    return read.changes().stream()
        .filter(change -> change.quantity() == asked)
        .filter(change -> change.whole().rise().value().orZero() > 0)
        .findFirst()
        .map(
            change ->
                Wording.name(asked) + " mean rose from " + client(change.whole().reference())
                    + " at " + rate(read.reference()) + " to " + client(change.whole().judged())
                    + " at " + rate(read.judged()) + " (answers that ended then)" + grown(change))
        .orElse(
            analysis.phases().stream().noneMatch(phase -> phase.judgement().isMissed())
                ? analysis.objectives().isEmpty()
                    ? "no objective is set, so nothing has to be explained"
                    : "no step is missed, so nothing has to be explained"
                : "cannot be told: "
                    + (read.available() ? "no step is known to be slower" : read.absence()));
  }

  private String rate(String period) {
    return analysis.phases().stream()
        .filter(phase -> period.equals("phase " + phase.phase()))
        .map(phase -> Numbers.number(phase.offeredPerSecond()) + "/s")
        .findFirst()
        .orElse(period);
  }

  private static String grown(Change change) {
    return change.parts().stream()
        .filter(part -> part.rise().value().orZero() > 0)
        .max(Comparator.comparingDouble(part -> part.rise().value().orZero()))
        .map(part -> ", of it " + part.name().words() + " " + Numbers.latency(part.rise().value()))
        .orElse("");
  }

  /** The time whose parts answer for the verdict; empty where there is none. */
  Optional<Decomposition> asked() {
    Decomposition.Whole asked = isAfterFirst() ? Decomposition.Whole.E2E : Decomposition.Whole.TTFT;
    return analysis.decompositions().stream()
        .filter(one -> one.quantity() == asked)
        .findFirst()
        .or(() -> analysis.decompositions().stream().findFirst());
  }

  // Where every broken promise is one on tokens or the whole answer, TTFT does not tell why; nor
  // where answers were not streamed.
  private boolean isAfterFirst() {
    RunAnalysis.ClientLatencies client = analysis.client();
    if (client.ttftFromIntended().count() == 0 && client.e2eFromIntended().count() > 0) {
      return true;
    }
    List<Objective> missed =
        analysis.objectives().stream()
            .filter(result -> result.judgement().isMissed())
            .flatMap(result -> result.objective().parts().stream())
            .toList();
    return !missed.isEmpty()
        && missed.stream().noneMatch(part -> part.metric() == Objective.Metric.TTFT);
  }

  /** A wait taken apart: the largest parts first. */
  private String parts(Decomposition decomposition) {
    String name = Wording.name(decomposition.quantity());
    if (!decomposition.available()) {
      return name + " cannot be split: " + decomposition.absence();
    }
    List<String> parts =
        decomposition.parts().stream()
            .filter(part -> part.mean().value() instanceof Figure.Known)
            .sorted(Comparator.comparingDouble(part -> -part.mean().value().orZero()))
            .map(part -> part.name().words() + " " + Numbers.latency(part.mean().value()))
            .toList();
    String rest = parts.size() > MOST_PARTS ? ", and smaller parts" : "";
    return name + " mean " + client(decomposition.whole().value()) + ": "
        + String.join(", ", parts.subList(0, Math.min(MOST_PARTS, parts.size()))) + rest;
  }

  private void invalid(List<Block.Item> answers) {
    Usability usability = Usability.of(analysis);
    List<String> reasons = Wording.invalidity(analysis);
    String counted = Wording.verdictSentence(usability.ledger());
    for (int i = 0; i < reasons.size(); i++) {
      Mark mark = new Mark(Tone.BAD, i == 0 ? "INVALID" : "");
      answers.add(new Block.Item(mark, reasons.get(i), i == 0 ? 0 : i + 1));
    }
    usability.spoilers().stream()
        .limit(1)
        .flatMap(finding -> finding.evidence().stream())
        .limit(MOST_EVIDENCE)
        .forEach(evidence -> answers.add(new Block.Item(Mark.NONE, evidence, answers.size())));
    String trust =
        usability.isForCounts() && usability.isComparedInFull()
            ? "counts only: " + counted
            : usability.ledger() == Reconciliation.Verdict.RECONCILED
                ? "no, although client and engine counts match"
                : "no (client against engine: " + Wording.verdict(usability.ledger()) + ")";
    answers.add(Block.Item.of(Tone.PLAIN, "TRUST", trust));
    Wording.cautions(analysis.run())
        .forEach(caution -> answers.add(Block.Item.of(Tone.CAUTION, "", caution)));
  }

  private List<Fact> happened() {
    List<Fact> facts = new ArrayList<>();
    analysis.counts().byOutcome().entrySet().stream()
        .sorted(Comparator.comparing((Map.Entry<String, Long> one) -> !one.getKey().equals("ok"))
            .thenComparing(Map.Entry::getKey))
        .map(one -> new Fact(Numbers.count(one.getValue()), one.getKey().replace('_', ' ')))
        .forEach(facts::add);
    // Means over steps of many rates are figures of none of them; the table has each step's.
    if (analysis.steps().isPresent()) {
      if (analysis.engine().available()) {
        facts.add(new Fact("preemptions", EngineSection.preemptions(analysis.engine())));
      }
      return facts;
    }
    if (analysis.counts().completionTokensPerSecond() instanceof Figure.Known tokens) {
      facts.add(new Fact(Numbers.number(tokens), "tokens/s"));
    }
    Thinking thinking = analysis.client().thinking();
    if (thinking.outputShare() instanceof Figure.Known share) {
      facts.add(new Fact(
          Numbers.count(thinking.requests()),
          "thought first, " + Numbers.percent(share) + " of their output"));
    }
    if (isValid() && !analysis.load().goodput().limits().isEmpty()) {
      facts.add(good(analysis.load().goodput()));
    }
    if (analysis.engine().available()) {
      facts.addAll(EngineSection.brief(analysis.engine()));
    }
    return facts;
  }

  /** Answers that do not tell what a limit on all of them asks for may have kept it. */
  private Fact good(Goodput goodput) {
    Goodput.Kept kept = goodput.fromIntended();
    long left = analysis.counts().byOutcome().getOrDefault("client_cancelled", 0L);
    long untold =
        goodput.limits().stream().anyMatch(limit -> limit.requestClass().isEmpty())
            ? analysis.counts().ended() - left - kept.judged()
            : 0;
    String rate = mark() + Numbers.number(kept.requestsPerSecond());
    return untold > 0
        ? new Fact("at least " + rate, "good/s, " + Numbers.count(untold) + " cannot be judged")
        : new Fact(rate, "good/s");
  }

  /** What stands before a figure that holds the client's own delay. */
  private String mark() {
    return Usability.of(analysis).isRough() ? "~" : "";
  }

  private String client(Figure mean) {
    return mark() + Numbers.latency(mean);
  }

  private void warn(Answer.Builder built) {
    List<String> warnings =
        analysis.findings().stream()
            .filter(finding -> finding.severity() == Finding.Severity.WARNING)
            .filter(finding -> !Usability.of(analysis).spoilers().contains(finding))
            .map(Finding::text)
            .toList();
    built.say(Tone.CAUTION, "WARNING", warnings, 1, 2, Block.Rest.of("%d more"));
  }

  private void next(Answer.Builder built, Path folder) {
    String name = PlainText.argument(folder);
    List<String> next = advice.lines(name, steps.isPresent());
    advice.more().filter(one -> steps.isEmpty()).ifPresent(next::add);
    next.add("./tally open " + name + "  # its page");
    built.next(next);
    built.say(Tone.PLAIN, "", "./tally report " + name + " --verbose  # the whole account", 1);
  }
}
