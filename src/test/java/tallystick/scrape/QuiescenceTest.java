package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;
import tallystick.scrape.QuietResult.Verdict;

class QuiescenceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final VirtualTime time = new VirtualTime();

  @Test
  void isQuietAtTheThirdIdenticalScrape() {
    QuietResult result = await(target(at -> engine(100, 0, 0)));
    assertThat(result).isEqualTo(new QuietResult(Verdict.QUIET, SECOND, ""));
  }

  @Test
  void countsAnewWhenACounterMoves() {
    QuietResult result = await(target(at -> engine(at < 4 * SECOND ? at : 0, 0, 0)));
    assertThat(result.atNanos()).isEqualTo(5 * SECOND);
  }

  @Test
  void waitsForTheGaugesToReturnToZero() {
    QuietResult result = await(target(at -> engine(5, at < 9 * SECOND ? 1 : 0, 0)));
    assertThat(result).isEqualTo(new QuietResult(Verdict.QUIET, 9 * SECOND, ""));
  }

  @Test
  void takesAGaugeThatStaysUpForStaleAfterThirtySeconds() {
    QuietResult result = await(target(at -> engine(5, 0, 2)));
    assertThat(result.verdict()).isEqualTo(Verdict.STALE_GAUGE);
    assertThat(result.isQuiet()).isTrue();
    assertThat(result.atNanos()).isEqualTo(30 * SECOND);
    assertThat(result.detail()).isEqualTo("target 0: running 0, waiting 2");
  }

  @Test
  void namesWhatMovedWhenTheTimeIsUp() {
    QuietResult result = await(target(at -> engine(at / SECOND * 12, 3, 1)));
    assertThat(result.verdict()).isEqualTo(Verdict.NOT_QUIET);
    assertThat(result.atNanos()).isEqualTo(QuietResult.NEVER);
    String moved = "vllm:generation_tokens_total +12.0000 in 0.5 s, running 3, waiting 1";
    assertThat(result.detail()).isEqualTo("target 0: " + moved);
    assertThat(time.nanos()).isLessThanOrEqualTo(60 * SECOND);
  }

  @Test
  void needsAllTargetsQuietAtOnce() {
    // Each target rests while the other works, in turns of five seconds, until second 20.
    QuietResult result =
        await(
            target(at -> engine(at < 20 * SECOND && at / SECOND / 5 % 2 == 0 ? at : 0, 0, 0)),
            target(at -> engine(at < 20 * SECOND && at / SECOND / 5 % 2 == 1 ? at : 0, 0, 0)));
    assertThat(result).isEqualTo(new QuietResult(Verdict.QUIET, 21 * SECOND, ""));
  }

  @Test
  void noticesMovementUnderTheEscapedNames() {
    QuietResult result =
        await(target(at -> List.of(sample("vllm_prompt_tokens_total", Type.COUNTER, at))));
    assertThat(result.verdict()).isEqualTo(Verdict.NOT_QUIET);
  }

  @Test
  void ignoresTheProcessesOwnCounters() {
    QuietResult result =
        await(target(at -> List.of(sample("process_cpu_seconds_total", Type.COUNTER, at))));
    assertThat(result.verdict()).isEqualTo(Verdict.QUIET);
  }

  @Test
  void countsNoScrapeOfTheFirstSecondAsTheEnd() {
    Quiescence quiescence =
        new Quiescence(new Scripted(List.of(target(at -> engine(1, 0, 0)))), time, SECOND / 10);
    assertThat(quiescence.await(TIMEOUT).atNanos()).isEqualTo(SECOND);
  }

  @Test
  void namesTheBalancerThatShowsTwoReplicasInTurns() {
    QuietResult result =
        await(target(at -> engine(at / SECOND % 2 == 0 ? 40 : 70, 0, 0)));
    assertThat(result.verdict()).isEqualTo(Verdict.NOT_QUIET);
    assertThat(result.detail())
        .startsWith("target 0: vllm:generation_tokens_total went backwards")
        .contains("several replicas behind a load balancer");
  }

  @Test
  void aScrapeThatOthersTookMeanwhileIsNoFallOfABusyTarget() {
    ScrapeSource busy =
        new ScrapeSource() {
          @Override
          public List<Integer> targets() {
            return List.of(0);
          }

          @Override
          public ScrapeRow scrape(int target) {
            return row(time.nanos());
          }

          @Override
          public List<ScrapeRow> recent(int target) {
            return List.of(row(time.nanos() + SECOND / 2));
          }

          private ScrapeRow row(long at) {
            return new ScrapeRow(0, at, at + 1, engine((int) (at / 1_000_000), 4, 0), "");
          }
        };
    QuietResult result = new Quiescence(busy, time, SECOND).await(TIMEOUT);
    assertThat(result.verdict()).isEqualTo(Verdict.NOT_QUIET);
    assertThat(result.detail()).doesNotContain("backwards").contains("running 4");
  }

  @Test
  void seesTheOtherReplicaInScrapesThatOthersAskedFor() {
    ScrapeSource twice =
        new ScrapeSource() {
          @Override
          public List<Integer> targets() {
            return List.of(0);
          }

          @Override
          public ScrapeRow scrape(int target) {
            return new ScrapeRow(0, time.nanos(), time.nanos(), engine(40, 0, 0), "");
          }

          @Override
          public List<ScrapeRow> recent(int target) {
            ScrapeRow other =
                new ScrapeRow(0, time.nanos() - 1, time.nanos(), engine(70, 0, 0), "");
            return List.of(other, scrape(target));
          }
        };
    QuietResult result = new Quiescence(twice, time, SECOND).await(TIMEOUT);
    assertThat(result.verdict()).isEqualTo(Verdict.NOT_QUIET);
    assertThat(result.detail()).contains("several replicas behind a load balancer");
  }

  @Test
  void tellsFreshReplicasApartByTheirBirths() {
    QuietResult result =
        await(
            target(
                at ->
                    List.of(
                        sample("vllm:generation_tokens_total", Type.COUNTER, 0),
                        sample(
                            "vllm:generation_tokens_created", Type.GAUGE, at / SECOND % 2))));
    assertThat(result.detail()).startsWith("target 0: vllm:generation_tokens_created went back");
  }

  @Test
  void asksForMoreTimeWhereScrapesAreRare() {
    LongFunction<ScrapeRow> minutely =
        at -> {
          long started = at / (25 * SECOND) * 25 * SECOND + 1;
          return new ScrapeRow(0, started, started, engine(5, 0, 0), "");
        };
    QuietResult result =
        new Quiescence(new Scripted(List.of(minutely)), time, SECOND).await(Duration.ofSeconds(40));
    assertThat(result.verdict()).isEqualTo(Verdict.NOT_QUIET);
    assertThat(result.detail())
        .contains("one comes every 25.0 s, so --quiet-timeout must be longer");
  }

  @Test
  void startsAnewAfterAFailedScrape() {
    Scripted source =
        new Scripted(
            List.of(
                at ->
                    at == SECOND
                        ? new ScrapeRow(0, at, at, List.of(), "HTTP 503")
                        : new ScrapeRow(0, at, at, engine(1, 0, 0), "")));
    assertThat(new Quiescence(source, time, SECOND).await(TIMEOUT).atNanos())
        .isEqualTo(5 * SECOND / 2);
  }

  @Test
  void givesUpOnATargetThatKeepsFailing() {
    Scripted source =
        new Scripted(List.of(at -> new ScrapeRow(0, at, at, List.of(), "no connection: refused")));
    QuietResult result = new Quiescence(source, time, SECOND).await(TIMEOUT);
    assertThat(result.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(result.atNanos()).isEqualTo(QuietResult.NEVER);
    assertThat(result.detail()).isEqualTo("target 0: scrape failed: no connection: refused");
    assertThat(time.nanos()).isEqualTo(5 * SECOND);
  }

  @Test
  void outlivesAShortHoleHoweverOftenItIsAsked() {
    Scripted source =
        new Scripted(
            List.of(
                at ->
                    at < 3 * SECOND
                        ? new ScrapeRow(0, at, at, List.of(), "HTTP 503")
                        : new ScrapeRow(0, at, at, engine(1, 0, 0), "")));
    assertThat(new Quiescence(source, time, SECOND / 10).await(TIMEOUT).verdict())
        .isEqualTo(Verdict.QUIET);
  }

  @Test
  void endsWhenItsThreadIsInterrupted() {
    time.interruptAt = 5 * SECOND;
    QuietResult result = await(target(at -> engine(at, 0, 0)));
    assertThat(result.verdict()).isEqualTo(Verdict.INTERRUPTED);
    assertThat(Thread.interrupted()).isTrue();
  }

  private QuietResult await(LongFunction<?>... targets) {
    List<LongFunction<ScrapeRow>> rows = new ArrayList<>();
    for (LongFunction<?> target : targets) {
      rows.add(at -> (ScrapeRow) target.apply(at));
    }
    return new Quiescence(new Scripted(rows), time, 5 * SECOND).await(TIMEOUT);
  }

  private static LongFunction<ScrapeRow> target(LongFunction<List<Sample>> samples) {
    return at -> new ScrapeRow(0, at, at, samples.apply(at), "");
  }

  private static List<Sample> engine(double tokens, double running, double waiting) {
    return List.of(
        sample("vllm:num_requests_running", Type.GAUGE, running),
        sample("vllm:num_requests_waiting", Type.GAUGE, waiting),
        sample("vllm:generation_tokens_total", Type.COUNTER, tokens));
  }

  private static Sample sample(String name, Type type, double value) {
    return new Sample(Series.of(name, Map.of("engine", "0"), type), value);
  }

  /** Targets whose rows are functions of the time. */
  private final class Scripted implements ScrapeSource {
    private final List<LongFunction<ScrapeRow>> rows;

    Scripted(List<LongFunction<ScrapeRow>> rows) {
      this.rows = rows;
    }

    @Override
    public List<Integer> targets() {
      return IntStream.range(0, rows.size()).boxed().toList();
    }

    @Override
    public ScrapeRow scrape(int target) {
      return rows.get(target).apply(time.nanos());
    }
  }

  /** Time that passes only while someone waits for it. */
  private static final class VirtualTime implements Pace {
    private long now;
    private long interruptAt = Long.MAX_VALUE;

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public void sleepUntil(long nanos) throws InterruptedException {
      now = Math.max(now, nanos);
      if (now >= interruptAt) {
        throw new InterruptedException();
      }
    }
  }
}
