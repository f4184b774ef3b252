package tallystick.cli.option;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.reach.TrustedAuthorities;
import tallystick.scenario.PlainText;
import tallystick.scenario.Scenario;
import tallystick.scrape.MetricsAccess;

/** What a command without a scenario needs to be let in: authorities to trust and the API key. */
public final class AccessOptions {
  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description = "PEM file of authorities to trust besides the usual ones")
  private String caFile = "";

  @Mixin private ApiKeyOption apiKey;

  /** Whom to trust and what to show. */
  public MetricsAccess resolve() {
    Mistake.orSay("--ca-file: ", () -> TrustedAuthorities.with(caFile));
    return MetricsAccess.of(caFile, apiKey.resolve(Scenario.Access.PLAIN));
  }

  /** What was typed of these, to be typed again, with a blank before it; empty for nothing. */
  public String typed() {
    return (caFile.isEmpty() ? "" : " --ca-file " + PlainText.argument(caFile)) + apiKey.typed();
  }

  /** The same for a command that has a scenario, where the authorities are a setting. */
  public String typedOfRun() {
    return (caFile.isEmpty() ? "" : " --set " + PlainText.argument("request.ca_file=" + caFile))
        + apiKey.typed();
  }
}
