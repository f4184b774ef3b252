package tallystick.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.RunAnalysis;
import tallystick.cli.option.EngineFlags;
import tallystick.plan.Planner;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;
import tallystick.virtualrun.VirtualRecord;
import tallystick.virtualrun.VirtualWorld;

/**
 * A scenario's file, played in virtual time with one seed after another in one JVM.
 *
 * @param file the scenario
 * @param flags of the engine, beside the scenario's own
 * @param parent where the records lie while they are read
 */
record PlayedScenario(Path file, Map<String, String> flags, Path parent) {

  /** The analysis of the run with a seed, of the load and of the engine. */
  RunAnalysis analysis(long seed) throws IOException, InterruptedException {
    Scenario scenario = ScenarioReader.read(file, List.of(), List.of());
    Map<String, String> all = new TreeMap<>(EngineFlags.of(scenario.engine()));
    all.putAll(flags);
    all.put("seed", Long.toString(seed));
    Path run = Files.createTempDirectory(parent, "run").resolve("played");
    new VirtualRecord(
            Planner.plan(scenario, seed), EngineFlags.settings(all),
            new VirtualWorld.Shape(100_000, 0, 0, 0, 0), "test")
        .write(RecordFiles.ofRun(run));
    RunAnalysis analysis = Analyzer.analyze(RecordReader.open(run));
    try (Stream<Path> files = Files.walk(run)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
    return analysis;
  }
}
