package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures that docs/tutorial.md shows are those that its reader gets. */
class TutorialTest {
  private static final Path TUTORIAL = Path.of("docs/tutorial.md");
  private static final Pattern GREW =
      Pattern.compile("E2E grew by (\\d+) ms, and (\\d+) ms of it .*?([\\d.]+)\\s+times as long");

  @TempDir private Path folder;

  @Test
  void theSlowEngineIsFoundByTheFiguresOfStepThree() throws IOException {
    Matcher told = GREW.matcher(Files.readString(TUTORIAL).replace('\n', ' '));
    assertThat(told.find()).isTrue();
    Path healthy = simulated("healthy");
    Path slow = simulated("slow", "--fault", "slow:decode=3");

    String text =
        CommandRun.of("report", slow.toString(), "--baseline", healthy.toString(), "--verbose")
            .output();

    assertThat(text)
        .contains("+" + told.group(1) + " ms", "+" + told.group(2) + " ms")
        .contains(told.group(3) + " times");
  }

  @Test
  void theLostTokenIsInTheLineOfStepFour() throws IOException {
    Path lost = simulated("lost", "--fault", "drop-token:at=5000");
    String shown =
        Files.readString(TUTORIAL).lines()
            .filter(line -> line.startsWith("R4 "))
            .findFirst()
            .orElseThrow();

    assertThat(CommandRun.of("report", lost.toString(), "--verbose").output().lines())
        .contains(shown);
  }

  private Path simulated(String name, String... more) throws IOException {
    Path out = folder.resolve(name);
    List<String> typed =
        new ArrayList<>(
            List.of("simulate", "scenarios/quickstart.yaml", "--out", out.toString()));
    typed.addAll(List.of(more));
    CommandRun.of(typed.toArray(String[]::new));
    return CommandRun.onlyRun(out);
  }
}
