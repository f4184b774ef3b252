package tallystick.analysis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tallystick.analysis.Exposition;
import tallystick.analysis.MadeRun;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.TargetLifecycle;
import tallystick.scenario.Target;

/** Targets that are not scraped at the same moment, on one grid. */
class IntervalGridTest {
  private static final String TOKENS = "generation_tokens_total";
  private final Exposition first = new Exposition();
  private final Exposition second = new Exposition();
  private final MadeRun run = new MadeRun();

  IntervalGridTest() {
    run.targets.add(Target.at("http://127.0.0.1:8001"));
  }

  @Test
  void aTargetScrapedShortlyAfterTheOtherGrowsInTheSameIntervals() {
    grow(9, 0, 0.005);
    for (int second = 10; second <= 14; second++) {
      grow(second, second, 0.005);
    }

    assertThat(grid().growth(EngineColumns.GENERATION_TOKENS)).containsExactly(22, 24, 26, 28);
    assertThat(grid().gauge(EngineColumns.RUNNING)).containsExactly(22, 24, 26, 28);
  }

  @Test
  void aTargetScrapedShortlyBeforeTheOtherGrowsInTheSameIntervals() {
    grow(9, 0, -0.4);
    for (int second = 10; second <= 14; second++) {
      grow(second, second, -0.4);
    }

    assertThat(grid().growth(EngineColumns.GENERATION_TOKENS)).containsExactly(22, 24, 26, 28);
    assertThat(grid().gauge(EngineColumns.RUNNING)).containsExactly(22, 24, 26, 28);
  }

  @Test
  void growthOverAHoleAndAfterARestartEndsInTheIntervalOfItsScrape() {
    run.targets.removeLast();
    Exposition reborn = new Exposition();
    run.scrape(9, first).scrape(10, first);
    run.scrape(11, first.count(TOKENS, 5)).failedScrape(12);
    run.scrape(13, first.count(TOKENS, 7));
    run.scrape(14, reborn);
    run.scrape(15, reborn.count(TOKENS, 3));

    assertThat(grid().growth(EngineColumns.GENERATION_TOKENS)).containsExactly(5, 7, 0, 3);
  }

  /** Both targets grow by as many tokens as they have requests running. */
  private void grow(int at, int tokens, double apart) {
    first.count(TOKENS, tokens).gauge("num_requests_running", tokens);
    second.count(TOKENS, tokens).gauge("num_requests_running", tokens);
    run.scrape(0, at, first).scrape(1, at + apart, second);
  }

  private IntervalGrid grid() {
    MeasuredWindow window =
        new MeasuredWindow(
            MadeRun.nanos(9.9), MadeRun.nanos(60), OptionalLong.of(MadeRun.nanos(9.2)),
            OptionalLong.empty(), Set.of(), false);
    TargetLifecycle none = new TargetLifecycle(List.of());
    EngineReading reading =
        new EngineReading(window, run.manifest(), 1_000_000_000L, any -> true, none);
    run.scrapes.forEach(reading::read);
    return new IntervalGrid(reading);
  }
}
