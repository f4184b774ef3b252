package tallystick.alerting.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tallystick.alerting.derivation.Spelling;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.promql.PromqlException;
import tallystick.scenario.NearestKey;

/**
 * Holds rules against what a Prometheus remembers.
 *
 * @param toMillis end of the range, UTC
 * @param lengthMillis its length
 * @param progress told the share that is done
 */
public record Watch(
    MetricHistory history,
    WatchedRules rules,
    long toMillis,
    long lengthMillis,
    DoubleConsumer progress) {
  /** Looks at whether a selector finds anything at all. */
  private static final int LOOKS = 200;

  /** As far back as Prometheus looks for a sample. */
  private static final long LOOKBACK_MILLIS = 300_000;

  /** Labels by which a pair of Prometheis tell their samples of one target apart. */
  private static final String OF_REPLICAS =
      "replica, prometheus_replica, __replica__, receive_replica";

  /**
   * Asks for all of it.
   *
   * @param unread rules that could not be read, and why
   * @param given the user's own SLI, which goes before those that the rules record
   */
  public Watched of(String prometheus, Optional<Sli> given, List<String> unread)
      throws IOException, InterruptedException {
    double steps = rules.alerts().size() + 4; // beside alerts: selectors, gaps, users, traffic
    int done = 0;
    List<Sli> slis = given.map(List::of).orElseGet(() -> Sli.of(rules));
    List<String> names = history.names();
    Map<String, Double> copies = copies();
    progress.accept(++done / steps);
    Seen seen = seen(slis, copies);
    progress.accept(++done / steps);
    Users users = Users.read(history, slis, seen);
    progress.accept(++done / steps);
    List<String> leftOut = new ArrayList<>(unread);
    List<WatchedFirings> firings = new ArrayList<>();
    List<Envelope> envelopes = new ArrayList<>();
    for (WatchedAlert alert : rules.alerts()) {
      String name = alert.rule().name();
      List<String> without = selectors(alert).filter(one -> copies.get(one) == 0).toList();
      try {
        firings.add(
            WatchedFirings.of(alert, alert.firings(history, seen), users, seen, without));
        for (WatchedAlert.Learned learned : alert.signals()) {
          worst(Envelope.read(history, name, learned, users)).ifPresent(envelopes::add);
        }
      } catch (PromqlException e) {
        leftOut.add(name + " is left out: this Prometheus refuses it: " + e.getMessage());
      }
      progress.accept(++done / steps);
    }
    long since =
        Envelope.firstOutside(envelopes).map(Envelope::begin).orElse(seen.fromMillis());
    String scope = given.isPresent() || slis.isEmpty() ? "" : slis.getFirst().scope();
    Traffic traffic = Traffic.read(history, names, scope, seen, since);
    progress.accept(++done / steps);
    Map<String, String> missing = new HashMap<>();
    copies.forEach(
        (selector, count) -> {
          if (count == 0) {
            missing.put(selector, nearest(selector.replaceFirst("[{].*", ""), names));
          }
        });
    return new Watched(
        rules.file().file(), prometheus, seen, slis.stream().map(Sli::words).toList(), users,
        firings, envelopes, traffic, leftOut, missing,
        copies.keySet().stream().filter(one -> copies.get(one) > 1).toList());
  }

  /** Every selector → how many times its series are stored; 0 where it finds none. */
  private Map<String, Double> copies() throws IOException, InterruptedException {
    long step = Math.max(LOOKBACK_MILLIS, lengthMillis / LOOKS);
    Steps looks = Steps.before(toMillis, lengthMillis, step);
    Map<String, Double> copies = new TreeMap<>();
    for (String selector : rules.alerts().stream().flatMap(Watch::selectors).distinct().toList()) {
      String query = "max(count without (" + OF_REPLICAS + ") (" + selector + "))";
      copies.put(
          selector,
          history.values(query, looks).values().stream()
              .flatMapToDouble(DoubleStream::of)
              .filter(Double::isFinite)
              .max()
              .orElse(0));
    }
    return copies;
  }

  private static Stream<String> selectors(WatchedAlert alert) {
    return WatchedRules.selectors(alert.rule().expression());
  }

  private Seen seen(List<Sli> slis, Map<String, Double> copies)
      throws IOException, InterruptedException {
    List<String> present = new ArrayList<>(List.of("up"));
    slis.stream().flatMap(sli -> WatchedRules.selectors(sli.all())).forEach(present::add);
    copies.keySet().stream().filter(one -> copies.get(one) > 0).forEach(present::add);
    return Seen.read(history, present, toMillis, lengthMillis);
  }

  /** The series that is farthest outside; of many models one that changed is enough. */
  private static Optional<Envelope> worst(List<Envelope> all) {
    return all.stream()
        .max(
            Comparator.comparing(Envelope::isOutside)
                .thenComparing(one -> one.whole().outside()));
  }

  /** The name that was probably meant, empty for none. */
  private static String nearest(String metric, List<String> names) {
    return Stream.of(Spelling.COLON, Spelling.UNDERSCORE)
        .map(other -> other.of(metric))
        .filter(other -> names.contains(other) && !other.equals(metric))
        .findFirst()
        .orElse(names.contains(metric) ? metric : NearestKey.nearest(metric, names).orElse(""));
  }
}
