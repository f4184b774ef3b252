package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.answer.Answer;
import tallystick.cli.alerting.AlertFiles;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.experiment.TestBed;
import tallystick.experiment.study.FinishedStudy;
import tallystick.experiment.study.StudyExperiment;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;
import tallystick.scenario.Workload;

/** Earns alert thresholds with as little load as they need. */
@Command(
    name = "study",
    mixinStandardHelpOptions = true,
    description = {
      "Earn alert thresholds with as little load as they need, and write them as rules.",
      "Short runs find the capacity; then each run is chosen by what is still missing:"
          + " load below, around and above the knee, in two traffic mixes, each overload"
          + " drained. With an hour left, a slow ramp tells how early the alerts are;"
          + " --rehearse adds an hour of health for false alarms.",
      "Without a target the embedded, simulated engine is started on loopback.",
      "Ctrl-C keeps what is finished: --resume goes on from there."
    },
    footer = {
      "Examples:",
      "  ./tally study scenarios/study-short.yaml --rehearse --budget 90m",
      "  ./tally study scenarios/study-short.yaml --target http://HOST:8000 --budget 60m"
    })
public final class StudyCommand extends ExperimentCommand {
  @Mixin private JsonOption json;

  @Option(
      names = "--from",
      paramLabel = "RATE",
      description = "requests per second of the first run (default: the scenario's rate)")
  private Double from;

  @Option(
      names = "--mix",
      paramLabel = "FILE",
      description =
          "a scenario whose requests are the second mix (default: longer prompts, shorter answers)")
  private Path mix;

  @Option(
      names = "--predict",
      paramLabel = "PROFILE",
      description =
          "first look for the capacity in virtual time with this profile (./tally fit): the short"
              + " runs begin there, and the answer says how far each prediction is off")
  private String profile;

  /** The command; Ctrl-C ends its runs and keeps what is finished. */
  public StudyCommand(Interruption interruption) {
    super(interruption);
  }

  @Override
  public Integer call() throws Exception {
    Scenario scenario = benches.scenario();
    return benches.work(scenario, interruption, bench -> study(scenario, bench));
  }

  private int study(Scenario scenario, TestBed bench) throws IOException, InterruptedException {
    StudyExperiment experiment =
        Mistake.orSay(
            () ->
                new StudyExperiment(
                    scenario, asked(scenario), bench, benches.predictor(scenario, profile)));
    return play(experiment, scenario, json, this::show);
  }

  private Answer show(Path folder, FinishedStudy study) throws IOException {
    if (!study.reviews().isEmpty()) {
      AlertFiles.write(folder.resolve("alerts"), study.reviews(), study.model());
    }
    return options.show(folder, study);
  }

  private StudyExperiment.Asked asked(Scenario scenario) {
    Optional<Workload> second =
        mix == null
            ? Optional.empty()
            : Optional.of(ScenarioReader.read(mix, List.of(), List.of()).workload());
    return new StudyExperiment.Asked(
        second, given(from), options.budget(), benches.seed(scenario));
  }
}
