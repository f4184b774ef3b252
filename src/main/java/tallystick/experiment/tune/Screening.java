package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import tallystick.experiment.RateFormat;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;

/**
 * What the finished runs say, block by block: which cells are out, and which run comes next. A
 * block plays every cell that is left once, in random order between two runs of the current one.
 */
final class Screening {
  /** The usual 95 %: a cell is called on the front from here on; off it only where all are. */
  static final double SURE = 0.95;

  /**
   * The current cell's TPOT moves by more between both ends of a block that is played anew, unless
   * a cell gains more than that can explain: five times what counts as a difference, so the
   * order of the cells would decide.
   */
  static final double DRIFT = 0.15;

  /** The share of a goodput that is as good as none. */
  private static final double NOTHING = 1e-3;

  /** What spoils a run twice is no accident. */
  private static final int ATTEMPTS = 2;

  /** Requests of one run come in clumps: so many tell as much as one. */
  private static final double CLUMP = 10;

  /** Standard errors, in place of 2: so early nothing tells how far a cell's runs spread. */
  private static final double ERRORS = 3;

  private final Question question;
  private final List<TunedRun> done;
  private final Map<Integer, ConfigurationStatus> standings = new TreeMap<>();
  private final List<Integer> blocks = new ArrayList<>();
  private final Set<Integer> drifted = new HashSet<>();
  private final PredictedGrid forecast;
  private Optional<String> betrayal = Optional.empty();
  private boolean isChecked;
  private int block;
  private Optional<TunedRun.Step> due = Optional.empty();

  /**
   * What is asked.
   *
   * @param grid what is tried
   * @param share of the requests that must be good
   * @param blocks how many are played
   * @param seed of the experiment
   */
  record Question(DesignSpace grid, double share, int blocks, long seed) {}

  Screening(Question question, PredictedGrid forecast, List<TunedRun> done) {
    this.forecast = forecast;
    this.question = question;
    this.done = List.copyOf(done);
    for (Configuration cell : question.grid().cells()) {
      standings.put(cell.number(), ConfigurationStatus.unknown("0 blocks, need 2"));
    }
    Map<Integer, String> worse = forecast.worse();
    forecast
        .leftOut()
        .forEach(
            cell ->
                standings.put(
                    cell,
                    new ConfigurationStatus(
                        ConfigurationStatus.Kind.LEFT_OUT, -1, worse.get(cell))));
    boolean isWhole = true;
    while (isWhole && !isFinished()) {
      block++;
      due = firstDue();
      isWhole = due.isEmpty();
      if (isWhole) {
        close();
      }
    }
  }

  private boolean isFinished() {
    return blocks.size() == question.blocks() || left().size() < 2 || isChosen();
  }

  /**
   * One cell is left that seems to hold, and neither drift nor chance can be its gain: fresh pairs
   * tell the rest.
   */
  private boolean isChosen() {
    List<Integer> others =
        standings.entrySet().stream()
            .filter(one -> !one.getValue().isOut() && one.getKey() != current())
            .map(Map.Entry::getKey)
            .toList();
    return !blocks.isEmpty()
        && others.size() == 1
        && gain(others.getFirst()).low() > 0
        && evidence().goodShare(others.getFirst()) >= question.share();
  }

