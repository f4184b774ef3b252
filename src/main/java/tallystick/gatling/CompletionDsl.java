package tallystick.gatling;

import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.Session;
import java.util.function.Function;

/** What a simulation writes, for example {@code exec(completions(load))}. */
public final class CompletionDsl {
  private CompletionDsl() {}

  /**
   * Sends all planned requests of the user, each at the end of the one before and of the time to
   * think; Gatling is told of each, but no request waits for it.
   */
  public static ActionBuilder completions(Load load) {
    return builder(load, true);
  }

  /**
   * Sends the user's next planned request and waits for the end of its stream. What a journey does
   * between two of them, and Gatling's own way from one to the next, makes the second one late.
   */
  public static ActionBuilder completion(Load load) {
    return builder(load, false);
  }

  /**
   * Sends a prompt of the journey's own and waits for the end of its stream. It needs no run of
   * tally, and no record or ledger comes of it: Gatling's own log is all there is.
   */
  public static CompletionStep completion(
      CompletionTarget target, Function<Session, String> prompt) {
    return new CompletionStep(target, prompt);
  }

  private static ActionBuilder builder(Load load, boolean isAll) {
    return () ->
        (context, next) -> new CompletionAction(context.coreComponents(), next, load, isAll);
  }
}
