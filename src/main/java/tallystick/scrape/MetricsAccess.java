package tallystick.scrape;

import java.util.Map;
import tallystick.reach.ServerUrl;
import tallystick.reach.WebOrigin;
import tallystick.scenario.Exporter;
import tallystick.scenario.Target;

/**
 * Whom to trust on the way to metrics, and which secret goes where: the environment's to the URL
 * it is meant for, the API key to no other origin than the load target's.
 *
 * @param caFile PEM file of authorities to trust besides the usual ones; empty for none
 * @param apiKey the key of the load target's API; empty for none
 * @param environment the process's environment variables
 */
public record MetricsAccess(String caFile, String apiKey, Map<String, String> environment) {
  public MetricsAccess {
    environment = Map.copyOf(environment);
  }

  /** With the environment of this process. */
  public static MetricsAccess of(String caFile, String apiKey) {
    return new MetricsAccess(caFile, apiKey, System.getenv());
  }

  /** With this process's environment and nothing else. */
  public static MetricsAccess plain() {
    return of("", "");
  }

  /** The same for a server that a list names: the key is for the one that the user named. */
  public MetricsAccess withoutKey() {
    return new MetricsAccess(caFile, "", environment);
  }

  /** Where a target's metrics are, and what is shown there. */
  MetricsUrl of(Target target) {
    Credentials credentials = Credentials.ofTarget(environment);
    String url = target.metricsUrl();
    boolean isTargetsOwn =
        !ServerUrl.isFile(url) && WebOrigin.of(url).equals(WebOrigin.of(target.url()));
    return MetricsUrl.of(url, isTargetsOwn ? credentials.orKey(apiKey) : credentials);
  }

  /** Where an exporter's metrics are, and what is shown there. */
  MetricsUrl of(Exporter exporter) {
    return MetricsUrl.of(exporter.url(), Credentials.ofExporter(exporter.name(), environment));
  }

  /** What is shown to the load target itself. */
  Credentials ofApi() {
    return Credentials.none().orKey(apiKey);
  }

  /** The secrets stay out of logs and messages. */
  @Override
  public String toString() {
    return "MetricsAccess[" + caFile + "]";
  }
}
