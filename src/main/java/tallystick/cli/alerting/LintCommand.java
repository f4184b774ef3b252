package tallystick.cli.alerting;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.alerting.RuleFile;
import tallystick.alerting.lint.ExposedSeries;
import tallystick.alerting.lint.Lint;
import tallystick.alerting.lint.LintFile;
import tallystick.alerting.lint.LintFinding;
import tallystick.alerting.lint.RenamedMetrics;
import tallystick.alerting.lint.RuleLint;
import tallystick.alerting.lint.Sarif;
import tallystick.answer.Answer;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.AccessOptions;
import tallystick.cli.option.GivenFile;
import tallystick.cli.option.GivenUrl;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.option.Verbosity;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.report.Reports;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Target;
import tallystick.scrape.ExpositionException;
import tallystick.scrape.ExpositionParser;
import tallystick.scrape.Scraper;

/** Says what is wrong with Prometheus rules and dashboards for LLM engines. */
@Command(
    name = "lint",
    description =
        "Find the known defects of Prometheus rules and dashboards for vLLM; exit 1 on an error.")
public final class LintCommand extends ShellCommand {
  /** As much as one scrape may bring; a device or a pipe has no size of its own. */
  private static final int MOST_BYTES = 64 << 20;

  @Parameters(
      paramLabel = "RULES",
      arity = "1..*",
      description = "files of rules, Grafana or Perses dashboards, or Grafana alerts")
  private List<Path> files;

  @Mixin private AccessOptions access;

  @Mixin private JsonOption json;

  @ArgGroup private Exposure exposure = new Exposure();

  @Option(
      names = "--format",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Format format;

  @Option(
      names = "--fix",
      description = "replace renamed metrics in the files by their present names; change nothing"
          + " else")
  private boolean fix;

  @Mixin private Verbosity verbosity;

  /** How the findings are written. */
  enum Format {
    text,
    json,
    sarif
  }

  /** Where to learn which series there are; nowhere is allowed. */
  static final class Exposure {
    @Option(names = "--target", paramLabel = "URL", description = "a server, scraped once")
    private String target = "";

    @Option(names = "--exposition", paramLabel = "FILE", description = "a saved /metrics body")
    private Path exposition = Path.of("");

    @Option(names = "--run", paramLabel = "RUN", description = "a recorded run's folder")
    private Path run = Path.of("");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<RuleFile> read = new ArrayList<>();
    for (Path file : files) {
      read.add(GivenFile.read(file, LintFile::read));
    }
    ExposedSeries exposed = exposed();
    SortedMap<String, String> renamed = new TreeMap<>();
    for (int i = 0; fix && i < files.size(); i++) {
      Path file = files.get(i);
      RenamedMetrics mended =
          GivenFile.read(
              file, (name, text) -> RenamedMetrics.of(LintFile.read(name, text), text, exposed));
      if (!mended.names().isEmpty()) {
        Files.writeString(file, mended.text());
        read.set(i, LintFile.read(file.toString(), mended.text()));
        renamed.putAll(mended.names());
      }
    }
    List<LintFinding> findings =
        read.stream().flatMap(file -> RuleLint.check(file, exposed).stream()).toList();
    Answer answer = new Lint(read, against(), findings, renamed).answer(invocation(""));
    switch (format) {
      case text -> TerminalWriter.show(console(), answer, verbosity.isVerbose());
      case json -> console().print(Reports.json(answer.figures().record()));
      case sarif -> console().print(Sarif.of(findings, RepositoryPath::uri));
    }
    json.print(() -> Reports.json(answer.figures().record()));
    return ExitCode.of(answer.outcome()).number();
  }

  private String against() {
    return exposure.target + exposure.exposition + exposure.run;
  }

  private ExposedSeries exposed() throws IOException, InterruptedException {
    if (!exposure.target.isEmpty()) {
      return scraped(exposure.target);
    }
    if (!exposure.exposition.toString().isEmpty()) {
      return saved(exposure.exposition);
    }
    if (!exposure.run.toString().isEmpty()) {
      return recorded(exposure.run);
    }
    return ExposedSeries.none();
  }

  private ExposedSeries scraped(String url) throws IOException, InterruptedException {
    Target target = GivenUrl.scraped("--target", url);
    List<Target> targets = List.of(target);
    try (Scraper scraper =
        new Scraper(targets, 1, RunClock.start(), row -> {}, access.resolve())) {
      ScrapeRow row = scraper.scrape(0);
      if (!row.isGood()) {
        throw new IOException(url + ": " + row.error());
      }
      return of(row.samples());
    }
  }

  private ExposedSeries saved(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] body = in.readNBytes(MOST_BYTES + 1);
      if (body.length > MOST_BYTES) {
        throw new Mistake(file + " is larger than 64 MiB: name the answer of one /metrics");
      }
      return of(new ExpositionParser().parse(body, ""));
    } catch (NoSuchFileException e) {
      throw GivenFile.absent(file);
    } catch (ExpositionException e) {
      throw new Mistake(file + ":" + e.line() + ": " + e.getMessage());
    }
  }

  private static ExposedSeries recorded(Path run) throws IOException {
    Set<Series> series = new LinkedHashSet<>();
    RecordReader.open(run)
        .eachScrape(row -> row.samples().forEach(sample -> series.add(sample.series())));
    return ExposedSeries.of(series);
  }

  private static ExposedSeries of(List<Sample> samples) {
    return ExposedSeries.of(samples.stream().map(Sample::series).toList());
  }
}
