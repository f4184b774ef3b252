package tallystick.analysis.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.Usability.Use;
import tallystick.answer.AnswerStatus;
import tallystick.report.SampleAnalysis;
import tallystick.report.screen.RunOutcome;

/** One record is judged alike by whoever uses it. */
class UsabilityTest {
  private static final Path SOURCES = Path.of("src/main/java/tallystick");

  @ParameterizedTest
  @EnumSource(
      value = Verdict.class,
      names = {"RECONCILED_IN_PART", "NOT_CHECKED"})
  void usesARunThatNobodyCouldCompareInFull(Verdict ledger) {
    Usability usability = Usability.of(run(ledger, List.of()));
    assertThat(usability.isForVerdicts()).isTrue();
    assertThat(usability.isComparedInFull()).isFalse();
    assertThat(usability.reason()).isEmpty();
  }

  @Test
  void usesNothingOfARunWhoseSidesCountedDifferently() {
    Usability usability = Usability.of(run(Verdict.NOT_RECONCILED, List.of()));
    assertThat(usability.use()).isEqualTo(Use.NOTHING);
    assertThat(usability.reason()).contains("client and engine did not count the same");
  }

  @Test
  void namesAnEngineThatDiedWhereItLeftTheLedgerOpen() {
    Finding died = finding(Finding.Code.ENGINE_DIED, Finding.Severity.WARNING);
    assertThat(Usability.of(run(Verdict.NOT_RECONCILED, List.of(died))).spoilers())
        .containsExactly(died);
    assertThat(Usability.of(run(Verdict.RECONCILED, List.of(died))).isForVerdicts()).isTrue();
  }

  @Test
  void usesTheCountsOfALateClient() {
    Finding late = finding(Finding.Code.CLIENT_SATURATED, Finding.Severity.INVALID);
    assertThat(Usability.of(run(Verdict.RECONCILED, List.of(late))).use()).isEqualTo(Use.COUNTS);
    assertThat(Usability.of(run(Verdict.NOT_RECONCILED, List.of(late))).use())
        .isEqualTo(Use.NOTHING);
  }

  @Test
  void namesALateClientLast() {
    Finding late = finding(Finding.Code.CLIENT_SATURATED, Finding.Severity.INVALID);
    Finding restart = finding(Finding.Code.ENGINE_RESTART, Finding.Severity.INVALID);
    Usability usability = Usability.of(run(Verdict.RECONCILED, List.of(late, restart)));
    assertThat(usability.use()).isEqualTo(Use.NOTHING);
    assertThat(usability.spoilers()).containsExactly(restart, late);
  }

  @Test
  void leaveForForeignTrafficCoversWhatItMakesOfTheLedgerAndNothingElse() {
    Finding foreign = finding(Finding.Code.FOREIGN_TRAFFIC, Finding.Severity.INVALID);
    Finding restart = finding(Finding.Code.ENGINE_RESTART, Finding.Severity.INVALID);
    var leave = true;
    assertThat(RunOutcome.of(run(Verdict.NOT_RECONCILED, List.of(foreign)), leave))
        .isNotEqualTo(AnswerStatus.NOT_TRUSTED);
    assertThat(
            RunOutcome.of(run(Verdict.NOT_RECONCILED, List.of(foreign, restart)), leave))
        .isEqualTo(AnswerStatus.NOT_TRUSTED);
  }

  @Test
  void noOtherRoomDecidesWhatAFindingForbids() throws IOException {
    List<String> deciders = new ArrayList<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
        String text = Files.readString(file);
        if (!file.startsWith(SOURCES.resolve("analysis"))
            && (text.contains("Severity.INVALID") || text.contains("Verdict.NOT_RECONCILED"))) {
          deciders.add(file.toString());
        }
      }
    }
    assertThat(deciders).isEmpty();
  }

  private static Finding finding(Finding.Code code, Finding.Severity severity) {
    return new Finding(code, severity, "What happened.", List.of("a figure"), "Do this.");
  }

  private static RunAnalysis run(Verdict ledger, List<Finding> findings) {
    SampleAnalysis sample = new SampleAnalysis();
    sample.findings = findings;
    sample.reconciliation = new Reconciliation(ledger, List.of());
    return sample.build();
  }
}
