package tallystick.alerting.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tallystick.alerting.derivation.Spelling;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.promql.PromqlException;
import tallystick.scenario.NearestKey;

/** Holds rules against what a Prometheus remembers. */
public final class Watch {
  /** Looks at whether a selector finds anything at all. */
  private static final int LOOKS = 200;

  /** As far back as Prometheus looks for a sample. */
  private static final long LOOKBACK_MILLIS = 300_000;

  /** Labels by which a pair of Prometheis tell their samples of one target apart. */
  private static final String OF_REPLICAS =
      "replica, prometheus_replica, __replica__, receive_replica";

  private final MetricHistory history;
  private final WatchedRules rules;
  private final long toMillis;
  private final long lengthMillis;
  private final DoubleConsumer progress;
  private final List<String> leftOut = new ArrayList<>();
  private final Map<String, String> missing = new LinkedHashMap<>();
  private final Set<String> doubled = new TreeSet<>();
  private final List<WatchedFirings> firings = new ArrayList<>();
  private final List<Envelope> envelopes = new ArrayList<>();
  private int done;

  /**
   * A watch.
   *
   * @param toMillis end of the range, UTC
   * @param lengthMillis its length
   * @param progress told the share that is done
   */
  public Watch(
      MetricHistory history,
      WatchedRules rules,
      long toMillis,
      long lengthMillis,
      DoubleConsumer progress) {
    this.history = history;
    this.rules = rules;
    this.toMillis = toMillis;
    this.lengthMillis = lengthMillis;
    this.progress = progress;
  }

  /**
   * Asks for all of it.
   *
   * @param unread rules that could not be read, and why
   * @param given the user's own SLI, which goes before those that the rules record
   */
  public Watched of(String prometheus, Optional<Sli> given, List<String> unread)
      throws IOException, InterruptedException {
    leftOut.addAll(unread);
    List<Sli> slis = given.map(List::of).orElseGet(() -> Sli.of(rules));
    List<String> names = history.names();
    findMissing(names);
    proceed();
    List<String> present = new ArrayList<>(List.of("up"));
    slis.stream().flatMap(sli -> WatchedRules.selectors(sli.all())).forEach(present::add);
    selectors().stream().filter(text -> !missing.containsKey(text)).forEach(present::add);
    Seen seen = Seen.read(history, present, toMillis, lengthMillis);
    proceed();
    Users users =
        slis.isEmpty()
            ? new Users(Steps.before(toMillis, lengthMillis, LOOKBACK_MILLIS), List.of())
            : Users.read(history, slis, seen, toMillis, lengthMillis);
    proceed();
    for (WatchedAlert alert : rules.alerts()) {
      replay(alert, seen, users);
      proceed();
    }
    long since =
        Envelope.firstOutside(envelopes).map(Envelope::begin).orElse(seen.fromMillis());
    String scope = given.isPresent() || slis.isEmpty() ? "" : slis.getFirst().scope();
    Traffic traffic = Traffic.read(history, names, scope, seen, since);
    proceed();
    return new Watched(
        rules.file().file(), prometheus, seen, slis.stream().map(Sli::words).toList(), users,
        firings, envelopes, traffic, leftOut, missing, List.copyOf(doubled));
  }

  /** Missing series, gaps, users and traffic are a step each, and so is each alert. */
  private void proceed() {
    progress.accept((double) ++done / (rules.alerts().size() + 4));
  }

  private void replay(WatchedAlert alert, Seen seen, Users users)
      throws IOException, InterruptedException {
    String name = alert.rule().name();
    try {
      firings.add(
          WatchedFirings.of(
              alert, alert.firings(history, seen), users, seen,
              selectors(alert).filter(missing::containsKey).toList()));
      for (WatchedAlert.Learned learned : alert.signals()) {
        worst(Envelope.read(history, name, learned, users)).ifPresent(envelopes::add);
      }
    } catch (PromqlException e) {
      leftOut.add(name + " is left out, the Prometheus refuses it: " + e.getMessage());
    }
  }

  /** The series that is farthest outside; of many models one that changed is enough. */
  private static Optional<Envelope> worst(List<Envelope> all) {
    return all.stream()
        .max(
            Comparator.comparing(Envelope::isOutside)
                .thenComparing(one -> one.whole().outside()));
  }

  private List<String> selectors() {
    return rules.alerts().stream().flatMap(Watch::selectors).distinct().toList();
  }

  private static Stream<String> selectors(WatchedAlert alert) {
    return WatchedRules.selectors(alert.rule().expression());
  }

  private void findMissing(List<String> names) throws IOException, InterruptedException {
    long step = Math.max(LOOKBACK_MILLIS, lengthMillis / LOOKS);
    Steps looks = Steps.before(toMillis, lengthMillis, step);
    for (String selector : selectors()) {
      String query = "max(count without (" + OF_REPLICAS + ") (" + selector + "))";
      double copies =
          history.values(query, looks).values().stream()
              .flatMapToDouble(DoubleStream::of)
              .filter(Double::isFinite)
              .max()
              .orElse(0);
      if (copies == 0) {
        missing.put(selector, nearest(selector.replaceFirst("[{].*", ""), names));
      } else if (copies > 1) {
        doubled.add(selector);
      }
    }
  }

  /** The name that was probably meant, empty for none. */
  private static String nearest(String metric, List<String> names) {
    for (Spelling other : List.of(Spelling.COLON, Spelling.UNDERSCORE)) {
      if (names.contains(other.of(metric)) && !other.of(metric).equals(metric)) {
        return other.of(metric);
      }
    }
    return names.contains(metric) ? metric : NearestKey.nearest(metric, names).orElse("");
  }
}
