package tallystick.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;

class ConversationTest {
  private final PlannedRequest first = request(0);
  private final PlannedRequest second = request(1);
  private final Conversation conversation = Conversation.of(List.of(first, second)).getFirst();

  @Test
  void aBodyWrittenAheadIsThatOfTheFirstRequestAndGivenOnce() {
    byte[] body = {1};
    conversation.writeAhead(() -> body);

    assertThat(conversation.takeAhead(conversation.next())).containsSame(body);
    assertThat(conversation.takeAhead(first)).isEmpty();
  }

  @Test
  void aLaterTurnHasAnotherBody() {
    conversation.writeAhead(() -> new byte[1]);
    conversation.next();

    assertThat(conversation.takeAhead(conversation.next())).isEmpty();
  }

  @Test
  void nothingIsWrittenForAUserThatWasSooner() {
    conversation.next();
    conversation.writeAhead(
        () -> {
          throw new AssertionError("too late");
        });

    assertThat(conversation.takeAhead(first)).isEmpty();
  }

  @Test
  void whatASubAgentSaidIsNeededUntilItsLastRequest() {
    List<PlannedRequest> turns =
        IntStream.of(0, 1, 2, 1, 0)
            .mapToObj(agent -> agent)
            .collect(ArrayList::new, (all, agent) -> all.add(request(all.size(), agent)),
                List::addAll);
    Conversation session = Conversation.of(turns).getFirst();
    assertThat(turns).extracting(session::continuesAfter)
        .containsExactly(true, true, false, false, false);
    assertThat(Conversation.alone(first).continuesAfter(first)).isFalse();
  }

  private static PlannedRequest request(int turn, int agent) {
    PlannedRequest of = request(turn);
    return new PlannedRequest(
        turn, of.phase(), of.requestClass(), 0, turn, of.offsetNanos(), 0, of.prompt(), 1, 1, 0,
        of.cancel(), false, agent, List.of(), false);
  }

  private static PlannedRequest request(int turn) {
    return new PlannedRequest(
        turn, "load", "default", 0, turn, PlannedRequest.AFTER_PREVIOUS, 0,
        Prompt.Synthetic.unique(4), 1, 1, 0, PlannedRequest.Cancel.NEVER);
  }
}
