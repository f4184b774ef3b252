package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.analysis.Interpretation.Direction;
import tallystick.analysis.Interpretation.Signal;
import tallystick.analysis.Interpretation.State;

/**
 * Reads the signals of a stretch against a reference by the matrix of docs/runbook.md. It names
 * directions the evidence is consistent with. Where a signal that decides is unknown it names none:
 * an unknown one does not decide if the matrix says the same whichever way it turned out.
 */
final class Interpreter {
  /** Prompts longer by this much explain a longer prefill by themselves. */
  private static final double LONGER_PROMPTS = 1.2;

  private final Stretch now;
  private final Stretch reference;
  private final List<Signal> signals = new ArrayList<>();

  Interpreter(Stretch now, Stretch reference) {
    this.now = now;
    this.reference = reference;
  }

  /** The interpretation. */
  Interpretation interpret() {
    Signal clientTtft =
        SignalCheck.compare("client_ttft", now.clientTtft(), reference.clientTtft(), true);
    Signal clientGaps =
        SignalCheck.compare("client_itl", now.clientGaps(), reference.clientGaps(), true);
    Signal ttft =
        SignalCheck.withExactMeans(
            SignalCheck.compare("engine_ttft", now.engineTtft(), reference.engineTtft(), false),
            now.engineTtft(), reference.engineTtft(), clientTtft, now.clientTtft());
    Signal itl =
        SignalCheck.withExactMeans(
            SignalCheck.compare("engine_itl", now.engineItl(), reference.engineItl(), false),
            now.engineItl(), reference.engineItl(), clientGaps, now.clientGaps());
    Signal queue = SignalCheck.queue(now.queue(), reference.queue());
    signals.addAll(List.of(clientTtft, clientGaps, ttft, queue, itl));
    List<Direction> directions = new ArrayList<>();
    if (clientTtft.state() == State.HIGH && ttft.state() == State.STABLE) {
      directions.add(outside());
    }
    if (ttft.state() != State.UNKNOWN && queue.state() != State.UNKNOWN) {
      directions.addAll(whicheverWay(ttft.state(), queue.state(), itl));
    }
    return new Interpretation(
        true, "", reference.name(), now.name(), signals, directions, "");
  }

  /**
   * What the matrix says. Gaps between stable and high belong to two rows; what heads both of them
   * does not hang on the gaps. Gaps too few to be judged belong to none.
   */
  private List<Direction> whicheverWay(State ttft, State queue, Signal itl) {
    if (itl.state() != State.UNKNOWN) {
      return directions(ttft, queue, itl.state());
    }
    List<Direction> stable = directions(ttft, queue, State.STABLE);
    List<Direction> high = directions(ttft, queue, State.HIGH);
    boolean isJudged = itl.ratio().value() instanceof Figure.Known;
    boolean agree = isJudged && !stable.isEmpty() && !high.isEmpty()
        && stable.get(0).code().equals(high.get(0).code());
    return agree ? List.of(despite(high.get(0))) : List.of();
  }

  private static Direction despite(Direction of) {
    List<String> contrary = new ArrayList<>(of.contrary());
    contrary.add(
        "engine_itl lies between stable and high; this direction heads the matrix either way");
    return new Direction(
        of.code(), of.text(), of.evidence(), contrary, of.nextChecks(), of.runbook());
  }

  private List<Direction> directions(State ttft, State queue, State itl) {
    List<Direction> directions = new ArrayList<>();
    boolean queued = queue == State.HIGH;
    if (ttft == State.HIGH && queued && itl == State.STABLE) {
      directions.addAll(byPrompts());
    } else if (ttft == State.HIGH && !queued && itl == State.STABLE) {
      directions.add(slowPrefill());
    } else if (ttft == State.STABLE && !queued && itl == State.HIGH) {
      directions.add(slowDecode());
    } else if (ttft == State.HIGH && queued && itl == State.HIGH) {
      directions.addAll(allHigh());
    } else if (ttft == State.HIGH || queued || itl == State.HIGH) {
      directions.add(noRowFits());
    }
    return directions;
  }

  private Direction outside() {
    return new Direction(
        "outside_engine",
        "Most consistent with delay outside the engine: client, network, gateway or the HTTP side"
            + " of the API server.",
        evidence("client_ttft", "engine_ttft"),
        List.of(
            "The engine's TTFT starts when its API server has read the request: a stalled API"
                + " server shows here too."),
        List.of(
            "Compare the part outside in the waterfall of both stretches.",
            "Look at the gateway's own latency and at the client's lateness and CPU."),
        "outside-the-engine");
  }

  /** Longer prompts decide between the two causes the matrix row allows; both are named. */
  private List<Direction> byPrompts() {
    Direction load =
        new Direction(
            "offered_load_beyond_capacity",
            "Most consistent with an offered load beyond capacity.",
            evidence("engine_ttft", "queue", figure("requests finished per second")),
            contrary(
                now.figures().overloaded(),
                "requests in flight did not grow over the stretch"),
            queueChecks(),
            "ttft-and-queue");
    Direction prefills = largePrefills();
    return longerPrompts() ? List.of(prefills, load) : List.of(load, prefills);
  }

  private Direction largePrefills() {
    return new Direction(
        "large_prefills",
        "Most consistent with large prefills that hold the scheduler.",
        evidence("engine_ttft", "queue", "engine_itl", figure("mean prompt tokens")),
        contrary(longerPrompts(), "prompts are not longer than in the reference"),
        queueChecks(),
        "ttft-and-queue");
  }

