package tallystick.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.analysis.result.Latency;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.AccessOptions;
import tallystick.cli.option.GivenLimit;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.GivenUrl;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.option.Verbosity;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.reach.ServerUrl;
import tallystick.reach.ServerUrl.Use;
import tallystick.report.Reports;
import tallystick.run.ServerDoor;
import tallystick.run.TargetException;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.PlainText;
import tallystick.scenario.Target;
import tallystick.scrape.Checkup;
import tallystick.scrape.MetricsAccess;
import tallystick.scrape.Remark;

/** Says before a run what can and what cannot be learned from a target. */
@Command(
    name = "doctor",
    description = "Examine a target: what it exposes, what is missing, what would make a run"
        + " invalid.")
final class DoctorCommand extends ShellCommand {
  private static final List<Latency> ASKED =
      List.of(Latency.TTFT, Latency.ITL, Latency.TPOT, Latency.E2E);

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "the server's base URL; can be repeated")
  private List<String> urls = List.of();

  @Option(
      names = "--metrics-url",
      paramLabel = "URL",
      description =
          "where its metrics are, if not at URL/metrics; one for each --target, or several for one:"
              + " those of the engines behind a gateway")
  private List<String> metricsUrls = List.of();

  @Option(
      names = "--objective",
      paramLabel = "METRIC=TIME",
      converter = {CommandLine.UseDefaultConverter.class, GivenLimit.class},
      description = "a threshold to look up among the bucket edges: ttft, itl, tpot or e2e")
  private Map<String, Double> objectives = Map.of();

  @Option(
      names = "--scrapes",
      paramLabel = "N",
      defaultValue = "4",
      description = "how many scrapes to take (default: ${DEFAULT-VALUE})")
  private int scrapes;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "0.7s",
      description = "time between two scrapes (default: ${DEFAULT-VALUE})")
  private double pauseSeconds;

  @Mixin private AccessOptions access;

  @Mixin private Verbosity verbosity;

  @Mixin private JsonOption json;

  /** What there is to say of a target, for programs. */
  private record Examined(String target, List<Remark> remarks) {}

  @Override
  public Integer call() throws InterruptedException {
    if (urls.isEmpty()) {
      throw new Mistake("name the server: --target http://127.0.0.1:8000");
    }
    Map<MetricConcept, Double> thresholds = thresholds();
    MetricsAccess reach = access.resolve();
    List<Examined> examined = new ArrayList<>();
    long pauseNanos = (long) (pauseSeconds * 1e9);
    try (Checkup checkup =
        new Checkup(
            Math.max(1, scrapes), pauseNanos, isGateway() ? reach.withoutKey() : reach)) {
      for (Target target : targets()) {
        List<Remark> remarks = new ArrayList<>();
        if (!isGateway()) {
          remarks.add(door(target.url(), reach));
        }
        remarks.addAll(checkup.examine(target, thresholds));
        examined.add(new Examined(target.url(), remarks));
        show(new DoctorAnswer(heads(target), remarks, next(target)));
      }
    }
    if (isGateway()) {
      String gateway = checked(urls.getFirst()).url();
      List<Remark> remarks = behind(examined, door(gateway, reach));
      examined.add(new Examined(gateway, remarks));
      List<String> heads = List.of(gateway, metricsUrls.size() + " engines behind it");
      show(new DoctorAnswer(heads, remarks, withAccess(asked())));
    }
    json.print(() -> Reports.json(Map.of("targets", examined)));
    List<Remark> all = examined.stream().flatMap(one -> one.remarks().stream()).toList();
    return ExitCode.of(DoctorAnswer.outcome(all)).number();
  }

  /** Whether the server that is to get the load would take it. */
  private static Remark door(String url, MetricsAccess reach) {
    List<String> notes = new ArrayList<>();
    try {
      String model = new ServerDoor(url, reach).model("", notes);
      return notes.isEmpty()
          ? new Remark(Remark.Level.GOOD, DoctorAnswer.SERVER, url + " serves " + model)
          : new Remark(Remark.Level.NOTE, DoctorAnswer.SERVER, notes.getFirst());
    } catch (TargetException e) {
      return new Remark(Remark.Level.FAILED, DoctorAnswer.SERVER, e.getMessage());
    }
  }

  /** A run is of all engines behind a gateway, or of none. */
  private static List<Remark> behind(List<Examined> engines, Remark door) {
    List<Remark> remarks = new ArrayList<>(List.of(door));
    for (Remark.Level level : List.of(Remark.Level.FAILED, Remark.Level.UNTRUSTED)) {
      List<String> unfit =
          engines.stream()
              .filter(one -> DoctorAnswer.worst(one.remarks()) == level)
              .map(Examined::target)
              .toList();
      if (!unfit.isEmpty()) {
        remarks.add(
            new Remark(
                level, "engines",
                unfit.size() + " of " + engines.size() + " not ready: "
                    + String.join(", ", unfit)));
      }
    }
    return remarks;
  }

  private void show(DoctorAnswer found) {
    TerminalWriter.show(console(), found.answer(), verbosity.isVerbose());
  }

  private List<String> heads(Target target) {
    return isGateway()
        ? List.of(target.url(), "behind " + urls.getFirst())
        : List.of(target.url());
  }

  /** What to type for a target; of an engine behind a gateway nothing, before all are known. */
  private DoctorAnswer.Asked next(Target target) {
    if (isGateway()) {
      return DoctorAnswer.Asked.NOTHING;
    }
    String metrics =
        metricsUrls.isEmpty() ? "" : " --metrics-url " + PlainText.argument(target.metricsUrl());
    return withAccess(PlainText.argument(target.url()) + metrics);
  }

  /** With what lets the next command in as it let this one in. */
  private DoctorAnswer.Asked withAccess(String urls) {
    String reached = "--target " + urls;
    return new DoctorAnswer.Asked(reached + access.typed(), reached + access.typedOfRun());
  }

  /** The gateway and the engines behind it, as they were given. */
  private String asked() {
    return metricsUrls.stream()
        .map(url -> " --metrics-url " + PlainText.argument(url))
        .collect(Collectors.joining("", PlainText.argument(urls.getFirst()), ""));
  }

  /** Behind a gateway each engine is looked at. */
  private List<Target> targets() {
    List<Target> targets = urls.stream().map(this::checked).toList();
    if (metricsUrls.isEmpty()) {
      return targets;
    }
    List<String> scraped = GivenUrl.metrics(metricsUrls);
    if (isGateway()) {
      return scraped.stream().map(url -> new Target(ServerUrl.base(url), url, 1)).toList();
    }
    if (metricsUrls.size() != urls.size()) {
      throw new Mistake(
          "--metrics-url: one for each --target is needed, or several for one gateway; got "
              + metricsUrls.size() + " for " + urls.size() + " targets");
    }
    return IntStream.range(0, urls.size())
        .mapToObj(i -> targets.get(i).scrapedAt(scraped.get(i)))
        .toList();
  }

  private Target checked(String url) {
    return Target.at(GivenUrl.checked("--target", url, Use.TARGET));
  }

  private boolean isGateway() {
    return urls.size() == 1 && metricsUrls.size() > 1;
  }

  private Map<MetricConcept, Double> thresholds() {
    Map<MetricConcept, Double> thresholds = new EnumMap<>(MetricConcept.class);
    for (String metric : objectives.keySet()) {
      Latency asked =
          ASKED.stream()
              .filter(one -> one.code().equals(metric))
              .findFirst()
              .orElseThrow(
                  () ->
                      new Mistake(
                          "--objective: '" + metric + "' is none of ttft, itl, tpot, e2e"));
      thresholds.put(asked.concept(), objectives.get(metric));
    }
    return thresholds;
  }
}
