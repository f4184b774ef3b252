package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import tallystick.analysis.statistics.BatchMeans;
import tallystick.analysis.statistics.BlockBootstrap;
import tallystick.analysis.statistics.GrowthTrend;
import tallystick.analysis.statistics.RankCorrelation;

class StatisticsVectorsTest {
  private static final Offset<Double> NANO = within(1e-9);

  @Test
  void batchMeansAreMeansOfFiveEach() {
    BatchMeans batches = new BatchMeans();
    for (int i = 1; i <= 12; i++) {
      batches.add(i, 100 * i);
    }
    assertThat(batches.means()).containsExactly(3, 8);
    assertThat(batches.endNanos(1)).isEqualTo(1000);
  }

  @Test
  void growthTrendsEqualTheVectors() {
    for (JsonNode given : Vectors.read("overload_slope.json").get("cases")) {
      GrowthTrend trend =
          GrowthTrend.of(
              Vectors.doubles(given.get("batch_means")), given.get("batch_seconds").asDouble());
      assertThat(trend.slopePerSecond()).isCloseTo(given.get("slope").asDouble(), NANO);
      assertThat(trend.pValue()).isCloseTo(given.get("p_one_sided").asDouble(), NANO);
      assertThat(trend.relativeGrowth())
          .isCloseTo(given.get("relative_growth").asDouble(), NANO);
      assertThat(trend.isGrowth()).isEqualTo(given.get("overload").asBoolean());
    }
  }

  @Test
  void correlationsAndTheirPValueEqualTheVector() {
    JsonNode given = Vectors.read("correlation.json");
    double[] preemptions = Vectors.doubles(given.get("preempt"));
    double[] stalls = Vectors.doubles(given.get("stalls"));
    for (int lag = -4; lag <= 4; lag++) {
      assertThat(RankCorrelation.atLag(preemptions, stalls, lag))
          .isCloseTo(given.get("ccf").get(Integer.toString(lag)).asDouble(), NANO);
    }
    RankCorrelation.Test test = RankCorrelation.circularShift(preemptions, stalls, 0, 2, 5);
    assertThat(test.statistic()).isCloseTo(given.get("stat").asDouble(), NANO);
    assertThat(test.shifts()).isEqualTo(given.get("n_shifts").asInt());
    assertThat(test.pValue()).isCloseTo(given.get("p").asDouble(), NANO);
  }

  @Test
  void randomNumbersAndIndicesAreThoseOfSplitMix64() {
    JsonNode given = Vectors.read("block_bootstrap.json");
    SplittableRandom random = new SplittableRandom(42);
    for (JsonNode wanted : given.get("splitmix64_seed42_unsigned")) {
      assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo(wanted.asText());
    }
    BlockBootstrap bootstrap = new BlockBootstrap(42);
    for (JsonNode wanted : given.get("index10_seed42")) {
      assertThat(bootstrap.index(10)).isEqualTo(wanted.asInt());
    }
  }
}
