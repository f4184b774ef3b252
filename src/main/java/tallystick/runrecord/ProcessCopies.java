package tallystick.runrecord;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Gauges that one engine shows once for each of its processes, told apart by the label {@code pid}.
 * They are copies of one figure, and what a process left that is gone stands on: one of them is
 * taken, that of the process whose gauges changed last; before any has changed, the largest. Fed
 * with the scrapes of one target in their order.
 *
 * <p>Source: prometheus_client for Python, multiprocess mode: gauges of the modes {@code all} and
 * {@code liveall} carry the label; counters and histograms never do.
 */
public final class ProcessCopies {
  private static final String PROCESS = "pid";

  private final Map<Series, Copies> bySeries = new HashMap<>();
  private final Map<String, Copies> byFigure = new TreeMap<>();
  /** The scrape in which any gauge of a process changed last, for each engine that it shows. */
  private final Map<String, Long> alive = new HashMap<>();
  private long scrape;

  /** What the newest scrape showed if it held no copy: of the same series the next holds none. */
  private List<Sample> plain = List.of();

  /** The copies of one figure. */
  private static final class Copies {
    private final Map<Series, Copy> all = new HashMap<>();
    private final SortedMap<String, Integer> taken = new TreeMap<>();
    private Optional<Series> chosen = Optional.empty();

    /** The scrape in which this value was another one than before; 0 while it never was. */
    long note(Sample sample, long scrape) {
      return all.merge(
              sample.series(), new Copy(sample.value(), 0, scrape),
              (one, other) -> one.next(sample.value(), scrape))
          .changed();
    }

    void choose(long scrape, ToLongFunction<Series> alive) {
      chosen =
          all.entrySet().stream()
              .filter(copy -> copy.getValue().seen() == scrape)
              .max(
                  Comparator.comparingLong(
                          (Map.Entry<Series, Copy> copy) -> alive.applyAsLong(copy.getKey()))
                      .thenComparing(Map.Entry.comparingByValue(Copy.NEWEST)))
              .map(Map.Entry::getKey);
      chosen.ifPresent(series -> taken.merge(series.label(PROCESS), 1, Integer::sum));
    }
  }

  /** One process' value, the scrape in which it was another one than before, and the newest. */
  private record Copy(double value, long changed, long seen) {
    static final Comparator<Copy> NEWEST =
        Comparator.comparingLong(Copy::changed).thenComparingDouble(Copy::value);

    Copy next(double newest, long scrape) {
      return new Copy(newest, Double.compare(newest, value) == 0 ? changed : scrape, scrape);
    }
  }

  /** The samples of the next scrape without the copies that are not taken. */
  public List<Sample> live(List<Sample> samples) {
    scrape++;
    List<Sample> copies = new ArrayList<>();
    for (int place = 0; place < samples.size(); place++) {
      Sample sample = samples.get(place);
      boolean isKnown =
          place < plain.size() && plain.get(place).series() == sample.series();
      if (!isKnown && isCopy(sample)) {
        copies.add(sample);
      }
    }
    plain = copies.isEmpty() ? samples : List.of();
    if (copies.isEmpty()) {
      return samples;
    }
    copies.forEach(
        sample -> {
          long changed = bySeries.computeIfAbsent(sample.series(), this::of).note(sample, scrape);
          alive.merge(process(sample.series()), changed, Math::max);
        });
    byFigure.values().forEach(one -> one.choose(scrape, each -> alive.get(process(each))));
    List<Sample> live = new ArrayList<>(samples);
    live.removeIf(sample -> isCopy(sample) && !isTaken(sample.series()));
    return live;
  }

  /** One line for each figure of which there was more than one copy: who was taken, how often. */
  public List<String> words() {
    List<String> lines = new ArrayList<>();
    byFigure.forEach(
        (figure, copies) -> {
          if (copies.all.size() > 1) {
            List<String> taken = new ArrayList<>();
            copies.taken.forEach((pid, times) -> taken.add("pid " + pid + " " + times + " times"));
            lines.add(
                figure + " of " + copies.all.size() + " processes: taken "
                    + String.join(", ", taken));
          }
        });
    return lines;
  }

  private Copies of(Series series) {
    SortedMap<String, String> labels = new TreeMap<>(series.labels());
    labels.remove(PROCESS);
    return byFigure.computeIfAbsent(series.name() + labels, any -> new Copies());
  }

  private static String process(Series series) {
    String engine =
        MetricVocabulary.standard()
            .familyOf(series.name())
            .map(family -> series.label(family.labels().engine()))
            .orElse("");
    return engine + ' ' + series.label(PROCESS);
  }

  private boolean isTaken(Series series) {
    return bySeries.get(series).chosen.filter(series::equals).isPresent();
  }

  private static boolean isCopy(Sample sample) {
    Series series = sample.series();
    return series.type() == Series.Type.GAUGE
        && series.labels().containsKey(PROCESS)
        && MetricVocabulary.standard().familyOf(series.name()).isPresent();
  }
}
