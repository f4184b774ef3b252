package tallystick.experiment.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The processes that inherited a mark in their environment, also those that left their parents.
 *
 * @param mark no other engine's
 */
record ProcessGroupTag(String mark) {
  /** The variable that holds the mark. */
  static final String VARIABLE = "TALLY_ENGINE";

  private static final Pattern MAKER = Pattern.compile("\\b" + VARIABLE + "=(\\d{1,9})-");

  /** A mark that tells who made it. */
  static ProcessGroupTag fresh() {
    return new ProcessGroupTag(ProcessHandle.current().pid() + "-" + UUID.randomUUID());
  }

  /** Those of whose mark the maker has ended: a killed tally leaves its engine. */
  static List<ProcessHandle> orphans() {
    return ProcessHandle.allProcesses()
        .filter(
            process -> {
              Matcher mark = MAKER.matcher(environment(process));
              return mark.find()
                  && ProcessHandle.of(Long.parseLong(mark.group(1)))
                      .filter(ProcessGroupTag::isThere)
                      .isEmpty();
            })
        .toList();
  }

  /** Those that run now; none where the system does not show environments. */
  List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses().filter(this::isMarked).toList();
  }

  private boolean isMarked(ProcessHandle process) {
    return environment(process).contains(VARIABLE + "=" + mark);
  }

  private static String environment(ProcessHandle process) {
    try {
      Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
      return Files.isReadable(environment)
          ? new String(Files.readAllBytes(environment), StandardCharsets.ISO_8859_1)
          : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** A process that has ended and that nobody has asked about is not there any more. */
  static boolean isThere(ProcessHandle process) {
    if (!process.isAlive()) {
      return false;
    }
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException | StringIndexOutOfBoundsException e) {
      return process.isAlive();
    }
  }
}
