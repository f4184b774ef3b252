package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.ClientCounts;

class BurdenTest {
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

  private static Burden.Stretch stretch(int firstEnd, int lastEnd) {
    return new Burden.Stretch(START + firstEnd * WINDOW, START + lastEnd * WINDOW);
  }

  @Test
  void aShareIsTakenOverItsRangeAndMustBeExceeded() {
    // Two windows hold 200 requests: 10 bad ones are 5 %, 11 are more.
    Burden burden = Burden.of(MINUTE, 0.05, 1);
    assertThat(Burden.stretches(List.of(burden), bad(0, 0, 5, 5, 6, 0, 0)))
        .containsExactly(stretch(5, 5));
    assertThat(Burden.stretches(List.of(burden), bad(0, 20, 0, 0, 30, 0, 0)))
        .containsExactly(stretch(2, 3), stretch(5, 6));
  }

  @Test
  void aYoungRunGivesWhatItHas() {
    Burden burden = Burden.of(60 * MINUTE, 0.144, 1);
    assertThat(Burden.stretches(List.of(burden), bad(50, 0, 0, 0)))
        .containsExactly(stretch(1, 3));
  }

  @Test
  void everyRangeMustBeExceededAndOneBurdenOfSeveralIsEnough() {
    Burden.Share hour = new Burden.Share(10 * WINDOW, 0.10, 1);
    Burden.Share minutes = new Burden.Share(2 * WINDOW, 0.10, 1);
    Burden both = new Burden(List.of(hour, minutes));
    // The long range remembers the 90 of the second window; the short one has forgotten them.
    ClientCounts client = bad(0, 90, 0, 0, 0, 0, 0);
    assertThat(Burden.stretches(List.of(both), client)).containsExactly(stretch(2, 3));
    Burden heavy = Burden.of(WINDOW, 0.95, 1);
    assertThat(Burden.stretches(List.of(heavy, both), client)).containsExactly(stretch(2, 3));
    assertThat(Burden.stretches(List.of(heavy), client)).isEmpty();
  }

  @Test
  void fewBadRequestsAreNoBurdenHoweverLargeTheirShare() {
    ClientCounts quiet =
        new ClientCounts(0, WINDOW, List.of(new ClientCounts.Count(4, 0)));
    assertThat(Burden.stretches(List.of(Burden.of(WINDOW, 0.05, 5)), quiet)).isEmpty();
    assertThat(Burden.stretches(List.of(Burden.of(WINDOW, 0.05, 4)), quiet)).hasSize(1);
  }

  @Test
  void itsWordsNameEveryRange() {
    Burden page =
        new Burden(
            List.of(
                new Burden.Share(60 * MINUTE, 0.144, 5), new Burden.Share(5 * MINUTE, 0.144, 1)));
    assertThat(Burden.words(List.of(page, Burden.of(5 * MINUTE, 0.05, 5))))
        .isEqualTo(
            "more than 14.4 % of the requests of 1h and 14.4 % of the requests of 5m, or"
                + " 5 % of the requests of 5m miss the objective");
  }
}
