package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Reconciliation;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Wording;

/** The ledger: what both sides counted, row by row. */
public final class LedgerSection {
  private LedgerSection() {}

  public static Section of(Reconciliation ledger) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Text(Tone.MUTED, Wording.verdictSentence(ledger.verdict())));
    if (!ledger.rows().isEmpty()) {
      List<Column> columns =
          List.of(
              Column.name(""), Column.words("counted"), Column.number("client"),
              Column.number("engine"), Column.number("engine - client"),
              Column.number("allowed"), Column.words("status"));
      List<Block.Row> rows = ledger.rows().stream().map(LedgerSection::row).toList();
      blocks.add(new Block.Table("Ledger", false, columns, rows));
    }
    return new Section("ledger", "Ledger", mark(ledger.verdict()), blocks);
  }

  /** The verdict. */
  public static Mark mark(Reconciliation.Verdict verdict) {
    Tone tone =
        switch (verdict) {
          case RECONCILED -> Tone.GOOD;
          case RECONCILED_WITH_TOLERANCE, RECONCILED_IN_PART, NOT_CHECKED -> Tone.CAUTION;
          case NOT_RECONCILED -> Tone.BAD;
        };
    return new Mark(tone, Wording.verdict(verdict));
  }

  private static Block.Row row(Reconciliation.Row row) {
    return Block.Row.of(
        Cell.of(row.id().code()),
        Cell.of(row.quantity()).from(row.source()),
        Cell.count(row.client()),
        Cell.count(row.engine()),
        Cell.count(row.difference()),
        Cell.of(Wording.allowed(row)),
        status(row.status()));
  }

  /** How one row came out. */
  public static Cell status(Reconciliation.Status status) {
    Tone tone =
        switch (status) {
          case EXACT -> Tone.GOOD;
          case WITHIN_TOLERANCE -> Tone.CAUTION;
          case DIFFERS -> Tone.BAD;
          case NOT_CHECKED -> Tone.MUTED;
        };
    return Cell.of(new Mark(tone, Wording.status(status)));
  }
}
