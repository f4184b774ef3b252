package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.analysis.result.Interpretation;

/** Every row of the matrix, produced on purpose on the simulated engine, is taken for itself. */
class MatrixTest {
  private static final int SEEDS = 20;
  private static final int ENOUGH = 18;

  /** What is said where the signals fit no row; it points nowhere and so cannot mislead. */
  private static final String NO_ROW = "no_row_fits";

  @TempDir private Path folder;

  /** The one that is left out takes as long as all others. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LARGE_PREFILLS_HOLD_THE_SCHEDULER")
  void aCauseIsTakenForItself(MatrixRow row) throws IOException {
    Interpretation found = row.interpret(folder, 11);
    assertThat(found.available()).isTrue();
    assertThat(first(found)).as("%s", found.signals()).isEqualTo(row.direction);
  }

  @Test
  @Tag("stress")
  void eighteenOfTwentyAreRecognisedAndNoneIsMistaken() throws IOException {
    List<String> table = new ArrayList<>();
    table.add("| cause | taken for it | nothing said | no row fits | mistaken |");
    table.add("|---|---|---|---|---|");
    List<String> faults = new ArrayList<>();
    for (MatrixRow row : MatrixRow.values()) {
      int[] outcomes = new int[4];
      for (int seed = 0; seed < SEEDS; seed++) {
        outcomes[outcome(row, row.interpret(folder, 7_500 + seed))]++;
      }
      table.add(
          String.format(
              Locale.ROOT, "| %s | %d | %d | %d | %d |", row.name().toLowerCase(Locale.ROOT),
              outcomes[0], outcomes[1], outcomes[2], outcomes[3]));
      if (outcomes[0] < ENOUGH || outcomes[3] > 0) {
        faults.add(table.getLast());
      }
    }
    Files.createDirectories(Path.of("target"));
    Files.write(Path.of("target/matrix.md"), table);
    assertThat(faults).isEmpty();
  }

  /** Chance may make another circumstance differ as well; then both are named, and rightly. */
  private static int outcome(MatrixRow row, Interpretation found) {
    List<String> codes =
        found.directions().stream().map(each -> each.code().code()).toList();
    if (codes.isEmpty()) {
      return row.direction.isEmpty() ? 0 : 1;
    }
    return codes.contains(row.direction) ? 0 : codes.contains(NO_ROW) ? 2 : 3;
  }

  private static String first(Interpretation found) {
    return found.directions().isEmpty() ? "" : found.directions().get(0).code().code();
  }
}
