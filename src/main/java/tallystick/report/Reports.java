package tallystick.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Answer;
import tallystick.answer.Document;
import tallystick.answer.Section;
import tallystick.report.screen.RunAnswer;
import tallystick.report.section.Headline;
import tallystick.report.writing.HtmlPage;
import tallystick.runrecord.WholeFile;

/** The front door of the room: one run's account on the terminal and in files. */
public final class Reports {
  private Reports() {}

  /**
   * The whole account of a run.
   *
   * @param alerts what the run says about alerts
   */
  public static List<Section> account(RunAnalysis analysis, Section alerts) {
    return account(analysis, RunDocument.of(analysis, alerts));
  }

  private static List<Section> account(RunAnalysis analysis, Document document) {
    List<Section> account = new ArrayList<>();
    account.add(Section.of("run", "The run", Headline.facts(analysis)));
    account.addAll(document.sections());
    return account;
  }

  /**
   * What a run says.
   *
   * @param account what stands below it; empty where nobody asks for it
   * @param folder where the run lies, for the commands that come next
   */
  public static Answer answer(
      RunAnalysis analysis, List<Section> account, Path folder, boolean foreignTraffic) {
    return RunAnswer.of(analysis, folder, account, RunCases.cases(analysis), foreignTraffic);
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
    // A file may be moved, and a run's name is no path that leads to its folder.
    Answer answer = answer(analysis, account(analysis, document), Path.of("FOLDER"), false);
    return List.of(
        writePage(document, analysis, folder),
        WholeFile.write(folder.resolve("summary.md"), AnswerFiles.markdown(answer)),
        WholeFile.write(folder.resolve("analysis.json"), out -> AnalysisJson.write(analysis, out)),
        WholeFile.write(folder.resolve("junit.xml"), out -> JUnitSuite.of(answer).write(out)),
        folder.resolve(RunsPage.ANSWERS));
  }

  /**
   * Writes the page of a run alone, and its line in the list of runs.
   *
   * @param alerts what the run says about alerts
   * @throws IOException if the folder cannot be written
   */
  public static Path writePage(RunAnalysis analysis, Section alerts, Path folder)
      throws IOException {
    return writePage(RunDocument.of(analysis, alerts), analysis, folder);
  }

  private static Path writePage(Document document, RunAnalysis analysis, Path folder)
      throws IOException {
    Path page = WholeFile.write(folder.resolve(RunLine.PAGE), page(document, analysis));
    RunLine line = RunLine.of(analysis);
    // Last: the list of runs leads to the page.
    WholeFile.write(folder.resolve(RunsPage.ANSWERS), out -> AnalysisJson.write(line, out));
    return page;
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

  /** The page of a run that goes on, as far as it has come. */
  public static String pageSoFar(RunAnalysis analysis) {
    return page(RunDocument.soFar(analysis), analysis);
  }

  private static String page(Document document, RunAnalysis analysis) {
    String version = analysis.run().versions().getOrDefault("tally", "");
    return HtmlPage.of(
        document, "Tallystick " + version + ". Every number of this page is in analysis.json.");
  }
}
