package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import tallystick.analysis.Analyzer;
import tallystick.analysis.RequestReader;
import tallystick.analysis.RunMarks;
import tallystick.analysis.client.ObjectiveReading;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.GaugeRange;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.RunFigures;
import tallystick.analysis.result.Usability;
import tallystick.analysis.statistics.GrowthTrend;
import tallystick.analysis.statistics.SampleSet;
import tallystick.experiment.JointObjective;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.capacity.ProbeResult.Trust;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;

/**
 * Reads a probe's requests while they are analysed: those that started in its measured time, and
 * how it was borne.
 */
final class ProbeReading implements RequestReader {
  private static final double NANOS = 1e9;

  /** What almost every request took: the longest of many may be one that hung. */
  private static final double MOST_OF_ALL = 0.95;

  /** A tenth of the answers, if none can be judged, moves the crossing by half a percent. */
  private static final double MOST_UNTOLD = 0.1;

  /** Billionths of a limit. */
  private static final double WHOLE_LIMIT = 1e9;

  /** What a client that is too slow may bring about. */
  private static final Set<Outcome> TOO_SLOW =
      Set.of(Outcome.REFUSED, Outcome.TIMED_OUT, Outcome.NO_ANSWER);

  private final Probe probe;
  private final JointObjective objective;
  private final ObjectiveReading reading;
  private final List<ObjectiveReading> limits;
  private final long[] judgedByLimit;
  private final long[] keptByLimit;
  private final double[] inFlight = new double[GrowthTrend.BATCHES];
  private final SampleSet ttft = new SampleSet();
  private final SampleSet tpot = new SampleSet();
  private final List<Double> e2eSeconds = new ArrayList<>();
  private final Map<Integer, Stay> stays = new HashMap<>();
  private boolean isAnyWell;
  private boolean isAnyTooSlow;
  private final List<String> warmups;
  private final boolean hasSessions;
  private final double originSeconds;
  private final double stoppedSeconds;
  private long arrived;
  private long judged;
  private long good;
  private long judgedEarly;
  private long goodEarly;
  private long untold;
  private long failedByServer;
  private long completed;
  private double tokens;
  private double goodTokens;

  /**
   * A user's time with the engine: of one request, or of a conversation.
   *
   * @param from intended start of its first request
   * @param to end of its last one
   * @param tokens output of all of them; NaN where it is not told
   */
  private record Stay(double from, double to, double tokens) {
    private Stay with(Stay other) {
      return new Stay(
          Math.min(from, other.from), Math.max(to, other.to), tokens + other.tokens);
    }
  }

  private ProbeReading(
      Probe probe, JointObjective objective, RunRows rows, RunMarks marks) {
    this.probe = probe;
    this.objective = objective;
    PlanTable plan = rows.plan();
    this.reading = objective.reading(plan);
    this.limits = objective.limitReadings(plan);
    this.hasSessions = rows.hasConversations();
    this.judgedByLimit = new long[limits.size()];
    this.keptByLimit = new long[limits.size()];
    this.warmups =
        rows.settings().phases().stream()
            .filter(phase -> phase.warmup())
            .map(phase -> phase.name())
            .toList();
    this.originSeconds =
        marks.originNanos().isPresent() ? marks.originNanos().getAsLong() / NANOS : Double.NaN;
    double stopped = marks.stoppedNanos().orElse(Long.MIN_VALUE) / NANOS - originSeconds;
    this.stoppedSeconds = stopped > 0 ? stopped : Double.POSITIVE_INFINITY;
  }

  /**
   * What the record of a probe says.
   *
   * @param page of its run; empty where none is kept
   */
  static RunPlayer.Read<ProbeResult> of(
      Probe probe, double elapsedSeconds, String page, JointObjective objective, RunRows rows) {
    Analyzer.Beside<ProbeReading> read =
        Analyzer.analyze(
            rows, marks -> new ProbeReading(probe, objective, rows, marks));
    return new RunPlayer.Read<>(
        read.reader().result(elapsedSeconds, page, read.figures()), read.figures().analysis());
  }

  @Override
  public void read(RequestRow row, int choices) {
    if (!warmups.contains(row.phase())) {
      take(row, choices);
    }
  }

  private ProbeResult result(double elapsedSeconds, String page, RunFigures figures) {
    Trust trust = trust(figures);
    ProbeResult.Load load = load(figures);
    return new ProbeResult(
        probe, elapsedSeconds, judged, good, load, trust,
        trust.isUsable() ? remark(figures.analysis()) : doubt(figures.usability(), trust),
        ProbeFigures.of(
            ProbeFigures.Percentiles.of(ttft, figures.ttft()),
            ProbeFigures.Percentiles.of(tpot, figures.tpot()), figures, kept(),
            new ProbeFigures.Kept("first half", goodEarly, judgedEarly),
            hasSessions ? (double) arrived / Math.max(1, stays.size()) : 0, page));
  }

