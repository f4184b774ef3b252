package tallystick.answer.words;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Choice;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.Usability;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MetricVocabulary;
import tallystick.scenario.Objective;

/** The words every format uses for the same thing. */
public final class Wording {
  private Wording() {}

  /** What answered: {@code simulated engine} where no server did. */
  public static String engine(Manifest.Source source) {
    return switch (source) {
      case REAL -> "real server";
      case EMBEDDED, SIMULATED -> "simulated engine";
      case VIRTUAL -> "simulated engine, virtual time";
      case UNKNOWN -> "nobody knows what engine";
    };
  }

  /** What answered; a real server by the name and version that it told. */
  public static String engine(RunAnalysis analysis) {
    RunAnalysis.RunFacts run = analysis.run();
    List<String> titles =
        MetricVocabulary.standard().familiesAmong(analysis.engine().counters().keySet()).stream()
            .map(EngineFamily::title)
            .toList();
    List<String> versions =
        run.versions().entrySet().stream()
            .filter(version -> version.getKey().startsWith("engine"))
            .map(Map.Entry::getValue)
            .distinct()
            .toList();
    if (run.source() != Manifest.Source.REAL || titles.size() != 1) {
      return engine(run.source());
    }
    return titles.getFirst() + (versions.size() == 1 ? " " + versions.getFirst() : "");
  }

  /** What that means for the figures; empty for a real server. */
  public static String engineCaution(Manifest.Source source) {
    return switch (source) {
      case REAL -> "";
      case EMBEDDED ->
          "A simulated engine answered: these figures do not describe real hardware.";
      case SIMULATED ->
          "The target is a simulated engine: these figures do not describe real hardware.";
      case VIRTUAL -> "A simulated engine answered in virtual time: these figures do not describe"
          + " real hardware.";
      case UNKNOWN ->
          "The record does not say what answered: these may be figures of a simulated engine.";
    };
  }

  /** How the record ended, in one word. */
  public static String state(Manifest.Ending.State state) {
    return switch (state) {
      case COMPLETED -> "complete";
      case OPEN -> "incomplete";
      case INTERRUPTED -> "interrupted";
      case STOPPED -> "stopped early";
      case FAILED -> "failed";
    };
  }

  /** How the record ended, in one sentence; empty for a complete run. */
  public static String stateSentence(RunAnalysis.RunFacts run) {
    String sentence =
        switch (run.state()) {
          case COMPLETED -> "";
          case OPEN ->
              "Incomplete: nobody closed the record, the run was killed or still goes on."
                  + " Figures cover what had reached the disk.";
          case INTERRUPTED ->
              "Interrupted: the run was ended from outside. Figures cover what had ended by then.";
          case STOPPED ->
              "Stopped early: the run ended itself before its plan was done."
                  + " Figures cover what had ended by then.";
          case FAILED -> "Failed: the run broke off. Figures cover what had ended by then.";
        };
    boolean hasDetail = !sentence.isEmpty() && !run.stateDetail().isBlank();
    return hasDetail ? sentence + " Reason: " + run.stateDetail().strip() : sentence;
  }

  /** The stable word of the verdict, with spaces. */
  public static String verdict(Reconciliation.Verdict verdict) {
    return word(verdict);
  }

  /** What the verdict means. */
  public static String verdictSentence(Reconciliation.Verdict verdict) {
    return switch (verdict) {
      case RECONCILED -> "Client and engine counts match.";
      case RECONCILED_WITH_TOLERANCE ->
          "Client and engine counts match, allowing for requests that were cancelled or cut off.";
      case RECONCILED_IN_PART ->
          "What both sides count agrees. Rows that are not checked have only one side, so whether"
              + " those agree is unknown.";
      case NOT_RECONCILED ->
          "Client and engine counts do not match: the figures of the two sides may be of different"
              + " requests.";
      case NOT_CHECKED -> "There are no engine counts to compare with.";
    };
  }

