package tallystick.gatling;

import java.util.concurrent.CompletableFuture;
import tallystick.plan.PlannedRequest;
import tallystick.runrecord.RequestRow;

/** One request sent by itself before the load, to learn from its answer what a server takes. */
public final class Trial {
  private Trial() {}

  /**
   * Sends the request at once and waits for its end, which the request timeout bounds.
   *
   * @param parts those of the real sender
   * @param request a first turn
   */
  public static RequestRow send(RequestSender.Parts parts, PlannedRequest request) {
    CompletableFuture<RequestRow> end = new CompletableFuture<>();
    try (RequestSender sender = new RequestSender(parts)) {
      sender.send(
          ScheduledRequest.alone(
              request, ScheduledRequest.Moment.at(System.nanoTime()), end::complete));
      return end.join();
    }
  }
}
