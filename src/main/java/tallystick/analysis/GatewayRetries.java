package tallystick.analysis;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.ExporterAccount.MeasuringPoint;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.scenario.Formatted;

/**
 * Requests that the engine's API server refused and the client never saw refused: a gateway on the
 * way asks again, and the wait for that looks like its own.
 */
final class GatewayRetries {
  private static final double FEWEST = 3; // Fewer may be health checks
  private static final double LEAST_SHARE = 0.01; // Below 1 % they hardly change the load
  private static final Pattern REFUSED = Pattern.compile("[45].*");

  private GatewayRetries() {}

  /** The finding, if the server refused so many more than the client saw. */
  static Optional<Finding> of(ExporterAccount surroundings) {
    Optional<MeasuringPoint> server = point(surroundings, MeasuringPoint.SERVER);
    Optional<MeasuringPoint> client = point(surroundings, MeasuringPoint.CLIENT);
    if (server.isEmpty() || client.isEmpty()) {
      return Optional.empty();
    }
    double refused = refused(server.get());
    double hidden = refused - refused(client.get());
    double asked = all(server.get());
    if (hidden < FEWEST || hidden < LEAST_SHARE * asked || asked <= all(client.get())) {
      return Optional.empty();
    }
    return Optional.of(new Finding(Code.REFUSALS_HIDDEN,
        Formatted.of(
            "The engine's API server refused %.0f of %.0f requests, and the client saw %.0f of"
                + " them. Most likely something on the way retries, and that wait is part of"
                + " the time outside the engine.",
            refused, asked, refused - hidden),
        List.of(words("API server", server.get()), words("client", client.get())),
        "Turn retries off in the gateway for the test, or read the engine's log for why it"
            + " refuses. If others use the engine, theirs may be among them."));
  }

  private static Optional<MeasuringPoint> point(ExporterAccount surroundings, String name) {
    return surroundings.points().stream().filter(point -> point.name().equals(name)).findFirst();
  }

  private static double refused(MeasuringPoint point) {
    return point.byStatus().entrySet().stream()
        .filter(status -> REFUSED.matcher(status.getKey()).matches())
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  private static double all(MeasuringPoint point) {
    return point.byStatus().values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static String words(String name, MeasuringPoint point) {
    StringBuilder words = new StringBuilder(name);
    point.byStatus().forEach((status, n) -> words.append(Formatted.of(", %s: %.0f", status, n)));
    return words.toString();
  }
}
