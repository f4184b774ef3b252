package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.ReplicaAccount;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.scenario.Formatted;

/** The engines of a run beside each other. */
public final class ReplicaSection {
  private static final String TITLE = "Replicas: counters and gauges of each engine";
  private static final List<Column> COLUMNS =
      List.of(
          Column.name(""), Column.number("output tokens"), Column.number("of all"),
          Column.number("its share"), Column.number("finished"), Column.number("TTFT mean"),
          Column.number("running").spare(1), Column.number("waiting"), Column.number("KV max"),
          Column.number("preempted").spare(2));

  private static final List<Column> MOVE_COLUMNS =
      List.of(
          Column.name(""), Column.words("target"), Column.words(""),
          Column.words("what of its work is seen"));

  private ReplicaSection() {}

  /** Nothing where there is one engine that stays. */
  public static Section of(ReplicaAccount account) {
    List<Block.Row> rows = account.replicas().stream().map(ReplicaSection::row).toList();
    List<Block> blocks = new ArrayList<>();
    if (!rows.isEmpty()) {
      blocks.add(new Block.Table(TITLE, false, COLUMNS, rows));
      blocks.add(new Block.Text(Tone.PLAIN, sentence(account)));
    }
    if (!account.moves().isEmpty()) {
      List<Block.Row> moves = account.moves().stream().map(ReplicaSection::move).toList();
      blocks.add(new Block.Table("Targets that came and went", false, MOVE_COLUMNS, moves));
    }
    return Section.of("replicas", TITLE, blocks);
  }

  private static Block.Row move(ReplicaAccount.Move move) {
    return Block.Row.of(
        Cell.of(Formatted.of("%.1f s", move.atSeconds())),
        Cell.of(move.target()),
        Cell.of(move.isJoining() ? "joined" : "left"),
        Cell.of(move.seen()));
  }

  private static Block.Row row(ReplicaAccount.Replica replica) {
    return Block.Row.of(
        Cell.of(replica.name()),
        Cell.count(replica.outputTokens()),
        Cell.percent(replica.tokenShare()),
        Cell.percent(replica.expectedShare()),
        Cell.count(replica.finished()),
        Cell.latency(replica.meanTtftSeconds()),
        Cell.number(replica.meanRunning()),
        Cell.number(replica.meanWaiting()),
        Cell.percent(replica.highestKvUsage()),
        Cell.count(replica.preemptions()));
  }

  /** How far from even the load was. */
  private static String sentence(ReplicaAccount account) {
    return "The busiest engine made "
        + Numbers.number(account.busiestOverShare())
        + " times its fair share of the output tokens.";
  }
}
