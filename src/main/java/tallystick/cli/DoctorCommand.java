package tallystick.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tallystick.analysis.result.Latency;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.AccessOptions;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.GivenUrl;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Verbosity;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.reach.ServerUrl;
import tallystick.reach.ServerUrl.Use;
import tallystick.report.Reports;
import tallystick.report.screen.Screen;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.PlainText;
import tallystick.scenario.Target;
import tallystick.scrape.Checkup;
import tallystick.scrape.Remark;

/** Says before a run what can and what cannot be learned from a target. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "Examine a target: what it exposes, what is missing, what would spoil a run.")
final class DoctorCommand implements Callable<Integer> {
  private static final int WIDTH = 100;
  private static final int MOST_LETTERS = 200;
  private static final String EDGES = "bucket edges";
  private static final Set<String> TITLE = Set.of("version", "model", "engine");
  private static final List<Latency> ASKED =
      List.of(Latency.TTFT, Latency.ITL, Latency.TPOT, Latency.E2E);

  @Spec private CommandSpec spec;

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
      converter = {CommandLine.UseDefaultConverter.class, GivenTime.class},
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
      throw new ParameterException(
          spec.commandLine(), "name the server: --target http://127.0.0.1:8000");
    }
    PrintWriter out = spec.commandLine().getOut();
    Map<MetricConcept, Double> thresholds = thresholds();
    Remark.Level worst = Remark.Level.GOOD;
    List<Target> targets = targets();
    List<Examined> examined = new ArrayList<>();
    long pauseNanos = (long) (pauseSeconds * 1e9);
    try (Checkup checkup =
        new Checkup(Math.max(1, scrapes), pauseNanos, access.resolve(spec))) {
      for (Target target : targets) {
        List<Remark> remarks = checkup.examine(target, thresholds);
        examined.add(new Examined(target.url(), remarks));
        show(out, target, remarks);
        worst = Collections.max(List.of(worst, worst(remarks)));
      }
    }
    out.flush();
    json.print(() -> Reports.json(Map.of("targets", examined)));
    return switch (worst) {
      case GOOD, NOTE, WARNING -> ExitCode.GOOD.number();
      case UNTRUSTED -> ExitCode.NOT_TRUSTED.number();
      case FAILED -> ExitCode.WORLD_FAILED.number();
    };
  }

  private void show(PrintWriter out, Target target, List<Remark> remarks) {
    if (verbosity.isVerbose()) {
      remarks.forEach(remark -> lines(remark).forEach(out::println));
      out.println();
    } else {
      TerminalWriter.show(out, room -> screen(target, remarks, room));
    }
  }

  private static Remark.Level worst(List<Remark> remarks) {
    return remarks.stream()
        .map(Remark::level)
        .max(Comparator.naturalOrder())
        .orElse(Remark.Level.GOOD);
  }

  /** What was found on one screen: the remarks that are not good, the gravest first. */
  private Screen screen(Target target, List<Remark> remarks, int room) {
    Screen screen =
        new Screen(
            "doctor",
            Stream.concat(
                    isGateway()
                        ? Stream.of(target.url(), "behind " + urls.getFirst() + ", not asked")
                        : Stream.of(target.url()),
                    remarks.stream()
                        .filter(remark -> remark.level() == Remark.Level.GOOD)
                        .filter(remark -> TITLE.contains(remark.subject()))
                        .map(remark -> remark.subject() + " " + remark.text()))
                .toArray(String[]::new));
    List<Remark> told =
        remarks.stream()
            .filter(remark -> remark.level() != Remark.Level.GOOD)
            .sorted(Comparator.comparing(Remark::level).reversed())
            .toList();
    String count = told.size() + (told.size() == 1 ? " remark" : " remarks");
    Remark.Level worst = worst(remarks);
    switch (worst) {
      case GOOD -> screen.good("READY", "yes");
      case NOTE, WARNING -> screen.good("READY", "yes, with " + count);
      case UNTRUSTED -> screen.bad("READY", "no: a run could not be trusted");
      case FAILED -> screen.bad("READY", "no: the engine's half cannot be recorded");
    }
    told.stream().limit(room).forEach(remark -> tell(screen, remark));
    // Who asked about an objective wants the answer, good or not.
    remarks.stream()
        .filter(remark -> remark.level() == Remark.Level.GOOD)
        .filter(remark -> remark.subject().equals(EDGES))
        .forEach(remark -> tell(screen, remark));
    if (told.size() > room) {
      screen.plain("", "and " + (told.size() - room) + " more");
    }
    String asked = isGateway() ? gateway() : PlainText.argument(target.url());
    String again = "./tally doctor --target " + asked + " --verbose  (all that was seen)";
    return worst.compareTo(Remark.Level.WARNING) > 0
        ? screen.next(again)
        : screen.next("./tally run scenarios/steady-chat.yaml --target " + asked, again);
  }

  /** The gateway and the engines behind it, as they were given. */
  private String gateway() {
    return metricsUrls.stream()
        .map(url -> " --metrics-url " + PlainText.argument(url))
        .collect(Collectors.joining("", PlainText.argument(urls.getFirst()), ""));
  }

  private static void tell(Screen screen, Remark remark) {
    String whole = remark.subject() + ": " + remark.text();
    String text =
        whole.length() <= MOST_LETTERS
            ? whole
            : whole.substring(0, whole.lastIndexOf(' ', MOST_LETTERS)) + " ...";
    switch (remark.level()) {
      case GOOD -> screen.good("good", text);
      case NOTE -> screen.plain("note", text);
      case WARNING -> screen.caution("WARNING", text);
      case UNTRUSTED, FAILED -> screen.bad("!", text);
    }
  }

  /** Before several engines stands a gateway, which is asked for nothing: each engine is. */
  private List<Target> targets() {
    List<Target> targets =
        urls.stream()
            .map(url -> Target.at(GivenUrl.checked(spec, "--target", url, Use.TARGET)))
            .toList();
    if (metricsUrls.isEmpty()) {
      return targets;
    }
    List<String> scraped =
        metricsUrls.stream()
            .map(url -> GivenUrl.scraped(spec, "--metrics-url", url).metricsUrl())
            .toList();
    if (isGateway()) {
      return scraped.stream().map(url -> new Target(ServerUrl.base(url), url, 1)).toList();
    }
    if (metricsUrls.size() != urls.size()) {
      throw new ParameterException(
          spec.commandLine(),
          "--metrics-url: one for each --target is needed, or several for one gateway; got "
              + metricsUrls.size() + " for " + urls.size() + " targets");
    }
    return IntStream.range(0, urls.size())
        .mapToObj(i -> targets.get(i).scrapedAt(scraped.get(i)))
        .toList();
  }

  private boolean isGateway() {
    return urls.size() == 1 && metricsUrls.size() > 1;
  }

  private Map<MetricConcept, Double> thresholds() {
    Map<MetricConcept, Double> thresholds = new EnumMap<>(MetricConcept.class);
    objectives.forEach(
        (metric, seconds) -> {
          Latency asked =
              ASKED.stream()
                  .filter(one -> one.code().equals(metric))
                  .findFirst()
                  .orElseThrow(
                      () ->
                          new ParameterException(
                              spec.commandLine(),
                              "--objective: '" + metric + "' is none of ttft, itl, tpot, e2e"));
          thresholds.put(asked.concept(), seconds);
        });
    return thresholds;
  }

  /** A remark within the width of the page, its text indented. */
  private static List<String> lines(Remark remark) {
    String level = remark.level().name().toLowerCase(Locale.ROOT);
    String head = String.format(Locale.ROOT, "%-9s  %-13s  ", level, remark.subject());
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(head);
    for (String word : remark.text().split(" ")) {
      if (line.length() + word.length() > WIDTH && line.length() > head.length()) {
        lines.add(line.toString().stripTrailing());
        line = new StringBuilder(" ".repeat(head.length()));
      }
      line.append(word).append(' ');
    }
    lines.add(line.toString().stripTrailing());
    return lines;
  }
}
