package tallystick.gatling;

import io.gatling.javaapi.core.ActionBuilder;

/** What a simulation writes: {@code exec(completion(load))}. */
public final class CompletionDsl {
  private CompletionDsl() {}

  /** Sends the user's next planned request and waits for the end of its stream. */
  public static ActionBuilder completion(Load load) {
    return () -> (context, next) -> new CompletionAction(context.coreComponents(), next, load);
  }
}
