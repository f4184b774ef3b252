package tallystick.analysis.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.Exposition;
import tallystick.analysis.MadeRun;
import tallystick.analysis.result.TraceJoin.SpanTime;
import tallystick.plan.Phase;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.SpanRow;
import tallystick.runrecord.TraceId;

class TraceJoinTest {
  private static final double EXACT = 1e-9;

  private final MadeRun run = new MadeRun().window(10, 20);

  @Test
  void theDifferenceOfTheSidesIsExactForEachRequest() {
    // Written 0.1 ms after the start: first token 99.9, 199.9, 299.9 ms after it was written.
    for (int i = 0; i < 3; i++) {
      RequestRow row = request(i, 11 + i).ttft(0.1 * (i + 1)).build();
      run.requests.add(row);
      double ttft = (row.firstTokenNanos() - row.times().written()) / 1e9 - 0.003 * (i + 1);
      run.spans.add(span(row, "a" + i, 0.01, 0.04, ttft, ttft + 0.03));
    }
    TraceJoin traces = run.analyze().traces();
    assertThat(traces.available()).isTrue();
    assertThat(traces.joined()).isEqualTo(3);
    assertThat(traces.requests()).isEqualTo(3);
    TraceJoin.Part outside = part(traces, SpanTime.TTFT_OUTSIDE);
    assertThat(value(outside.samples().minimum())).isCloseTo(0.003, within(EXACT));
    assertThat(value(outside.samples().mean())).isCloseTo(0.006, within(EXACT));
    assertThat(value(outside.samples().maximum())).isCloseTo(0.009, within(EXACT));
    assertThat(value(part(traces, SpanTime.QUEUE).samples().mean())).isCloseTo(0.01, within(EXACT));
    // 0.0999, 0.1999, 0.2999 less 0.003, 0.006, 0.009: mean 0.1939; less queue and prefill.
    assertThat(value(part(traces, SpanTime.TTFT).samples().mean()))
        .isCloseTo(0.1939, within(EXACT));
    assertThat(value(part(traces, SpanTime.API_SERVER).samples().mean()))
        .isCloseTo(0.1439, within(EXACT));
    assertThat(value(part(traces, SpanTime.E2E_OUTSIDE).samples().mean()))
        .isCloseTo(0.006, within(EXACT));
  }

  @Test
  void theOrderOfTheSpansDoesNotMatter() {
    RequestRow slow = request(0, 11).ttft(0.9).build();
    RequestRow fast = request(1, 12).ttft(0.1).build();
    run.requests.addAll(List.of(slow, fast));
    run.spans.add(span(fast, "b", 0, 0.05, 0.0989, 0.2));
    run.spans.add(span(slow, "a", 0, 0.05, 0.8989, 0.95));
    TraceJoin.Part outside = part(run.analyze().traces(), SpanTime.TTFT_OUTSIDE);
    assertThat(value(outside.samples().minimum())).isCloseTo(0.001, within(EXACT));
    assertThat(value(outside.samples().maximum())).isCloseTo(0.001, within(EXACT));
  }

  @Test
  void aMeanStandsBesideTheHistogramsWhereBothHoldTheSameRequests() {
    Exposition engine = new Exposition();
    run.scrape(8.9, engine);
    for (int i = 0; i < 4; i++) {
      RequestRow row = request(i, 11 + i).build();
      run.requests.add(row);
      engine.serve(row, 0.002);
      double ttft = (row.firstTokenNanos() - row.times().written()) / 1e9 - 0.002;
      run.spans.add(span(row, "a" + i, ttft * 0.25, ttft * 0.5, ttft, ttft + 0.03));
    }
    run.scrape(23, engine);
    TraceJoin traces = run.analyze().traces();
    for (SpanTime name :
        List.of(SpanTime.TTFT_OUTSIDE, SpanTime.TTFT, SpanTime.API_SERVER, SpanTime.QUEUE,
            SpanTime.PREFILL,
        SpanTime.DECODE, SpanTime.E2E, SpanTime.E2E_OUTSIDE)) {
      assertThat(value(part(traces, name).difference())).as(name.code()).isCloseTo(0, within(1e-8));
    }
    assertThat(part(traces, SpanTime.INFERENCE).difference())
        .isEqualTo(Figure.missing("no histogram of it"));
  }

  @Test
  void meansOfDifferentPopulationsAreNotSubtracted() {
    Exposition engine = new Exposition();
    run.scrape(8.9, engine);
    for (int i = 0; i < 2; i++) {
      RequestRow row = request(i, 11 + i).build();
      run.requests.add(row);
      engine.serve(row, 0.002);
    }
    run.scrape(23, engine);
    run.spans.add(span(run.requests.get(0), "a", 0, 0.05, 0.09, 0.12));
    TraceJoin traces = run.analyze().traces();
    assertThat(traces.joined()).isEqualTo(1);
    assertThat(traces.requests()).isEqualTo(2);
    assertThat(part(traces, SpanTime.TTFT).difference())
        .isEqualTo(
            Figure.missing("spans tell of 1 requests, the histogram of 2"));
  }

