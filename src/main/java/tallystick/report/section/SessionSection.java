package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.SessionAccount;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Fact;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;

/** Conversations as wholes, and their requests by turn. */
public final class SessionSection {
  private static final String TITLE = "Sessions: what users of several turns met";
  private static final List<Column> COLUMNS =
      List.of(
          Column.name("turn"), Column.number("requests"), Column.number("TTFT P50"),
          Column.number("TTFT P95"), Column.number("E2E P50"), Column.number("E2E P95"));
  private static final List<Column> TOOL_COLUMNS =
      List.of(Column.number("turn P50").spare(1), Column.number("turn P95").spare(1));
  private static final List<Column> TOKEN_COLUMNS =
      List.of(Column.number("prompt tokens").spare(2), Column.number("cached"));

  private SessionSection() {}

  /** Nothing where every request stands alone. */
  public static Section of(SessionAccount sessions) {
    List<Block> blocks = new ArrayList<>();
    if (sessions.isThere()) {
      blocks.add(new Block.Groups(List.of(
          Block.Group.of("Sessions", counts(sessions)),
          Block.Group.of("Time of a completed session", times(sessions)))));
      blocks.add(new Block.Table(
          TITLE, false, columns(sessions),
          sessions.turns().stream().map(turn -> row(sessions, turn)).toList()));
    }
    return Section.of("sessions", TITLE, blocks);
  }

  /** Sessions in a line: how they ended, how long they took, how many were good. */
  public static Optional<String> sentence(SessionAccount sessions) {
    if (!sessions.isThere()) {
      return Optional.empty();
    }
    Distribution whole = sessions.seconds();
    String typical =
        whole.percentile(0.5) instanceof Figure.Known median
            ? "; half took at most " + Numbers.latency(median) + without(sessions)
            : "";
    String perHour =
        sessions.goodPerHour() instanceof Figure.Known good
            ? "; " + Numbers.number(good) + " good/hour"
            : "; " + Numbers.number(sessions.completedPerHour()) + "/hour";
    return Optional.of(
        Numbers.count(sessions.completed()) + " of " + Numbers.count(sessions.begun())
            + " completed" + typical + perHour);
  }

  private static List<Column> columns(SessionAccount sessions) {
    List<Column> columns = new ArrayList<>(COLUMNS);
    columns.addAll(sessions.toolCalls() > 0 ? TOOL_COLUMNS : List.of());
    columns.addAll(TOKEN_COLUMNS);
    return columns;
  }

  private static String without(SessionAccount sessions) {
    return sessions.toolCalls() > 0
        ? ", without tools " + Numbers.latency(sessions.withoutToolSeconds().percentile(0.5))
        : ", without pauses " + Numbers.latency(sessions.requestSeconds().percentile(0.5));
  }

  private static List<Fact> counts(SessionAccount sessions) {
    return List.of(
        new Fact("begun", Numbers.count(sessions.begun())),
        new Fact("completed", Numbers.count(sessions.completed())),
        new Fact("ended by a failed request", Numbers.count(sessions.failed())),
        new Fact("left by the client", Numbers.count(sessions.left())),
        new Fact("cut by the end of the run", Numbers.count(sessions.cut())),
        new Fact("their requests", Numbers.count(sessions.requests())),
        new Fact("planned in them, never sent or ended", Numbers.count(sessions.unsent())),
        new Fact("completed per hour", Numbers.number(sessions.completedPerHour())),
        new Fact("good per hour, every request", Numbers.number(sessions.goodPerHour())));
  }

  private static List<Fact> times(SessionAccount sessions) {
    List<Fact> facts = new ArrayList<>(times("first start to last end", sessions.seconds()));
    if (sessions.toolCalls() > 0) {
      facts.addFirst(new Fact("tool results", Numbers.count(sessions.toolCalls())));
      facts.addAll(times("without tools", sessions.withoutToolSeconds()));
    }
    facts.addAll(times("without pauses", sessions.requestSeconds()));
    return facts;
  }

  private static List<Fact> times(String what, Distribution times) {
    return List.of(
        new Fact(what + ", P50", Numbers.latency(times.percentile(0.5))),
        new Fact(what + ", P95", Numbers.latency(times.percentile(0.95))));
  }

  private static Block.Row row(SessionAccount sessions, SessionAccount.Turn turn) {
    String name =
        turn.last() == 0
            ? turn.first() + " and later"
            : turn.first() == turn.last()
                ? String.valueOf(turn.first())
                : turn.first() + " to " + turn.last();
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(name));
    cells.add(Cell.of(Numbers.count(turn.requests())));
    addTimes(cells, turn.ttft());
    addTimes(cells, turn.e2e());
    if (sessions.toolCalls() > 0) {
      addTimes(cells, turn.seconds());
    }
    cells.add(Cell.number(turn.promptTokens()));
    cells.add(Cell.percent(turn.cachedShare()));
    return new Block.Row(Tone.PLAIN, cells);
  }

  private static void addTimes(List<Cell> cells, Distribution times) {
    cells.add(Cell.latency(times.percentile(0.5)));
    cells.add(Cell.latency(times.percentile(0.95)));
  }
}