  public static String status(Reconciliation.Status status) {
    return switch (status) {
      case EXACT -> "exact";
      case WITHIN_TOLERANCE -> "within tolerance";
      case DIFFERS -> "DIFFERS";
      case NOT_CHECKED -> "not checked";
    };
  }

  /** How much the engine may count above the client, {@code 0 … 12}. */
  public static String allowed(Reconciliation.Row row) {
    if (Double.isInfinite(row.low()) || Double.isInfinite(row.high())) {
      return openEnded(row);
    }
    boolean exact = row.low() == row.high();
    return exact
        ? Numbers.count(row.low())
        : Numbers.count(row.low()) + " … " + Numbers.count(row.high());
  }

  private static String openEnded(Reconciliation.Row row) {
    if (Double.isInfinite(row.low()) && Double.isInfinite(row.high())) {
      return "any";
    }
    return Double.isInfinite(row.low())
        ? "<= " + Numbers.count(row.high())
        : ">= " + Numbers.count(row.low());
  }

  public static String severity(Finding.Severity severity) {
    return word(severity);
  }

  /** {@code TTFT within 1 s for 95 % of requests}. */
  public static String objective(Objective objective) {
    String whose =
        objective.requestClass().isEmpty() ? "" : " of class " + objective.requestClass();
    return limits(objective)
        + " for "
        + Numbers.percent(objective.share())
        + " of "
        + objective.things()
        + whose;
  }

  /** {@code TTFT within 1 s and TPOT within 50 ms}. */
  public static String limits(Objective objective) {
    return String.join(
        " and ",
        objective.parts().stream()
            .map(part -> metric(part.metric()) + " within " + threshold(part))
            .toList());
  }

  /** {@code 1 s}; of a joint objective {@code 1 s, 50 ms}, or {@code 1 s + 2 more}. */
  public static String threshold(Objective objective) {
    return inShort(
        objective.parts().stream()
            .map(
                part -> {
                  LatencyUnit unit = unit(part.metric(), part.thresholdSeconds());
                  return unit.edge(part.thresholdSeconds()) + " " + unit.symbol();
                })
            .toList());
  }

  /** The unit that a value of an objective is shown in. */
  public static LatencyUnit unit(Objective.Metric metric, double value) {
    return metric.isTime() ? LatencyUnit.fitting(value) : LatencyUnit.TOKENS;
  }

  /** What an objective judges: {@code TTFT}; of a joint one {@code TTFT, TPOT}. */
  public static String metrics(Objective objective) {
    return inShort(objective.parts().stream().map(part -> metric(part.metric())).toList());
  }

  private static String inShort(List<String> words) {
    return words.size() > 2
        ? words.getFirst() + " + " + (words.size() - 1) + " more"
        : String.join(", ", words);
  }

  /** A metric as the two-sided table names it. */
  public static String metric(Objective.Metric metric) {
    return switch (metric) {
      case TTFT -> "TTFT";
      case ANSWER_TTFT -> "Answer TTFT";
      case THINKING_TOKENS -> "Thinking";
      case TPOT -> "TPOT";
      case LARGEST_GAP -> "Largest gap";
      case E2E -> "E2E";
      case SESSION_TIME -> "Session time";
      case SESSION_TIME_WITHOUT_TOOLS -> "Session without tools";
      case ITL -> "ITL";
      case ALL -> "All limits";
    };
  }

  /** Facts a reader must know beside the figures: loop, cache. */
  public static List<String> cautions(RunAnalysis.RunFacts run) {
    List<String> cautions = new ArrayList<>();
    if (run.source() != Manifest.Source.REAL) {
      cautions.add(engineCaution(run.source()));
    }
    String state = stateSentence(run);
    if (!state.isEmpty()) {
      cautions.add(state);
    }
    if (run.closedLoop()) {
      cautions.add("closed loop: users wait for their answers, so a slower server is asked less");
    }
    if (run.warmCache()) {
      cautions.add("warm cache: prompts repeat those of earlier runs");
    }
    return cautions;
  }

