package tallystick.plan;

import java.util.List;

/**
 * What a plan amounts to, for a reader who must agree to it before it is sent.
 *
 * @param name a phase's name, or {@code all}
 * @param requests planned requests
 * @param isMost whether fewer are expected to be sent: a closed loop that is bounded by time is
 *     planned with more requests than any engine answers
 * @param promptTokens planned prompt tokens; given texts count 0
 * @param textPrompts prompts that are given text, whose tokens only the server can count
 * @param outputTokens the largest sum of output tokens, every choice counted
 * @param durationNanos planned length; {@link Settings.Timing#UNBOUNDED_NANOS} where it is open
 */
public record PlanTotals(
    String name,
    int requests,
    boolean isMost,
    long promptTokens,
    int textPrompts,
    long outputTokens,
    long durationNanos) {

  /** The totals of the whole plan, warm-up included. */
  public static PlanTotals of(Plan plan) {
    long duration =
        plan.settings().timing().durationNanos()
            + plan.settings().phases().stream()
                .filter(Phase::warmup)
                .mapToLong(Phase::endNanos)
                .sum();
    long shown = Math.min(duration, Settings.Timing.UNBOUNDED_NANOS);
    return sum("all", plan.requests(), isMost(plan, plan.settings().phases()), shown);
  }

  /** The totals of each phase, in the order of the plan. */
  public static List<PlanTotals> byPhase(Plan plan) {
    return plan.settings().phases().stream()
        .map(phase -> sum(
            phase.name(),
            plan.requests().stream().filter(r -> r.phase().equals(phase.name())).toList(),
            isMost(plan, List.of(phase)),
            phase.endNanos() - phase.startNanos()))
        .toList();
  }

  /** Whether the length is known before the run. */
  public boolean isBounded() {
    return durationNanos < Settings.Timing.UNBOUNDED_NANOS;
  }

  private static boolean isMost(Plan plan, List<Phase> phases) {
    return plan.settings().loop() == LoopShape.CLOSED
        && phases.stream().anyMatch(p -> p.endNanos() < Settings.Timing.UNBOUNDED_NANOS);
  }

  private static PlanTotals sum(
      String name, List<PlannedRequest> requests, boolean isMost, long durationNanos) {
    long promptTokens = 0;
    int texts = 0;
    long outputTokens = 0;
    for (PlannedRequest request : requests) {
      switch (request.prompt()) {
        case Prompt.Synthetic synthetic -> promptTokens += synthetic.tokens();
        case Prompt.Text text -> texts++;
      }
      outputTokens += (long) request.maxTokens() * request.choices();
    }
    return new PlanTotals(
        name, requests.size(), isMost, promptTokens, texts, outputTokens, durationNanos);
  }
}