  /**
   * A cell's gain in goodput on the current one, as a logarithm. Few blocks tell no spread;
   * what no block's drift explains is no chance, however the blocks differ.
   */
  SmallSampleStatistics.Gain gain(int cell) {
    BlockMeasurements evidence = evidence();
    SmallSampleStatistics.Gain over =
        SmallSampleStatistics.interval(evidence.saved(cell, current(), TunedMetric.GOODPUT));
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int one : evidence.together(List.of(cell, current()))) {
      SmallSampleStatistics.Gain alone = alone(one, cell);
      low = Math.min(low, alone.low());
      high = Math.max(high, alone.high());
    }
    return low > high
        ? over
        : new SmallSampleStatistics.Gain(
            over.value(), Double.isNaN(over.low()) ? low : Math.max(low, over.low()),
            Double.isNaN(over.high()) ? high : Math.min(high, over.high()));
  }

  private double saved(int of, int cell) {
    BlockMeasurements alone = evidence(List.of(of));
    return SmallSampleStatistics.mean(alone.saved(cell, current(), TunedMetric.GOODPUT));
  }

  /**
   * A cell's gain in one block, as a logarithm, with what chance and drift alone may make of it:
   * Student's intervals of the current cell at both ends. Chance adds good requests, of which a
   * setting that breaks its objectives has few, however they swing; drift, taken to be {@link
   * #DRIFT} at least, multiplies them: by 2.4 without any to be seen, by 11 with 46 %.
   */
  private SmallSampleStatistics.Gain alone(int of, int cell) {
    double saved = saved(of, cell);
    double[] ends = current(of, TunedMetric::goodput);
    double today =
        TunedMetric.GOODPUT.figure(
            SmallSampleStatistics.mean(current(of, TunedMetric.GOODPUT::cost)));
    double own = today * Math.exp(saved);
    double chance = ends.length < 2 ? 0 : half(Math.abs(ends[ends.length - 1] - ends[0]));
    double drift = half(Math.max(Math.abs(drift(of).orElse(0)), Math.log(1 + DRIFT)));
    return new SmallSampleStatistics.Gain(
        saved, Math.log(Math.max(own - chance, NOTHING * own) / today) - drift,
        Math.log((own + chance) / today) + drift);
  }

  private static double half(double moved) {
    return SmallSampleStatistics.interval(new double[] {0, moved}).half();
  }

  /** Whether a block drifted, by so much that drift can be all that any cell gains in it. */
  boolean isDrift(int of) {
    return Math.abs(drift(of).orElse(0)) > Math.log(1 + DRIFT)
        && question.grid().cells().stream()
            .noneMatch(cell -> alone(of, cell.number()).low() > 0);
  }

  /** The next run; empty when all blocks are played or one cell is left. */
  Optional<TunedRun.Step> due() {
    return due;
  }

  /** Whether the next run begins a block. */
  boolean isBetweenBlocks() {
    return due.isPresent() && done.stream().noneMatch(run -> run.step().block() == block);
  }

  /** Cells that the next block plays: those that are left, and the current one. */
  List<Integer> left() {
    return standings.entrySet().stream()
        .filter(one -> !one.getValue().isOut() || isPlayedStill(one.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean isPlayedStill(int cell) {
    return cell == current() && standings.get(cell).kind() != ConfigurationStatus.Kind.NOT_STARTED;
  }

  int current() {
    return question.grid().current().number();
  }

  ConfigurationStatus standing(int cell) {
    return standings.get(cell);
  }

  List<Integer> blocks() {
    return List.copyOf(blocks);
  }

  /** Blocks that do not count because the machine drifted. */
  List<Integer> drifted() {
    return List.copyOf(drifted);
  }

  /** What there is to look at: the blocks that count; before any does, those left out. */
  BlockMeasurements seen() {
    return blocks.isEmpty() ? evidence(drifted) : evidence();
  }

  BlockMeasurements evidence() {
    return evidence(blocks);
  }

  private BlockMeasurements evidence(Collection<Integer> of) {
    return new BlockMeasurements(done, of, question.grid().current().number());
  }

  /** The current one at both ends; the others between them as chance will have it. */
  private List<Integer> order() {
    List<Integer> others = new ArrayList<>(left());
    others.remove(Integer.valueOf(current()));
    Collections.shuffle(others, new Random(RateFormat.seed(question.seed(), block)));
    List<Integer> order = new ArrayList<>(List.of(current()));
    order.addAll(others);
    order.add(current());
    return order;
  }

  private Optional<TunedRun.Step> firstDue() {
    List<Integer> order = order();
    for (int place = 0; place < order.size(); place++) {
      int cell = order.get(place);
      int here = place;
      List<TunedRun> runs =
          done.stream()
              .filter(run -> run.step().block() == block && run.step().place() == here)
              .filter(run -> run.step().cell() == cell)
              .toList();
      if (runs.stream().anyMatch(TunedRun::failed)) {
        standings.put(
            cell,
            new ConfigurationStatus(
                runs.getLast().hasDied()
                    ? ConfigurationStatus.Kind.DIED
                    : ConfigurationStatus.Kind.NOT_STARTED,
                0,
                runs.getLast().failure()));
      } else if (runs.size() < ATTEMPTS && runs.stream().noneMatch(TunedRun::counts)) {
        return Optional.of(
            new TunedRun.Step(
                done.size() + 1, block, place, cell, runs.size() + 1,
                RateFormat.seed(question.seed(), block)));
      }
    }
    return Optional.empty();
  }

  private void close() {
    if (drifted.isEmpty() && isDrift(block)) {
      drifted.add(block);
      return;
    }
    if (!isAsPredicted()) {
      return;
    }
    blocks.add(block);
    new DuplicateConfigurations(question.grid(), done).found().forEach(standings::put);
    List<Integer> cells = left();
    Optional<ParetoFront.Chances> chances =
        evidence().chances(cells, question.share(), question.seed());
    for (int i = 0; i < cells.size(); i++) {
      int cell = cells.get(i);
      if (chances.isPresent()) {
        standings.put(cell, standing(chances.get(), i, cells));
      } else {
        standings.put(
            cell,
            failsByFar(cell)
                ? new ConfigurationStatus(
                    ConfigurationStatus.Kind.FAILS_OBJECTIVE, 0, "far too few good requests")
                : ConfigurationStatus.unknown("1 block, need 2"));
      }
    }
  }

  /** A block that betrays the predictions brings back what they left out, and is played anew. */
  private boolean isAsPredicted() {
    if (isChecked || forecast.leftOut().isEmpty()) {
      return true;
    }
    isChecked = true;
    betrayal = forecast.betrayal(evidence(List.of(block)));
    if (betrayal.isPresent()) {
      forecast.leftOut().forEach(
          cell -> standings.put(cell, ConfigurationStatus.unknown("0 blocks, need 2")));
    }
    return betrayal.isEmpty();
  }

  /** What was measured otherwise than predicted. */
  Optional<String> betrayal() {
    return betrayal;
  }

  /** Whether the check cell was looked at. */
  boolean isChecked() {
    return isChecked;
  }

  PredictedGrid forecast() {
    return forecast;
  }

  /** How much the current cell's steps slowed down within a block, as a logarithm. */
  OptionalDouble drift(int of) {
    double[] ends =
        current(
            of,
            run -> Math.log(run.metrics().getOrDefault(ComparedMetric.TPOT_MEAN, Double.NaN)));
    return ends.length < 2
        ? OptionalDouble.empty()
        : OptionalDouble.of(ends[ends.length - 1] - ends[0]);
  }

  /** A figure of the current cell's runs in a block, in their order. */
  private double[] current(int of, ToDoubleFunction<ComparedRun> figure) {
    return done.stream()
        .filter(run -> run.counts() && run.step().block() == of)
        .filter(run -> run.step().cell() == current())
        .mapToDouble(run -> figure.applyAsDouble(run.figures().getFirst()))
        .filter(Double::isFinite)
        .toArray();
  }

  /**
   * A cell is off only where one other is better for sure: the best of many others looks better
   * than it is, whichever that may be.
   */
  private ConfigurationStatus standing(
      ParetoFront.Chances chances, int place, List<Integer> cells) {
    double unlikely = (1 - SURE) / question.grid().cells().size();
    double onFront = chances.onFront()[place];
    if (onFront >= SURE) {
      return new ConfigurationStatus(ConfigurationStatus.Kind.ON_FRONT, onFront, "");
    }
    if (chances.holds()[place] <= unlikely) {
      return new ConfigurationStatus(
          ConfigurationStatus.Kind.FAILS_OBJECTIVE, onFront, "too few good requests");
    }
    ParetoFront.Beaten beaten = chances.beaten()[place];
    return beaten.chance() < 1 - unlikely
        ? new ConfigurationStatus(ConfigurationStatus.Kind.OPEN, onFront, "")
        : new ConfigurationStatus(
            ConfigurationStatus.Kind.OFF_FRONT, onFront,
            question.grid().cells().get(cells.get(beaten.by())).words() + " is better");
  }

  /** One run tells nothing of the spread; only a share that no spread explains counts (Wilson). */
  private boolean failsByFar(int cell) {
    List<ComparedRun> runs = evidence().of(cell);
    double share = TunedMetric.goodShare(runs);
    double count = SloAttainment.requests(runs) / CLUMP;
    double square = ERRORS * ERRORS / count;
    double upper =
        (share + square / 2
                + Math.sqrt(square * share * (1 - share) + square * square / 4))
            / (1 + square);
    return upper < question.share();
  }
}
