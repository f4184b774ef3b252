package tallystick.export;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tallystick.runrecord.PromptForm;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Target;

/** A record written by hand. */
record HandRows(long originUtcNanos, List<RequestRow> requests, List<ScrapeRow> scrapes)
    implements RunRows {

  /** A finished request whose chunks of one token arrive at these times. */
  static RequestRow request(int index, long intended, long started, long... arrivals) {
    long ended = arrivals[arrivals.length - 1];
    int[] tokens = new int[arrivals.length];
    Arrays.fill(tokens, 1);
    return new RequestRow(
        index, "load", "default", index, 0, "run-" + index, 10, arrivals.length,
        new RequestRow.Times(intended, started, -1, -1, started, started, arrivals[0], ended),
        new RequestRow.Chunks(arrivals, tokens, 0),
        new RequestRow.Usage(10, arrivals.length, RequestRow.UNKNOWN),
        new RequestRow.Ending(Outcome.OK, 200, "length", "a, \"quoted\" detail"),
        RequestRow.EngineTimings.NONE);
  }

  @Override
  public Manifest manifest() {
    return new Manifest(
        1, "r1", "hand", Manifest.Source.REAL, 1, "", "tiny",
        List.of(Target.at("http://127.0.0.1:8000")), Map.of(), Map.of(), Map.of(),
        new Manifest.Clock(originUtcNanos, 0, 0), Manifest.Ending.OPEN,
        PromptForm.UNKNOWN);
  }

  @Override
  public Settings settings() {
    throw new UnsupportedOperationException("an export needs no settings");
  }

  @Override
  public long plannedRequests() {
    return requests.size();
  }

  @Override
  public void eachRequest(Consumer<RequestRow> reader) {
    requests.forEach(reader);
  }

  @Override
  public void eachScrape(Consumer<ScrapeRow> reader) {
    scrapes.forEach(reader);
  }

  @Override
  public void eachHarness(Consumer<HarnessRow> reader) {}

  @Override
  public List<String> faults() {
    return List.of();
  }
}
