package tallystick.cli.option;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import tallystick.reach.ServerUrl;
import tallystick.scenario.Target;

/** The server a command loads, where it differs from the scenario's. */
public final class TargetOptions {
  @Option(names = "--target", paramLabel = "URL", description = "base URL of the server to test")
  private String target;

  @Option(
      names = "--metrics-url",
      paramLabel = "URL",
      description = {
        "URL of the server's metrics (default: URL/metrics),"
            + " one for each engine behind a gateway"
      })
  private List<String> metricsUrls = List.of();

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "model to ask for (default: the first one listed)")
  private String model;

  /** What was given, as overrides of the scenario; the caller may add its own. */
  public List<String> overrides() {
    List<String> all = new ArrayList<>();
    if (target != null) {
      all.add("target=" + GivenUrl.checked("--target", target, ServerUrl.Use.TARGET));
    }
    if (model != null) {
      all.add("model=" + model);
    }
    return all;
  }

  /** Whether anybody's metrics were asked for. */
  public boolean namesMetrics() {
    return !metricsUrls.isEmpty();
  }

  /**
   * The targets with the metrics that were asked for. Before several engines stands a gateway: it
   * gets the requests, and they are scraped.
   */
  public List<Target> scraped(List<Target> given) {
    List<String> urls = GivenUrl.metrics(metricsUrls);
    if (urls.isEmpty()) {
      return given;
    }
    if (given.size() != 1) {
      throw new Mistake(
          "--metrics-url is for one target, the scenario has " + given.size()
              + ": write metrics_url beside each of them there");
    }
    if (urls.size() == 1) {
      return List.of(given.getFirst().scrapedAt(urls.getFirst()));
    }
    List<Target> behind = new ArrayList<>();
    behind.add(new Target(given.getFirst().url(), "", 1, Target.Role.GATEWAY));
    urls.forEach(url -> behind.add(new Target(ServerUrl.base(url), url, 0)));
    return behind;
  }
}
