package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Whether the collector gives way in a process that collects like the load's. */
@EnabledOnOs(OS.LINUX)
class CollectorPriorityTest {
  private static final int NICE_FIELD = 16; // counted after the name, from 0: proc(5), stat

  /** Lowers its collector and says the nice value of each of its threads. */
  public static final class Lowered {
    public static void main(String[] arguments) throws Exception {
      CollectorPriority.lower();
      try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
        for (Path thread : all) {
          String stat = Files.readString(thread.resolve("stat"));
          int end = stat.lastIndexOf(')');
          System.out.println(
              stat.substring(stat.indexOf('(') + 1, end).replace(' ', '-') + " "
                  + stat.substring(end + 2).split(" ")[NICE_FIELD]);
        }
      }
    }
  }

  @Test
  void onlyTheCollectorGivesWay() throws Exception {
    List<String> threads = threads(List.of(), "-XX:+UseZGC");
    int own = nice(threads, "java");
    assertThat(threads).filteredOn(line -> line.startsWith("ZWorker")).isNotEmpty()
        .allMatch(line -> line.endsWith(" " + (own + CollectorPriority.NICE)));
  }

  @Test
  void whereAllIsNiceAlreadyTheCollectorIsNicerStill() throws Exception {
    List<String> threads = threads(List.of("nice", "-n", "7"), "-XX:+UseZGC");
    assertThat(threads).filteredOn(line -> line.startsWith("ZWorker")).isNotEmpty()
        .allMatch(line -> line.endsWith(" " + (nice(threads, "java") + CollectorPriority.NICE)));
    assertThat(nice(threads, "java")).isGreaterThanOrEqualTo(7);
  }

  @Test
  void aCollectorOfAnotherKindIsLeftAlone() throws Exception {
    List<String> threads = threads(List.of(), "-XX:+UseSerialGC");
    assertThat(threads).isNotEmpty().noneMatch(line -> line.endsWith(" " + CollectorPriority.NICE));
  }

  private static int nice(List<String> threads, String name) {
    return threads.stream()
        .filter(line -> line.startsWith(name + " "))
        .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> threads(List<String> prefix, String collector) throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            collector, "-cp", System.getProperty("java.class.path"), Lowered.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return said.lines().toList();
  }
}
