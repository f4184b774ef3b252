package tallystick.experiment;

import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import tallystick.analysis.client.ObjectiveReading;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.runrecord.PlanTable;
import tallystick.scenario.Objective;

/**
 * Limits that one request must keep all together, and the share of requests that must; with a limit
 * on sessions among them, one session with each of its requests, and the share of sessions. Good
 * requests are the goodput of {@code vllm bench serve --goodput}, which counts from the actual
 * start where this counts from the intended one.
 *
 * @param limits what a request or a session must keep, at least one
 * @param share of the requests, or sessions, that must be good
 */
public record JointObjective(List<Objective> limits, double share) {
  /**
   * The joint objective of a scenario.
   *
   * @param objectives none of them judges gaps
   * @param given the share to ask for; without one the objectives must agree
   * @throws IllegalArgumentException if they do not, or if there is none
   */
  public static JointObjective of(List<Objective> objectives, OptionalDouble given) {
    if (objectives.isEmpty()) {
      throw new IllegalArgumentException(
          "the scenario has no objective to hold; write for example"
              + " objectives: [{ttft: 500ms, share: 0.99}]");
    }
    List<Double> shares = objectives.stream().map(Objective::share).distinct().toList();
    if (given.isEmpty() && shares.size() > 1) {
      throw new IllegalArgumentException(
          "the objectives ask for "
              + shares.stream().sorted().map(Numbers::percent).collect(Collectors.joining(" and "))
              + " of the requests, and here all limits are judged together: name one share, for"
              + " example --share " + Collections.max(shares));
    }
    double share = given.orElse(shares.get(0));
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("--share must be between 0 and 1, was " + share);
    }
    return new JointObjective(
        objectives.stream().flatMap(objective -> objective.parts().stream()).toList(), share);
  }

  /** Whether it judges sessions, and not single requests. */
  public boolean judgesSessions() {
    return limits.stream().anyMatch(Objective::judgesSessions);
  }

  /** What it judges, in words: {@code requests} or {@code sessions}. */
  public String things() {
    return judgesSessions() ? "sessions" : "requests";
  }

  /** Whether requests, or sessions of a plan, keep every limit from the intended start on. */
  public ObjectiveReading reading(PlanTable plan) {
    return ObjectiveReading.ofAll(limits, plan);
  }

  /** Whether requests, or sessions, keep each limit by itself. */
  public List<ObjectiveReading> limitReadings(PlanTable plan) {
    return limits.stream()
        .map(limit -> ObjectiveReading.ofAll(List.of(limit), plan))
        .toList();
  }

  /** For example {@code TTFT}, what a limit is of. */
  public String quantity(int limit) {
    return quantity(limits.get(limit));
  }

  /** For example {@code TTFT within 250 ms and TPOT within 30 ms for 99 %}. */
  public String words() {
    return limits.stream()
            .map(limit -> quantity(limit) + " within " + Wording.threshold(limit))
            .collect(Collectors.joining(" and "))
        + " for " + Numbers.percent(share) + (judgesSessions() ? " of sessions" : "");
  }

  private static String quantity(Objective limit) {
    String of = limit.requestClass().isEmpty() ? "" : " of " + limit.requestClass();
    String quantity = switch (limit.metric()) {
      case TTFT -> "TTFT";
      case ANSWER_TTFT -> "answer TTFT";
      case THINKING_TOKENS -> "thinking";
      case TPOT -> "TPOT";
      case E2E -> "E2E";
      case LARGEST_GAP -> "largest gap";
      case SESSION_TIME -> "session time";
      case SESSION_TIME_WITHOUT_TOOLS -> "session time without tools";
      case ITL, ALL -> throw new IllegalStateException("no limit of a request");
    };
    return quantity + of;
  }

  /** A time as people write it, to four digits. */
  public static String duration(double seconds) {
    return seconds < 1
        ? RateFormat.text(seconds * 1e3) + " ms"
        : RateFormat.text(seconds) + " s";
  }
}
