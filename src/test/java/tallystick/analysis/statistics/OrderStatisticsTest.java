package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import tallystick.analysis.Vectors;

class OrderStatisticsTest {

  @Test
  void ranksOfIntervalsEqualTheVectors() {
    for (JsonNode expected : Vectors.read("quantile_ci.json").get("cases")) {
      OrderStatistics.Ranks ranks =
          interval(
              expected.get("p").asDouble(),
              expected.get("conf").asDouble(),
              expected.get("n").asLong());
      assertThat(ranks)
          .as(expected.toString())
          .isEqualTo(
              new OrderStatistics.Ranks(
                  expected.get("lower_rank").asLong(0), expected.get("upper_rank").asLong(0)));
    }
  }

  @Test
  void smallestCountsEqualTheVectors() {
    for (JsonNode expected : Vectors.read("quantile_ci.json").get("min_n")) {
      double level = expected.get("p").asDouble();
      assertThat(OrderStatistics.neededCount(level, 0.9))
          .isEqualTo(expected.get("two_sided_0.9").asLong());
      assertThat(OrderStatistics.neededCount(level, 0.95))
          .isEqualTo(expected.get("two_sided_0.95").asLong());
    }
  }

  @Test
  void aPercentileExistsExactlyFromItsSmallestCountOn() {
    for (double level : OrderStatistics.LEVELS) {
      long needed = OrderStatistics.neededCount(level, 0.95);
      assertThat(exists(interval(level, 0.95, needed))).isTrue();
      assertThat(exists(interval(level, 0.95, needed - 1))).isFalse();
    }
  }

  @Test
  void ranksAreNearestRanksWithoutBinaryError() {
    assertThat(OrderStatistics.rank(0.95, 20)).isEqualTo(19);
    assertThat(OrderStatistics.rank(0.95, 21)).isEqualTo(20);
    assertThat(OrderStatistics.rank(0.5, 1)).isEqualTo(1);
    assertThat(OrderStatistics.rank(0.99, 1000)).isEqualTo(990);
    assertThat(OrderStatistics.rank(0.999, 128_000_000)).isEqualTo(127_872_000);
    assertThat(OrderStatistics.rank(0.9, 7_000_000_000L)).isEqualTo(6_300_000_000L);
  }

  @Test
  void intervalsOfHugeCountsStayCloseToTheirRank() {
    OrderStatistics.Ranks ranks = interval(0.99, 0.95, 128_000_000);
    double half = 1.96 * Math.sqrt(128e6 * 0.99 * 0.01);
    assertThat((double) ranks.low()).isCloseTo(126_720_000 - half, within(3.0));
    assertThat((double) ranks.high()).isCloseTo(126_720_000 + half, within(3.0));
  }

  @Test
  void refusesInTheReportsWords() {
    assertThat(OrderStatistics.refusal(0.95, 40)).isEqualTo("n=40, need 72");
  }

  private static OrderStatistics.Ranks interval(double level, double confidence, long count) {
    return OrderStatistics.interval(level, confidence, count, count);
  }

  private static boolean exists(OrderStatistics.Ranks ranks) {
    return ranks.low() != OrderStatistics.NO_RANK && ranks.high() != OrderStatistics.NO_RANK;
  }
}
