package tallystick.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tallystick.analysis.result.ReplicaAccount;

/** The engines of a run beside each other, in the cells of a table. */
final class ReplicaText {
  static final String TITLE = "Replicas: counters and gauges of each engine";
  static final List<String> HEADS =
      List.of(
          "", "output tokens", "of all", "its share", "finished", "TTFT mean", "running",
          "waiting", "KV max", "preempted");

  /** Places of the columns that fit into a terminal. */
  private static final int[] NARROW = {0, 1, 2, 3, 4, 5, 7, 8};

  private ReplicaText() {}

  static boolean isShown(ReplicaAccount account) {
    return !account.replicas().isEmpty();
  }

  static List<String> cells(ReplicaAccount.Replica replica) {
    return List.of(
        replica.name(),
        Numbers.count(replica.outputTokens()),
        Numbers.percent(replica.tokenShare()),
        Numbers.percent(replica.expectedShare()),
        Numbers.count(replica.finished()),
        Numbers.latency(replica.meanTtftSeconds()),
        Numbers.number(replica.meanRunning()),
        Numbers.number(replica.meanWaiting()),
        Numbers.percent(replica.highestKvUsage()),
        Numbers.count(replica.preemptions()));
  }

  /** How far from even the load was. */
  static String sentence(ReplicaAccount account) {
    return "The busiest engine made "
        + Numbers.number(account.busiestOverShare())
        + " times its share of the output tokens; 1 is even.";
  }

  private static List<String> narrow(List<String> cells) {
    return Arrays.stream(NARROW).mapToObj(cells::get).toList();
  }

  static List<String> console(ReplicaAccount account) {
    List<String> lines = new ArrayList<>();
    if (isShown(account)) {
      TextTable table = new TextTable(1);
      table.row(narrow(HEADS));
      account.replicas().forEach(replica -> table.row(narrow(cells(replica))));
      lines.addAll(table.lines());
      lines.addAll(Lines.wrap("  ", sentence(account), ConsoleSummary.WIDTH));
    }
    return lines;
  }
}