  /** An ISO 8601 time without parts of a second. */
  public static String toTheSecond(String utc) {
    return utc.replaceAll("\\.\\d+Z$", "Z");
  }

  /** Why the measurement cannot be trusted, one sentence for each reason. */
  public static List<String> invalidity(RunAnalysis analysis) {
    Usability usability = Usability.of(analysis);
    List<String> reasons = usability.spoilers().stream().map(Finding::text).toList();
    if (usability.isForVerdicts()) {
      return List.of();
    }
    return reasons.isEmpty() ? List.of(verdictSentence(usability.ledger())) : reasons;
  }

  /** A text of both sides under the ledger's stamp, if it has one. */
  public static String stamped(Stamp stamp, String text) {
    return stamp.on(text);
  }

  /** What an interpretation judges, by what, and how much that is worth. */
  public static String triage(Interpretation interpretation) {
    return stamped(
        interpretation.stamp(),
        "Triage, not proof. Judged: "
            + interpretation.judged()
            + ". Compared with: "
            + interpretation.reference()
            + ".");
  }

  /** The likely cause in what is judged, or the two causes that the figures cannot tell apart. */
  public static Optional<String> foremost(Interpretation interpretation) {
    List<String> texts =
        interpretation.foremost().stream().map(Interpretation.Direction::text).toList();
    return Optional.of(texts)
        .filter(some -> !some.isEmpty())
        .map(
            some ->
                some.size() == 1
                    ? some.getFirst()
                    : some.stream()
                        .map(text -> text.substring(0, text.indexOf(':')))
                        .collect(Collectors.joining(", or "))
                        + ": these figures cannot tell which")
        .map(cause -> "Likely cause (" + interpretation.judged() + "): " + cause + ".");
  }

  /** Why an interpretation names no direction. */
  public static String noDirection(Interpretation interpretation) {
    return interpretation.changes().isEmpty()
        ? "Nothing is named: no mean is known of both stretches."
        : interpretation.changes().stream()
            .flatMap(change -> mostWithoutInterval(change).stream())
            .findFirst()
            .orElse(
                "Nothing is named: no part of TTFT or E2E grew beyond its interval and carries a"
                    + " real share of a rise of 10 % or more.");
  }

  /** The part that carries most of a rise, where nothing tells how far chance alone goes. */
  private static Optional<String> mostWithoutInterval(Change change) {
    return change.parts().stream()
        .filter(part -> part.share().orNaN() > 0.5 && isRealRise(change.whole()))
        .filter(part -> part.rise().low() instanceof Figure.Unavailable)
        .map(
            part ->
                "Nothing is named: "
                    + part.name().words()
                    + " carries "
                    + Numbers.percent(part.share())
                    + " of the rise of "
                    + name(change.quantity())
                    + ", but how much of that is chance is "
                    + Numbers.latency(part.rise().low())
                    + ".")
        .findFirst();
  }

  private static boolean isRealRise(Change.Part whole) {
    return whole.rise().value().orNaN() > 0.1 * whole.reference().orNaN();
  }

  /** What can be said of a signal. */
  public static String state(Interpretation.State state) {
    return state == Interpretation.State.UNKNOWN ? "cannot tell" : word(state);
  }

  /** A stable word as people write it: {@code client_ttft} is {@code client TTFT}. */
  public static String name(Choice choice) {
    StringBuilder name = new StringBuilder();
    for (String part : choice.code().split("_")) {
      boolean initials = List.of("ttft", "itl", "tpot", "e2e", "kv", "api").contains(part);
      name.append(name.isEmpty() ? "" : " ");
      name.append(initials ? part.toUpperCase(Locale.ROOT) : part);
    }
    return name.toString();
  }

  /** An enum's stable word with spaces for underscores. */
  static String word(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
