package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Contrast;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Interval;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.IntervalText;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;

/** Which way the evidence points: what changed, what was asked of the engine, likely causes. */
public final class MeaningSection {
  private MeaningSection() {}

  public static Section of(Interpretation interpretation) {
    return Section.of(
        "meaning", "What it most likely means (triage, not proof)", blocks(interpretation));
  }

  private static List<Block> blocks(Interpretation interpretation) {
    if (!interpretation.available()) {
      return List.of(new Block.Text(Tone.MUTED, "n/a (" + interpretation.absence() + ")"));
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Text(Tone.MUTED, Wording.triage(interpretation)));
    if (interpretation.directions().isEmpty()) {
      blocks.add(new Block.Text(Tone.MUTED, Wording.noDirection(interpretation)));
    } else {
      blocks.add(new Block.Items(
          true, interpretation.directions().stream().map(MeaningSection::item).toList()));
    }
    return blocks;
  }

  /** What this rests on: each part of each wait, and what was asked of the engine. */
  public static Section changes(Interpretation interpretation) {
    List<Block> blocks = new ArrayList<>();
    if (interpretation.available()) {
      titled(blocks, parts(interpretation));
      titled(blocks, circumstances(interpretation));
      titled(blocks, signals(interpretation));
    }
    return Section.of("changes", "Evidence for the likely cause", blocks);
  }

  private static void titled(List<Block> blocks, Block.Table table) {
    if (!table.rows().isEmpty()) {
      Block.Group group = new Block.Group(table.name(), Mark.NONE, List.of(table));
      blocks.add(new Block.Groups(List.of(group)));
    }
  }

  // One row for each mean and each of its parts; parts that are zero on both sides left out.
  private static Block.Table parts(Interpretation interpretation) {
    List<Block.Row> rows = new ArrayList<>();
    for (Change change : interpretation.changes()) {
      rows.add(row(Tone.PLAIN, Wording.name(change.quantity()), change.whole(), ""));
      for (Change.Part part : change.parts()) {
        if (!isNothing(part)) {
          rows.add(row(Tone.MUTED, "– " + part.name().words(), part, share(part)));
        }
      }
    }
    List<Column> columns =
        List.of(
            Column.name(""), Column.number("reference"), Column.number("judged"),
            Column.number("change (95 % CI)"), Column.number("of the rise").spare(1));
    return new Block.Table("What changed (means; the parts add up)", false, columns, rows);
  }

  private static Block.Row row(Tone tone, String name, Change.Part part, String share) {
    return new Block.Row(
        tone,
        List.of(
            Cell.of(name), Cell.latency(part.reference()), Cell.latency(part.judged()),
            rise(part.rise()), Cell.of(share)));
  }

  private static Cell rise(Interval rise) {
    return Cell.of(
        rise.value(),
        seconds ->
            seconds > 0
                ? Numbers.signed(seconds, size -> IntervalText.latency(rise))
                : IntervalText.latency(rise));
  }

  private static String share(Change.Part part) {
    return part.share() instanceof Figure.Known known ? Numbers.percent(known.value()) : "";
  }

  private static boolean isNothing(Change.Part part) {
    return part.reference() instanceof Figure.Known before
        && part.judged() instanceof Figure.Known now
        && before.value() == 0
        && now.value() == 0;
  }

  // Each circumstance that is known of both sides and did not stay as it was.
  private static Block.Table circumstances(Interpretation interpretation) {
    List<Block.Row> rows =
        interpretation.circumstances().stream()
            .filter(Contrast::isChanged)
            .map(
                contrast ->
                    Block.Row.of(
                        Cell.of(contrast.name().words()),
                        Cell.of(contrast.text(contrast.reference())),
                        Cell.of(contrast.text(contrast.judged()))))
            .toList();
    List<Column> columns =
        List.of(Column.name(""), Column.number("reference"), Column.number("judged"));
    return new Block.Table("Load on the engine, and how it responded", false, columns, rows);
  }

  private static Block.Table signals(Interpretation interpretation) {
    List<Block.Row> rows =
        interpretation.signals().stream()
            .map(
                signal ->
                    Block.Row.of(
                        Cell.of(Wording.name(signal.name())),
                        Cell.of(mark(signal.state())),
                        Cell.of(signal.ratio().value(), x -> IntervalText.ratio(signal.ratio()))))
            .toList();
    List<Column> columns =
        List.of(
            Column.name("signal"), Column.words("state"),
            Column.number("P95, judged over reference"));
    return new Block.Table("Signals", false, columns, rows);
  }

  private static Mark mark(Interpretation.State state) {
    Tone tone =
        switch (state) {
          case HIGH -> Tone.BAD;
          case STABLE, LOW -> Tone.GOOD;
          case UNKNOWN -> Tone.MUTED;
        };
    return new Mark(tone, Wording.state(state));
  }

  private static Block.Item item(Interpretation.Direction direction) {
    String runbook = direction.runbook().isEmpty() ? "" : "docs/runbook.md#" + direction.runbook();
    return new Block.Item(
        Mark.NONE,
        "Likely cause: " + direction.text() + ".",
        "",
        List.of(
            new Block.Argument("For it", direction.evidence()),
            new Block.Argument("Against it, or not known", direction.contrary()),
            new Block.Argument("Check next", direction.nextChecks()),
            new Block.Argument("Runbook", List.of(runbook))));
  }
}
