package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.ClientCounts;

class SufferingPredicateTest {
  private static final long WINDOW = 30_000;
  private static final long START = 7_000;
  private static final long MINUTE = 60_000;

  /** Windows of 100 requests each, with so many bad ones. */
  private static ClientCounts bad(int... counts) {
    List<ClientCounts.Count> all = new ArrayList<>();
    for (int bad : counts) {
      all.add(new ClientCounts.Count(100, 100 - bad));
    }
    return new ClientCounts(START, WINDOW, all);
  }

  private static ClientCounts.Stretch stretch(int firstEnd, int lastEnd) {
    return new ClientCounts.Stretch(START + firstEnd * WINDOW, START + lastEnd * WINDOW);
  }

  @Test
  void aShareIsTakenOverItsRangeAndMustBeExceeded() {
    // Two windows hold 200 requests: 10 bad ones are 5 %, 11 are more.
    SufferingPredicate burden = SufferingPredicate.of(MINUTE, 0.05, 1);
    assertThat(SufferingPredicate.stretches(List.of(burden), bad(0, 0, 5, 5, 6, 0, 0)))
        .containsExactly(stretch(5, 5));
    assertThat(SufferingPredicate.stretches(List.of(burden), bad(0, 20, 0, 0, 30, 0, 0)))
        .containsExactly(stretch(2, 3), stretch(5, 6));
  }

  @Test
  void aYoungRunGivesWhatItHas() {
    SufferingPredicate burden = SufferingPredicate.of(60 * MINUTE, 0.144, 1);
    assertThat(SufferingPredicate.stretches(List.of(burden), bad(50, 0, 0, 0)))
        .containsExactly(stretch(1, 3));
  }

  @Test
  void everyRangeMustBeExceededAndOneBurdenOfSeveralIsEnough() {
    SufferingPredicate.Share hour = new SufferingPredicate.Share(10 * WINDOW, 0.10, 1, 1);
    SufferingPredicate.Share minutes = new SufferingPredicate.Share(2 * WINDOW, 0.10, 1, 1);
    SufferingPredicate both = new SufferingPredicate(List.of(hour, minutes));
    // The long range remembers the 90 of the second window; the short one has forgotten them.
    ClientCounts client = bad(0, 90, 0, 0, 0, 0, 0);
    assertThat(SufferingPredicate.stretches(List.of(both), client)).containsExactly(stretch(2, 3));
    SufferingPredicate heavy = SufferingPredicate.of(WINDOW, 0.95, 1);
    assertThat(SufferingPredicate.stretches(List.of(heavy, both), client))
        .containsExactly(stretch(2, 3));
    assertThat(SufferingPredicate.stretches(List.of(heavy), client)).isEmpty();
  }

  @Test
  void fewBadRequestsAreNoBurdenHoweverLargeTheirShare() {
    ClientCounts quiet =
        new ClientCounts(0, WINDOW, List.of(new ClientCounts.Count(4, 0)));
    assertThat(SufferingPredicate.stretches(List.of(SufferingPredicate.of(WINDOW, 0.05, 5)), quiet))
        .isEmpty();
    assertThat(SufferingPredicate.stretches(List.of(SufferingPredicate.of(WINDOW, 0.05, 4)), quiet))
        .hasSize(1);
  }

  @Test
  void aPercentileOfTooFewRequestsIsNoBurden() {
    ClientCounts quiet =
        new ClientCounts(0, WINDOW, List.of(new ClientCounts.Count(99, 0)));
    SufferingPredicate percentile = SufferingPredicate.among(100, WINDOW, 0.05);
    assertThat(SufferingPredicate.stretches(List.of(percentile), quiet)).isEmpty();
    assertThat(SufferingPredicate.stretches(List.of(percentile), bad(6))).hasSize(1);
  }

  @Test
  void itsWordsNameEveryRangeAndEveryGate() {
    SufferingPredicate page =
        new SufferingPredicate(
            List.of(
                new SufferingPredicate.Share(60 * MINUTE, 0.144, 1, 5),
                new SufferingPredicate.Share(5 * MINUTE, 0.144, 1, 1)));
    SufferingPredicate percentile = SufferingPredicate.among(100, 5 * MINUTE, 0.05);
    assertThat(SufferingPredicate.words(List.of(page, percentile)))
        .isEqualTo(
            "more than 14.4 % of requests in 1h (at least 5) and 14.4 % of requests in 5m, or"
                + " 5 % of at least 100 requests in 5m miss the objective");
  }
}
