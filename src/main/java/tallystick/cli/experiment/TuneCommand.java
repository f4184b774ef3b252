package tallystick.cli.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.Verbosity;
import tallystick.experiment.EngineProvider;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.experiment.tune.DesignSpace;
import tallystick.experiment.tune.TuneExperiment;
import tallystick.scenario.Scenario;

/** Tries engine settings under one load and recommends one that fresh pairs confirm. */
@Command(
    name = "tune",
    description = {
      "Try engine settings under one load, and name those that no other setting beats.",
      "One is recommended only if fresh pairs against the current settings confirm it.",
      "Name what varies with --vary, or in the scenario: engine: {max_num_seqs: \"8, 16\"}.",
      "Each run is one observation. Settings that are surely worse are not run again.",
      "--serve starts an engine with each setting; without it a simulated one is started.",
      "A server that is already up cannot change its settings, so --target is refused.",
      "Ctrl-C keeps what is finished: --resume goes on from there."
    })
public final class TuneCommand extends ExperimentCommand {
  @Mixin private JsonOption json;

  @Mixin private Verbosity verbosity;

  @Option(
      names = "--vary",
      paramLabel = "FLAG=VALUES",
      description =
          "an engine flag and values to try, instead of the scenario's: max_num_seqs=8,16,64; give"
              + " it for each flag")
  private List<String> varied = List.of();

  @Option(
      names = "--current",
      paramLabel = "FLAG=VALUE",
      description = "today's setting, which the others must beat (default: the middle value)")
  private Map<String, String> current = Map.of();

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "3",
      description = "how often every setting is run (default: ${DEFAULT-VALUE}, at least 2)")
  private int blocks;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      defaultValue = "5",
      description = "fresh pairs of the best setting (default: ${DEFAULT-VALUE}, at least 3)")
  private int repeats;

  @Option(
      names = "--margin",
      paramLabel = "METRIC=SHARE",
      description =
          "how much worse ttft_p95 and itl_p99 may get: itl_p99=10%% (default: ttft_p95=10%%,"
              + " itl_p99=5%%)")
  private List<String> margins = List.of();

  @Option(
      names = "--predict",
      paramLabel = "PROFILE",
      description =
          "first predict every setting in virtual time with this profile (./tally fit); those"
              + " predicted clearly worse are not measured")
  private String profile;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      description = "share of requests that must keep all limits (default: the objectives')")
  private Double share;

  /** The command; Ctrl-C ends its runs and keeps what is finished. */
  public TuneCommand(Interruption interruption) {
    super(interruption);
  }

  @Override
  public Integer call() throws Exception {
    Scenario scenario = benches.scenarioOfRequests();
    benches.startOnceForTwoRuns(scenario.workload());
    try (EngineProvider engines = benches.engines(scenario, interruption)) {
      return tune(scenario, engines);
    }
  }

  private int tune(Scenario scenario, EngineProvider engines)
      throws IOException, InterruptedException {
    TuneExperiment experiment =
        Mistake.orSay(() -> new TuneExperiment(
                    scenario, asked(scenario), engines, predictors(scenario)));
    return play(
        experiment, scenario, json,
        (folder, end) -> options.show(folder, end, verbosity.isVerbose()));
  }

  private List<EngineProvider> predictors(Scenario scenario) {
    return profile == null
        ? List.of()
        : benches.predictors(scenario, profile, TuneExperiment.predicted());
  }

  private TuneExperiment.Asked asked(Scenario scenario) {
    return new TuneExperiment.Asked(
        grid(scenario), given(share), blocks, repeats, margins(), options.budget(),
        benches.seed(scenario));
  }

  /** A margin that nothing looks at would promise what is not kept. */
  private NonInferiorityMargins margins() {
    for (ComparedMetric one : NonInferiorityMargins.named(margins)) {
      if (one != ComparedMetric.TTFT_P95 && one != ComparedMetric.ITL_P99) {
        throw new Mistake(
            "tune has margins only for ttft_p95 and itl_p99, --margin names " + one.code()
                + ": leave it out");
      }
    }
    return NonInferiorityMargins.of(margins);
  }

  /** What the command line varies, and what else the scenario's engine names several values of. */
  private DesignSpace grid(Scenario scenario) {
    Map<String, String> now = new LinkedHashMap<>();
    List<String> all = new ArrayList<>(varied);
    Set<String> given =
        varied.stream()
            .map(one -> DesignSpace.flag(one.split("=", 2)[0]))
            .collect(Collectors.toSet());
    scenario.engine().forEach(
        (flag, value) -> {
          if (!value.contains(",")) {
            now.put(DesignSpace.flag(flag), value);
          } else if (!given.contains(DesignSpace.flag(flag))) {
            all.add(flag + "=" + value);
          }
        });
    current.forEach((flag, value) -> now.put(DesignSpace.flag(flag), value));
    DesignSpace grid = DesignSpace.of(all, now);
    for (String flag : current.keySet()) {
      if (!grid.current().settings().containsKey(DesignSpace.flag(flag))) {
        throw new Mistake("--current names " + flag + ", which --vary does not name");
      }
    }
    return grid;
  }
}
