package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.ExporterAccount.MeasuringPoint;
import tallystick.analysis.result.Finding;

class GatewayRetriesTest {
  @Test
  void whatAGatewayAskedAgainIsTold() {
    assertThat(between(Map.of("2xx", 81.0), Map.of("2xx", 81.0, "4xx", 13.0)).orElseThrow().text())
        .contains("refused 13 of 94 requests, and the client saw 0 of them");
    assertThat(
            between(Map.of("2xx", 70.0, "5xx", 11.0), Map.of("2xx", 70.0, "5xx", 44.0))
                .orElseThrow()
                .text())
        .contains("refused 44 of 114 requests, and the client saw 11 of them");
  }

  @Test
  void whatTheClientSawIsNotHidden() {
    assertThat(between(Map.of("2xx", 70.0, "4xx", 11.0), Map.of("2xx", 70.0, "4xx", 11.0)))
        .isEmpty();
  }

  @Test
  void oneOrTwoMayBeSomebodyElses() {
    assertThat(between(Map.of("2xx", 81.0), Map.of("2xx", 81.0, "4xx", 2.0))).isEmpty();
    assertThat(between(Map.of("2xx", 1000.0), Map.of("2xx", 1000.0, "4xx", 9.0))).isEmpty();
  }

  /** A request that a gateway answered otherwise was asked once. */
  @Test
  void aRefusalInOtherWordsIsNoRetry() {
    assertThat(between(Map.of("2xx", 81.0, "none", 9.0), Map.of("2xx", 81.0, "5xx", 9.0)))
        .isEmpty();
  }

  @Test
  void withoutAServersCountNobodyCanTell() {
    ExporterAccount account = account(List.of(point("client", Map.of("2xx", 1.0))));
    assertThat(GatewayRetries.of(account)).isEmpty();
  }

  private static Optional<Finding> between(Map<String, Double> client, Map<String, Double> server) {
    return GatewayRetries.of(
        account(
            List.of(
                point(MeasuringPoint.CLIENT, client), point(MeasuringPoint.SERVER, server))));
  }

  private static ExporterAccount account(List<MeasuringPoint> points) {
    return new ExporterAccount(points, List.of(), List.of(), null, List.of(), List.of());
  }

  private static MeasuringPoint point(String name, Map<String, Double> byStatus) {
    return new MeasuringPoint(name, Map.of(), byStatus, Map.of(), Map.of());
  }
}
