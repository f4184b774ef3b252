package tallystick.analysis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A scrape may show an observation in the sum before its bucket; a lie stays one. */
class TornSumsTest {
  private final TornSums sums = new TornSums();

  /** The real one: vLLM's request_params_n, six answers in the buckets and seven in the sum. */
  @Test
  void anObservationWhoseBucketComesOneScrapeLaterIsNoContradiction() {
    assertThat(taken(at(1, 100, 100), at(1, 106, 107), at(1, 115, 115), at(1, 120, 120)))
        .isEmpty();
  }

  @Test
  void severalOfThemAreNoneEither() {
    assertThat(taken(at(1, 10, 10), at(1, 20, 28), at(1, 31, 31))).isEmpty();
  }

  @Test
  void aSumThatWasAheadAtTheFirstScrapeMakesTheNextOneLookTooSmall() {
    assertThat(taken(above(1, 0, 0, 20), above(1, 0, 10, 22), above(1, 0, 20, 45))).isEmpty();
  }

  @Test
  void aSumThatNothingCatchesUpWithIsAContradiction() {
    assertThat(taken(at(1, 100, 100), at(1, 106, 117), at(1, 110, 121)))
        .contains("a sum of 17.0000 between two scrapes, its buckets allow 0.00000 to 6.00000");
  }

  @Test
  void atTheLastScrapeNothingIsUnderWay() {
    assertThat(taken(at(1, 100, 100), at(1, 106, 107)))
        .contains("a sum of 7.00000 between two scrapes, its buckets allow 0.00000 to 6.00000");
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.2, 1.5, 3})
  void sumsThatAreTooLargeAllAlongAreFound(double factor) {
    Stream<HistogramValues> scrapes =
        Stream.iterate(0, i -> i + 1).limit(20).map(i -> at(1, 10.0 * i, 10 * i * factor));
    assertThat(taken(scrapes.toArray(HistogramValues[]::new))).isPresent();
  }

  @Test
  void sumsThatAreTooSmallAllAlongAreFound() {
    Stream<HistogramValues> scrapes =
        Stream.iterate(0, i -> i + 1).limit(20).map(i -> above(1, 0, 10.0 * i, 8.0 * i));
    assertThat(taken(scrapes.toArray(HistogramValues[]::new))).isPresent();
  }

  @Test
  void aRestartIsNoContradiction() {
    assertThat(taken(at(1, 100, 100), at(1, 3, 3), at(1, 9, 8), at(1, 12, 11))).isEmpty();
  }

  @Test
  void aBucketThatOutgrowsTheNextOneIsAContradictionWhateverTheSum() {
    assertThat(taken(of(10, 20, 30, 20), of(18, 24, 34, 25), of(19, 26, 36, 27)))
        .contains("a bucket grew by more than the next one, which holds it");
  }

  @Test
  void aRestartRightAfterATornScrapeTellsNothing() {
    assertThat(taken(at(1, 100, 100), at(1, 106, 107), at(1, 2, 2), at(1, 5, 5))).isEmpty();
  }

  /** Engines nobody looked at: true observations, three scrapes in ten torn by up to eight. */
  @Test
  void tornScrapesOfASoundEngineAreNeverAContradiction() {
    for (long seed = 990_000; seed < 991_000; seed++) {
      assertThat(new TornEngine(seed).firstFault(1)).as("seed " + seed).isEmpty();
    }
  }

  @Test
  void sumsFourTimesTooLargeAreFoundOnTornScrapesToo() {
    for (long seed = 991_000; seed < 991_200; seed++) {
      assertThat(new TornEngine(seed).firstFault(4)).as("seed " + seed).isPresent();
    }
  }

  /** Observes like prometheus_client: the sum first, the bucket second. */
  private static final class TornEngine {
    private static final double[] EDGES = {0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5};
    private static final int SCRAPES = 25;
    private final SplittableRandom random;
    private final TreeMap<Double, Double> below = new TreeMap<>();
    private double sum;

    TornEngine(long seed) {
      random = new SplittableRandom(seed);
      for (double edge : EDGES) {
        below.put(edge, 0.0);
      }
      below.put(Double.POSITIVE_INFINITY, 0.0);
    }

    Optional<String> firstFault(double factor) {
      TornSums sums = new TornSums();
      double usual = Math.exp(random.nextDouble(-4, 0));
      for (int scrape = 0; scrape <= SCRAPES; scrape++) {
        List<Double> under = new ArrayList<>();
        boolean isTorn = scrape < SCRAPES && random.nextInt(10) < 3;
        int torn = isTorn ? random.nextInt(1, 9) : 0;
        observed(random.nextInt(scrape == 0 ? 1 : 15), usual, factor).forEach(this::count);
        under.addAll(observed(torn, usual, factor));
        double all = below.get(Double.POSITIVE_INFINITY);
        Optional<String> fault =
            sums.take(values(below, all, sum));
        if (fault.isPresent()) {
          return fault;
        }
        under.forEach(this::count);
      }
      return sums.unexplained();
    }

    private List<Double> observed(int many, double usual, double factor) {
      List<Double> values = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        double value = Math.min(4.9, usual * Math.exp(random.nextDouble(-0.7, 0.7)));
        sum += factor * value;
        values.add(value);
      }
      return values;
    }

    private void count(double value) {
      below.tailMap(value, true).replaceAll((edge, all) -> all + 1);
    }
  }

  private Optional<String> taken(HistogramValues... scrapes) {
    List<String> faults =
        Stream.of(scrapes).map(sums::take).flatMap(Optional::stream).toList();
    return faults.isEmpty() ? sums.unexplained() : Optional.of(faults.get(0));
  }

  /** So many at or below 1, 2 and in all. */
  private static HistogramValues of(double one, double two, double all, double sum) {
    TreeMap<Double, Double> below = new TreeMap<>();
    below.put(1.0, one);
    below.put(2.0, two);
    below.put(Double.POSITIVE_INFINITY, all);
    return values(below, all, sum);
  }

  /** So many observations, all at or below an edge. */
  private static HistogramValues at(double edge, double count, double sum) {
    return above(edge, count, 0, sum);
  }

  /** So many at or below an edge, and so many above it. */
  private static HistogramValues above(double edge, double low, double high, double sum) {
    TreeMap<Double, Double> below = new TreeMap<>();
    below.put(edge, low);
    below.put(Double.POSITIVE_INFINITY, low + high);
    return values(below, low + high, sum);
  }

  private static HistogramValues values(TreeMap<Double, Double> below, double all, double sum) {
    return new HistogramValues(
        below.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
        below.values().stream().mapToDouble(Double::doubleValue).toArray(), all, sum);
  }
}
