package tallystick.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;

/** How long before their starts first requests are handed to their threads. */
class EarlyDispatchTest {
  private static final long MILLI = 1_000_000L;

  private static EarlyDispatch of(long[] offsetsNanos, int tokens) {
    List<PlannedRequest> firsts =
        IntStream.range(0, offsetsNanos.length)
            .mapToObj(
                i ->
                    PlannedRequest.simple(
                        i, "main", offsetsNanos[i], Prompt.Synthetic.unique(tokens), 16))
            .toList();
    return new EarlyDispatch(offsetsNanos, firsts);
  }

  @Test
  void usersThatBeginTogetherAreHandedOverOneAfterTheOther() {
    EarlyDispatch wave = of(new long[256], 64);

    assertThat(wave.aheadNanos(255)).isEqualTo(4 * MILLI);
    assertThat(wave.aheadNanos(0)).isEqualTo(514 * MILLI);
    assertThat(wave.leadNanos()).isGreaterThan(wave.aheadNanos(0) + 50 * MILLI);
  }

  @Test
  void thereIsTimeToWriteLongPrompts() {
    long little = of(new long[64], 64).leadNanos();

    assertThat(of(new long[64], 10_000).leadNanos()).isGreaterThan(little + 1_000 * MILLI);
  }

  @Test
  void usersThatBeginOneByOneAreHandedOverShortlyBefore() {
    EarlyDispatch open = of(IntStream.range(0, 500).mapToLong(i -> i * MILLI / 2).toArray(), 64);

    assertThat(IntStream.range(0, 500).mapToLong(open::aheadNanos)).containsOnly(4 * MILLI);
    assertThat(open.leadNanos()).isLessThan(110 * MILLI);
  }

  @Test
  void aBurstInTheMiddleIsHandedOverNoEarlierThanItIsInjected() {
    long[] offsets = IntStream.range(0, 300).mapToLong(i -> i == 0 ? 0 : 1_000 * MILLI).toArray();

    assertThat(of(offsets, 64).aheadNanos(1)).isLessThan(of(offsets, 64).leadNanos());
  }

  @Test
  void aLoadWithoutUsersHasNone() {
    assertThat(of(new long[0], 64).leadNanos()).isEqualTo(100 * MILLI);
  }
}