  private List<ProbeFigures.Kept> kept() {
    return IntStream.range(0, limits.size())
        .mapToObj(
            i ->
                new ProbeFigures.Kept(
                    objective.quantity(i), keptByLimit[i], judgedByLimit[i]))
        .toList();
  }

  private void take(RequestRow row, int choices) {
    double from = row.times().intended() / NANOS - originSeconds;
    double to = row.times().ended() / NANOS - originSeconds;
    boolean isOk = row.ending().outcome() == Outcome.OK;
    arrived++;
    double output = outputTokens(row);
    Stay stay = stays.merge(row.user(), new Stay(from, to, output), Stay::with);
    isAnyWell |= isOk;
    failedByServer += row.ending().isFailureOfServer() ? 1 : 0;
    isAnyTooSlow |= TOO_SLOW.contains(row.ending().outcome());
    // Turns that come when no conversation begins any more meet an engine that empties.
    double begun = objective.judgesSessions() ? stay.from : from;
    boolean counts = begun >= probe.settleSeconds() && begun < probe.loadSeconds();
    boolean isEarly = counts && begun < probe.settleSeconds() + probe.measuredSeconds() / 2;
    tokens += output;
    reading.read(
        row,
        choices,
        (nanos, at, unfinished) -> {
          boolean isGood = nanos <= WHOLE_LIMIT;
          if (isGood && unfinished) {
            untold += counts && isOk ? 1 : 0;
            return;
          }
          judged += counts ? 1 : 0;
          good += counts && isGood ? 1 : 0;
          judgedEarly += isEarly ? 1 : 0;
          goodEarly += isEarly && isGood ? 1 : 0;
          goodTokens += !isGood ? 0 : objective.judgesSessions() ? stay.tokens : output;
        });
    judgeByLimit(row, choices, counts);
    if (counts && isOk) {
      e2eSeconds.add(to - from);
    }
    if (counts) {
      time(row, choices);
    }
    double begin = beginSeconds();
    completed += isOk && to >= begin && to < endSeconds() ? 1 : 0;
    double batch = (endSeconds() - begin) / inFlight.length;
    for (int i = 0; i < inFlight.length; i++) {
      double start = begin + i * batch;
      inFlight[i] += Math.max(0, Math.min(to, start + batch) - Math.max(from, start)) / batch;
    }
  }

  private void time(RequestRow row, int choices) {
    if (row.hasFirstToken() && !row.isUnstreamed()) {
      ttft.add(row.firstTokenNanos() - row.times().intended());
      // Several answers share one stream: it does not tell the time between tokens of one.
      if (choices == 1 && row.ending().outcome() == Outcome.OK && row.laterTokens() > 0) {
        tpot.add(row.timePerTokenNanos());
      }
    }
  }

  private void judgeByLimit(RequestRow row, int choices, boolean counts) {
    for (int i = 0; i < limits.size(); i++) {
      int limit = i;
      limits.get(i).judge(
          row, choices,
          (at, isGood) -> {
            judgedByLimit[limit] += counts ? 1 : 0;
            keptByLimit[limit] += counts && isGood ? 1 : 0;
          });
    }
  }

  /** Tokens that reached the client, of a broken answer too; NaN where they are not told. */
  private static double outputTokens(RequestRow row) {
    int told = row.outputTokens();
    return told >= 0 ? told : row.hasFirstToken() ? Double.NaN : 0;
  }

  /** Where its load ended: a probe that was stopped measured for less time than it was asked to. */
  private double endSeconds() {
    return Math.min(stoppedSeconds, probe.loadSeconds());
  }

  /** From where requests in flight are counted; one that was stopped early has not settled. */
  private double beginSeconds() {
    return endSeconds() > probe.settleSeconds() ? probe.settleSeconds() : 0;
  }

