package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineFactsTest {
  private static final List<String> NO_GPU = List.of("/no/such/command");

  @TempDir private Path root;

  @Test
  void tellsProcessorMemoryContainerNodeAndGpus() throws IOException {
    write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Xeon  8480\nmodel name\t: Xeon  8480\n");
    write("proc/meminfo", "MemTotal:       2097152 kB\nMemFree: 1 kB\n");
    write("sys/fs/cgroup/cpu.max", "150000 100000\n");
    write("sys/fs/cgroup/memory.max", "1073741824\n");
    MachineFacts facts =
        new MachineFacts(
            root, Map.of("TALLY_NODE", "node-7"),
            List.of("printf", "%s\\n", "H200, 143771 MiB, 580.1", "H200, 143771 MiB, 580.1"));
    assertThat(facts.all())
        .containsOnly(
            Map.entry("cpu", "Xeon 8480"), Map.entry("memory", "2 GiB"),
            Map.entry("container_cpus", "1.5"), Map.entry("container_memory", "1 GiB"),
            Map.entry("node", "node-7"), Map.entry("gpus", "2 x H200, 143771 MiB, 580.1"));
  }

  @Test
  void leavesOutWhatIsNotThereOrHasNoLimit() throws IOException {
    write("sys/fs/cgroup/cpu.max", "max 100000\n");
    write("sys/fs/cgroup/memory.max", "max\n");
    assertThat(new MachineFacts(root, Map.of(), NO_GPU).all()).isEmpty();
    assertThat(new MachineFacts(root, Map.of(), List.of("false")).all()).isEmpty();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
