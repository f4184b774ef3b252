package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.VirtualEngine;
import tallystick.simengine.VirtualRequest;

/** Probes played on the simulated engine in virtual time, without a record: fast. */
record SimulatedBench(
    double ttftSeconds, double tpotSeconds, int promptTokens, int outputTokens,
    Map<String, String> engine) {
  private static final double SECOND = 1e9;

  /** What a probe shows, where a share of the requests may be bad. */
  ProbeResult play(Probe probe, double badShare) {
    EngineSettings settings = EngineSettings.ofFlags(engine);
    VirtualEngine playing = new VirtualEngine(settings, 0);
    SplittableRandom random = new SplittableRandom(probe.seed());
    SplittableRandom content = new SplittableRandom(~probe.seed());
    long end = (long) (probe.loadSeconds() * SECOND);
    List<Call> calls = new ArrayList<>();
    double at = 0;
    while (true) {
      at += -Math.log(1 - random.nextDouble()) / probe.perSecond() * SECOND;
      if (at >= end) {
        break;
      }
      int output = length(outputTokens, random);
      int[] prompt = new int[length(promptTokens, random)];
      Call call = new Call((long) at, new Crowding.Arrival(at / SECOND, prompt.length, output));
      calls.add(call);
      for (int i = 0; i < prompt.length; i++) {
        prompt[i] = content.nextInt(7, 2000);
      }
      playing.at(call.start, () -> playing.submit(new VirtualRequest(prompt, output, 1), call));
    }
    double[] cacheMost = {0};
    int cache =
        playing.series().stream().map(VirtualEngine.MetricSeries::name).toList()
            .indexOf("vllm:kv_cache_usage_perc");
    for (long now = 0; now < end; now += (long) SECOND) {
      playing.at(now, () -> cacheMost[0] = Math.max(cacheMost[0], playing.sample()[cache]));
    }
    playing.run();
    Crowding crowding =
        probe.purpose() == Probe.Purpose.BRACKET
            ? Crowding.UNKNOWN
            : Crowding.of(probe, calls.stream().map(call -> call.arrival).toList(), badShare);
    return result(probe, calls, playing.nanos(), cacheMost[0], crowding);
  }

  private static int length(int median, SplittableRandom random) {
    double drawn = median * Math.exp(0.5 * random.nextGaussian());
    return (int) Math.max(8, Math.min(6 * median, drawn));
  }

  private ProbeResult result(
      Probe probe, List<Call> calls, long last, double cacheMost, Crowding crowding) {
    long from = (long) (probe.settleSeconds() * SECOND);
    long end = (long) (probe.loadSeconds() * SECOND);
    long judged = 0;
    long good = 0;
    double inFlight = 0;
    double firstHalf = 0;
    double completed = 0;
    for (Call call : calls) {
      if (call.start >= from) {
        judged++;
        good += call.isGood(ttftSeconds, tpotSeconds) ? 1 : 0;
      }
      double overlap = Math.min(end, call.last) - Math.max(from, call.start);
      inFlight += Math.max(0, overlap);
      firstHalf += Math.max(0, Math.min((from + end) / 2, call.last)
          - Math.max(from, call.start));
      completed += call.last >= from && call.last < end ? 1 : 0;
    }
    boolean isPiling = inFlight - firstHalf > 1.5 * firstHalf;
    ProbeResult.Load load =
        new ProbeResult.Load(
            inFlight / (end - from), completed / probe.measuredSeconds(), isPiling, 0, -1,
            cacheMost, -1, 0, 0, 0, 0);
    return new ProbeResult(
        probe, last / SECOND + 4, judged, good, load, ProbeResult.Trust.TRUSTED, "",
        crowding);
  }

  private static final class Call implements VirtualRequest.Observer {
    private final long start;
    private final Crowding.Arrival arrival;
    private long first = -1;
    private long last;
    private int tokens;

    Call(long start, Crowding.Arrival arrival) {
      this.start = start;
      this.arrival = arrival;
    }

    boolean isGood(double ttftSeconds, double tpotSeconds) {
      double tpot = tokens < 2 ? 0 : (last - first) / SECOND / (tokens - 1);
      return (first - start) / SECOND <= ttftSeconds && tpot <= tpotSeconds;
    }

    @Override
    public void tokens(long nanos, int choice, int[] more) {
      first = first < 0 ? nanos : first;
      last = nanos;
      tokens += more.length;
    }

    @Override
    public void ended(long nanos, int choice, VirtualRequest.Ending ending) {}
  }
}
