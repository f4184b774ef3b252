package tallystick.analysis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
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

  private Optional<String> taken(HistogramValues... scrapes) {
    List<String> faults =
        Stream.of(scrapes).map(sums::take).flatMap(Optional::stream).toList();
    return faults.isEmpty() ? sums.unexplained() : Optional.of(faults.get(0));
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
    return new HistogramValues(below, low + high, sum);
  }
}
