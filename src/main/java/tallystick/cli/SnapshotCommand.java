package tallystick.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.AccessOptions;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.GivenUrl;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Target;
import tallystick.scrape.HealthRule;
import tallystick.scrape.MetricSnapshot;
import tallystick.scrape.Scraper;
import tallystick.scrape.SnapshotText;

/** Prints what an engine's metrics say at this moment, and judges them by the user's rules. */
@Command(
    name = "snapshot",
    description = {
      "Print an engine's metrics as typed values.",
      "With --warn only the rules and their values; exit 1 when one fires."
    })
final class SnapshotCommand extends ShellCommand {
  @Parameters(
      paramLabel = "URL",
      description = "an engine's base URL, its metrics URL, or file:/path of an exposition")
  private String url;

  @Mixin private JsonOption json;

  @Option(names = "--all", description = "every metric, not only the engine's; with --warn too")
  private boolean isAll;

  @Option(names = "--watch", description = "print again and again until interrupted")
  private boolean isWatching;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "1s",
      description = "time between two snapshots of --watch (default: ${DEFAULT-VALUE})")
  private double pauseSeconds;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "0",
      description = "stop --watch after N snapshots (default: never)")
  private int count;

  @Option(
      names = "--warn",
      paramLabel = "RULE",
      description =
          "a limit to warn of, on a metric's name or meaning, for example"
              + " 'kv_cache_usage>0.95'; can be repeated")
  private List<String> warnings = List.of();

  @Mixin private AccessOptions access;

  @Override
  public Integer call() throws InterruptedException {
    List<HealthRule> rules =
        Mistake.orSay("--warn: ", () -> warnings.stream().map(HealthRule::parse).toList());
    refuseNegative("--every", pauseSeconds);
    refuseNegative("--count", count);
    if (count > 0 && !isWatching) {
      throw new Mistake("--count needs --watch");
    }
    Target target = GivenUrl.scraped("URL", url);
    List<Target> targets = List.of(target);
    try (Scraper scraper =
        new Scraper(targets, 1, RunClock.start(), row -> {}, access.resolve())) {
      ExitCode worst = ExitCode.GOOD;
      for (int taken = 1; ; taken++) {
        ExitCode result = show(scraper.scrape(0), target.metricsUrl(), rules);
        worst = worse(worst, result);
        if (!isWatching || taken == count) {
          return worst.number();
        }
        TimeUnit.NANOSECONDS.sleep((long) (pauseSeconds * 1e9));
      }
    }
  }

  private void refuseNegative(String option, double value) {
    if (!(value >= 0)) {
      throw new Mistake(
          option + " must be >= 0, was " + value + ": write a number of seconds"
              + " or snapshots");
    }
  }

  private ExitCode show(ScrapeRow row, String metricsUrl, List<HealthRule> rules) {
    if (!row.isGood()) {
      errors().println(metricsUrl + ": " + row.error() + remedy(row.error()));
      return ExitCode.WORLD_FAILED;
    }
    List<JudgedRule> judged =
        rules.stream().map(rule -> JudgedRule.of(rule, row.samples())).toList();
    ExitCode result = ExitCode.of(JudgedRule.together(judged));
    if (!judged.isEmpty() && !isAll && !json.isWanted()) {
      TerminalWriter.show(console(), JudgedRule.answer(metricsUrl, judged), false);
      return result;
    }
    print(row, metricsUrl, judged);
    judged.forEach(rule -> rule.warnings().forEach(errors()::println));
    return result;
  }

  private void print(ScrapeRow row, String metricsUrl, List<JudgedRule> judged) {
    MetricSnapshot whole = MetricSnapshot.of(row.samples());
    MetricSnapshot shown = isAll ? whole : whole.ofEngine();
    Map<String, String> rules = new LinkedHashMap<>();
    judged.forEach(rule -> rules.put(rule.rule().toString(), rule.says()));
    json.print(() -> SnapshotText.json(shown, metricsUrl, RunClock.utcNanos(), rules));
    if (!json.isWanted()) {
      SnapshotText.lines(shown).forEach(console()::println);
      console().println();
    }
    if (shown.metrics().isEmpty()) {
      errors().println(
          metricsUrl + ": none of its " + whole.metrics().size() + " metrics is an engine's yet; a"
              + " Dynamo worker shows them after its first request, --all shows what there is");
    }
  }

  private static String remedy(String error) {
    if (error.contains("TALLY_METRICS_TOKEN") || error.contains("drop that label")) {
      // The words name their own remedy.
      return "";
    }
    return error.startsWith("no ")
        ? "; start the server or correct the URL"
        : "; name the URL of an engine's metrics, normally http://HOST:PORT/metrics";
  }

  /** A rule that holds outweighs one that could not be judged; a failed scrape outweighs both. */
  private static ExitCode worse(ExitCode one, ExitCode other) {
    List<ExitCode> order =
        List.of(
            ExitCode.GOOD, ExitCode.NOT_TRUSTED, ExitCode.RESULT_FAILS, ExitCode.WORLD_FAILED);
    return order.get(Math.max(order.indexOf(one), order.indexOf(other)));
  }
}
