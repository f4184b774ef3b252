package tallystick.alerting.derivation;

import java.util.List;
import java.util.function.Function;
import tallystick.analysis.result.Judgement.Verdict;

/** A table whose windows have labels, in the order of its rows. */
record LabelledTable(WindowTable table, List<LabelledWindow> all) {

  static LabelledTable of(WindowTable table) {
    return new LabelledTable(table, LabelledWindow.of(table.rows(), table.target()));
  }

  List<WindowRow> rows() {
    return table.rows();
  }

  List<WindowRow> labelled(Verdict label) {
    return all.stream().filter(one -> one.label() == label).map(LabelledWindow::row).toList();
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

  private static int distinct(List<WindowRow> rows, Function<WindowRow, String> of) {
    return (int) rows.stream().map(of).distinct().count();
  }
}
