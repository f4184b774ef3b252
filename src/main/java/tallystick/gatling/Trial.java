package tallystick.gatling;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import tallystick.plan.LoopShape;
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
      Load load =
          new Load(List.of(), LoopShape.OPEN, 0, Long.MAX_VALUE, sender, origin -> {});
      sender.send(
          new RequestSender.Errand(
              request,
              Conversation.of(List.of(request)).get(0),
              RequestSender.Moment.at(System.nanoTime()),
              load,
              end::complete));
      return end.join();
    }
  }
}
