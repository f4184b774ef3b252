package tallystick.scrape;

import java.net.URI;
import java.util.Map;
import tallystick.reach.ApiAccess;
import tallystick.reach.Redaction;
import tallystick.reach.ServerUrl;
import tallystick.reach.WebOrigin;
import tallystick.scenario.Exporter;
import tallystick.scenario.Target;

/**
 * Whom to trust on the way to metrics, and which secret goes where: the environment's to the URL
 * it is meant for, the API's to no other origin than the load target's.
 *
 * @param caFile PEM file of authorities to trust besides the usual ones; empty for none
 * @param api what the load target's API is shown
 * @param environment the process's environment variables
 * @param redaction takes every secret of the run out of what any server says
 */
public record MetricsAccess(
    String caFile, ApiAccess api, Map<String, String> environment, Redaction redaction) {
  public MetricsAccess {
    environment = Map.copyOf(environment);
  }

  /** With all of its secrets taken out of what servers say. */
  public MetricsAccess(String caFile, ApiAccess api, Map<String, String> environment) {
    this(caFile, api, environment, api.redaction().with(Credentials.secrets(environment)));
  }

  /** With the environment of this process. */
  public static MetricsAccess of(String caFile, ApiAccess api) {
    return new MetricsAccess(caFile, api, System.getenv());
  }

  /** With this process's environment and nothing else. */
  public static MetricsAccess plain() {
    return of("", ApiAccess.NONE);
  }

  /** The same for a server that a list names: the key is for the one that the user named. */
  public MetricsAccess withoutKey() {
    return new MetricsAccess(caFile, ApiAccess.NONE, environment, redaction);
  }

  /** Where a target's metrics are, and what is shown there. */
  MetricsUrl of(Target target) {
    Credentials credentials = Credentials.ofTarget(environment);
    String url = target.metricsUrl();
    boolean isTargetsOwn =
        !ServerUrl.isFile(url) && WebOrigin.of(url).equals(WebOrigin.of(target.url()));
    return url(url, isTargetsOwn ? credentials.or(api) : credentials);
  }

  /** Where an exporter's metrics are, and what is shown there. */
  MetricsUrl of(Exporter exporter) {
    return url(exporter.url(), Credentials.ofExporter(exporter.name(), environment));
  }

  private MetricsUrl url(String url, Credentials credentials) {
    return new MetricsUrl(URI.create(url), credentials, credentials.hiddenBy(redaction));
  }

  /** What is shown to the load target itself. */
  Credentials ofApi() {
    return Credentials.none().or(api);
  }

  /** The secrets stay out of logs and messages. */
  @Override
  public String toString() {
    return "MetricsAccess[" + caFile + "]";
  }
}
