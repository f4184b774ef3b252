package tallystick.experiment.engine;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tallystick.scenario.PlainText;

/**
 * Calls kubectl in one namespace. No shell reads its words.
 *
 * @param program what is started
 * @param namespace stands in every call
 */
record Kubectl(String program, String namespace) {
  private static final long POLL_MILLIS = 50;
  private static final int WIDEST = 400;

  /** Ctrl-C reaches kubectl too. */
  private static final int ENDED_BY_CTRL_C = 130;

  /**
   * What a call gave.
   *
   * @param isStopped whether somebody asked to stop before it ended
   */
  record Answer(int code, String output, String errors, boolean isStopped) {
    boolean isGood() {
      return code == 0 && !isStopped;
    }

    /** What it complains about, on one line. */
    String complaint() {
      String words = PlainText.oneLine((errors.isBlank() ? output : errors).strip());
      return words.length() > WIDEST ? words.substring(0, WIDEST - 1) + "…" : words;
    }
  }

  /**
   * Its output, or its complaint.
   *
   * @throws IOException if it fails
   */
  String ask(Duration limit, String... words) throws IOException, InterruptedException {
    Answer answer = call(limit, () -> false, words);
    if (!answer.isGood()) {
      throw new IOException(
          "kubectl " + words[0] + " fails in namespace " + namespace + ": " + answer.complaint());
    }
    return answer.output();
  }

  /** Calls it, and ends it when somebody asks to stop or when the limit is over. */
  Answer call(Duration limit, BooleanSupplier isStopped, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program, "--namespace", namespace));
    command.addAll(List.of(words));
    Path output = Files.createTempFile("kubectl", ".out");
    Path errors = Files.createTempFile("kubectl", ".err");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(new File("/dev/null"))
              .redirectOutput(output.toFile())
              .redirectError(errors.toFile())
              .start();
      try {
        return answer(process, limit, isStopped, output, errors);
      } finally {
        process.destroy();
      }
    } finally {
      Files.deleteIfExists(output);
      Files.deleteIfExists(errors);
    }
  }

  private static Answer answer(
      Process process, Duration limit, BooleanSupplier isStopped, Path output, Path errors)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      if (isStopped.getAsBoolean()) {
        return new Answer(ENDED_BY_CTRL_C, "", "", true);
      }
      if (System.nanoTime() > deadline) {
        return new Answer(1, "", "no answer within " + limit.toSeconds() + " s", false);
      }
    }
    int code = process.exitValue();
    return new Answer(
        code, Files.readString(output), Files.readString(errors),
        code == ENDED_BY_CTRL_C || isStopped.getAsBoolean());
  }
}
