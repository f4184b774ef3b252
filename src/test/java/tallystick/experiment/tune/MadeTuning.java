package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tallystick.analysis.result.Strength;
import tallystick.answer.Answer;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.JointObjective;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.MadeRuns;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.experiment.regress.Regression.Effects;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.scenario.Objective;

/** Ends of tunings that are made up: every answer there is, with runs that could have led there. */
public final class MadeTuning {
  private static final SmallSampleStatistics.Gain GAIN =
      new SmallSampleStatistics.Gain(0.142, 0.093, 0.194);
  private static final DesignSpace SMALL =
      DesignSpace.of(
          List.of("max_num_seqs=8,16,32", "max_num_batched_tokens=512,2048"), Map.of());
  private static final DesignSpace LARGE =
      DesignSpace.of(
          List.of("max_num_seqs=2,4,8,16,32,64,128", "block_size=8,16,32,64,128"), Map.of());

  /** Of the four cells that a profile predicts. */
  private static final double[] WAITS = {0.8, 0.302, 0.302, 0.45};
  private static final World VIRTUAL =
      new World(2, false, "virtual", 0, 0.97, Set.of(), Set.of());

  private MadeTuning() {}

  /**
   * How the runs of a tuning come out.
   *
   * @param blocks that count, at most
   * @param isClosed whether users wait for answers
   * @param kind of the engine
   * @param drift of today's cell within the first block
   * @param good share of good requests that no cell is far from
   * @param dead cells whose engine does not start
   * @param spoiled cells none of whose runs can be used
   */
  private record World(
      int blocks, boolean isClosed, String kind, double drift, double good, Set<Integer> dead,
      Set<Integer> spoiled) {
    static final World CALM = new World(2, false, "real", 0, 0.97, Set.of(), Set.of());
  }

  /** The answer to a tuning in which fresh pairs confirm a cell. */
  public static Answer recommended() {
    return SaidTuning.of(all().get("recommended"));
  }

  /** Name → end. */
  static Map<String, TuneEnd> all() {
    Map<String, TuneEnd> all = new LinkedHashMap<>();
    Configuration edge = SMALL.cells().get(5);
    Configuration inner = LARGE.cells().get(7);
    Judged itl = judged(ComparedMetric.ITL_P99, Verdict.PASSED, 0.012, 1);
    Judged wait = judged(ComparedMetric.TTFT_P95, Verdict.TOO_CLOSE, 0.31, 0.01);
    Judged open = judged(ComparedMetric.TTFT_P95, Verdict.TOO_CLOSE, 0.03, 0.4);
    put(all, "recommended", SMALL, World.CALM,
        new TuneAnswer.Compared(
            new Confirmation(edge, 5, 5, GAIN, List.of(itl, open), false, 0.99, List.of(), 0)));
    put(all, "recommended-over-failing", LARGE,
        new World(2, false, "simulated", 0, 0.86, Set.of(3, 4), Set.of()),
        new TuneAnswer.Compared(
            new Confirmation(inner, 3, 3, GAIN, List.of(wait), true, 0.9, List.of(), 5)));
    put(all, "not-confirmed", SMALL, World.CALM,
        new TuneAnswer.Compared(
            new Confirmation(
                edge, 3, 2, new SmallSampleStatistics.Gain(0.05, -0.02, 0.12), List.of(itl),
                    false, 0.6,
                List.of("that does not prove a gain", "TTFT P95 +31 %"), 7)));
    put(all, "not-confirmed-for-good", SMALL, World.CALM,
        new TuneAnswer.Compared(
            new Confirmation(
                edge, 3, 1, new SmallSampleStatistics.Gain(0.01, -0.02, 0.04), List.of(),
                    false, 0.02,
                List.of("the gain is below 3 % in fresh pairs"), 0)));
    put(all, "plain", SMALL, World.CALM,
        new TuneAnswer.Plain(edge, new SmallSampleStatistics.Gain(39, 3.7, 340), 1, 3));
    put(all, "died", SMALL, new World(2, false, "real", 0, 0.97, Set.of(1), Set.of()),
        new TuneAnswer.Died(edge, "CUDA out of memory"));
    put(all, "keep", SMALL, World.CALM, new TuneAnswer.KeepCurrent(Strength.SURE));
    put(all, "keep-closed", SMALL, new World(1, true, "real", 0, 0.97, Set.of(), Set.of()),
        new TuneAnswer.KeepCurrent(Strength.SURE));
    all.put("keep-predicted", predicted(0.45));
    all.put("keep-wrongly-predicted", predicted(0.8));
    openEnds(all, edge);
    return all;
  }

