package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.promql.HistogramQuantile.Bucket;

class HistogramQuantileTest {

  @Test
  void everyVectorHoldsForBothVersions() {
    JsonNode vectors = Vectors.json("histogram_quantile.json");
    int checked = 0;
    for (JsonNode each : vectors.get("cases")) {
      List<Bucket> buckets = buckets(vectors.get("histograms").get(each.get("hist").asText()));
      double level = Vectors.number(each.get("q"));
      check(each, HistogramQuantile.of(level, buckets, PrometheusVersion.V2_42), "expect_2_42");
      check(each, HistogramQuantile.of(level, buckets, PrometheusVersion.V3), "expect_3x");
      checked++;
    }
    assertThat(checked).isGreaterThanOrEqualTo(100);
  }

  @Test
  void exceedsAnEdgeExactlyWhenTheBadRatioDoes() {
    List<Bucket> buckets =
        List.of(new Bucket(1, 94), new Bucket(2.5, 95), new Bucket(5, 99), infinite(100));
    assertThat(HistogramQuantile.of(0.95, buckets, PrometheusVersion.V2_42)).isEqualTo(2.5);
    assertThat(HistogramQuantile.of(0.951, buckets, PrometheusVersion.V2_42)).isGreaterThan(2.5);
  }

  private static Bucket infinite(double count) {
    return new Bucket(Double.POSITIVE_INFINITY, count);
  }

  private static void check(JsonNode each, double actual, String key) {
    double expected = Vectors.number(each.get(key));
    if (Double.isNaN(expected) || Double.isInfinite(expected)) {
      assertThat(actual).as(each.toString()).isEqualTo(Double.valueOf(expected));
    } else {
      assertThat(actual)
          .as("%s %s", key, each)
          .isCloseTo(expected, within(1e-9 * Math.abs(expected)));
    }
  }

  private static List<Bucket> buckets(JsonNode pairs) {
    List<Bucket> buckets = new ArrayList<>();
    pairs.forEach(
        pair -> buckets.add(new Bucket(Vectors.number(pair.get(0)), pair.get(1).asDouble())));
    return buckets;
  }
}
