package tallystick.run;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;

/**
 * How much heap the load process may take. Source of the sizes:
 * docs/decisions/run-load-process.md.
 *
 * @param usualBytes what it keeps to while the server answers in time
 * @param mostBytes what it takes at most, however slow the server is
 * @param isGiven whether the user named it
 */
public record LoadHeap(long usualBytes, long mostBytes, boolean isGiven) {
  private static final long MIB = 1L << 20;

  /** Keeps slips of the pen out: a run of 25 requests/s has 46 MiB alive. */
  private static final long LEAST_BYTES = 32 * MIB;

  /** Gatling, the client, the scraper and the record's queues, and room to collect beside. */
  private static final long BASE_BYTES = 160 * MIB;

  /** What a collector that gets no CPU may fall behind by before threads wait for it. */
  private static final long BEHIND_BYTES = 128 * MIB;

  private static final long STREAM_BYTES = 256 * 1024; // virtual threads' stacks lie in the heap

  /** Rough, as the two below: with 191 MiB as usual and 446 at most, a run held 364. */
  private static final long PROMPT_TOKEN_BYTES = 24;
  private static final long CHUNK_BYTES = 64;
  private static final long PLANNED_BYTES = 512;
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([kKmMgG])");

  /** What a plan needs, on a machine that has so much memory. */
  static LoadHeap of(Plan plan, long machineBytes) {
    long given = BASE_BYTES + plan.requests().stream().mapToLong(LoadHeap::plannedBytes).sum();
    long limit = machineBytes / 4 * 3;
    long usual = given + openBytes(plan, OpenStreams.USUAL_ANSWER_NANOS);
    long most = given + openBytes(plan, plan.settings().timing().requestTimeoutNanos());
    long behind = Math.max(usual, most) + BEHIND_BYTES;
    return new LoadHeap(Math.min(usual, limit), Math.min(behind, limit), false);
  }

  /** What a plan needs, on this machine. */
  public static LoadHeap of(Plan plan) {
    return of(plan, machineBytes());
  }

  /**
   * What the user says, for example {@code 512m} or {@code 2g}.
   *
   * @throws IllegalArgumentException if it is no size, too small to run in, or more than there is
   */
  public static LoadHeap given(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      throw new IllegalArgumentException(
          "must be a size like 512m or 2g, was \"" + text + "\"");
    }
    int shift =
        switch (size.group(2).toLowerCase(Locale.ROOT)) {
          case "k" -> 10;
          case "m" -> 20;
          default -> 30;
        };
    long bytes = Long.parseLong(size.group(1)) << shift;
    if (bytes < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "must be " + words(LEAST_BYTES) + " or more, was " + text);
    }
    if (bytes > machineBytes()) {
      throw new IllegalArgumentException(
          "must fit this machine's memory of " + words(machineBytes()) + ", was " + text);
    }
    return new LoadHeap(bytes, bytes, true);
  }

  /** What the process is started with. */
  List<String> flags() {
    return List.of(
        "-Xms" + Math.min(64, mebibytes(usualBytes)) + "m",
        "-Xmx" + mebibytes(mostBytes) + "m",
        "-XX:SoftMaxHeapSize=" + mebibytes(usualBytes) + "m",
        "-XX:+ExitOnOutOfMemoryError");
  }

  /** For a reader. */
  public String words() {
    if (isGiven) {
      return words(mostBytes) + " (--load-heap)";
    }
    return words(usualBytes) + ", at most " + words(mostBytes);
  }

  private static String words(long bytes) {
    return mebibytes(bytes) + " MiB";
  }

  private static long mebibytes(long bytes) {
    return bytes / MIB;
  }

  private static long plannedBytes(PlannedRequest request) {
    return PLANNED_BYTES + textBytes(request);
  }

  /** What the largest requests take that may be open at a time. */
  private static long openBytes(Plan plan, long answerNanos) {
    return plan.requests().stream()
        .map(LoadHeap::streamBytes)
        .sorted(Comparator.reverseOrder())
        .limit(OpenStreams.most(plan, answerNanos))
        .mapToLong(bytes -> bytes)
        .sum();
  }

  /** A turn is sent with all that was said before it. */
  private static long streamBytes(PlannedRequest request) {
    long said = PROMPT_TOKEN_BYTES * tokens(request) + 4 * textBytes(request);
    long answer = CHUNK_BYTES * request.maxTokens() * Math.max(1, request.choices());
    return STREAM_BYTES + (said + answer) * (request.turn() + 1);
  }

  private static long tokens(PlannedRequest request) {
    return switch (request.prompt()) {
      case Prompt.Synthetic synthetic -> synthetic.tokens();
      case Prompt.Text text -> 0;
    };
  }

  private static long textBytes(PlannedRequest request) {
    return switch (request.prompt()) {
      case Prompt.Synthetic synthetic -> 0;
      case Prompt.Text text ->
          2L * text.messages().stream().mapToLong(message -> message.content().length()).sum();
    };
  }

  private static long machineBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }
}
