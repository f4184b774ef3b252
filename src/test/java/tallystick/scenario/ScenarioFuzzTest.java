package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a file holds, it is read or refused with a line; nothing else comes out. */
class ScenarioFuzzTest {
  private static final String SCRAPS = "{}[]:,-#\"'\n\t |>&*!%@`0129.aesrm\u00e9\uFEFF\u0000~?<=";

  @TempDir private Path folder;

  @Test
  void brokenScenariosAreRefusedAndNeverCrash() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    int refused = 0;
    List<String> originals = readyScenarios();
    for (int i = 0; i < 500; i++) {
      String broken = broken(originals.get(i % originals.size()), random);
      refused += isRefused(broken) ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(250);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "? [a, b]\n: c\n", "<<: {a: b}\n", "1: 2\n", "!!java.net.URL [x]\n", "a: !!binary x\n",
    "%YAML 1.2\n---\nname: x\n", "a: |\n  text\n", "\"\": x\n", "null: x\n", "~: x\n",
    "a: 1:30\n", "a: 0o17\n", "a: 2026-01-01\n", "a: 'open\n", "\u0000", "a: \u0007\n", "{", "}",
  })
  void strangeYamlIsRefused(String text) throws IOException {
    assertThat(isRefused(text)).isTrue();
  }

  @Test
  void depthIsBounded() throws IOException {
    assertThat(isRefused("a: " + "[".repeat(100_000))).isTrue();
    assertThat(isRefused("a: " + "{b: ".repeat(100_000))).isTrue();
  }

  @Test
  void aByteOrderMarkAndCarriageReturnsDoNoHarm() {
    String text = "\uFEFFworkload: {rate: 1, prompt_tokens: 1, output_tokens: 1}\r\n"
        + "duration: 1s\r\n";

    assertThatCode(() -> isRefused(text)).doesNotThrowAnyException();
    assertThatCode(() -> assertThat(isRefused(text)).isFalse()).doesNotThrowAnyException();
  }

  private boolean isRefused(String text) throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    try {
      ScenarioReader.read(file, List.of(), List.of());
      assertThat(mistakes(text)).as(text).isEmpty();
      return false;
    } catch (ScenarioException e) {
      assertThat(e.remedy()).isNotBlank();
      return true;
    }
  }

  /** What the table alone has against a scenario. */
  private List<ScenarioException> mistakes(String text) {
    Node tree = YamlTree.parse(text, line -> SourceLocation.ofLine("x.yaml", line));
    return Mistakes.in(new FamiliarForms(note -> { }).in(tree));
  }

  private static String broken(String original, SplittableRandom random) {
    StringBuilder text = new StringBuilder(original);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(text.length());
      char scrap = SCRAPS.charAt(random.nextInt(SCRAPS.length()));
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(at, scrap);
        case 1 -> text.insert(at, scrap);
        default -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(20)));
      }
    }
    return text.toString();
  }

  /** Without their comments, so that most changes hit something that counts. */
  private static List<String> readyScenarios() throws IOException {
    List<String> texts = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("scenarios"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
        texts.add(Files.readString(file).replaceAll("(?m)^#.*\n", ""));
      }
    }
    return texts;
  }
}
