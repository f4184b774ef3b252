package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import org.junit.jupiter.api.Test;
import tallystick.analysis.MadeRequest;

/** The pace of a stream is that of the tokens that came after its first chunk. */
class TimePerTokenTest {
  private static final long MILLI = 1_000_000;

  @Test
  void noAnswerHasMoreThinkingThanTokens() {
    RequestRow row = request(0, 0).gaps(0.08).tokens(3, 2).usage(24, 5).thinking(1).build();
    RequestRow impossible =
        new RequestRow(
            0, "main", "default", 0, 0, "id", 24, 5, row.times(), row.chunks(),
            new RequestRow.Usage(24, 5, -1, 50), row.ending(), row.engine());

    assertThat(row.thinkingTokens()).isEqualTo(3);
    assertThat(impossible.thinkingTokens()).isEqualTo(RequestRow.UNKNOWN);
  }

  private static MadeRequest twelveTokensInThreeChunks(int... perChunk) {
    return request(0, 0).gaps(0.08, 0.08).tokens(perChunk).usage(24, 12);
  }

  @Test
  void tokensThatCameWithTheFirstChunkTookNoTime() {
    RequestRow row = twelveTokensInThreeChunks(4, 4, 4).build();

    assertThat(row.laterTokens()).isEqualTo(8);
    assertThat(row.timePerTokenNanos()).isEqualTo(20 * MILLI);
  }

  @Test
  void aFirstChunkThatSaysNothingOfItsTokensLeavesThePaceUnknown() {
    RequestRow row = twelveTokensInThreeChunks(-1, -1, -1).build();

    assertThat(row.laterTokens()).isEqualTo(RequestRow.UNKNOWN);
    assertThat(row.timePerTokenNanos()).isEqualTo(RequestRow.UNKNOWN);
  }

  @Test
  void aChunkForEachTokenNeedsNoWordOfTheServer() {
    RequestRow row = request(0, 0).tokens(-1, -1, -1, -1).build();

    assertThat(row.laterTokens()).isEqualTo(3);
    assertThat(row.timePerTokenNanos()).isEqualTo(10 * MILLI);
  }

  /** Text came, so a token had been made, whatever a usage that lags behind says of it. */
  @Test
  void aFirstChunkHoldsAtLeastOneToken() {
    assertThat(request(0, 0).tokens(0, 1, 1, 1).build().laterTokens()).isEqualTo(3);
  }

  @Test
  void anAnswerInOneChunkHasNoPace() {
    RequestRow row = request(0, 0).gaps().tokens(-1).usage(24, 12).build();

    assertThat(row.laterTokens()).isZero();
    assertThat(row.timePerTokenNanos()).isEqualTo(RequestRow.UNKNOWN);
  }

  @Test
  void aFirstChunkOfMoreTokensThanTheAnswerIsNotBelieved() {
    assertThat(request(0, 0).tokens(9, 1, 1, 1).build().laterTokens())
        .isEqualTo(RequestRow.UNKNOWN);
  }
}
