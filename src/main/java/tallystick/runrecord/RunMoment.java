package tallystick.runrecord;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When a run was begun, as its name says: a run in virtual time begins on a day of its own. */
public final class RunMoment {
  private static final Pattern TIME =
      Pattern.compile("(\\d{4})(\\d\\d)(\\d\\d)-(\\d\\d)(\\d\\d)(\\d\\d)");

  private RunMoment() {}

  /** To the second, for example {@code 2026-11-21 03:18:56Z}; such texts sort as times do. */
  public static String of(String runId, String startedUtc) {
    Matcher time = TIME.matcher(runId);
    return time.find()
        ? time.group(1) + "-" + time.group(2) + "-" + time.group(3) + " " + time.group(4) + ":"
            + time.group(5) + ":" + time.group(6) + "Z"
        : startedUtc.replaceAll("\\.\\d+Z$", "Z").replace('T', ' ');
  }
}
