package tallystick.run;

import java.io.IOException;
import java.util.Locale;
import java.util.OptionalInt;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.ManifestJson;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.RunClock;

/**
 * A load process that ended before it closed its record: says when and why, and closes the record
 * for it, because whoever reads the record later cannot know.
 *
 * @param exitCode of the process; empty for one that fell silent and had to be killed
 * @param orders what it was told
 */
record LoadDeath(OptionalInt exitCode, RunOrders orders) {
  /** With which a JVM goes that was told to exit where its heap is full. */
  private static final int OUT_OF_MEMORY = 3;

  /** Java adds this to the number of the signal that ended a process. */
  private static final int SIGNALLED = 128;

  private static final double NANOS_PER_SECOND = 1e9;

  /** Closes the record as failed. */
  RunEnd close() {
    RecordFiles files = RecordFiles.ofRun(orders.runFolder());
    String why = why();
    try {
      Manifest manifest = ManifestJson.read(files.manifest());
      String detail = why + after(manifest.clock());
      Manifest.Ending ending =
          RecordReader.openPart(orders.runFolder()).brokenOff(detail, 0);
      ManifestJson.write(manifest.closed(manifest.clock(), ending), files.manifest());
      return new RunEnd(RunEnd.Kind.CRASHED, detail);
    } catch (IOException e) {
      return new RunEnd(
          RunEnd.Kind.CRASHED, why + "; its record could not be closed: " + e.getMessage());
    }
  }

  private String why() {
    if (exitCode.isEmpty()) {
      return "the load process fell silent and was killed" + lastWords();
    }
    int code = exitCode.getAsInt();
    if (code == OUT_OF_MEMORY) {
      return "the load process ran out of memory: its heap was " + orders.heap().words()
          + "; give it more with --load-heap, or lower the load";
    }
    return code > SIGNALLED
        ? "the load process was ended by signal " + signal(code - SIGNALLED) + lastWords()
        : "the load process ended with exit code " + code + lastWords();
  }

  private static String lastWords() {
    return "; its last words are in record/session.log";
  }

  private static String signal(int number) {
    return switch (number) {
      case 6 -> "6 (SIGABRT): Java itself failed";
      case 7 -> "7 (SIGBUS): Java itself failed";
      case 9 -> "9 (SIGKILL): somebody killed it, or the kernel did because memory ran out";
      case 11 -> "11 (SIGSEGV): Java itself failed";
      case 15 -> "15 (SIGTERM): somebody ended it";
      default -> String.valueOf(number);
    };
  }

  private static String after(Manifest.Clock clock) {
    // A process that never opened its record has left no origin to count from.
    return clock.originUtcNanos() == 0
        ? "; it had not begun to record"
        : String.format(
            Locale.ROOT, "; that was %.1f s after it began to record",
            (RunClock.utcNanos() - clock.originUtcNanos()) / NANOS_PER_SECOND);
  }
}