  private static void openEnds(Map<String, TuneEnd> all, Configuration edge) {
    put(all, "trade-off", SMALL, World.CALM,
        new TuneAnswer.TradeOff(
            edge, GAIN, List.of("TTFT P95 +31 %", "ITL P99 +12 %"),
            List.of("ttft_p95=40%", "itl_p99=20%")));
    put(all, "trade-off-for-no-margin", SMALL, World.CALM,
        new TuneAnswer.TradeOff(
            edge, GAIN, List.of("0.2 more preemptions per request"), List.of()));
    put(all, "cannot-tell", SMALL, World.CALM,
        new TuneAnswer.CannotTell(
            "these runs cannot tell whether any setting is better or worse than today's"
                + " 16/512", 1));
    put(all, "cannot-tell-in-time", SMALL,
        new World(1, false, "real", 0.3, 0.97, Set.of(), Set.of()),
        new TuneAnswer.CannotTell(
            "max_num_seqs=32, max_num_batched_tokens=2048 looks best, but no time is left for"
                + " fresh pairs",
            0));
    put(all, "cannot-tell-ever", SMALL, World.CALM,
        new TuneAnswer.CannotTell(
            "these runs cannot tell whether any setting is better or worse than today's 16/512",
            TuneAnswer.MOST_BLOCKS));
    put(all, "none-holds", SMALL, new World(2, false, "real", 0, 0.2, Set.of(), Set.of()),
        new TuneAnswer.NoneHolds(
            Strength.SURE,
            Optional.of(
                new TuneAnswer.Ahead(
                    edge, new SmallSampleStatistics.Gain(3.8, 1.2, 9.5), 0.62, 1000))));
    put(all, "may-hold", SMALL, new World(2, false, "real", 0, 0.85, Set.of(), Set.of()),
        new TuneAnswer.MayHold(
            new TuneAnswer.Ahead(
                edge, new SmallSampleStatistics.Gain(3.8, 1.2, 9.5), 0.88, 1000),
            1));
    put(all, "none-holds-closed", SMALL, new World(2, true, "real", 0, 0.2, Set.of(), Set.of()),
        new TuneAnswer.NoneHolds(Strength.SURE, Optional.empty()));
    put(all, "untrusted", SMALL,
        new World(2, false, "real", 0, 0.97, Set.of(), Set.of(0, 1, 3, 4)),
        new TuneAnswer.Untrusted("the client was late"));
    put(all, "untrusted-all", SMALL,
        new World(2, false, "real", 0, 0.97, Set.of(), Set.of(0, 1, 2, 3, 4, 5)),
        new TuneAnswer.Untrusted("the client was late"));
  }

  private static void put(
      Map<String, TuneEnd> all, String name, DesignSpace grid, World world, TuneAnswer answer) {
    all.put(name, end(grid, world, new PredictedGrid(grid, 0.9, List.of()), answer));
  }

  /** A tuning of four cells, of which a profile says that some are worse. */
  private static TuneEnd predicted(double check) {
    DesignSpace grid = DesignSpace.of(List.of("max_num_seqs=8,16,32,64"), Map.of());
    List<List<ComparedRun>> plays = new ArrayList<>();
    for (int play = 0; play < 3; play++) {
      List<ComparedRun> cells = new ArrayList<>();
      for (int cell = 0; cell < WAITS.length; cell++) {
        cells.add(figures(1, cell == 3 ? check : WAITS[cell], VIRTUAL, cell, 0));
      }
      plays.add(cells);
    }
    return end(grid, VIRTUAL, new PredictedGrid(grid, 0.9, plays),
        new TuneAnswer.KeepCurrent(Strength.SURE));
  }

