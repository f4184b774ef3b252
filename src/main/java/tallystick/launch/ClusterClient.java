package tallystick.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The cluster's own client on the command line: {@code kubectl} or {@code sbatch}. Its rights are
 * those of whoever calls it.
 *
 * @param out where its words go
 * @param nanoTime tells how long was waited
 */
public record ClusterClient(PrintWriter out, LongSupplier nanoTime) {
  private static final long POLL_MILLIS = 2_000;

  /** Hands a batch script to Slurm and waits; the job's exit code is the merged run's. */
  public int submit(Path script) throws IOException, InterruptedException {
    return call(List.of("sbatch", "--wait", script.toString())).code();
  }

  /**
   * Has Kubernetes run the shards and then the merge; waits for both and shows the merge's words.
   *
   * @param mostSeconds after which nothing is waited for any more
   * @return the merged run's exit code, as its pod ended
   */
  public int submit(KubernetesFiles files, Path folder, long mostSeconds)
      throws IOException, InterruptedException {
    String namespace = files.place().namespace();
    require(call(List.of("kubectl", "apply", "-k", folder.toString())));
    await(namespace, files.order().name(), mostSeconds);
    String merge = files.order().name() + "-merge";
    require(call(List.of("kubectl", "apply", "-f", folder.resolve("merge.yaml").toString())));
    await(namespace, merge, mostSeconds);
    call(List.of("kubectl", "-n", namespace, "logs", "job/" + merge));
    String code =
        ask(
            List.of(
                "kubectl", "-n", namespace, "get", "pods", "-l", "job-name=" + merge, "-o",
                "jsonpath={.items[0].status.containerStatuses[0].state.terminated.exitCode}"));
    if (!code.matches("\\d{1,3}")) {
      throw new IOException("the merge's pod does not tell how it ended: kubectl describe job/"
          + merge);
    }
    return Integer.parseInt(code);
  }

  /** A Job that has failed is waited for no longer: which shard failed, its record tells. */
  private void await(String namespace, String job, long mostSeconds)
      throws IOException, InterruptedException {
    long begin = nanoTime.getAsLong();
    while (nanoTime.getAsLong() - begin < TimeUnit.SECONDS.toNanos(mostSeconds)) {
      String conditions =
          ask(
              List.of(
                  "kubectl", "-n", namespace, "get", "job", job, "-o",
                  "jsonpath={.status.conditions[?(@.status==\"True\")].type}"));
      if (conditions.contains("Complete") || conditions.matches(".*\\bFailed\\b.*")) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    throw new IOException(
        "job/" + job + " has not ended within " + mostSeconds + " s: kubectl describe job/" + job);
  }

  private record Answer(List<String> command, int code, String text) {}

  private void require(Answer answer) throws IOException {
    if (answer.code() != 0) {
      throw new IOException(
          String.join(" ", answer.command()) + " ended with exit code " + answer.code());
    }
  }

  private String ask(List<String> command) throws IOException, InterruptedException {
    Answer answer = run(command);
    if (answer.code() != 0) {
      out.print(answer.text());
    }
    require(answer);
    return answer.text().strip();
  }

  private Answer call(List<String> command) throws IOException, InterruptedException {
    Answer answer = run(command);
    out.print(answer.text());
    out.flush();
    return answer;
  }

  private static Answer run(List<String> command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IOException(
          command.get(0) + " cannot be started: install the cluster's client, or leave --submit"
              + " out and use the files where it is",
          e);
    }
    try {
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Answer(command, process.waitFor(), text);
    } finally {
      process.destroy();
    }
  }
}