  private ProbeResult.Load load(RunFigures figures) {
    RunAnalysis analysis = figures.analysis();
    GrowthTrend trend =
        GrowthTrend.of(inFlight, (endSeconds() - beginSeconds()) / inFlight.length);
    return new ProbeResult.Load(
        Arrays.stream(inFlight).average().orElse(0),
        hasRunOut() ? 0 : completed / (endSeconds() - beginSeconds()),
        figures.isStopped() || trend.isOverload(judged),
        settlingSeconds(),
        most(figures.running()), most(figures.waiting()), most(figures.kvCache()),
        figures.preemptions().orElse(-1),
        tokensOfUser(analysis.counts()), joules(analysis.surroundings().gpuEnergy()),
        analysis.surroundings().gpus().size(), tokens > 0 ? goodTokens / tokens : 0,
        Math.max(0, endSeconds() - probe.settleSeconds()),
        stays.values().stream()
            .filter(stay -> stay.from >= probe.settleSeconds() && stay.from < endSeconds())
            .count());
  }

  /** Whether a closed loop had no more requests to send: it tells nothing of the engine. */
  private boolean hasRunOut() {
    return probe.users() > 0 && arrived >= Ceiling.MOST_REQUESTS;
  }

  /** Twice as long as almost every request took, at least what almost every user stayed. */
  private double settlingSeconds() {
    return Math.max(
        2 * mostOfAll(e2eSeconds.stream().mapToDouble(Double::doubleValue)),
        mostOfAll(stays.values().stream().mapToDouble(stay -> stay.to - stay.from)));
  }

  private static double mostOfAll(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(MOST_OF_ALL * sorted.length) - 1];
  }

  /** By the energy counters, else by the power that the GPUs drew. */
  private static double joules(ExporterAccount.GpuEnergy energy) {
    double counted = energy.joulesPerOutputToken().orNaN();
    double joules = Double.isNaN(counted) ? energy.joulesPerOutputTokenByPower().orNaN() : counted;
    return joules > 0 ? joules : 0;
  }

  /** A conversation comes as one, and has the tokens of all its answers. */
  private double tokensOfUser(RunAnalysis.Counts counts) {
    double all = counts.completionTokens().orNaN();
    return counts.ok() == 0 || Double.isNaN(all)
        ? 0
        : all / counts.ok() * arrived / Math.max(1, stays.size());
  }

  private static double most(Optional<GaugeRange> gauge) {
    return gauge.map(GaugeRange::maximum).orElse(-1.0);
  }

  private Trust trust(RunFigures figures) {
    // Where the server answered all and nothing well, no slow client is the matter.
    if (figures.analysis().harness().saturated() && (isAnyWell || isAnyTooSlow)) {
      return Trust.CLIENT_SATURATED;
    }
    Usability usability = figures.usability();
    List<Finding.Code> invalid =
        usability.spoilers().stream()
            .map(Finding::code)
            .filter(code -> code != Finding.Code.CLIENT_SATURATED)
            .toList();
    if (invalid.equals(List.of(Finding.Code.NO_REQUEST_SUCCEEDED)) && !usability.isLedgerOpen()
        && failedByServer == arrived) {
      return Trust.ALL_FAILED;
    }
    // Where all were refused or none streamed, a late client is no reason against the probe.
    if (!invalid.isEmpty() || usability.isLedgerOpen() || isUntold()) {
      return Trust.NOT_TRUSTED;
    }
    return usability.isComparedInFull() ? Trust.TRUSTED : Trust.PARTLY_CHECKED;
  }

  /** Whether too many whole answers do not tell what a limit asks for. */
  private boolean isUntold() {
    return untold > MOST_UNTOLD * (judged + untold);
  }

  private String doubt(Usability usability, Trust trust) {
    return usability.spoilers().stream()
        .filter(
            finding ->
                trust == Trust.CLIENT_SATURATED
                    || finding.code() != Finding.Code.CLIENT_SATURATED)
        .map(Finding::withCause)
        .findFirst()
        .orElse(
            isUntold()
                ? "of " + (judged + untold) + " answers " + untold + " cannot be judged: TPOT and"
                    + " gaps need answers with one choice and known token counts, also in the"
                    + " first chunk"
                : usability.reason().orElse(""));
  }

  /**
   * What is no matter of the rate: a refusal, and an answer that is cut short, cost an engine less
   * than what was asked; one engine of several may be slow, or may have stood still.
   */
  private static String remark(RunAnalysis analysis) {
    return analysis.findings().stream()
        .flatMap(finding -> remark(finding).stream())
        .collect(Collectors.joining("; "));
  }

  private static Optional<String> remark(Finding finding) {
    return switch (finding.code()) {
      case FAILURES, ANSWER_LENGTHS -> Optional.of(finding.text().replaceFirst("\\.( .*)?$", ""));
      case REPLICA_SLOW, ENGINE_STOOD_STILL -> Optional.of(finding.text().replaceFirst(": .*", ""));
      default -> Optional.empty();
    };
  }
}
