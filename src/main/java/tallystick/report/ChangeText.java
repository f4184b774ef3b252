package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Contrast;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Interval;

/** What became of each part of a wait, and what was asked of the engine before and after. */
final class ChangeText {
  static final String TITLE = "What changed (means; the parts add up)";
  static final List<String> HEADS =
      List.of("", "reference", "judged", "change (95 % CI)", "of the rise");
  static final List<String> CIRCUMSTANCE_HEADS = List.of("", "reference", "judged");

  private static final double SHOWN_SECONDS = 1e-4;

  private ChangeText() {}

  /** One row for each mean and each of its parts; parts that are zero on both sides left out. */
  static List<List<String>> rows(Interpretation interpretation) {
    List<List<String>> rows = new ArrayList<>();
    for (Change change : interpretation.changes()) {
      rows.add(cells(Wording.name(change.quantity()), change.whole(), ""));
      for (Change.Part part : change.parts()) {
        if (!isNothing(part)) {
          rows.add(cells("– " + part.name().words(), part, share(part)));
        }
      }
    }
    return rows;
  }

  /** Each circumstance that is known of both sides and did not stay as it was. */
  static List<List<String>> circumstances(Interpretation interpretation) {
    return interpretation.circumstances().stream()
        .filter(Contrast::isChanged)
        .map(
            contrast ->
                List.of(
                    contrast.name().words(),
                    contrast.text(contrast.reference()),
                    contrast.text(contrast.judged())))
        .toList();
  }

  /** The same for a terminal: a line for each mean, one for what was asked of the engine. */
  static List<String> console(Interpretation interpretation, int width) {
    List<String> lines = new ArrayList<>();
    for (Change change : interpretation.changes()) {
      List<String> pieces = new ArrayList<>();
      pieces.add(
          Wording.name(change.quantity())
              + " "
              + Numbers.latency(change.whole().reference())
              + " to "
              + Numbers.latency(change.whole().judged())
              + ", "
              + rise(change.whole().rise())
              + " =");
      change.parts().stream()
          .filter(part -> !isNothing(part) && isShown(part))
          .forEach(part -> pieces.add(part.name().words() + " " + signed(part.rise())));
      lines.addAll(Lines.join("  ", pieces, width));
    }
    List<String> contrasts =
        circumstances(interpretation).stream()
            .map(row -> row.get(0) + " " + row.get(1) + " to " + row.get(2))
            .toList();
    lines.addAll(Lines.join("  ", contrasts, width));
    return lines;
  }

  private static List<String> cells(String name, Change.Part part, String share) {
    return List.of(
        name, Numbers.latency(part.reference()), Numbers.latency(part.judged()),
        rise(part.rise()), share);
  }

  private static String share(Change.Part part) {
    return part.share() instanceof Figure.Known known ? Numbers.percent(known.value()) : "";
  }

  private static String rise(Interval rise) {
    return plus(rise) + IntervalText.latency(rise);
  }

  private static String signed(Interval rise) {
    return plus(rise) + Numbers.latency(rise.value());
  }

  private static String plus(Interval rise) {
    return rise.value() instanceof Figure.Known known && known.value() > 0 ? "+" : "";
  }

  /** On a line of a terminal a part that gained nothing that shows says nothing. */
  private static boolean isShown(Change.Part part) {
    return !(part.rise().value() instanceof Figure.Known known)
        || Math.abs(known.value()) >= SHOWN_SECONDS;
  }

  private static boolean isNothing(Change.Part part) {
    return part.reference() instanceof Figure.Known before
        && part.judged() instanceof Figure.Known now
        && before.value() == 0
        && now.value() == 0;
  }
}
