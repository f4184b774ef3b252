package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Decomposition.Whole;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.WaitPart;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

class LatencyDecompositionTest {
  private static final double PROXY_SECONDS = 0.05;

  @Test
  void aPlantedDelayIsFoundOutsideTheEngineWithinItsInterval() {
    RunAnalysis analysis = run(450, 11).analyze();
    Decomposition ttft = analysis.decompositions().get(0);
    assertThat(ttft.absence()).isEmpty();
    Interval outside = part(ttft, WaitPart.OUTSIDE);
    // The fixture's delay is 50 ms and a noise of mean zero up to 5 ms.
    assertThat(value(outside.value())).isCloseTo(PROXY_SECONDS, within(0.001));
    assertThat(value(outside.low())).isLessThan(PROXY_SECONDS);
    assertThat(value(outside.high())).isGreaterThan(PROXY_SECONDS);
    assertThat(value(outside.high()) - value(outside.low())).isLessThan(0.02);
  }

  @Test
  void thePartsAddUpToTheWhole() {
    RunAnalysis analysis = run(450, 3).analyze();
    for (Decomposition decomposition : analysis.decompositions()) {
      double sum =
          decomposition.parts().stream().mapToDouble(part -> value(part.mean().value())).sum();
      assertThat(sum).isCloseTo(value(decomposition.whole().value()), within(1e-9));
    }
    assertThat(analysis.decompositions().get(1).parts().stream().map(Decomposition.Part::name))
        .containsExactly(
            WaitPart.LATENESS, WaitPart.CONNECT, WaitPart.WRITE, WaitPart.OUTSIDE,
            WaitPart.API_SERVER, WaitPart.QUEUE, WaitPart.PREFILL, WaitPart.DECODE);
  }

  @Test
  void meansStandWithoutIntervalsWhereThereAreTooFewScrapes() {
    MadeRun run = run(60, 5);
    Decomposition ttft = run.analyze().decompositions().get(0);
    assertThat(ttft.available()).isTrue();
    assertThat(value(part(ttft, WaitPart.OUTSIDE).value())).isCloseTo(PROXY_SECONDS, within(0.003));
    assertThat(part(ttft, WaitPart.OUTSIDE).low()).isInstanceOf(Figure.Unavailable.class);
  }

  @Test
  void differentPopulationsAreNeverSubtracted() {
    MadeRun run = run(450, 7);
    run.requests.add(request(999, 20).outcome(Outcome.CUT_MID_STREAM, 200).build());
    Decomposition ttft = run.analyze().decompositions().get(0);
    assertThat(ttft.available()).isFalse();
    assertThat(ttft.absence()).contains("the client has 451 requests, the engine's");
  }

  @Test
  void whatTheEngineToldOfEachRequestGivesAWaterfallByRequest() {
    MadeRun run = run(450, 13);
    run.requests.replaceAll(row -> told(row, 0.02, 0.03));
    Decomposition byRequest = run.analyze().decompositions().get(2);
    assertThat(byRequest.quantity()).isEqualTo(Whole.TTFT_BY_REQUEST);
    assertThat(value(part(byRequest, WaitPart.QUEUE).value())).isCloseTo(0.02, within(1e-9));
    assertThat(value(part(byRequest, WaitPart.PREFILL).value())).isCloseTo(0.03, within(1e-9));
    double sum = byRequest.parts().stream().mapToDouble(one -> value(one.mean().value())).sum();
    assertThat(sum).isCloseTo(value(byRequest.whole().value()), within(1e-9));
    assertThat(value(part(byRequest, WaitPart.OUTSIDE_AND_API_SERVER).value()))
        .isCloseTo(value(byRequest.whole().value()) - 0.05, within(0.001));
  }

  @Test
  void fewerThanNineteenOfTwentyToldRequestsGiveNone() {
    MadeRun run = run(450, 13);
    run.requests.replaceAll(row -> row.index() % 10 == 0 ? row : told(row, 0.02, 0.03));
    assertThat(run.analyze().decompositions())
        .extracting(Decomposition::quantity)
        .containsExactly(Whole.TTFT, Whole.E2E);
  }

  private static RequestRow told(RequestRow row, double queue, double prefill) {
    return new RequestRow(
        row.index(), row.phase(), row.requestClass(), row.user(), row.target(), row.requestId(),
        row.promptTokens(), row.maxTokens(), row.times(), row.chunks(), row.usage(),
        row.ending(), new RequestRow.EngineTimings(prefill, 0.1, queue, 0.01));
  }

  /** Two requests a second through a proxy, scraped every second. */
  private static MadeRun run(int requests, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<RequestRow> rows = new ArrayList<>();
    List<Double> overheads = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      double ttft = 0.08 + 0.1 * random.nextDouble();
      rows.add(request(i, 10 + i * 0.5 + 0.2 * random.nextDouble()).ttft(ttft).build());
      overheads.add(PROXY_SECONDS + 0.01 * (random.nextDouble() - 0.5));
    }
    double end = 12 + requests * 0.5;
    MadeRun run = new MadeRun().window(10, end);
    Exposition exposition = new Exposition();
    run.scrape(8.9, exposition);
    List<RequestRow> byEnd = new ArrayList<>(rows);
    byEnd.sort(Comparator.comparingLong(row -> row.times().ended()));
    int served = 0;
    for (double at = 10; at <= end + 3; at++) {
      while (served < byEnd.size() && byEnd.get(served).times().ended() < at * 1e9) {
        RequestRow row = byEnd.get(served++);
        exposition.serve(row, overheads.get(row.index()));
      }
      run.scrape(at, exposition);
    }
    run.requests.addAll(rows);
    return run;
  }

  private static Interval part(Decomposition decomposition, WaitPart name) {
    return decomposition.parts().stream()
        .filter(part -> part.name() == name)
        .findFirst()
        .orElseThrow()
        .mean();
  }

  private static double value(Figure figure) {
    return ((Figure.Known) figure).value();
  }
}
