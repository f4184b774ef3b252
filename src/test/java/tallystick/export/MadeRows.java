package tallystick.export;

import java.util.Arrays;
import java.util.List;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MemoryRun;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.ScrapeRow;

/** Rows written by hand. */
public final class MadeRows {
  private MadeRows() {}

  /** A record of these rows. */
  public static RunRows record(
      long originUtcNanos, List<RequestRow> requests, List<ScrapeRow> scrapes) {
    MemoryRun run = new MemoryRun();
    run.runId = "r1";
    run.clock = new Manifest.Clock(originUtcNanos, 0, 0);
    run.requests.addAll(requests);
    run.scrapes.addAll(scrapes);
    return run;
  }

  /** A finished request whose chunks of one token arrive at these times. */
  public static RequestRow request(int index, long intended, long started, long... arrivals) {
    long ended = arrivals[arrivals.length - 1];
    int[] tokens = new int[arrivals.length];
    Arrays.fill(tokens, 1);
    return new RequestRow(
        index, "load", "default", index, 0, "run-" + index, 10, arrivals.length,
        new RequestRow.Times(intended, started, -1, -1, started, started, arrivals[0], ended,
            RequestRow.NEVER),
        new RequestRow.Chunks(arrivals, tokens, 0),
        new RequestRow.Usage(10, arrivals.length, RequestRow.UNKNOWN),
        new RequestRow.Ending(Outcome.OK, 200, "length", "a, \"quoted\" detail",
            List.of(RequestRow.Oddity.RESENT, RequestRow.Oddity.USAGE_MISSING)),
        RequestRow.EngineTimings.NONE);
  }
}
