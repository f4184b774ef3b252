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
    description = {
      "Learn alert thresholds with as little load as possible, and write them as rules.",
      "Short runs find the capacity; each later run is chosen by what is still missing: load"
          + " below, around and above capacity, in two traffic mixes, with time to drain after"
          + " each overload. With an hour left, a slow ramp shows how early the alerts fire;"
          + " --rehearse adds an hour of healthy load to count false alarms.",
      "Without a target the embedded, simulated engine is started on loopback.",
      "Ctrl-C keeps what is finished: --resume goes on from there."
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
          "first find the capacity in virtual time with this profile (./tally fit): the short"
              + " runs begin there, and the answer says how far each prediction was off")
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
