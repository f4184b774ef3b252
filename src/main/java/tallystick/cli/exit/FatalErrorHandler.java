package tallystick.cli.exit;

/**
 * The end of a process that an {@link Error} has reached: memory or the stack ran out, or a class
 * is missing. Nothing is closed any more, because whatever is closed may wait for what has failed.
 */
public final class FatalErrorHandler {
  private static final int MOST_FRAMES = 30;

  private FatalErrorHandler() {}

  /** What a thread that nobody waits for dies of: an error ends the process, the rest is told. */
  public static void ofThread(Thread thread, Throwable failure) {
    if (failure instanceof Error error) {
      say(error);
    }
    System.err.println("in thread " + thread.getName() + ":");
    failure.printStackTrace();
  }

  /** Says what happened and ends the process as a bug does. */
  public static void say(Error error) {
    try {
      System.out.flush();
      System.err.println(
          error instanceof OutOfMemoryError
              ? "tally ran out of memory (" + error.getMessage()
                  + "): give it more, or make the test smaller."
              : "This is a bug in tally; please report it with the lines below.");
      System.err.println(error);
      StackTraceElement[] frames = error.getStackTrace();
      for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
        System.err.println("\tat " + frames[i]);
      }
    } finally {
      Runtime.getRuntime().halt(ExitCode.BUG.number());
    }
  }
}
