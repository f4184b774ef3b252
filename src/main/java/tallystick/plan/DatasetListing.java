package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Counted;
import tallystick.scenario.Dataset;
import tallystick.scenario.Formatted;
import tallystick.scenario.PlainText;
import tallystick.scenario.RequestContent.FromDataset;
import tallystick.scenario.RequestContent.Outputs;
import tallystick.scenario.Scenario;
import tallystick.scenario.Workload.Conversation;
import tallystick.scenario.Workload.RequestClass;

/** How the first rows of a scenario's data sets were understood, as lines for a terminal. */
public final class DatasetListing {
  private static final int ROWS = 3;
  private static final int TEXT_WIDTH = 40;
  private static final String ROW = "%14s  %-" + (TEXT_WIDTH + 2) + "s %8s %6s  %s";

  private DatasetListing() {}

  /** A block for each data set of a scenario; nothing where it has none. */
  public static List<String> of(Scenario scenario) {
    List<String> lines = new ArrayList<>();
    for (RequestClass one : scenario.workload().classes()) {
      if (one.content() instanceof FromDataset from) {
        lines.addAll(block(from));
        if (one.conversation().equals(Conversation.SINGLE)
            && from.dataset().entries().stream().anyMatch(entry -> entry.turns().size() > 1)) {
          lines.add("Only first turns are sent; conversation: {turns: 8} sends up to 8 of each.");
        }
        lines.add("");
      }
    }
    return List.copyOf(lines);
  }

  private static List<String> block(FromDataset from) {
    Dataset dataset = from.dataset();
    int left = dataset.leftOut().values().stream().mapToInt(Integer::intValue).sum();
    List<String> lines = new ArrayList<>();
    lines.add(
        PlanListing.line(
            "data set %s (%s): %s%s", PlainText.name(dataset.file()), dataset.format(),
            Counted.of(dataset.entries().size(), "entry", "entries"),
            left == 0 ? "" : ", " + Counted.of(left, "row", "rows") + " left out"));
    boolean isNamed = dataset.hasSessions();
    lines.add(PlanListing.line(ROW, "time", "prompt", "output", "turns", isNamed ? "session" : ""));
    dataset.entries().stream().limit(ROWS).forEach(entry -> lines.add(line(entry, from)));
    return lines;
  }

  private static String line(Dataset.Entry entry, FromDataset from) {
    Dataset.Turn turn = entry.turns().getFirst();
    boolean isWritten = from.outputs() instanceof Outputs.AsWritten;
    return PlanListing.line(
        ROW,
        entry.atNanos() == Dataset.NO_TIME ? "none" : Formatted.of("%.3f s", entry.atNanos() / 1e9),
        prompt(turn), isWritten ? turn.outputTokens() : "drawn", entry.turns().size(),
        PlainText.name(entry.session()));
  }

  private static String prompt(Dataset.Turn turn) {
    return switch (turn) {
      case Dataset.Tokens tokens ->
          Counted.of(tokens.promptTokens(), "token", "tokens")
              + (tokens.blocks().isEmpty()
                  ? ""
                  : ", " + Counted.of(tokens.blocks().size(), "shared block", "shared blocks"));
      case Dataset.Text text -> {
        String line = PlainText.oneLine(text.messages().getLast().content());
        boolean isShort = line.length() <= TEXT_WIDTH;
        yield '"' + (isShort ? line : line.substring(0, TEXT_WIDTH - 1) + "…") + '"';
      }
    };
  }
}
