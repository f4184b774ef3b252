package tallystick.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.Regression;
import tallystick.history.History;

/** A history of each kind, by name. */
final class MadeHistories {
  private static final List<History.LeftOut> LEFT_OUT =
      List.of(
          new History.LeftOut("chat-20260125", "unreconciled", "R1 differs by 3"),
          new History.LeftOut("chat-20260126", "unreconciled", "R1 differs by 5"),
          new History.LeftOut("chat-20260127", "copied", "chat-20260124 once more"));

  private MadeHistories() {}

  static Map<String, History> all() {
    Map<String, History> all = new LinkedHashMap<>();
    all.put("none-usable", new History(List.of(), LEFT_OUT, 0.04));
    all.put("one-run", of(List.of(), series(1, 1, "virtual")));
    all.put("no-change", of(List.of(), series(1, 24, "real")));
    all.put("worse", of(List.of(), series(1, 24, "real", change(12, 0.239, 0.001))));
    all.put("better", of(List.of(), series(1, 24, "embedded", change(12, -0.2, 0.002))));
    all.put(
        "worse-and-better",
        of(LEFT_OUT, series(1, 24, "real", change(8, -0.2, 0.002), change(16, 0.3, 0.001))));
    all.put("left-out", of(LEFT_OUT, series(1, 24, "real")));
    all.put(
        "several-series",
        of(
            List.of(), series(1, 24, "real", change(12, 0.239, 0.001)), series(2, 12, "virtual"),
            series(3, 3, "real"), series(4, 2, "real"), series(5, 2, "real"), series(6, 2, "real"),
            series(7, 1, "real"), series(8, 1, "real")));
    History.Series clear = series(1, 24, "real");
    all.put(
        "unclear",
        of(
            List.of(),
            new History.Series(
                1, "chat", "real", List.of(), clear.runs(),
                clear.tracks().stream()
                    .map(
                        one ->
                            new History.Track(
                                one.metric(), one.values(), 10, 0.06, List.of(),
                                List.of(change(12, 0.1, 0.2), change(18, -0.05, 0.31))))
                    .toList())));
    all.put(
        "many-changes",
        of(
            LEFT_OUT,
            IntStream.rangeClosed(1, 12)
                .mapToObj(i -> series(i, 24, "real", change(12, i % 2 == 0 ? 0.2 : -0.2, 0.001)))
                .toArray(History.Series[]::new)));
    return all;
  }

  private static History of(List<History.LeftOut> leftOut, History.Series... series) {
    return new History(List.of(series), leftOut, 0.04);
  }

  private static History.Change change(int at, double worse, double chance) {
    return new History.Change(
        at, 0.188, 0.188 * (1 + worse), worse, chance,
        worse < 0
            ? List.of()
            : List.of(
                new Regression.Difference("version engine", "0.29.0", "0.30.0"),
                new Regression.Difference("label gpu", "L4", "H100"),
                new Regression.Difference("label a", "1", "2"),
                new Regression.Difference("label b", "1", "2")));
  }

  private static History.Series series(
      int number, int count, String kind, History.Change... changes) {
    List<History.Run> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      runs.add(
          new History.Run(
              "chat-202601%02d-020000-0001".formatted(i + 1),
              "2026-01-%02dT02:00:00Z".formatted(i + 1),
              i == 3 ? "" : "0.%d.0".formatted(27 + i / 4)));
    }
    List<Double> values =
        IntStream.range(0, count)
            .mapToDouble(i -> (i < 12 ? 0.180 : 0.225) + 0.004 * ((i * 7) % 5))
            .boxed()
            .toList();
    return new History.Series(
        number, number % 2 == 0 ? "a-rather-long-name-of-a-scenario" : "chat", kind,
        number == 1
            ? List.of()
            : List.of(
                new Regression.Unlike("mix", "prompt_tokens 200 against 400"),
                new Regression.Unlike("machine", "base m, candidate n")),
        runs,
        List.of(
            new History.Track(
                ComparedMetric.TTFT_P95, values, 10, count < 10 ? 0 : 0.06, List.of(changes),
                List.of()),
            new History.Track(
                ComparedMetric.GOODPUT,
                DoubleStream.iterate(9.5, one -> one + 0.01).limit(count).boxed().toList(), 10,
                count < 10 ? 0 : 0.021, List.of(), List.of())));
  }
}
