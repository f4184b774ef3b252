package tallystick.experiment.capacity;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.answer.words.Numbers;
import tallystick.experiment.RateFormat;
import tallystick.experiment.TrustWords;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;

/**
 * What the probes of a search say of themselves: whether they may be trusted, and where a rate
 * fails.
 *
 * @param share of the requests that must be good
 * @param engine in words
 */
record ProbeTrust(List<ProbeResult> probes, double share, String engine) {
  /**
   * Runs near the limit differ in their bursts, but seldom by so much: of 110 searches on engines
   * whose speed never moved one said that it seems to have. Twice as much hides an engine that lost
   * half of its requests.
   */
  private static final double BY_FAR = 0.25;

  /** A run that misses the share by no more nearly held; with twice as much, one that failed. */
  private static final double NEARLY = 0.05;

  /** Blocks are given out whole: from here on a request may have to wait for some. */
  private static final double CACHE_FULL = 0.95;

  /** For example {@code yes, in 8 rate probes: client and engine counts match, client on time}. */
  String words() {
    long left = probes.stream().filter(one -> !one.isTrusted()).count();
    long kept = probes.size() - left;
    if (kept == 0) {
      return left == 0 ? "no: no rate was tried" : "no: no probe can be used";
    }
    long partly =
        probes.stream()
            .filter(one -> one.trust() == ProbeResult.Trust.PARTLY_CHECKED)
            .count();
    return "yes, in " + Counted.of(kept, "rate probe", "rate probes") + ": "
        + TrustWords.compared(partly, kept) + ", client on time" + TrustWords.simulated(engine)
        + (left == 0 ? "" : "; " + left + " left out (see capacity.json)")
        + Stream.concat(disagreement().stream(), remark().stream())
            .map(words -> "; but " + words)
            .collect(Collectors.joining());
  }

  private List<ProbeResult> trusted() {
    return probes.stream().filter(ProbeResult::isTrusted).toList();
  }

  /**
   * A rate that failed by far, although a higher one was near to holding for as long: a short run
   * may end before the queue has grown.
   */
  private Optional<String> disagreement() {
    List<ProbeResult> kept = trusted();
    return kept.stream()
        .filter(high -> high.goodShare() >= share - NEARLY)
        .flatMap(
            high ->
                kept.stream()
                    .filter(low -> low.probe().perSecond() < high.probe().perSecond())
                    .filter(
                        low -> low.probe().measuredSeconds() <= high.probe().measuredSeconds())
                    .filter(low -> high.goodShare() - low.goodShare() > BY_FAR)
                    .map(low -> disagreement(low, high)))
        .findFirst();
  }

  private static String disagreement(ProbeResult low, ProbeResult high) {
    return RateFormat.text(low.probe().perSecond())
        + "/s kept only "
        + Numbers.percent(low.goodShare())
        + " good and the higher "
        + RateFormat.text(high.probe().perSecond())
        + "/s "
        + Numbers.percent(high.goodShare())
        + ": the engine's speed seems to have changed";
  }

  /** Of the largest rate that held: requests that failed there, or answers that were cut short. */
  private Optional<String> remark() {
    return trusted().stream()
        .filter(one -> one.holds(share) && !one.doubt().isEmpty())
        .max(Comparator.comparingDouble(one -> one.probe().perSecond()))
        .map(one -> at(one).strip() + ": " + one.doubt());
  }

  /**
   * Which limit broke in the lowest rate that failed, of those above all that held if there are
   * any, and what the engine said there.
   */
  Optional<String> lowestFailure() {
    double held = ProbeResult.held(probes, share).orElse(0);
    return trusted().stream()
        .filter(one -> !one.holds(share))
        .min(
            Comparator.comparing((ProbeResult one) -> one.probe().perSecond() <= held)
                .thenComparing(one -> one.probe().perSecond()))
        .map(this::failure)
        .filter(words -> !words.isEmpty());
  }

  private String failure(ProbeResult one) {
    String limit =
        one.figures()
            .brokenFirst(share)
            .map(
                kept ->
                    "the limit on " + kept.limit() + " breaks first: "
                        + Numbers.percent(kept.share()) + " are within it")
            .orElse("");
    String all =
        Stream.of(limit, engineSays(one.load()), one.doubt())
            .filter(words -> !words.isEmpty())
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? all : at(one) + all;
  }

  private static String engineSays(ProbeResult.Load load) {
    if (load.waitingMost() < 0) {
      return "";
    }
    String queue =
        load.waitingMost() >= 1
            ? Formatted.of("up to %.0f requests wait", load.waitingMost())
            : "no request waits";
    if (load.kvCacheMost() < 0) {
      return queue;
    }
    boolean isMemory = load.kvCacheMost() >= CACHE_FULL || load.preempted() > 0;
    return queue
        + Formatted.of(
            " (KV cache up to %.0f %%, %s): %s", 100 * load.kvCacheMost(),
            load.preempted() > 0
                ? Formatted.of("%.0f preempted", load.preempted())
                : "no preemption",
            isMemory ? "memory, not compute" : "compute, not memory");
  }

  private static String at(ProbeResult one) {
    return "at " + RateFormat.text(one.probe().perSecond()) + "/s ";
  }
}
