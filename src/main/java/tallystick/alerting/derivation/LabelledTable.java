package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tallystick.analysis.result.Judgement.Verdict;

/**
 * A table whose windows have labels.
 *
 * @param labels one for each row, in their order
 */
record LabelledTable(WindowTable table, List<Verdict> labels) {

  static LabelledTable of(WindowTable table) {
    return new LabelledTable(table, WindowLabel.of(table.rows(), table.target()));
  }

  List<WindowRow> rows() {
    return table.rows();
  }

  List<WindowRow> labelled(Verdict label) {
    List<WindowRow> rows = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      if (labels.get(i) == label) {
        rows.add(table.rows().get(i));
      }
    }
    return rows;
  }

  int windows(Verdict label) {
    return labelled(label).size();
  }

  /** Different steps that have windows with a label. */
  int steps(Verdict label) {
    return distinct(labelled(label), row -> row.place().cluster());
  }

  int runs() {
    return distinct(table.rows(), row -> row.place().run());
  }

  int mixes() {
    return distinct(table.rows(), row -> row.place().mix());
  }

  LabelledValues values(Signal signal) {
    return LabelledValues.of(signal, table.rows(), labels);
  }

  private static int distinct(List<WindowRow> rows, Function<WindowRow, String> of) {
    return (int) rows.stream().map(of).distinct().count();
  }
}
