package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Finding;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.simengine.EngineFlag;

/** Each fault of the document is there, and a run with it says what the document promises. */
class FaultTableTest {
  private static final Path DOCUMENT = Path.of("docs/how-to/simulate.md");
  private static final Pattern FAULT = Pattern.compile("(?:^\\| |<br>)`([^`]+)`");
  private static final Pattern SAID = Pattern.compile("^.* \\| (.*) \\|$");
  private static final String CHAT =
      "{arrival: poisson, rate: 6, prompt_tokens: {uniform: [20, 60]},"
          + " output_tokens: {uniform: [20, 60]}}";

  @TempDir private Path folder;

  private record Line(String fault, String said) {}

  private static List<Line> table() throws IOException {
    return Files.readAllLines(DOCUMENT).stream()
        .dropWhile(line -> !line.startsWith("| fault |"))
        .skip(2)
        .takeWhile(line -> line.startsWith("| "))
        .flatMap(
            line ->
                FAULT.matcher(line).results()
                    .map(fault -> new Line(fault.group(1), SAID.matcher(line).replaceAll("$1"))))
        .toList();
  }

  @Test
  void eachFaultSaysWhatTheDocumentPromises() throws IOException {
    for (Line line : table()) {
      List<String> texts =
          Analyzer.analyze(
                  PlantedRun.of(CHAT, 20, "--fault", line.fault()).play(folder, 3))
              .findings().stream()
              .filter(finding -> finding.severity() != Finding.Severity.NOTE)
              .map(Finding::text)
              .toList();
      if (line.said().startsWith("nothing")) {
        assertThat(texts).as(line.fault()).isEmpty();
      } else {
        String pattern =
            Arrays.stream(line.said().split("…", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining("[\\d., ]+"));
        assertThat(texts).as(line.fault()).anyMatch(text -> text.matches(pattern));
      }
    }
  }

  @Test
  void requestsThatGotNoSocketAreTheClientsFault() throws IOException {
    Path run = PlantedRun.of(CHAT, 5).folder(folder, 3);
    Path rows = RecordFiles.ofRun(run).requests();
    List<String> lines = new ArrayList<>(Files.readAllLines(rows));
    String lost = "\"outcome\":\"refused\",\"detail\":\"Too many open files\"";
    lines.set(20, lines.get(20).replace("\"outcome\":\"ok\"", lost));
    Files.write(rows, lines);

    assertThat(Analyzer.analyze(RecordReader.open(run)).findings())
        .filteredOn(finding -> finding.code() == Finding.Code.CLIENT_SATURATED)
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.evidence().getFirst()).startsWith("1 request got no socket"));
  }

  @Test
  void theDocumentListsEachFaultThatTheHelpNames() throws IOException {
    String help =
        EngineFlag.all().stream()
            .filter(EngineFlag::isList)
            .map(EngineFlag::description)
            .collect(Collectors.joining());
    Set<String> listed = new TreeSet<>();
    for (Line line : table()) {
      listed.add(line.fault().replaceAll(":.*", ""));
    }
    String named = help.replaceAll("What goes wrong: |; may be given.*", "");
    Set<String> told =
        Stream.of(named.split(", "))
            .map(fault -> fault.replaceAll(":.*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(listed).isEqualTo(told);
  }
}
