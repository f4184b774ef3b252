package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Usability;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.cli.NextLines;
import tallystick.cli.alerting.AlertFiles;
import tallystick.experiment.Budget;
import tallystick.experiment.Journal;
import tallystick.report.AnswerFiles;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.Objective;

/**
 * Holds {@code reports/study-sample}: the journal and the records of a study on a real vLLM, and
 * what this code says of them. {@code mvn test -Dtest=StudyOfARealEngineTest -Dupdate-sample}
 * writes that anew; its diff is reviewed like code.
 */
class StudyOfARealEngineTest {
  private static final Path SAMPLE = Path.of("reports/study-sample");

  /** What the study was asked: TTFT within 250 ms for 99 %, and 23 minutes. */
  private static final Objective ASKED = new Objective(Objective.Metric.TTFT, 0.25, 0.99, "");

  private static final double BUDGET_SECONDS = 23 * 60;

  @TempDir private Path folder;

  @Test
  void theSampleIsWhatThisCodeWrites() throws IOException {
    unpack();
    List<StudyResult> done = journal();
    DerivationSnapshot evidence = new DerivationSnapshot(folder, List.of(ASKED));
    List<StudyResult> measured = StudySearch.measured(done);
    FinishedStudy study =
        new FinishedStudy(
            "study-short", "vLLM 0.32.0 at http://127.0.0.1:8077", evidence.model(measured),
            new Budget(OptionalDouble.of(BUDGET_SECONDS)), end(done), done,
            evidence.standings(measured), List.of(), Optional.empty(),
            evidence.reviews(measured));
    Path written = Files.createDirectory(folder.resolve("written"));
    AlertFiles.write(written.resolve("alerts"), study.reviews(), study.model());
    Answer answer =
        study.answer(
            new Invocation(
                List.of(new Invocation.Word("", "study"), new Invocation.Word("", "SCENARIO")),
                SAMPLE.toString()));
    NextLines.check(
        ScreenWriter.text(answer, new Terminal(false, Terminal.USUAL_COLUMNS)).strip() + "\n");
    AnswerFiles.write(answer, written, "2026-11-26T12:00:00Z");
    compare(written);
  }

  /** The next run would have taken as long as the longest, and there was no time for it. */
  private static StudyEnd end(List<StudyResult> done) {
    double longest = done.stream().mapToDouble(StudyResult::elapsedSeconds).max().orElseThrow();
    return new StudyEnd.OutOfTime(longest);
  }

  /** What its runs left; the record says of each whole run whether it was compared in full. */
  private List<StudyResult> journal() throws IOException {
    List<StudyResult> done = new ArrayList<>();
    List<String> lines = Files.readAllLines(SAMPLE.resolve(Journal.FILE));
    for (String line : lines.subList(1, lines.size())) {
      ObjectNode run = (ObjectNode) Journal.MAPPER.readTree(line);
      Path record = folder.resolve(run.path("folder").asText());
      boolean isCompared =
          !Files.isDirectory(record)
              || Usability.of(Analyzer.analyze(RecordReader.open(record))).isComparedInFull();
      run.put("compared_in_full", isCompared);
      done.add(Journal.MAPPER.treeToValue(run, StudyResult.class));
    }
    return done;
  }

  private static void compare(Path written) throws IOException {
    try (Stream<Path> files = Files.walk(written)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path kept = SAMPLE.resolve(written.relativize(file));
        if (System.getProperty("update-sample") != null && Files.exists(kept)) {
          Files.copy(file, kept, StandardCopyOption.REPLACE_EXISTING);
        }
        if (Files.exists(kept)) {
          assertThat(kept)
              .as("%s differs: run this test with -Dupdate-sample and review", kept)
              .hasSameTextualContentAs(file);
        }
      }
    }
  }

  private void unpack() throws IOException {
    try (InputStream file = Files.newInputStream(SAMPLE.resolve("runs.zip"));
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path to = folder.resolve("runs").resolve(entry.getName());
        Files.createDirectories(to.getParent());
        Files.copy(zip, to);
      }
    }
  }
}
