package tallystick.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.ShellCommand;
import tallystick.report.Reports;
import tallystick.runrecord.RecordCheck;
import tallystick.runrecord.RecordCheck.State;

/** Says whether records are what was written. */
@Command(
    name = "verify",
    description = {
      "Check by their checksums that the records of runs are complete and unchanged.",
      "Exit 4: a record is not; 5: a record has no checksums."
    })
public final class VerifyCommand extends ShellCommand {
  private static final double MEGABYTE = 1e6;

  @Parameters(
      paramLabel = "RUN",
      arity = "1..*",
      description = "a run's folder, for example reports/quickstart-…, or a shard's")
  private List<Path> folders;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    ExitCode worst = ExitCode.GOOD;
    Map<String, RecordCheck> checks = new LinkedHashMap<>();
    for (Path folder : folders) {
      RecordCheck check = RecordCheck.of(folder);
      checks.put(folder.toString(), check);
      console().println(folder + ": " + words(check));
      check.changes().forEach(change -> console().println("  " + change));
      ExitCode code = code(check.state());
      worst = worst == ExitCode.NOT_TRUSTED || code == ExitCode.GOOD ? worst : code;
    }
    if (checks.values().stream().anyMatch(check -> check.state() == State.CHANGED)) {
      console().println("Copy what changed again from where it was made.");
    }
    json.print(() -> Reports.json(checks));
    return worst.number();
  }

  private static String words(RecordCheck check) {
    return switch (check.state()) {
      case WHOLE ->
          String.format(
              Locale.ROOT, "whole and unchanged (%d files, %.1f MB)",
              check.files(), check.bytes() / MEGABYTE);
      case CHANGED -> "not what was written:";
      case OPEN -> "never closed; each line that is there is unchanged, but more may be missing";
      case UNKNOWN ->
          "carries no checksums: it was written before records had them, so nobody can say"
              + " whether it changed";
    };
  }

  private static ExitCode code(RecordCheck.State state) {
    return switch (state) {
      case WHOLE -> ExitCode.GOOD;
      case CHANGED, OPEN -> ExitCode.NOT_TRUSTED;
      case UNKNOWN -> ExitCode.TOO_CLOSE;
    };
  }
}
