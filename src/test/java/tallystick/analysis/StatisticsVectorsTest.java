package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class StatisticsVectorsTest {
  private static final Offset<Double> NANO = within(1e-9);

  @Test
  void steadyStateCutsEqualTheVectors() {
    for (JsonNode given : Vectors.read("mser5.json").get("cases")) {
      JsonNode expected = given.get("expect");
      double[] means = Vectors.doubles(expected.get("batch_means"));
      double[] statistic = SteadyStateCut.statistic(means);
      double[] wanted = Vectors.doubles(expected.get("stat"));
      assertThat(statistic).hasSameSizeAs(wanted);
      for (int i = 0; i < wanted.length; i++) {
        assertThat(statistic[i]).isCloseTo(wanted[i], NANO);
      }
      SteadyStateCut cut = SteadyStateCut.of(means, SteadyStateCut.BATCH);
      assertThat(cut.observations()).isEqualTo(expected.get("truncate").asLong());
      assertThat(cut.atLimit()).isEqualTo(expected.get("invalid").asBoolean());
    }
  }

  @Test
  void batchMeansAreThoseOfTheVectors() {
    for (JsonNode given : Vectors.read("mser5.json").get("cases")) {
      BatchMeans batches = new BatchMeans();
      Arrays.stream(Vectors.doubles(given.get("x"))).forEach(x -> batches.add(x, 0));
      double[] wanted = Vectors.doubles(given.get("expect").get("batch_means"));
      assertThat(batches.means()).hasSameSizeAs(wanted);
      for (int i = 0; i < wanted.length; i++) {
        assertThat(batches.means()[i]).isCloseTo(wanted[i], NANO);
      }
    }
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
      assertThat(trend.isOverload()).isEqualTo(given.get("overload").asBoolean());
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
