package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import tallystick.analysis.Vectors;

class GoodShareTest {

  @Test
  void intervalsOfWholeCountsEqualTheVectors() {
    int compared = 0;
    for (JsonNode expected : Vectors.read("proportions.json").get("cases")) {
      if (expected.has("clopper_pearson_0.9")) {
        double[] interval = Vectors.doubles(expected.get("clopper_pearson_0.9"));
        double count = expected.get("n").asDouble();
        Proportion found =
            new GoodShare(expected.get("k").asDouble(), count, count).interval(0.9);
        assertThat(found.low()).as(expected.toString()).isCloseTo(interval[0], within(1e-9));
        assertThat(found.high()).as(expected.toString()).isCloseTo(interval[1], within(1e-9));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(0);
  }

  @Test
  void fewerIndependentThingsMakeTheIntervalWider() {
    Proportion all = new GoodShare(950, 1000, 1000).interval(0.9);
    Proportion few = new GoodShare(950, 1000, 61.5).interval(0.9);
    assertThat(few.low()).isLessThan(all.low());
    assertThat(few.high()).isGreaterThan(all.high());
  }

  /** x_(rank) is an end of P95's interval exactly if so many samples within a limit prove it. */
  @Test
  void theEndsOfAPercentileAreWhereAShareIsProven() {
    OrderStatistics.Ranks ranks = OrderStatistics.interval(0.95, 0.9, 3000, 217.4);
    assertThat(new GoodShare(ranks.high(), 3000, 217.4).reaches(0.95, 0.05)).isTrue();
    assertThat(new GoodShare(ranks.high() - 1, 3000, 217.4).reaches(0.95, 0.05)).isFalse();
    assertThat(new GoodShare(ranks.low() - 1, 3000, 217.4).misses(0.95, 0.05)).isTrue();
    assertThat(new GoodShare(ranks.low(), 3000, 217.4).misses(0.95, 0.05)).isFalse();
  }
}
