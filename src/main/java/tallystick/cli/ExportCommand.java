package tallystick.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;
import tallystick.analysis.Analyzer;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.export.CsvExport;
import tallystick.export.OpenMetricsExport;
import tallystick.export.ParquetExport;
import tallystick.report.LlmdReport;
import tallystick.report.Reports;
import tallystick.runrecord.RecordReader;

/** Writes a run's record for other tools. */
@Command(
    name = "export",
    description = {
      "Export a recorded run for other tools: OpenMetrics, CSV, Parquet, llm-d.",
      "Its rows as OpenMetrics, CSV or Parquet, its results as the benchmark report of llm-d."
    })
final class ExportCommand extends ShellCommand {
  @Parameters(paramLabel = "RUN", description = "a run's folder, for example reports/quickstart-…")
  private Path folder;

  @Option(
      names = "--format",
      required = true,
      paramLabel = "FORMAT",
      converter = GivenFormat.class,
      description = "one of ${COMPLETION-CANDIDATES}")
  private Format format;

  @Option(
      names = "--verbatim",
      description = {
        "CSV for programs: without the apostrophe that keeps spreadsheets from running text as a"
            + " formula"
      })
  private boolean isVerbatim;

  @Option(
      names = {"--out", "--output"},
      paramLabel = "FOLDER",
      description = "where to write (default: RUN/export)")
  private Path output;

  @Mixin private JsonOption json;

  /** The formats; lower case because users write them. */
  enum Format {
    openmetrics,
    csv,
    parquet,
    llmd("llm-d");

    private final String word;

    Format() {
      this.word = name();
    }

    Format(String word) {
      this.word = word;
    }

    /** As users write it; the name of the constant is understood, too. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** Lists the formats as users write them: the library lists the constant's name, too. */
  private static final class GivenFormat implements ITypeConverter<Format> {
    @Override
    public Format convert(String text) {
      return Arrays.stream(Format.values())
          .filter(one -> Stream.of(one.word, one.name()).anyMatch(text::equalsIgnoreCase))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "expected one of " + Arrays.toString(Format.values()) + " but was '" + text
                          + "'"));
    }
  }

  @Override
  public Integer call() throws IOException {
    if (isVerbatim && format != Format.csv) {
      throw new Mistake("--verbatim applies only to CSV: leave it out for " + format);
    }
    RecordReader record = RecordReader.open(folder);
    Path target = output == null ? withoutLinks(folder.resolve("export")) : output;
    Files.createDirectories(target);
    List<Path> written =
        switch (format) {
          case openmetrics -> List.of(writeOpenMetrics(record, target.resolve("metrics.om")));
          case csv -> new CsvExport(record, !isVerbatim).write(target);
          case parquet -> new ParquetExport(record).write(target);
          case llmd -> List.of(LlmdReport.write(Analyzer.analyze(record), target));
        };
    PrintWriter out = console();
    written.forEach(out::println);
    List<String> faults = new ArrayList<>(record.changes());
    faults.addAll(record.faults());
    faults.forEach(fault -> out.println("note: " + fault));
    List<String> files = written.stream().map(Path::toString).toList();
    json.print(() -> Reports.json(Map.of("files", files, "faults", faults)));
    return ExitCode.GOOD.number();
  }

  /** A record may be a stranger's: a link in its folder could lead to any file of the user. */
  private static Path withoutLinks(Path target) throws IOException {
    List<Path> links = new ArrayList<>();
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> all = Files.walk(target)) {
        all.filter(Files::isSymbolicLink).forEach(links::add);
      }
    }
    if (!links.isEmpty()) {
      throw new IOException(
          links.getFirst() + " is a link: remove it, or name another folder with --out");
    }
    return target;
  }

  private Path writeOpenMetrics(RecordReader record, Path file) throws IOException {
    OpenMetricsExport.LeftOut leftOut;
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      leftOut = new OpenMetricsExport(record).write(out);
    }
    PrintWriter console = console();
    if (leftOut.scrapes() > 0) {
      console.println(
          "note: scrapes left out, same millisecond as the one before: " + leftOut.scrapes());
    }
    if (leftOut.lullSeconds() > 0) {
      console.println(
          "note: seconds left out, nothing happened for more than an hour: "
              + leftOut.lullSeconds());
    }
    return file;
  }
}
