package tallystick.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.answer.Section;
import tallystick.experiment.capacity.MadeEnds;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.Regression;
import tallystick.experiment.study.MadeStudies;
import tallystick.experiment.tune.MadeTuning;
import tallystick.history.History;
import tallystick.history.HistoryAnswer;

/** One page of each kind, as the commands write them. */
final class EveryPage {
  private EveryPage() {}

  /** Writes them below a folder, each under its name. */
  static Map<String, Path> write(Path top) throws IOException {
    Path reports = Files.createDirectories(top.resolve("reports"));
    Map<String, Path> pages = new LinkedHashMap<>();
    pages.put("report", Path.of("reports/sample/report.html").toAbsolutePath());
    Path capacity = Files.createDirectories(reports.resolve("capacity-20260101-0001"));
    AnswerFiles.write(MadeEnds.certified(), capacity, "2026-01-01T12:00:00Z");
    pages.put("capacity", capacity.resolve("capacity.html"));
    Path tune = Files.createDirectories(reports.resolve("tune-20260101-0001"));
    AnswerFiles.write(MadeTuning.recommended(), tune, "2026-01-01T12:00:00Z");
    pages.put("tune", tune.resolve("tune.html"));
    Path study = Files.createDirectories(reports.resolve("study-20260101-0001"));
    AnswerFiles.write(MadeStudies.earned(), study, "2026-01-01T12:00:00Z");
    pages.put("study", study.resolve("study.html"));
    Path regress = Files.createDirectories(reports.resolve("regress"));
    AnswerFiles.write(MadeComparisons.answer("regressed"), regress, "2026-01-01T12:00:00Z");
    pages.put("regress", regress.resolve("regress.html"));
    Path part = Files.createDirectories(regress.resolve("runs/base-1"));
    Reports.writePage(SampleAnalysis.of(), Section.of("", "", List.of()), part);
    pages.put(
        "compare", page(top, "compare", AnswerFiles.page(RunPairTest.said(RunPairTest.pair()))));
    pages.put("alerts", page(top, "alerts", AlertsPageTest.example()));
    Answer answer = new HistoryAnswer(history()).answer(new Invocation(List.of(), "nightly"));
    pages.put("history", page(top, "history", AnswerFiles.page(answer)));
    SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("kv-pressure-20260101-0001"));
    pages.put("index", RunsPage.renew(regress).orElseThrow());
    return pages;
  }

  private static Path page(Path top, String name, String html) throws IOException {
    return Files.writeString(top.resolve(name + ".html"), html);
  }

  static History history() {
    List<History.Run> runs = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      runs.add(
          new History.Run(
              "steady-chat-202601%02d-020000-0001".formatted(i + 1),
              "2026-01-%02dT02:00:00Z".formatted(i + 1), "0.%d.0".formatted(27 + i / 4)));
      values.add((i < 12 ? 0.180 : 0.225) + 0.004 * ((i * 7) % 5));
    }
    History.Change change =
        new History.Change(
            12, 0.188, 0.233, 0.239, 0.001,
            List.of(new Regression.Difference("version engine", "0.29.0", "0.30.0")));
    return new History(
        List.of(
            series(1, List.of(), runs, values, List.of(change)),
            series(
                2, List.of(new Regression.Unlike("mix", "prompt_tokens 200 against 400")),
                runs.subList(0, 3), values.subList(0, 3), List.of())),
        List.of(new History.LeftOut("steady-chat-20260125", "unreconciled", "R1 differs by 3")),
        0.04);
  }

  private static History.Series series(
      int number, List<Regression.Unlike> unlike, List<History.Run> runs, List<Double> values,
      List<History.Change> changes) {
    List<History.Track> tracks =
        List.of(
            new History.Track(ComparedMetric.TTFT_P95, values, 10, 0.06, changes, List.of()),
            new History.Track(
                ComparedMetric.TPOT_MEAN, values.stream().map(one -> one / 9).toList(), 10, 0.06,
                List.of(), List.of()));
    return new History.Series(number, "steady-chat", "real", unlike, runs, tracks);
  }
}
