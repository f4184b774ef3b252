package tallystick.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The batch script of a run under Slurm: one job whose tasks are the shards.
 *
 * @param order what is to be launched
 * @param tally the launcher, where every node finds it
 * @param leadSeconds from the job's begin to the common start
 */
public record SlurmFile(LaunchOrder order, Path tally, long leadSeconds) {

  /** Writes it into a folder. */
  public Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<String> run =
        new ArrayList<>(
            List.of(tally.toString(), "run", order.scenario().toAbsolutePath().toString()));
    run.addAll(order.arguments());
    Map<String, String> values =
        Map.of(
            "name", order.name(), "count", Integer.toString(order.shards()),
            "lead", Long.toString(leadSeconds), "tally", Template.shellWord(tally.toString()),
            "arguments", run.stream().map(Template::shellWord).collect(Collectors.joining(" ")));
    return Files.writeString(
        folder.resolve(order.name() + ".sbatch"), Template.fill("gang.sbatch", values));
  }
}
