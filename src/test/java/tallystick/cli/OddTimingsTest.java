package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;

/**
 * Faults twice in a run, two together, and at its edges: each is told with its own times, and none
 * as something else. The window begins about 2.9 s after the first request.
 */
class OddTimingsTest {
  private static final String CHAT =
      "{arrival: poisson, rate: 6, prompt_tokens: {uniform: [20, 60]},"
          + " output_tokens: {uniform: [20, 60]}}";

  private static final Set<Finding.Code> OF_THE_ENGINE =
      Set.of(Finding.Code.ENGINE_RESTART, Finding.Code.ENGINE_STOOD_STILL);

  @TempDir private Path folder;

  private List<Finding> findings(String... faults) throws IOException {
    return analysis(faults).findings();
  }

  private RunAnalysis analysis(String... faults) throws IOException {
    String[] options =
        Arrays.stream(faults).flatMap(one -> Stream.of("--fault", one)).toArray(String[]::new);
    return Analyzer.analyze(PlantedRun.of(CHAT, 20, options).play(folder, 3));
  }

  private static List<Finding.Code> codes(List<Finding> findings) {
    return findings.stream().map(Finding::code).toList();
  }

  private static String text(List<Finding> findings, Finding.Code code) {
    return findings.stream()
        .filter(finding -> finding.code() == code)
        .map(Finding::text)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + code + " in " + findings));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "an engine that dies twice is told twice"
            + " | restart:after=6s,for=2s | restart:after=13s,for=3s | ENGINE_RESTART"
            + " | died at about 3\\.\\d s and was back at 5\\.\\d s: \\d+ requests.*"
            + " It died at about 10\\.\\d s and was back at 13\\.\\d s: \\d+ requests",
        "an engine is back when its tokens are and not when its metrics are"
            + " | restart:after=10s,for=0.2s | metrics-hole:after=8s,for=6s | ENGINE_RESTART"
            + " | died at about 7\\.\\d s and was back at 7\\.\\d s: 3 requests",
        "counters that begin anew among cut streams are no death"
            + " | counter-reset:after=9s | cut:after=5,p=0.2 | ENGINE_RESTART"
            + " | ^Counters of target 0 went back or restarted before [67]\\.\\d s",
        "counters that begin anew among refusals are no death"
            + " | counter-reset:after=9s | http503:p=0.5,after=8s,for=6s | ENGINE_RESTART"
            + " | ^Counters of target 0 went back or restarted before [67]\\.\\d s",
        "counters that begin anew twice are told twice"
            + " | counter-reset:after=8s | counter-reset:after=15s | ENGINE_RESTART"
            + " | before [56]\\.\\d s, 1[23]\\.\\d s in the window",
        "a standstill beside a hole of its metrics is still told"
            + " | stall:at=10s,for=4s | metrics-hole:after=11s,for=1s | ENGINE_STOOD_STILL"
            + " | from [67]\\.\\d s to 1[01]\\.\\d s"
      })
  void twoFaultsAreToldAsWhatTheyAre(
      String what, String first, String second, Finding.Code code, String pattern)
      throws IOException {
    List<Finding> found = findings(first, second);
    assertThat(text(found, code)).as(what).containsPattern(pattern);
    assertThat(codes(found))
        .filteredOn(OF_THE_ENGINE::contains)
        .as(what)
        .containsExactly(code);
  }

  @ParameterizedTest
  @ValueSource(strings = {"restart:after=%ss,for=1.5s", "counter-reset:after=%ss"})
  void anEngineThatFlapsIsToldThreeTimesAndThenCounted(String fault) throws IOException {
    List<Finding> found =
        findings(IntStream.of(5, 8, 11, 14, 17).mapToObj(fault::formatted).toArray(String[]::new));
    List<String> evidence =
        found.stream()
            .filter(finding -> finding.code() == Finding.Code.ENGINE_RESTART)
            .flatMap(finding -> finding.evidence().stream())
            .toList();
    assertThat(evidence)
        .filteredOn(line -> line.startsWith("last scrape of the old one"))
        .hasSize(3);
    assertThat(evidence).contains("2 more times after that");
    assertThat(text(found, Finding.Code.ENGINE_RESTART)).contains("2 more times");
  }

  @ParameterizedTest
  @CsvSource({
    "'frozen-metrics:after=8s,for=5s'", "'frozen-metrics:after=20s,for=100s'",
    "'slow-metrics:by=3s,after=8s,for=4s'"
  })
  void metricsThatAreOldOrLateAreNoEngineThatStoodStill(String fault) throws IOException {
    assertThat(codes(findings(fault))).doesNotContain(Finding.Code.ENGINE_STOOD_STILL);
  }

  /** What the counters lacked when the ledger began comes later, and is nobody else's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "frozen-metrics:after=0s,for=4s", "frozen-metrics:after=0.2s,for=6s",
        "frozen-metrics:after=0s,for=12s", "frozen-metrics:after=0s,for=100s"
      })
  void metricsThatAreFrozenBeforeTheWindowAreToldAsThat(String fault) throws IOException {
    List<Finding> found = findings(fault);
    assertThat(text(found, Finding.Code.FROZEN_EXPORTER)).contains("stood still");
    assertThat(codes(found))
        .doesNotContain(Finding.Code.FOREIGN_TRAFFIC, Finding.Code.ENGINE_COUNTS_LESS);
  }

  /** Its first half falls into the warm-up, whose requests are nobody's. */
  @Test
  void aStormOverTheEndOfTheWarmUpIsToldOfTheWindowAlone() throws IOException {
    RunAnalysis run = analysis("http429:p=1,after=1s,for=6s");
    assertThat(text(run.findings(), Finding.Code.FAILURES)).contains("with HTTP 429");
    assertThat(run.counts().ended()).isEqualTo(run.counts().planned());
    assertThat(run.counts().ok()).isBetween(1L, run.counts().ended() - 1L);
    assertThat(run.reconciliation().verdict().toString()).startsWith("RECONCILED");
  }

  @Test
  void aDeathInTheFirstMomentSpoilsNoMoreThanItIs() throws IOException {
    List<Finding> found = findings("restart:after=3s,for=0.2s");
    assertThat(text(found, Finding.Code.ENGINE_RESTART))
        .contains("at about 0.")
        .doesNotContain("-0.0");
    assertThat(codes(found)).doesNotContain(Finding.Code.ACCOUNTS_INCONSISTENT);
  }
}
