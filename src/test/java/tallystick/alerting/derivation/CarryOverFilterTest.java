package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps of one run: calm, overload, a drain behind it, the next load. */
class CarryOverFilterTest {
  private static WindowRow row(String step, double load, double end, double waiting) {
    return new WindowRow(
        new WindowRow.Place("run", "mix", step, load, end), 100, 90, 0, false,
        Map.of(Signal.WAITING_MEAN, waiting));
  }

  private final WindowRow calm = row("calm", 10, 30, 0);
  private final WindowRow over = row("over", 30, 60, 80);
  private final WindowRow working = row("drain", 8, 90, 40);
  private final WindowRow empty = row("drain", 8, 120, 0.5);
  private final WindowRow next = row("knee", 20, 150, 6);

  @Test
  void aLighterStepCountsFromWhereTheQueueOfTheHeavierOneIsGone() {
    assertThat(new CarryOverFilter(List.of(next, empty, working, over, calm)).rows())
        .containsExactly(calm, over, empty, next);
  }

  @Test
  void whoeverInheritsAQueueThatNeverEmptiedIsLeftOutToo() {
    assertThat(new CarryOverFilter(List.of(calm, over, working, next)).rows())
        .containsExactly(calm, over);
  }

  @Test
  void whereNobodyTellsWhoWaitsEveryWindowCounts() {
    WindowRow silent =
        new WindowRow(
            new WindowRow.Place("run", "mix", "drain", 8, 90), 100, 10, 0, false, Map.of());
    assertThat(new CarryOverFilter(List.of(over, silent)).rows()).containsExactly(over, silent);
  }
}
