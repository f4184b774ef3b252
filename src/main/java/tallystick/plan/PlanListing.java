package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;

/** A plan as lines of text for a terminal. */
public final class PlanListing {
  private static final String ROW = "%7s  %-10s %-10s %5s %4s %12s %8s %6s %6s";

  private PlanListing() {}

  /** The plan's totals, one line for each phase and one for all. */
  public static List<String> totals(Plan plan) {
    boolean hasHistory = plan.requests().stream().anyMatch(request -> request.turn() > 0);
    List<String> lines = new ArrayList<>();
    for (PlanTotals totals : PlanTotals.byPhase(plan)) {
      lines.add(line(totals, hasHistory));
    }
    lines.add(line(PlanTotals.of(plan), hasHistory));
    return List.copyOf(lines);
  }

  /** The first requests of every phase, a line each under a heading. */
  public static List<String> firstRequests(Plan plan, int mostPerPhase) {
    List<String> lines = new ArrayList<>();
    lines.add(
        line(ROW, "request", "phase", "class", "user", "turn", "start", "prompt", "output",
            "target"));
    for (Phase phase : plan.settings().phases()) {
      List<PlannedRequest> requests =
          plan.requests().stream().filter(r -> r.phase().equals(phase.name())).toList();
      requests.stream().limit(mostPerPhase).forEach(r -> lines.add(line(r)));
      if (requests.size() > mostPerPhase) {
        lines.add(line("%7s  %s", "…", requests.size() - mostPerPhase + " more in this phase"));
      }
    }
    return List.copyOf(lines);
  }

  // What later turns say again is no new token, and its length nobody knows before.
  private static String line(PlanTotals totals, boolean hasHistory) {
    List<String> prompts = new ArrayList<>();
    if (totals.promptTokens() > 0 || totals.textPrompts() == 0) {
      prompts.add(
          line(
              "%,d %sprompt %s", totals.promptTokens(), hasHistory ? "new " : "",
              tokens(totals.promptTokens())));
    }
    if (totals.textPrompts() > 0) {
      prompts.add(Counted.of(totals.textPrompts(), "given text", "given texts"));
    }
    String length =
        totals.isBounded()
            ? line("%.1f s", totals.durationNanos() / 1e9)
            : "until the last has ended";
    return line(
        "%-12s %s%,d %s, %s, <= %,d output %s, %s",
        totals.name(), totals.isMost() ? "<= " : "", totals.requests(),
        Counted.word(totals.requests(), "request", "requests"), String.join(" + ", prompts),
        totals.outputTokens(), tokens(totals.outputTokens()), length);
  }

  private static String tokens(long count) {
    return Counted.word(count, "token", "tokens");
  }

  private static String line(PlannedRequest request) {
    String start =
        request.offsetNanos() >= 0
            ? line("%.6f s", request.offsetNanos() / 1e9)
            : request.after().size() > 1
                ? "after " + request.after().size() + " turns"
                : request.tool() ? "after a tool" : waiting(request);
    String prompt =
        switch (request.prompt()) {
          case Prompt.Synthetic synthetic -> Integer.toString(synthetic.tokens());
          case Prompt.Text text -> text.messages().size() + " msg";
        };
    return line(
        ROW, request.index(), request.phase(), request.requestClass(), request.user(),
        request.turn(), start, prompt, request.maxTokens(), request.target());
  }

  private static String waiting(PlannedRequest request) {
    if (request.offsetNanos() == PlannedRequest.AFTER_FIRST_START) {
      return "with turn 0";
    }
    return request.after().isEmpty()
        ? "after its last"
        : "after turn " + request.after().getFirst();
  }

  /** The pattern of {@link Formatted} without blanks at its end. */
  static String line(String pattern, Object... values) {
    return Formatted.of(pattern, values).stripTrailing();
  }
}
