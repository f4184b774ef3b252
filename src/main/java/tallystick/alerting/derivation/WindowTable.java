package tallystick.alerting.derivation;

import java.util.List;
import java.util.Map;

/**
 * Everything a derivation may know.
 *
 * @param rows windows of every run, none of them across two steps
 * @param target share of requests that must keep the objective, for example 0.99
 * @param edges finite bucket edges of each histogram signal, as scraped
 * @param least for each percentile of the objective's own latency the edge of the objective: below
 *     it users are well, whatever these windows show
 * @param unreconciled runs whose ledger did not close; empty if all did
 */
public record WindowTable(
    List<WindowRow> rows,
    double target,
    Map<Signal, List<Double>> edges,
    Map<Signal, Double> least,
    List<String> unreconciled) {
  public WindowTable {
    least = Map.copyOf(least);
    rows = List.copyOf(rows);
    edges = Map.copyOf(edges);
    unreconciled = List.copyOf(unreconciled);
  }
}
