package tallystick.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.option.StrengthOption;
import tallystick.shards.Merge;
import tallystick.shards.ShardSet;
import tallystick.shards.ShardsException;

/** Joins the records of the shards of one run and reports it like any other. */
@Command(
    name = "merge",
    description = {
      "Join what the shards of one run recorded, and report the run.",
      "A missing or late shard makes the run invalid, and the report names it."
    })
public final class MergeCommand extends ShellCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "FOLDER",
      description = "the shards' folders, or a folder that holds them")
  private List<Path> folders;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "RUN",
      description = "folder for the joined run; new or empty")
  private Path out;

  @Mixin private StrengthOption strength;

  @Mixin private AnswerOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    requireRoom();
    ShardSet shards;
    try {
      shards = ShardSet.open(folders);
    } catch (ShardsException e) {
      throw new Mistake(e.getMessage());
    }
    shards.lines().forEach(console()::println);
    new Merge(shards).write(out).forEach(fault -> console().println("INVALID  " + fault));
    console().println("Joined in " + out);
    return new RunReport(options, strength).write(out, false).number();
  }

  private void requireRoom() throws IOException {
    if (!Files.exists(out)) {
      return;
    }
    if (!Files.isDirectory(out) || !isEmpty()) {
      throw new Mistake(out + " is there already: name a new folder with --out");
    }
  }

  private boolean isEmpty() throws IOException {
    try (Stream<Path> held = Files.list(out)) {
      return held.findAny().isEmpty();
    }
  }
}
