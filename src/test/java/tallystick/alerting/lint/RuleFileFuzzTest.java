package tallystick.alerting.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tallystick.Fuzz;
import tallystick.Fuzz.Growing;
import tallystick.FuzzInputs;
import tallystick.FuzzedReader;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleFileException;

/** Rules and dashboards of any bytes are read, linted and mended, or refused with their line. */
class RuleFileFuzzTest implements FuzzedReader {
  private static final int LONGEST = 600;
  private static final List<String> WORDS =
      List.of(
          "groups:\n", "- name: g\n", "  rules:\n", "  - alert: A\n", "    expr: ", "    for: 5m\n",
          "    labels: {severity: page}\n", "    annotations:\n", "record: a:b\n", "interval: 0s\n",
          "keep_firing_for: 1y\n", "limit: -1\n", "apiVersion: v1\n", "kind: PrometheusRule\n",
          "spec:\n", "---\n", "|\n", ">-\n", "rate(", "[5m]", "[0s]", ")", "(", " > ", " == ",
          " / ",
          "histogram_quantile(2, ", "sum by (le) ", "vllm:x_bucket", "{le=\"1\"}", "{a=~\"(\"}",
          " offset -1h", " @ end()", "[1h:]", "{{ $value }}", "{{", "0", "1e999", "-1", "NaN",
          "&a ", "*a", "<<: *a\n", "\"", "'", "\n", "\r", "\t", " ", ": ", "#", "\u0000", "\uFEFF",
          "\u0085", "\u2028", "{\"panels\":[", "{\"targets\":[", "{\"expr\":\"", "\"}]}",
          "$x", "${x:regex}", "[[x]]", "[$__interval]", "{$x}", "vllm:gpu_cache_usage_perc", "\\\"",
          "label_values(", "datasource: loki\n", "query: ", "é", "(".repeat(300),
          "9".repeat(300) + "y");

  @Override
  public Fuzz fuzz() throws IOException {
    try (Stream<Path> lint = Files.list(Path.of("src/test/resources/lint"));
        Stream<Path> boards = Files.list(Path.of("src/test/resources/lint/boards"));
        Stream<Path> alerts = Files.list(Path.of("src/test/resources/alerts"))) {
      List<String> sound =
          Stream.concat(Stream.concat(lint, boards), alerts)
              .filter(file -> file.toString().matches(".*\\.(yaml|json)")).sorted()
              .map(RuleFileFuzzTest::text).toList();
      return new Fuzz("rules", FuzzInputs.of(sound, WORDS, LONGEST), this::read);
    }
  }

  @Override
  public List<Growing> growing() {
    String head = "groups:\n- name: g\n  rules:\n";
    return List.of(
        new Growing(head, "  - {alert: A%d, expr: 'rate(vllm:x_total[5m]) > %d'}\n", ""),
        new Growing(head, "  - {record: 'a:b', expr: 'x'}\n", ""),
        new Growing(head + "  - alert: A\n    expr: |\n", "      # c\n", "      up\n"),
        new Growing(head + "  - alert: A\n    expr: |\n", "      # c\n", "      up >\n"),
        new Growing(head + "  - alert: A\n    expr: up\n    labels: {", "l%d: x, ", "}\n"),
        new Growing(
            "{\"panels\":[{\"targets\":[", "{\"expr\":\"rate(vllm:x%d[$w])\"},", "{}]}]}"),
        new Growing("{\"panels\":[{\"targets\":[{\"expr\":\"", "$a + ", "1\"}]}]}"),
        new Growing("{\"panels\":[{\"targets\":[{\"expr\":\"", "{", "\"}]}]}"),
        Growing.of("{\"panels\":["),
        Growing.of("---\n"), Growing.of("\n"), Growing.of("a"), Growing.of("groups:\n"));
  }

  private void read(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    try {
      RuleFile file = LintFile.read("x.yaml", text);
      RenamedMetrics mended = RenamedMetrics.of(file, text, ExposedSeries.none());
      assertThat(LintFile.read("x.yaml", mended.text()).rules()).hasSameSizeAs(file.rules());
      RuleLint.check(file, ExposedSeries.none())
          .forEach(finding -> assertThat(finding.line()).isPositive());
      assertThat(file.evaluable()).hasSameSizeAs(file.groups());
    } catch (RuleFileException e) {
      assertThat(e.getMessage()).startsWith("x.yaml");
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
