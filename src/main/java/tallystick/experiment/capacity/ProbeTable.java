package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.experiment.RateFormat;

/**
 * The probes of a search in a table, all at one rate in one row.
 *
 * @param unit what a rate counts
 * @param share of the requests that must be good
 * @param forecast what a profile predicted for the same probes
 */
record ProbeTable(
    String unit, List<ProbeResult> probes, double share, Optional<Forecast> forecast) {

  /** All runs at one rate together. */
  private record Row(
      double perSecond, int runs, long judged, long good, double goodput, double inFlight,
      boolean overloaded) {}

  /** The table; rates far from what is answered are spared first. None where no probe counts. */
  Optional<Block> about(CapacityAnswer answer) {
    List<Row> rows = rows();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    double low = answer.interval().low();
    double centre =
        answer.provenPerSecond().orElse(low > 0 ? low : rows.getFirst().perSecond());
    List<Row> nearest = new ArrayList<>(rows);
    nearest.sort(
        Comparator.comparingDouble(row -> Math.abs(Math.log(row.perSecond() / centre))));
    List<Column> columns =
        List.of(
            Column.number(unit.startsWith("requests") ? "requests/s" : "started/s"),
            Column.number("runs"), Column.number("requests"), Column.number("good"),
            Column.number("good/s"),
            Column.number(forecast.isPresent() ? "predicted" : "in flight"),
            Column.words("in these runs"));
    return Optional.of(
        new Block.Table(
            "Probes", false, columns,
            rows.stream().map(row -> cells(row).spare(nearest.indexOf(row))).toList(),
            Block.Rest.of("and %d rates farther off, in capacity.json")));
  }

  private Block.Row cells(Row row) {
    double good = row.judged() == 0 ? 0 : (double) row.good() / row.judged();
    String besides =
        forecast
            .map(one -> one.cell(row.perSecond()))
            .orElse(String.format(Locale.ROOT, "%.1f", row.inFlight()));
    return Block.Row.of(
        Cell.of(RateFormat.text(row.perSecond())), Cell.of(Numbers.count(row.runs())),
        Cell.of(Numbers.count(row.judged())),
        Cell.of(String.format(Locale.ROOT, "%.2f %%", 100 * good)),
        Cell.of(String.format(Locale.ROOT, "%.2f", row.goodput())), Cell.of(besides),
        Cell.of(word(row, good >= share)));
  }

  // A queue may grow to the end of a run that keeps its objective all the same.
  private static String word(Row row, boolean holds) {
    if (row.overloaded()) {
      return holds ? "held, piled up" : "overloaded";
    }
    return holds ? "held" : "failed";
  }

  private List<Row> rows() {
    TreeMap<Double, Row> rows = new TreeMap<>();
    for (ProbeResult one : probes) {
      if (one.isTrusted()) {
        Row row =
            new Row(
                one.probe().perSecond(), 1, one.judged(), one.good(), one.goodputPerSecond(),
                one.load().meanInFlight(), one.load().overloaded());
        rows.merge(one.probe().perSecond(), row, ProbeTable::together);
      }
    }
    return List.copyOf(rows.values());
  }

  private static Row together(Row a, Row b) {
    int runs = a.runs() + b.runs();
    return new Row(
        a.perSecond(), runs, a.judged() + b.judged(), a.good() + b.good(),
        (a.goodput() * a.runs() + b.goodput() * b.runs()) / runs,
        (a.inFlight() * a.runs() + b.inFlight() * b.runs()) / runs,
        a.overloaded() || b.overloaded());
  }
}
