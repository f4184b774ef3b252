package tallystick.report;

import java.util.List;
import java.util.stream.Stream;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Reconciliation;

/** How the ledger's lines read. */
final class LedgerText {
  private LedgerText() {}

  /** A count, or {@code n/a} whose reason stands below the table. */
  static String count(Figure figure) {
    return switch (figure) {
      case Figure.Known known -> Numbers.count(known.value());
      case Figure.Unavailable missing -> "n/a";
    };
  }

  /** Why counts are missing, one line for each reason. */
  static List<String> reasons(Reconciliation reconciliation) {
    return reconciliation.rows().stream()
        .flatMap(row ->
            Stream.of(reason(row.id().code(), row.client()), reason(row.id().code(), row.engine())))
        .filter(text -> !text.isEmpty())
        .distinct()
        .toList();
  }

  private static String reason(String id, Figure figure) {
    return switch (figure) {
      case Figure.Known known -> "";
      case Figure.Unavailable missing -> id + ": " + Numbers.notAvailable(missing);
    };
  }
}
