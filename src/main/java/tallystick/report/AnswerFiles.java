package tallystick.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.answer.Answer;
import tallystick.answer.Block;
import tallystick.answer.Document;
import tallystick.answer.Section;
import tallystick.report.markup.AnswerList;
import tallystick.report.writing.HtmlPage;
import tallystick.report.writing.MarkdownWriter;
import tallystick.runrecord.WholeFile;

/** An answer in files: the page, Markdown, JSON, JUnit, and its line in the list of runs. */
public final class AnswerFiles {
  private static final String FIGURES = "The figures";

  private AnswerFiles() {}

  /**
   * Writes all of them into the folder of an experiment.
   *
   * @param endedUtc ISO 8601
   * @throws IOException if the folder cannot be written
   */
  public static void write(Answer answer, Path folder, String endedUtc) throws IOException {
    write(answer, folder, endedUtc, answer.command().toLowerCase(Locale.ROOT) + ".html");
  }

  /**
   * The same with a page of another name than the command's.
   *
   * @throws IOException if the folder cannot be written
   */
  public static void write(Answer answer, Path folder, String endedUtc, String page)
      throws IOException {
    if (!answer.figures().file().isEmpty()) {
      WholeFile.write(folder.resolve(answer.figures().file()), json(answer));
    }
    WholeFile.write(folder.resolve("summary.md"), markdown(answer));
    WholeFile.write(folder.resolve("junit.xml"), out -> JUnitSuite.of(answer).write(out));
    WholeFile.write(folder.resolve(page), page(answer));
    Map<String, RunLine.Answer> told = new LinkedHashMap<>(RunLine.answers(answer.sentences()));
    String when = answer.suite().startedUtc().isEmpty() ? endedUtc : answer.suite().startedUtc();
    RunLine line =
        new RunLine(
            answer.command(), String.valueOf(folder.toAbsolutePath().getFileName()), when, page,
            answer.marks(), answer.verdict().mark().word(), told, Map.of(), List.of());
    WholeFile.write(folder.resolve(RunsPage.ANSWERS), out -> AnalysisJson.write(line, out));
  }

  /** The page: the answer, then the whole account. */
  public static String page(Answer answer) {
    String file = answer.figures().file();
    return page(
        answer,
        "Every figure is in " + (file.isEmpty() ? "the files beside this page" : file) + ".");
  }

  /** The same with another sentence at its end. */
  public static String page(Answer answer, String footer) {
    Document all =
        new Document(
            answer.command(), answer.marks(), AnswerList.head(answer.blocks()), answer.details());
    return HtmlPage.of(pictureFirst(all), "Tallystick. " + footer);
  }

  // The verdict and a picture fill the first screen; what has none is folded below.
  private static Document pictureFirst(Document all) {
    boolean isDrawn =
        all.sections().stream().anyMatch(Section::isDrawn)
            || all.lead().stream().skip(1).anyMatch(Block::isDrawn);
    if (!isDrawn) {
      return all;
    }
    Map<Boolean, List<Block>> lead =
        all.lead().stream().collect(Collectors.partitioningBy(Block::isDrawn));
    List<Section> sections =
        all.sections().stream().map(AnswerFiles::folded).collect(Collectors.toList());
    boolean isPicture = !sections.isEmpty() && sections.getFirst().isDrawn();
    sections.add(
        isPicture ? 1 : 0, Section.of("figures", FIGURES, lead.get(false)).folded());
    return new Document(all.title(), all.marks(), lead.get(true), sections);
  }

  // Of a section with a picture only its tables.
  private static Section folded(Section section) {
    if (!section.isDrawn() && !section.title().isEmpty()) {
      return section.folded();
    }
    List<Block> blocks =
        section.blocks().stream()
            .map(
                block ->
                    block instanceof Block.Table && !block.isDrawn()
                        ? new Block.PageOnly(FIGURES, List.of(block))
                        : block)
            .toList();
    return new Section(section.id(), section.title(), section.mark(), blocks);
  }

  /** Markdown: the answer, and the whole account folded below it. */
  public static String markdown(Answer answer) {
    return MarkdownWriter.folded(
        new Document(answer.command(), answer.subject(), answer.blocks(), answer.details()));
  }

  /**
   * Every figure as JSON.
   *
   * @throws IOException if a figure cannot be written
   */
  public static String json(Answer answer) throws IOException {
    return AnalysisJson.figures(answer.figures().record());
  }
}
