package tallystick.analysis.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.ExporterAccount.MeasuringPoint;
import tallystick.analysis.result.ExporterAccount.Observed;
import tallystick.analysis.result.ExporterAccount.PointOrder;
import tallystick.analysis.result.ExporterAccount.PointOrder.Verdict;
import tallystick.analysis.result.Figure;
import tallystick.scenario.Exporter.Quantity;

/** Times of one run of 1,012 requests on a real vLLM, whose one core was busy with 62 streams. */
class PointOrdersTest {
  private static final double GAP = 0.0661;
  private static final MeasuringPoint CLIENT = point("client", 12.5447);
  private static final MeasuringPoint ENGINE = point("engine", 12.5279);

  @Test
  void aBusyApiServerNotesTheEndAfterTheClientHasRead() {
    PointOrder order = order(point(MeasuringPoint.SERVER, 12.5514));

    assertThat(order.verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(order.detail())
        .isEqualTo(
            "server measured more than client, by 6.70 ms: no more than a mean gap between"
                + " tokens, 66.10 ms");
  }

  @Test
  void anApiServerThatMeasuresMoreThanOneGapIsOutOfOrder() {
    assertThat(order(point(MeasuringPoint.SERVER, 12.5447 + 1.1 * GAP)).verdict())
        .isEqualTo(Verdict.BROKEN);
  }

  @Test
  void aGatewayHasNoSuchRoom() {
    assertThat(order(point("gateway", 12.5514)).verdict()).isEqualTo(Verdict.BROKEN);
  }

  private static PointOrder order(MeasuringPoint middle) {
    return PointOrders.of(List.of(CLIENT, middle, ENGINE)).get(0);
  }

  private static MeasuringPoint point(String name, double wholeSeconds) {
    return new MeasuringPoint(
        name,
        Map.of(),
        Map.of(),
        Map.of(
            Quantity.E2E, new Observed(1012, Figure.of(wholeSeconds)),
            Quantity.ITL, new Observed(41_028, Figure.of(GAP))),
        Map.of());
  }
}