  private static Judged judged(
      ComparedMetric metric, Verdict verdict, double effect, double chance) {
    return new Judged(
        metric, verdict, Strength.LIKELY, 0.05, 0.3, 0.3 * (1 + effect),
        new Effects(effect, effect - 0.02, effect + 0.02), chance, 0, 0.1, 0, -1, true, "");
  }

  private static TuneEnd end(
      DesignSpace grid, World world, PredictedGrid forecast, TuneAnswer answer) {
    Screening.Question question = new Screening.Question(grid, 0.9, world.blocks(), 5);
    List<TunedRun> done = new ArrayList<>();
    Screening screening = new Screening(question, forecast, done);
    while (screening.due().isPresent() && done.size() < 90) {
      done.add(run(screening.due().get(), grid, world));
      screening = new Screening(question, forecast, done);
      boolean isHint = world.drift() > 0 && done.size() > grid.cells().size();
      if (isHint) {
        break;
      }
    }
    JointObjective objective =
        JointObjective.of(
            List.of(new Objective(Objective.Metric.TTFT, 0.5, 0.9, "")), OptionalDouble.empty());
    return new TuneEnd(
        "chat",
        "vLLM 0.32.0 at http://10.0.0.7:8000",
        grid,
        objective,
        screening,
        new LeaderSelection(screening, question, NonInferiorityMargins.usual()),
        answer,
        done,
        "41 of 60 min budget");
  }

  private static TunedRun run(TunedRun.Step step, DesignSpace grid, World world) {
    int cell = step.cell();
    if (world.dead().contains(cell)) {
      return new TunedRun(step, 10, List.of(), List.of(), "out of memory", cell % 2 == 1);
    }
    double slower = world.drift() > 0 && step.place() > grid.cells().size() / 2 ? 1.3 : 1;
    double base = grid.factors().size() == 1 ? WAITS[cell] : 0.3;
    double wait = base * slower * (1 + 0.004 * ((cell * 7 + step.block() * 3) % 5));
    List<EngineSetting> settings = new ArrayList<>();
    grid.cells().get(cell).settings().forEach(
        (name, value) ->
            settings.add(
                new EngineSetting(
                    name, value, value.equals("32") && grid == SMALL ? "31" : value,
                    EngineSetting.Source.LOG)));
    return new TunedRun(
        step, 60, List.of(figures(step.seed(), wait, world, cell, step.block())), settings, "",
        false);
  }

  private static ComparedRun figures(
      long seed, double wait, World world, int cell, int block) {
    boolean isSpoiled = world.spoiled().contains(cell);
    ComparedRun made =
        MadeRuns.good(
            MadeRuns.run(
                seed, wait, Map.of("engine kind", world.kind()),
                isSpoiled
                    ? List.of(new ComparedRun.Doubt("saturated", "the client was late"))
                    : List.of()),
            Math.min(1, world.good() + 0.004 * ((cell + block) % 5)), 500);
    Map<ComparedMetric, Double> metrics = new EnumMap<>(made.metrics());
    metrics.put(ComparedMetric.GOODPUT, 4 + 0.02 * ((cell * 3 + block) % 7) + 0.2 * (cell % 4));
    metrics.put(ComparedMetric.ITL_P99, wait / (8 + cell % 3));
    metrics.put(ComparedMetric.OUTPUT_RATE, 400.0 + 10 * cell + block);
    if (cell == 2 && world != VIRTUAL) {
      metrics.remove(ComparedMetric.TTFT_P95);
    }
    ComparedRun.Load load = made.load();
    return new ComparedRun(
        made.runId(), made.scenario(), made.startedUtc(), seed, metrics, made.missing(),
        made.ttft(), made.e2e(),
        new ComparedRun.Load(
            world.isClosed(), 500, load.offeredPerSecond(), load.ratePerSecond(),
            load.promptTokens(), load.answerTokens(), load.answerSpread(), load.schedule(),
            load.shape()),
        made.likeness(), made.settings(),
        Map.of("preemptions per request", cell % 3 == 1 ? 0.02 : 0.0), made.doubts());
  }
}
