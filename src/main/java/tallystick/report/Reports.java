package tallystick.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.FirstRules;
import tallystick.alerting.review.AlertReview;
import tallystick.analysis.result.RunAnalysis;

/** The front door of the room: every file of one run's report. */
public final class Reports {
  private Reports() {}

  /**
   * Writes every format, with the guide's three alerts as {@code rules.yaml}.
   *
   * @return the files, in the order a reader should open them
   * @throws IOException if the folder cannot be written
   */
  public static List<Path> writeAll(RunAnalysis analysis, Path folder) throws IOException {
    return writeAll(analysis, FirstRules.refusals(analysis), folder);
  }

  /**
   * Writes every format, with these alerts as {@code rules.yaml}.
   *
   * @return the files, in the order a reader should open them
   * @throws IOException if the folder cannot be written
   */
  public static List<Path> writeAll(
      RunAnalysis analysis, List<RefusedAlert> proposals, Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Path> files = new ArrayList<>();
    for (ReportFormat format : formats(proposals)) {
      files.add(write(format, analysis, folder));
    }
    return files;
  }

  /**
   * Writes every format for a stepped run, with what it allows to derive as {@code rules.yaml}.
   *
   * @return the files, in the order a reader should open them
   * @throws IOException if the folder cannot be written
   */
  public static List<Path> writeAll(RunAnalysis analysis, AlertReview review, Path folder)
      throws IOException {
    Files.createDirectories(folder);
    List<RefusedAlert> proposals = List.copyOf(review.rules().refusals());
    List<Path> files = new ArrayList<>();
    files.add(write(new HtmlPage(proposals, List.of(review)), analysis, folder));
    for (ReportFormat format : formats(proposals)) {
      if (!(format instanceof HtmlPage)) {
        files.add(write(format, analysis, folder));
      }
    }
    return files;
  }

  private static List<ReportFormat> formats(List<RefusedAlert> proposals) {
    return List.of(
        new HtmlPage(proposals),
        new SummaryMarkdown(),
        new AnalysisJson(),
        new JUnitXml(),
        new PrometheusRules(proposals));
  }

  // A report is written anew over an old one; a reader must never see half of either.
  private static Path write(ReportFormat format, RunAnalysis analysis, Path folder)
      throws IOException {
    Path file = folder.resolve(format.fileName());
    Path partial = folder.resolve(format.fileName() + ".partial");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(partial))) {
      format.write(analysis, out);
    }
    return Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
  }
}
