package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The windows whose users met no load but that of their own step. A step behind a heavier one first
 * works off what that one left waiting: its rate does not tell why its users wait.
 */
record CarryOverFilter(List<WindowRow> all) {
  /** Fewer requests waiting than this, on the mean, are no queue. */
  private static final double NOBODY = 1;

  /** Those windows, run by run in the order of time. */
  List<WindowRow> rows() {
    Map<String, List<WindowRow>> runs =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    row -> row.place().run(), LinkedHashMap::new, Collectors.toList()));
    List<WindowRow> own = new ArrayList<>();
    runs.values().forEach(run -> addOwn(run, own));
    return own;
  }

  private static void addOwn(List<WindowRow> run, List<WindowRow> own) {
    List<WindowRow> ordered =
        run.stream()
            .sorted(Comparator.comparingDouble((WindowRow row) -> row.place().endSeconds()))
            .toList();
    WindowRow last = null;
    boolean isBehind = false;
    for (WindowRow row : ordered) {
      if (last != null && !last.place().step().equals(row.place().step())) {
        boolean isLighter = row.place().load() < last.place().load();
        isBehind |= isLighter && waits(last);
      }
      isBehind = isBehind && waits(row);
      if (!isBehind) {
        own.add(row);
      }
      last = row;
    }
  }

  private static boolean waits(WindowRow row) {
    return row.signal(Signal.WAITING_MEAN) >= NOBODY;
  }
}
