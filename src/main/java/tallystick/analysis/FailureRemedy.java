package tallystick.analysis;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tallystick.analysis.client.RequestCounts;
import tallystick.runrecord.Outcome;

/** What to do where no request ended well and nearly all failed in one way. */
final class FailureRemedy {
  private static final double NEARLY_ALL = 0.9;

  /** No failures of the server. */
  private static final Set<String> LEFT_OUT =
      Set.of(RequestCounts.word(Outcome.OK), RequestCounts.word(Outcome.CLIENT_CANCELLED));

  private final Map<String, Long> byOutcome;
  private final Map<String, Long> byStatus;
  private final List<String> words;

  /**
   * What is known of the failures.
   *
   * @param byOutcome requests by how they ended
   * @param byStatus responses by HTTP status
   * @param words what servers and the network said, the most frequent first
   */
  FailureRemedy(Map<String, Long> byOutcome, Map<String, Long> byStatus, List<String> words) {
    this.byOutcome = byOutcome;
    this.byStatus = byStatus;
    this.words = words;
  }

  /** The remedy, or another where they failed in several ways. */
  String or(String other) {
    if (isMost(Outcome.HTTP_ERROR)) {
      return ofHttpError();
    }
    if (isMost(Outcome.DONE_MISSING)) {
      return "The streams lacked their end mark, [DONE]. Ask the engine itself, past any gateway,"
          + " to see who leaves it out.";
    }
    if (isMost(Outcome.REFUSED)) {
      return "Check the URL, that a server is up there, and its certificate if it has one.";
    }
    if (isMost(Outcome.REDIRECTED)) {
      return "Give the URL that the server redirects to: redirects are not followed.";
    }
    if (isMost(Outcome.COMPRESSED)) {
      return "Switch compression of answers off in what stands before the engine.";
    }
    return isMost(Outcome.NO_ANSWER) || isMost(Outcome.CUT_MID_STREAM)
        ? "Somebody closed the connections: look in the log of the engine, and of what stands"
            + " before it."
        : other;
  }

  private String ofHttpError() {
    String first = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
    if (first.contains("model") && (first.contains("not exist") || first.contains("not found"))) {
      return "Name a model that the server has: --model NAME.";
    }
    if (isMostly("401") || isMostly("403")) {
      return "Give a key that the server takes: --api-key-env VARIABLE.";
    }
    return "Read what the server said; its log says more.";
  }

  private boolean isMost(Outcome outcome) {
    long failed =
        byOutcome.entrySet().stream()
            .filter(entry -> !LEFT_OUT.contains(entry.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    return byOutcome.getOrDefault(RequestCounts.word(outcome), 0L) >= NEARLY_ALL * failed;
  }

  private boolean isMostly(String status) {
    long errors = byOutcome.getOrDefault(RequestCounts.word(Outcome.HTTP_ERROR), 0L);
    return byStatus.getOrDefault(status, 0L) >= NEARLY_ALL * errors;
  }
}
