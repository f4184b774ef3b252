package tallystick.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Document;
import tallystick.answer.Section;
import tallystick.report.screen.FirstScreen;
import tallystick.report.screen.Terminal;
import tallystick.report.writing.ConsoleWriter;
import tallystick.report.writing.HtmlPage;
import tallystick.report.writing.MarkdownWriter;
import tallystick.runrecord.WholeFile;

/** The front door of the room: one run's account on the terminal and in files. */
public final class Reports {
  /** No line of the account on a terminal is wider. */
  static final int WIDTH = 100;

  private Reports() {}

  /**
   * A run's answer on one screen of 24 lines.
   *
   * @param folder where the run lies, for the commands that come next
   */
  public static String firstScreen(RunAnalysis analysis, Path folder, Terminal terminal) {
    return FirstScreen.text(analysis, folder, terminal);
  }

  /**
   * The whole account for a terminal, lines ended by {@code \n}.
   *
   * @param alerts what the run says about alerts
   * @param colour whether ANSI colour is wanted; no fact is told by colour alone
   */
  public static String console(RunAnalysis analysis, Section alerts, boolean colour) {
    return ConsoleWriter.text(RunDocument.of(analysis, alerts), WIDTH, colour);
  }

  /**
   * Writes every file of a run.
   *
   * @param alerts what the run says about alerts
   * @return the files, in the order a reader should open them
   * @throws IOException if the folder cannot be written
   */
  public static List<Path> writeAll(RunAnalysis analysis, Section alerts, Path folder)
      throws IOException {
    Files.createDirectories(folder);
    Document document = RunDocument.of(analysis, alerts);
    return List.of(
        WholeFile.write(folder.resolve("report.html"), page(document, analysis)),
        WholeFile.write(folder.resolve("summary.md"), MarkdownWriter.text(document)),
        WholeFile.write(
            folder.resolve("analysis.json"), out -> AnalysisJson.write(analysis, out)),
        WholeFile.write(folder.resolve("junit.xml"), out -> JUnitXml.write(analysis, out)),
        WholeFile.write(
            folder.resolve(RunsPage.ANSWERS),
            out -> AnalysisJson.write(RunLine.of(analysis), out)));
  }

  /** An answer, or any record, as JSON by the rules of {@code analysis.json}. */
  public static String json(Object answer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      AnalysisJson.write(answer, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static String page(Document document, RunAnalysis analysis) {
    String version = analysis.run().versions().getOrDefault("tally", "");
    return HtmlPage.of(
        document,
        "Tallystick " + version + ". Every number of this page is in analysis.json.");
  }
}
