package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RateExtrapolationTest {
  private static final long STEP_MILLIS = 15_000;

  @Test
  void everyVectorHoldsForBothVersions() {
    JsonNode vectors = Vectors.json("rate_increase.json");
    int checked = 0;
    for (JsonNode each : vectors.get("cases")) {
      StoredSeries series = series(vectors.get("series").get(each.get("series").asText()));
      check(each, series, PrometheusVersion.V2_42, each.get("expect_2_42"));
      check(each, series, PrometheusVersion.V3, each.get("expect_3x"));
      checked++;
    }
    assertThat(checked).isGreaterThanOrEqualTo(390);
  }

  @Test
  void aSampleOnTheLeftEdgeBelongsToTheRangeOnlyIn2x() {
    StoredSeries series = new StoredSeries(Labels.of("x", Map.of()));
    series.append(0, 0);
    series.append(60_000, 15);
    assertThat(increase(series, PrometheusVersion.V2_42)).hasValue(15);
    assertThat(increase(series, PrometheusVersion.V3)).isEmpty();
  }

  @Test
  void aStalenessMarkerIsNoSampleOfARange() {
    StoredSeries series = new StoredSeries(Labels.of("x", Map.of()));
    series.append(15_000, 3);
    series.append(30_000, StoredSeries.STALE);
    series.append(45_000, 5);
    assertThat(Window.of(series, 60_000, 60_000, PrometheusVersion.V3).size()).isEqualTo(2);
  }

  private static OptionalDouble increase(StoredSeries series, PrometheusVersion version) {
    Window window = Window.of(series, 60_000, 60_000, version);
    return RateExtrapolation.of(
        RateExtrapolation.Function.INCREASE, version, window, 60_000, 60_000);
  }

  private static void check(
      JsonNode each, StoredSeries series, PrometheusVersion version, JsonNode expected) {
    long end = each.get("t").asLong() * 1000;
    long range = each.get("range_s").asLong() * 1000;
    RateExtrapolation.Function function =
        RateExtrapolation.Function.valueOf(each.get("fn").asText().toUpperCase(Locale.ROOT));
    OptionalDouble actual =
        RateExtrapolation.of(
            function, version, Window.of(series, end, range, version), end, range);
    if (expected.isNull()) {
      assertThat(actual).as("%s %s", version, each).isEmpty();
    } else {
      double value = Vectors.number(expected);
      assertThat(actual.orElse(Double.NaN))
          .as("%s %s", version, each)
          .isCloseTo(value, within(1e-9 * Math.abs(value)));
    }
  }

  private static StoredSeries series(JsonNode values) {
    StoredSeries series = new StoredSeries(Labels.of("x", Map.of()));
    for (int i = 0; i < values.size(); i++) {
      if (!values.get(i).isNull()) {
        series.append(i * STEP_MILLIS, values.get(i).asDouble());
      }
    }
    return series;
  }
}
