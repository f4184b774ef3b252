package tallystick.experiment.tune;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.answer.chart.HeatMap;
import tallystick.experiment.Journal;
import tallystick.experiment.ScreenLines;
import tallystick.runrecord.WholeFile;

/** What a finished tuning says: on the screen, in a file, and by its exit code. */
public final class TuneReport {
  private static final int FORMAT = 1;

  private final TuneEnd end;

  /** How a tuning ends, for whoever only looks at that. */
  public enum Outcome {
    RECOMMENDED,
    KEEP_CURRENT,
    NOT_PROVEN,
    NONE_HOLDS,
    NOT_TRUSTED
  }

  TuneReport(TuneEnd end) {
    this.end = end;
  }

  /** How it ended. */
  public Outcome outcome() {
    return switch (end.answer()) {
      case TuneAnswer.Recommended earned -> Outcome.RECOMMENDED;
      case TuneAnswer.KeepCurrent keep -> Outcome.KEEP_CURRENT;
      case TuneAnswer.NotConfirmed open -> Outcome.NOT_PROVEN;
      case TuneAnswer.Died dead -> Outcome.NOT_PROVEN;
      case TuneAnswer.TradeOff open -> Outcome.NOT_PROVEN;
      case TuneAnswer.CannotTell open -> Outcome.NOT_PROVEN;
      case TuneAnswer.NoneHolds none -> Outcome.NONE_HOLDS;
      case TuneAnswer.Untrusted doubt -> Outcome.NOT_TRUSTED;
    };
  }

  /** The first screen: 80 columns, at most 24 lines. */
  public String text() {
    return new TuneScreen(end).text();
  }

  /** Every cell, and a map of each figure over the flags. */
  public String wholeText() {
    return new HeatMaps(end).text();
  }

  /** Maps to draw: a figure over two flags; none where not two flags vary in full. */
  public List<HeatMap> maps() {
    return new HeatMaps(end).maps();
  }

  /** Where a cell stands, for tests of goals. */
  Standing standing(Cell cell) {
    return end.screening().standing(cell.number());
  }

  TuneAnswer answer() {
    return end.answer();
  }

  /** Writes {@code tune.json} and {@code tune.txt} into the experiment's folder. */
  void write(Path folder) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("format_version", FORMAT);
    all.put("scenario", end.scenario());
    all.put("engine", end.engine());
    all.put("outcome", outcome().name().toLowerCase(Locale.ROOT));
    all.put("objective", end.objective().words());
    all.put("factors", end.grid().factors());
    all.put("current", end.grid().current());
    all.put("time", end.time());
    all.put("blocks", end.screening().blocks());
    all.put("drifted_blocks", end.screening().drifted());
    all.putAll(figures());
    all.put("cells", end.grid().cells().stream().map(this::cell).toList());
    Map<String, Object> predicted = ForecastWords.of(end.screening()).figures();
    if (!predicted.isEmpty()) {
      all.put("predictions", predicted);
    }
    all.put("interactions", Interaction.of(end.grid(), end.screening().evidence()));
    WholeFile.write(folder.resolve("tune.json"), Journal.text(all));
    String screen = text().replace(ScreenLines.COMMAND, "./tally tune SCENARIO");
    WholeFile.write(folder.resolve("tune.txt"), screen + "\n" + wholeText());
  }

  private Map<String, Object> figures() {
    return switch (end.answer()) {
      case TuneAnswer.Recommended earned -> Map.of("confirmation", earned.confirmation());
      case TuneAnswer.NotConfirmed open -> Map.of("confirmation", open.confirmation());
      case TuneAnswer.TradeOff open ->
          Map.of("trade_off", open);
      case TuneAnswer.CannotTell open ->
          Map.of("cannot_tell", open);
      case TuneAnswer.Died dead -> Map.of("cell", dead.cell(), "reason", dead.why());
      case TuneAnswer.Untrusted doubt -> Map.of("reason", doubt.why());
      case TuneAnswer.KeepCurrent keep -> Map.of();
      case TuneAnswer.NoneHolds none -> Map.of();
    };
  }

  private Map<String, Object> cell(Cell cell) {
    Standing standing = end.screening().standing(cell.number());
    Evidence evidence = end.screening().evidence();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("settings", cell.settings());
    all.put("standing", standing.kind().words());
    if (standing.chance() >= 0) {
      all.put("chance_on_front", standing.chance());
    }
    all.put("why", standing.why());
    all.put("runs", evidence.of(cell.number()).size());
    if (Double.isFinite(end.choice().goodShare(cell))) {
      all.put("good_share", end.choice().goodShare(cell));
    }
    for (Response response : Response.values()) {
      put(all, response.name().toLowerCase(Locale.ROOT), figure(response, cell, evidence));
    }
    for (Speed speed : Speed.values()) {
      put(all, speed.name().toLowerCase(Locale.ROOT), speed.of(evidence.of(cell.number())));
    }
    return all;
  }

  private static Few.Gain figure(Response response, Cell cell, Evidence evidence) {
    return response.figure(evidence.mean(cell.number(), response));
  }

  /** A figure in the file; an interval that is not known is empty. */
  private record Shown(double value, List<Double> interval95) {}

  /** What is not known is left out: JSON has no word for it. */
  private static void put(Map<String, Object> all, String name, Few.Gain figure) {
    if (Double.isFinite(figure.value())) {
      List<Double> ends = new ArrayList<>();
      if (figure.hasEnds()) {
        ends.add(figure.low());
        ends.add(figure.high());
      }
      all.put(name, new Shown(figure.value(), ends));
    }
  }
}
