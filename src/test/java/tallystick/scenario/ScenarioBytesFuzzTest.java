package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import tallystick.Fuzz.Growing;
import tallystick.Fuzz;
import tallystick.FuzzInputs;
import tallystick.FuzzedReader;

/** A scenario of any bytes is read, or refused with what to write instead. */
class ScenarioBytesFuzzTest implements FuzzedReader {
  private static final int LONGEST = 600;
  private static final List<String> WORDS =
      List.of(
          "name", "target", "workload", "rate", "steps", "duration", "requests", "classes",
          "objectives", "ttft", "share", "prompt_tokens", "output_tokens", "engine", "labels",
          "exporters", "arrival", "trace", "file", ": ", ":", "- ", "\n", "\n  ", "\n    ", "{",
          "}",
          "[", "]", ", ", "\"", "'", "|", ">", "&a ", "*a", "<<: ", "!!binary ", "? ", "---\n",
          "...",
          "#", "%YAML 1.2\n", "~", "null", "true", "0", "-1", "1e999", "1e-320", ".inf", ".nan",
          "9223372036854775808", "99999999999999999999999h", "1.5s", "0s", "1ms", "5m..1h", "0.5",
          "10..1", "1:30", "0o17", "2026-01-01", "\t", "\r\n", "\u0000", "\uFEFF", "\u2028", "é",
          "😀",
          "/dev/zero", "/proc/self/environ", ".", "..", "https://u:p@h/v1", "http://[::1]:0");

  @TempDir private Path folder;

  @Override
  public Fuzz fuzz() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("scenarios"))) {
      List<String> sound =
          files.filter(file -> file.toString().endsWith(".yaml")).sorted()
              .map(file -> text(file).replaceAll("(?m)^#.*\n", "")).toList();
      return new Fuzz("scenario", FuzzInputs.of(sound, WORDS, LONGEST), this::read);
    }
  }

  @Override
  public List<Growing> growing() {
    String head = "duration: 1s\nworkload: {rate: 1, prompt_tokens: 1, output_tokens: 1}\n";
    return List.of(
        new Growing(head + "labels: {", "l%d: x, ", "}\n"), new Growing(head, "k%d: 1\n", ""),
        new Growing(head + "objectives: [", "{ttft: 1s, share: 0.9}, ", "]\n"),
        new Growing(head + "name: \"", "\\u0041", "\"\n"), new Growing(head, "# c\n", ""),
        new Growing("workload: {rate: {steps: [", "{rate: 1, duration: 1s}, ", "]}}\n"),
        new Growing(head + "seed: ", "9", "\n"), new Growing(head + "name: |\n", "  x\n", ""),
        new Growing("duration: ", "1s", "\n"), Growing.of("- "), Growing.of("a"), Growing.of("\n"));
  }

  private void read(byte[] input) throws IOException {
    Path file = folder.resolve("x.yaml");
    Fuzz.put(file, input);
    try {
      assertThat(ScenarioReader.read(file, List.of(), List.of()).workload()).isNotNull();
    } catch (ScenarioException e) {
      assertThat(e.remedy()).isNotBlank();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
