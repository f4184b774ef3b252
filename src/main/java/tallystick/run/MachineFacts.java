package tallystick.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.scenario.PlainText;

/**
 * What the machine is on which the client runs: its processor, memory, container and GPUs. Where
 * the engine runs there, too, it is the engine's machine.
 *
 * @param root the folder that holds {@code proc} and {@code sys}
 * @param environment where a pod of Kubernetes is told its node
 * @param gpuQuery a command that prints a line for each GPU
 */
public record MachineFacts(Path root, Map<String, String> environment, List<String> gpuQuery) {
  /** Where a pod that {@code tally launch} writes is told its node. */
  public static final String NODE = "TALLY_NODE";

  private static final List<String> NVIDIA_SMI =
      List.of(
          "nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader");

  private static final long GPU_SECONDS = 5; // a driver that hangs must not hold up a run
  private static final double GIB = 1 << 30;

  /** Of this machine. */
  public static MachineFacts here() {
    return new MachineFacts(Path.of("/"), System.getenv(), NVIDIA_SMI);
  }

  /** By name; what cannot be read is left out. */
  public Map<String, String> all() {
    Map<String, String> facts = new TreeMap<>();
    first("proc/cpuinfo", "model name\\s*: (.+)").ifPresent(name -> facts.put("cpu", name));
    first("proc/meminfo", "MemTotal:\\s*(\\d+) kB")
        .ifPresent(kib -> facts.put("memory", gibibytes(Double.parseDouble(kib) * 1024)));
    first("sys/fs/cgroup/cpu.max", "(\\d+ \\d+)")
        .map(quota -> quota.split(" "))
        .ifPresent(
            quota ->
                facts.put(
                    "container_cpus",
                    String.valueOf(
                        Double.parseDouble(quota[0]) / Double.parseDouble(quota[1]))));
    first("sys/fs/cgroup/memory.max", "(\\d+)")
        .ifPresent(bytes -> facts.put("container_memory", gibibytes(Double.parseDouble(bytes))));
    Optional.ofNullable(environment.get(NODE)).ifPresent(node -> facts.put("node", node));
    gpus().forEach((name, count) -> facts.merge(
        "gpus", count + " x " + name, (one, other) -> one + "; " + other));
    return facts;
  }

  private Map<String, Integer> gpus() {
    Map<String, Integer> count = new LinkedHashMap<>();
    Process query = null;
    try {
      query = new ProcessBuilder(gpuQuery).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      query.getOutputStream().close();
      if (query.waitFor(GPU_SECONDS, TimeUnit.SECONDS) && query.exitValue() == 0) {
        new String(query.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.isBlank())
            .forEach(line -> count.merge(PlainText.oneLine(line.strip()), 1, Integer::sum));
      }
    } catch (IOException e) {
      // There is no such command where there is no such GPU.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (query != null) {
        query.destroyForcibly();
      }
    }
    return count;
  }

  /** Of a machine's memory its kernel takes another share with each release. */
  private static String gibibytes(double bytes) {
    return Math.round(bytes / GIB) + " GiB";
  }

  private Optional<String> first(String file, String pattern) {
    try {
      Matcher found =
          Pattern.compile(pattern).matcher(Files.readString(root.resolve(file)));
      return found.find()
          ? Optional.of(PlainText.oneLine(found.group(1))) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
