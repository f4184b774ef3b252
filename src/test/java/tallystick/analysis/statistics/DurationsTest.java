package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @ValueSource(longs = {1000, Integer.MAX_VALUE, 1L + Integer.MAX_VALUE, 3_600_000_000_000L})
  void keepsEveryValueOnBothSidesOf32Bits(long longest) {
    SplittableRandom random = new SplittableRandom(longest);
    Durations durations = new Durations();
    long[] expected = new long[5000];
    for (int i = 0; i < expected.length; i += 2) {
      long nanos = i % 500 == 0 ? longest : random.nextLong(-longest, longest + 1);
      durations.add(nanos, 2, expected.length);
      Arrays.fill(expected, i, i + 2, nanos);
    }
    Durations copy = durations.copy();
    for (int i = 0; i < expected.length; i++) {
      assertThat(durations.get(i)).isEqualTo(expected[i]);
    }
    durations.sort();
    Arrays.sort(expected);
    copy.sort();
    for (int i = 0; i < expected.length; i++) {
      assertThat(durations.get(i)).isEqualTo(expected[i]);
      assertThat(copy.get(i)).isEqualTo(expected[i]);
    }
  }
}
