package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import tallystick.analysis.engine.EngineSummary;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.GapAnalysis;
import tallystick.analysis.result.Interval;
import tallystick.analysis.statistics.SampleSet;

class BucketEdgeOverheadTest {
  private static final Offset<Double> NANO = within(1e-9);

  @Test
  void everyVectorIsReproduced() {
    for (JsonNode given : Vectors.read("distribution_compare.json").get("cases")) {
      SampleSet client = samples(given.get("client"));
      EngineDistribution engine = engine(given);
      GapAnalysis gaps = BucketEdgeOverhead.of(client, engine, Interval.missing("not asked"));
      JsonNode expected = given.get("expect");
      checkEdges(gaps.edges(), expected.get("edges"));
      checkSet(gaps.constantGap(), expected);
      assertThat(gaps.orderViolations())
          .containsExactly(boxed(expected.get("order_violations")));
      assertThat(value(gaps.boundSeconds()))
          .isCloseTo(expected.get("max_edge_gap").asDouble(), NANO);
      assertThat(value(gaps.ksLow())).isCloseTo(expected.get("ks_lower").asDouble(), NANO);
      assertThat(value(gaps.ksHigh())).isCloseTo(expected.get("ks_upper").asDouble(), NANO);
      double meanGap = client.meanSeconds() - value(engine.mean());
      assertThat(meanGap).isCloseTo(expected.get("mean_gap_exact").asDouble(), NANO);
      checkBrackets(engine, client, expected.get("quantiles"));
    }
  }

  private static void checkEdges(List<GapAnalysis.Edge> edges, JsonNode expected) {
    assertThat(edges).hasSize(expected.size());
    for (int i = 0; i < edges.size(); i++) {
      JsonNode wanted = expected.get(i);
      GapAnalysis.Edge edge = edges.get(i);
      assertThat(edge.clientCount()).isEqualTo(wanted.get("client_cum").asLong());
      assertThat(edge.crossers()).isEqualTo(wanted.get("crossers").asDouble());
      checkFigure(edge.gapLow(), wanted.get("gap_lower"));
      checkFigure(edge.gapHigh(), wanted.get("gap_upper"));
    }
  }

  private static void checkSet(Interval set, JsonNode expected) {
    if (!expected.get("constant_gap_feasible").asBoolean()) {
      assertThat(set.value()).isInstanceOf(Figure.Unavailable.class);
      return;
    }
    checkFigure(set.low(), expected.get("constant_gap_interval").get(0));
    checkFigure(set.high(), expected.get("constant_gap_interval").get(1));
  }

  private static void checkBrackets(
      EngineDistribution engine, SampleSet client, JsonNode quantiles) {
    for (JsonNode wanted : quantiles) {
      double level = wanted.get("q").asDouble();
      EngineDistribution.Bracket bracket =
          EngineSummary.plainBracket(level, engine.count(), engine.buckets()).orElseThrow();
      checkFigure(bracket.low(), wanted.get("engine_bracket").get(0));
      checkFigure(bracket.high(), wanted.get("engine_bracket").get(1));
      assertThat(client.plainQuantileSeconds(level))
          .isCloseTo(wanted.get("client").asDouble(), NANO);
    }
  }

  private static void checkFigure(Figure figure, JsonNode wanted) {
    if (wanted.isNull()) {
      assertThat(figure).isInstanceOf(Figure.Unavailable.class);
    } else {
      double number = tallystick.promql.Vectors.number(wanted);
      if (Double.isInfinite(number)) {
        assertThat(value(figure)).isEqualTo(number);
      } else {
        assertThat(value(figure)).isCloseTo(number, NANO);
      }
    }
  }

  private static double value(Figure figure) {
    return ((Figure.Known) figure).value();
  }

  private static Double[] boxed(JsonNode array) {
    List<Double> values = new ArrayList<>();
    array.forEach(value -> values.add(value.asDouble()));
    return values.toArray(Double[]::new);
  }

  private static SampleSet samples(JsonNode array) {
    SampleSet set = new SampleSet();
    array.forEach(value -> set.add(MadeRun.nanos(value.asDouble())));
    return set;
  }

  private static EngineDistribution engine(JsonNode given) {
    double[] edges = Vectors.doubles(given.get("edges"));
    double[] counts = Vectors.doubles(given.get("engine_cum"));
    List<EngineDistribution.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      double edge = i < edges.length ? edges[i] : Double.POSITIVE_INFINITY;
      buckets.add(new EngineDistribution.Bucket(edge, counts[i]));
    }
    double count = counts[counts.length - 1];
    return new EngineDistribution(
        "ttft", count, Figure.of(given.get("engine_sum").asDouble() / count), List.of(), buckets);
  }
}
