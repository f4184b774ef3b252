package tallystick.analysis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import tallystick.analysis.MadeRun;
import tallystick.analysis.result.Finding;
import tallystick.runrecord.ScrapeRow;

/** Dates of a server that are as old as a test says; one scrape a second. */
class ServerClockTest {
  private static final long ORIGIN_SECONDS = 1_700_000_000L;

  private static List<Finding> findings(
      long seed, double oldest, DoubleUnaryOperator serverSeconds) {
    ServerClock clock = new ServerClock(ORIGIN_SECONDS * MadeRun.SECOND);
    SplittableRandom random = new SplittableRandom(seed);
    for (int second = 0; second < 120; second++) {
      long start = MadeRun.nanos(second + random.nextDouble() / 10);
      double made = start / 1e9 - random.nextDouble() * oldest;
      long date = (long) Math.floor(ORIGIN_SECONDS + serverSeconds.applyAsDouble(made));
      clock.read(new ScrapeRow(0, start, start + 3_000_000, List.of(), "", date, 0));
    }
    return clock.findings();
  }

  @Test
  void datesThatAreOldUnderLoadAreNoSetClock() {
    for (long seed = 1; seed <= 200; seed++) {
      assertThat(findings(seed, 2.4, at -> at)).isEmpty();
      assertThat(findings(seed, 5, at -> at)).isEmpty();
    }
  }

  @Test
  void aClockThatWasSetIsNamedHoweverOldItsDatesAre() {
    for (long seed = 1; seed <= 200; seed++) {
      assertThat(findings(seed, 2.4, at -> at < 60 ? at : at + 5)).hasSize(1);
      assertThat(findings(seed, 2.4, at -> at < 60 ? at : at - 5).get(0).code())
          .isEqualTo(Finding.Code.SERVER_CLOCK_STEPPED);
    }
  }

  @Test
  void aClockSetNearTheEndIsNotTakenForAnOffset() {
    for (long seed = 1; seed <= 50; seed++) {
      assertThat(findings(seed, 2.4, at -> at < 108 ? at : at + 3600))
          .extracting(Finding::code)
          .doesNotContain(Finding.Code.SERVER_CLOCK_OFFSET);
    }
  }

  @Test
  void theTrueOffsetLiesInsideItsBounds() {
    for (long seed = 1; seed <= 200; seed++) {
      Finding offset = findings(seed, 2.4, at -> at - 30).get(0);
      double[] bounds =
          java.util.regex.Pattern.compile("[+-][0-9.]+")
              .matcher(offset.text())
              .results()
              .mapToDouble(found -> Double.parseDouble(found.group()))
              .toArray();
      assertThat(bounds[0]).isLessThanOrEqualTo(-30);
      assertThat(bounds[1]).isGreaterThan(-30);
    }
  }
}
