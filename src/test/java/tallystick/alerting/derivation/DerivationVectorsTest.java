package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.alerting.derivation.ThresholdFit.Weights;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.statistics.BlockBootstrap;
import tallystick.analysis.statistics.Isotonic;
import tallystick.analysis.statistics.Proportion;
import tallystick.promql.Vectors;

/** The method's vectors: labels, area, thresholds, left-out answers, isotonic fit, resampling. */
class DerivationVectorsTest {
  private static final double TIGHT = 1e-9;

  @Test
  void labelsFollowTheClientsCountsAndTheStepsProof() {
    JsonNode vector = Vectors.json("threshold.json");
    List<LabelledWindow> labels = LabelledWindow.of(rows(vector), vector.get("target").asDouble());
    for (int i = 0; i < labels.size(); i++) {
      Verdict expected =
          switch (vector.get("windows").get(i).get("label").asInt()) {
            case 0 -> Verdict.MET;
            case 1 -> Verdict.MISSED;
            default -> Verdict.NOT_JUDGED;
          };
      assertThat(labels.get(i).label()).as("window %d", i).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"bad_ratio, BAD_RATIO", "wait_mean, WAITING_MEAN", "kv, KV_MEAN"})
  void thresholdAreaAndLeftOutAnswersAgree(String key, Signal signal) {
    JsonNode vector = Vectors.json("threshold.json");
    JsonNode expected = vector.get("expect").get(key);
    List<LabelledWindow> windows =
        LabelledWindow.of(rows(vector), vector.get("target").asDouble());
    LabelledValues values = LabelledValues.of(signal, windows);
    assertThat(values.violated()).hasSize(expected.get("positives").asInt());
    assertThat(values.areaUnderCurve()).isCloseTo(number(expected, "auc"), within(TIGHT));
    ThresholdFit fit = ThresholdFit.anywhere(values, Weights.EVEN).orElseThrow();
    assertThat(fit.threshold()).isCloseTo(number(expected, "youden"), within(TIGHT));
    assertThat(Confusion.of(values, fit.threshold()).youden())
        .isCloseTo(number(expected, "J"), within(TIGHT));
    Weights missesMatter = new Weights(1, 5);
    ThresholdFit cheap = ThresholdFit.anywhere(values, missesMatter).orElseThrow();
    assertThat(cheap.threshold()).isCloseTo(number(expected, "cost"), within(TIGHT));
    assertThat(missesMatter.cost(Confusion.of(values, cheap.threshold())))
        .isCloseTo(number(expected, "cost_value"), within(TIGHT));
    HeldOut held =
        HeldOut.of(
            signal, windows, r -> r.place().run(),
            v -> ThresholdFit.anywhere(v, Weights.EVEN));
    JsonNode loro = expected.get("loro");
    assertThat(held.confusion())
        .isEqualTo(
            new Confusion(
                loro.get("tp").asLong(),
                loro.get("fp").asLong(),
                loro.get("fn").asLong(),
                loro.get("tn").asLong()));
    for (int i = 0; i < 3; i++) {
      assertThat(held.thresholds().get(i))
          .isCloseTo(loro.get("thresholds").get(i).asDouble(), within(TIGHT));
    }
  }

  @Test
  void isotonicFitsAgree() {
    for (JsonNode each : Vectors.json("isotonic.json").get("cases")) {
      double[] values = doubles(each.get("y"));
      double[] weights = new double[values.length];
      Arrays.fill(weights, 1);
      if (!each.get("w").isNull()) {
        weights = doubles(each.get("w"));
      }
      Isotonic fit =
          each.get("increasing").asBoolean()
              ? Isotonic.rising(values, weights)
              : Isotonic.falling(values, weights);
      assertThat(fit.fit()).containsExactly(doubles(each.get("fit")), within(TIGHT));
      assertThat(fit.violationShare())
          .isCloseTo(number(each, "violation_share"), within(TIGHT));
    }
  }

  @Test
  void resamplingAgreesToTheLastDraw() {
    JsonNode vector = Vectors.json("block_bootstrap.json");
    BlockBootstrap resampler = new BlockBootstrap(42);
    for (JsonNode index : vector.get("index10_seed42")) {
      assertThat(resampler.index(10)).isEqualTo(index.asInt());
    }
    double[] x = doubles(vector.get("x"));
    JsonNode expected = vector.get("results").get("mean_L1");
    double[] means = means(x);
    for (int i = 0; i < 3; i++) {
      double mean = expected.get("first3").get(i).asDouble();
      assertThat(means[i]).isCloseTo(mean, within(TIGHT));
    }
    Arrays.sort(means);
    double[] ends = {
      BlockBootstrap.quantile(means, 0.025), BlockBootstrap.quantile(means, 0.975)
    };
    assertThat(ends).containsExactly(doubles(expected.get("ci95")), within(TIGHT));
  }

  @Test
  void theGuardOnBadEventsAgreesWhereThereIsOne() {
    for (JsonNode each : Vectors.json("burn_rate.json").get("bad_event_guard")) {
      double factor = each.get("factor").asDouble();
      int expected = factor < 2 ? 20 : each.get("k_min").asInt();
      assertThat(BadEventGuard.leastBadEvents(each.get("slo").asDouble(), factor))
          .as(each.toString())
          .isEqualTo(expected);
    }
  }

  @Test
  void proportionsAgree() {
    for (JsonNode each : Vectors.json("proportions.json").get("cases")) {
      for (String level : List.of("0.9", "0.95", "0.99")) {
        Proportion wilson =
            Proportion.wilson(
                each.get("k").asDouble(), each.get("n").asDouble(), Double.parseDouble(level));
        JsonNode expected = each.get("wilson_" + level);
        assertThat(wilson.low()).isCloseTo(expected.get(0).asDouble(), within(TIGHT));
        assertThat(wilson.high()).isCloseTo(expected.get(1).asDouble(), within(TIGHT));
      }
    }
  }

  private static double[] means(double[] x) {
    BlockBootstrap resampler = new BlockBootstrap(42);
    double[] means = new double[BlockBootstrap.RESAMPLES];
    for (int b = 0; b < means.length; b++) {
      double sum = 0;
      for (int index : resampler.positions(x.length)) {
        sum += x[index];
      }
      means[b] = sum / x.length;
    }
    return means;
  }

  private static List<WindowRow> rows(JsonNode vector) {
    List<WindowRow> rows = new ArrayList<>();
    for (JsonNode each : vector.get("windows")) {
      WindowRow.Place place =
          new WindowRow.Place(
              each.get("run").asText(),
              "a",
              each.get("step").asText(),
              each.get("step").asDouble(),
              each.get("idx").asDouble());
      rows.add(
          new WindowRow(
              place,
              each.get("n").asLong(),
              each.get("good").asLong(),
              0,
              false,
              Map.of(
                  Signal.BAD_RATIO, each.get("bad_ratio").asDouble(),
                  Signal.WAITING_MEAN, each.get("wait_mean").asDouble(),
                  Signal.KV_MEAN, each.get("kv").asDouble())));
    }
    return rows;
  }

  private static double number(JsonNode node, String key) {
    return node.get(key).asDouble();
  }

  private static double[] doubles(JsonNode list) {
    double[] values = new double[list.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = list.get(i).asDouble();
    }
    return values;
  }
}
