package tallystick.cli.option;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
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
      description = "URL of the server's metrics (default: URL/metrics)")
  private String metricsUrl;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "model to ask for (default: the first one listed)")
  private String model;

  /** What was given, as overrides of the scenario; the caller may add its own. */
  public List<String> overrides(CommandSpec spec) {
    List<String> all = new ArrayList<>();
    if (target != null) {
      all.add("target=" + GivenUrl.checked(spec, "--target", target, ServerUrl.Use.TARGET));
    }
    if (model != null) {
      all.add("model=" + model);
    }
    return all;
  }

  /** A target with the metrics that were asked for. */
  public Target scraped(Target given, CommandSpec spec) {
    String metrics =
        metricsUrl == null
            ? given.metricsUrl()
            : GivenUrl.checked(spec, "--metrics-url", metricsUrl, ServerUrl.Use.METRICS);
    return given.scrapedAt(metrics);
  }
}
