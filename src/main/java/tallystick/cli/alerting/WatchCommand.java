package tallystick.cli.alerting;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.alerting.RuleFile;
import tallystick.alerting.watch.Sli;
import tallystick.alerting.watch.Watch;
import tallystick.alerting.watch.Watched;
import tallystick.alerting.watch.WatchedRules;
import tallystick.answer.Answer;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.AccessOptions;
import tallystick.cli.option.GivenFile;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.GivenUrl;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.option.StrengthOption;
import tallystick.cli.run.AnswerOptions;
import tallystick.promql.PromqlException;
import tallystick.promql.PromqlParser;
import tallystick.reach.ServerUrl;
import tallystick.report.AnswerFiles;
import tallystick.runrecord.HowFar;
import tallystick.runrecord.WholeFile;
import tallystick.scrape.PrometheusHistory;

/** Holds rules against what a live Prometheus remembers. */
@Command(
    name = "watch",
    description = {
      "Replay alert rules over the history of a Prometheus, and compare with how users fared.",
      "Says whether thresholds still fit. Exit 1: they do not, an alert was false, or none fired"
          + " although users suffered; 5: too little data."
    })
public final class WatchCommand extends ShellCommand {
  private static final double SHORTEST_RANGE = 3600;
  private static final double LONGEST_RANGE = 90 * 86_400.0; // a quarter; few keep more
  private static final double SHORTEST_INTERVAL = 1;

  @Parameters(
      paramLabel = "RULES", description = "a rule file, best unchanged as alerts or study wrote it")
  private Path file;

  @Option(
      names = "--prometheus",
      required = true,
      paramLabel = "URL",
      description = "base URL of a Prometheus, Thanos, Mimir or VictoriaMetrics")
  private String prometheus;

  @Option(
      names = "--range",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "7d",
      description = "how far back to look (default: ${DEFAULT-VALUE})")
  private double rangeSeconds;

  @Option(
      names = "--until",
      paramLabel = "UTC",
      defaultValue = "",
      description = "end of the range, for example 2026-11-14T09:00:00Z (default: now)")
  private String until;

  @Option(
      names = "--sli",
      paramLabel = "QUERY",
      defaultValue = "",
      description =
          "share of bad requests as BAD / ALL, for example from the clients or a gateway"
              + " (default: the engine's, as the rules record it)")
  private String sli;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "share of requests that must be good by --sli (default: that of the rules)")
  private double share;

  @Option(
      names = "--evaluation-interval",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "15s",
      description = "evaluation interval of groups that set none (default: ${DEFAULT-VALUE})")
  private double evaluationSeconds;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "also write a page that draws the alerts over time")
  private Path page;

  @Mixin private AccessOptions access;

  @Mixin private StrengthOption strength;

  @Mixin private AnswerOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkNumbers();
    String url = base();
    List<String> leftOut = new ArrayList<>();
    WatchedRules rules = GivenFile.read(file, (name, text) -> rules(name, text, leftOut));
    Optional<Sli> given = given(rules);
    HowFar.of("asking Prometheus", 0);
    try (PrometheusHistory asked = new PrometheusHistory(url, access.resolve())) {
      Watched watched =
          new Watch(
                  new LivePrometheus(asked), rules, end(asked, url),
                  Math.round(1000 * rangeSeconds), done -> HowFar.of("asking Prometheus", done))
              .of(url, given, leftOut);
      Answer answer = options.show(watched, "");
      if (page != null) {
        WholeFile.writeAsked(page, AnswerFiles.page(answer, "Times are UTC."));
      }
      return ExitCode.of(strength.outcome(answer)).number();
    } catch (Sli.NoShareException e) {
      throw new Mistake((sli.isEmpty() ? "the rules' share of bad requests " : "--sli ")
          + e.getMessage());
    }
  }

  private void checkNumbers() {
    if (!(share >= 0 && share < 1)) {
      throw new Mistake("--share must be between 0 and 1: write for example 0.99");
    }
    if (!(rangeSeconds >= SHORTEST_RANGE && rangeSeconds <= LONGEST_RANGE)) {
      throw new Mistake("--range must be 1h to 90d: write for example 7d");
    }
    if (!(evaluationSeconds >= SHORTEST_INTERVAL)) {
      throw new Mistake("--evaluation-interval must be 1 s or longer");
    }
  }

  /** A URL of its API or of its graph means the server, too. */
  private String base() {
    String url = GivenUrl.checked("--prometheus", prometheus, ServerUrl.Use.METRICS);
    if (ServerUrl.isFile(url)) {
      throw new Mistake("--prometheus is a file: name a server, for example http://127.0.0.1:9090");
    }
    return url.replaceFirst("[?].*", "").replaceFirst("(/api/v1.*|/graph)?/*$", "");
  }

  private WatchedRules rules(String name, String text, List<String> leftOut) {
    RuleFile read = RuleFile.read(name, text);
    leftOut.addAll(BacktestCommand.leftOut(read));
    WatchedRules rules = WatchedRules.of(read, text, Math.round(1000 * evaluationSeconds));
    if (rules.alerts().isEmpty()) {
      throw new Mistake(name + " has no alert: name a file with alerts, for example rules.yaml");
    }
    return rules;
  }

  private Optional<Sli> given(WatchedRules rules) {
    if (sli.isEmpty()) {
      return Optional.empty();
    }
    OptionalDouble target = share == 0 ? Sli.target(rules) : OptionalDouble.of(share);
    if (target.isEmpty()) {
      throw new Mistake(
          "--sli needs the share of requests that must be good: --share 0.99, for example");
    }
    try {
      return Optional.of(Sli.of("by --sli", target.getAsDouble(), PromqlParser.parse(sli)));
    } catch (PromqlException | IllegalArgumentException e) {
      throw new Mistake("--sli " + e.getMessage());
    }
  }

  /** By the Prometheus' own clock: its samples bear its times. */
  private long end(PrometheusHistory asked, String url) throws IOException, InterruptedException {
    long now;
    try {
      now = asked.nowMillis();
    } catch (IOException e) {
      throw new IOException(url + ": " + e.getMessage(), e);
    }
    if (until.isEmpty()) {
      return now;
    }
    try {
      long end = Instant.parse(until).toEpochMilli();
      if (end > now) {
        throw new Mistake(
            "--until " + until + " is in the future: it is " + Instant.ofEpochMilli(now));
      }
      return end;
    } catch (DateTimeParseException e) {
      throw new Mistake("--until is not a time: write for example 2026-11-14T09:00:00Z");
    }
  }
}