  /** Prefills share their steps with decoding, so that large ones may raise every signal. */
  private List<Direction> allHigh() {
    boolean preempted = now.figures().preemptionsPerFinished() > 0;
    return longerPrompts() && !preempted
        ? List.of(largePrefills(), saturation())
        : List.of(saturation());
  }

  private Direction slowPrefill() {
    return new Direction(
        "slow_prefill",
        "Most consistent with a slow prefill or first step: longer prompts, less cache reuse, or"
            + " a busy API server.",
        evidence(
            "engine_ttft",
            "queue",
            figure("mean prompt tokens"),
            figure("mean prefill seconds"),
            figure("mean API server seconds"),
            figure("prefix hit ratio")),
        contrary(
            longerPrompts() || lessReuse(),
            "neither longer prompts nor less cache reuse is seen"),
        List.of(
            "Compare prompt lengths and the prefix cache's hit ratio of both stretches.",
            "If the API server's part grew, look at its CPU and at tokenisation."),
        "ttft-and-queue");
  }

  private Direction slowDecode() {
    return new Direction(
        "slow_decode",
        "Most consistent with slow or uneven decoding: concurrency, memory bandwidth, throttling"
            + " or distributed overhead.",
        evidence(
            "engine_itl",
            "client_itl",
            figure("requests running"),
            figure("output tokens per second"),
            figure("preemptions per finished request")),
        contrary(
            now.figures().running() > SignalCheck.RATIO * reference.figures().running(),
            "no more requests run at once than in the reference"),
        List.of(
            "Compare requests running and output tokens per second.",
            "Look at GPU clocks, throttling and interconnect errors."),
        "itl-with-low-queue");
  }

  private Direction saturation() {
    return new Direction(
        "saturation",
        "Most consistent with saturation, preemption, or degraded infrastructure.",
        evidence(
            "engine_ttft",
            "queue",
            "engine_itl",
            figure("preemptions per finished request"),
            figure("KV cache usage"),
            figure("output tokens per second")),
        contrary(
            now.figures().preemptionsPerFinished() > 0 || now.figures().overloaded(),
            "neither preemptions nor growing requests in flight are seen"),
        List.of(
            "With preemptions: more KV cache, fewer sequences, or a lower rate.",
            "With falling output tokens per second: look at the hardware."),
        "preemptions");
  }

  /** Said rather than left out, so that nobody takes an empty list for good news. */
  private Direction noRowFits() {
    return new Direction(
        "no_row_fits",
        "No row of the matrix fits this combination of signals.",
        evidence(
            "engine_ttft",
            "queue",
            "engine_itl",
            figure("requests running"),
            figure("output tokens per second")),
        List.of("TTFT and ITL high without a queue may be no more than longer steps of a fuller"
            + " batch"),
        List.of("Compare requests running and the waterfall of both stretches."),
        "itl-with-low-queue");
  }

  private static List<String> queueChecks() {
    return List.of(
        "Compare offered with completed requests per second, and waiting over time.",
        "Compare prompt lengths with the reference.",
        "Run the same mix at a lower rate: if TTFT returns, capacity is the limit.");
  }

  private boolean longerPrompts() {
    return now.figures().promptTokens() > LONGER_PROMPTS * reference.figures().promptTokens();
  }

  private boolean lessReuse() {
    return now.figures().prefixHitRatio() < reference.figures().prefixHitRatio() - 0.1;
  }

  private static List<String> contrary(boolean supported, String otherwise) {
    return supported ? List.of() : List.of(otherwise);
  }

  /** Lines of signals by name; any other word is a line by itself. */
  private List<String> evidence(String... names) {
    List<String> lines = new ArrayList<>();
    for (String name : names) {
      signals.stream()
          .filter(signal -> signal.name().equals(name))
          .findFirst()
          .ifPresentOrElse(signal -> lines.addAll(lines(signal)), () -> lines.add(name));
    }
    return lines;
  }

  private static List<String> lines(Signal signal) {
    List<String> lines = new ArrayList<>();
    lines.add(signal.name() + " is " + signal.state().name().toLowerCase(Locale.ROOT));
    lines.addAll(signal.evidence());
    return lines;
  }

  private String figure(String what) {
    Stretch.Figures here = now.figures();
    Stretch.Figures there = reference.figures();
    return switch (what) {
      case "mean prompt tokens" ->
          Stretch.Figures.line(what, here.promptTokens(), there.promptTokens(), "%.1f");
      case "mean prefill seconds" ->
          Stretch.Figures.line(what, here.prefillSeconds(), there.prefillSeconds(), "%.4f");
      case "mean API server seconds" ->
          Stretch.Figures.line(what, here.apiServerSeconds(), there.apiServerSeconds(), "%.4f");
      case "prefix hit ratio" ->
          Stretch.Figures.line(what, here.prefixHitRatio(), there.prefixHitRatio(), "%.3f");
      case "requests running" ->
          Stretch.Figures.line(what, here.running(), there.running(), "%.1f");
      case "KV cache usage" ->
          Stretch.Figures.line("largest " + what, here.kvUsage(), there.kvUsage(), "%.3f");
      case "preemptions per finished request" ->
          Stretch.Figures.line(
              what, here.preemptionsPerFinished(), there.preemptionsPerFinished(), "%.3f");
      case "output tokens per second" ->
          Stretch.Figures.line(
              what,
              here.generationTokensPerSecond(),
              there.generationTokensPerSecond(),
              "%.0f");
      default ->
          Stretch.Figures.line(
              what, here.finishedPerSecond(), there.finishedPerSecond(), "%.2f");
    };
  }
}
