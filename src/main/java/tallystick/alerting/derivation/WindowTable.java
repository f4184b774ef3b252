package tallystick.alerting.derivation;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tallystick.analysis.result.Judgement.Verdict;

/**
 * Everything a derivation may know.
 *
 * @param all windows of every run with their labels, none of them across two steps
 * @param target share of requests that must keep the objective, for example 0.99
 * @param edges finite bucket edges of each histogram signal, as scraped
 * @param least for each percentile of the objective's own latency the edge of the objective: below
 *     it users are well, whatever these windows show
 * @param unreconciled runs whose ledger did not close; empty if all did
 */
public record WindowTable(
    List<LabelledWindow> all,
    double target,
    Map<Signal, List<Double>> edges,
    Map<Signal, Double> least,
    List<String> unreconciled) {
  public WindowTable {
    least = Map.copyOf(least);
    all = List.copyOf(all);
    edges = Map.copyOf(edges);
    unreconciled = List.copyOf(unreconciled);
  }

  /** A table of windows that get their labels by the target. */
  static WindowTable of(
      List<WindowRow> rows, double target, Map<Signal, List<Double>> edges,
      Map<Signal, Double> least, List<String> unreconciled) {
    return new WindowTable(
        LabelledWindow.of(rows, target), target, edges, least, unreconciled);
  }

  List<WindowRow> rows() {
    return all.stream().map(LabelledWindow::row).toList();
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
    return distinct(rows(), row -> row.place().run());
  }

  int mixes() {
    return distinct(rows(), row -> row.place().mix());
  }

  private static int distinct(List<WindowRow> rows, Function<WindowRow, String> of) {
    return (int) rows.stream().map(of).distinct().count();
  }
}