  @Test
  void spansOfTheWarmUpAreKnownAndNotJoinedAndStrangersAreCounted() {
    run.phases.add(0, new Phase("warmup", true, 0, 0, 1));
    RequestRow warm = request(0, 2).phase("warmup").build();
    RequestRow row = request(1, 11).build();
    run.requests.addAll(List.of(warm, row));
    run.spans.add(span(warm, "a", 0, 0, 0.05, 0.1));
    run.spans.add(span(row, "b", 0, 0, 0.05, 0.1));
    run.spans.add(span(request(77, 12).build(), "c", 0, 0, 0.05, 0.1));
    TraceJoin traces = run.analyze().traces();
    assertThat(traces.spans()).isEqualTo(3);
    assertThat(traces.joined()).isEqualTo(1);
    assertThat(traces.unmatchedSpans()).isEqualTo(1);
  }

  @Test
  void aSpanSentTwiceCountsOnce() {
    RequestRow row = request(0, 11).build();
    run.requests.add(row);
    run.spans.add(span(row, "a", 0, 0, 0.05, 0.1));
    run.spans.add(span(row, "a", 0, 0, 0.05, 0.1));
    TraceJoin traces = run.analyze().traces();
    assertThat(traces.spans()).isEqualTo(1);
    assertThat(traces.joined()).isEqualTo(1);
  }

  @Test
  void severalAnswersOfOneRequestAreNotJoined() {
    RequestRow row = request(0, 11).build();
    run.requests.add(row);
    run.spans.add(span(row, "a", 0, 0, 0.05, 0.1));
    run.spans.add(span(row, "b", 0, 0, 0.06, 0.1));
    TraceJoin traces = run.analyze().traces();
    assertThat(traces.joined()).isZero();
    assertThat(traces.available()).isFalse();
    assertThat(traces.unmatchedSpans()).isZero();
  }

  @Test
  void aFailedRequestIsNeitherJoinedNorMissed() {
    RequestRow failed = request(0, 11).outcome(Outcome.CUT_MID_STREAM, 200).build();
    RequestRow good = request(1, 12).build();
    run.requests.addAll(List.of(failed, good));
    run.spans.add(span(failed, "a", 0, 0, 0.05, 0.1));
    run.spans.add(span(good, "b", 0, 0, 0.05, 0.1));
    TraceJoin traces = run.analyze().traces();
    assertThat(traces.requests()).isEqualTo(1);
    assertThat(traces.joined()).isEqualTo(1);
  }

  @Test
  void whatASpanDoesNotTellIsNoSample() {
    RequestRow row = request(0, 11).build();
    run.requests.add(row);
    run.spans.add(span(row, "a", Double.NaN, -1e9, 0.05, Double.NaN));
    TraceJoin traces = run.analyze().traces();
    for (SpanTime name :
        List.of(SpanTime.QUEUE, SpanTime.PREFILL, SpanTime.API_SERVER, SpanTime.E2E,
            SpanTime.E2E_OUTSIDE)) {
      assertThat(part(traces, name).samples().count()).as(name.code()).isZero();
    }
    assertThat(part(traces, SpanTime.TTFT_OUTSIDE).samples().count()).isEqualTo(1);
  }

  @Test
  void tellsARunThatDidNotListenFromAnEngineThatSentNothing() {
    run.requests.add(request(0, 11).build());
    assertThat(run.analyze().traces().listened()).isFalse();
    run.harness.add(new Mark(MadeRun.nanos(25), Mark.Kind.TRACES_CLOSED, "0 spans taken"));
    TraceJoin traces = run.analyze().traces();
    assertThat(traces.listened()).isTrue();
    assertThat(traces.available()).isFalse();
    assertThat(traces.absence()).startsWith("no span came");
    assertThat(traces.requests()).isEqualTo(1);
  }

  private static SpanRow span(
      RequestRow row, String id, double queue, double prefill, double ttft, double e2e) {
    return new SpanRow(
        TraceId.of(row.requestId()), id, queue, prefill, e2e - ttft, e2e - queue, ttft, e2e,
        10, 4);
  }

  private static TraceJoin.Part part(TraceJoin traces, SpanTime name) {
    return traces.parts().stream()
        .filter(part -> part.name() == name)
        .findFirst()
        .orElseThrow();
  }

  private static double value(Figure figure) {
    return ((Figure.Known) figure).value();
  }
}
