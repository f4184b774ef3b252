package tallystick.report.screen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.report.section.LatencyRow;
import tallystick.report.section.LatencyTable;
import tallystick.scenario.Counted;
import tallystick.scenario.PlainText;

/** The first screen of two runs side by side: what differs between them, and no verdict. */
public final class PairScreen {
  private static final List<String> QUANTITIES = List.of("TTFT", "ITL", "Largest gap", "E2E");
  private static final int MOST_OBJECTIVES = 4;

  private final RunAnalysis first;
  private final RunAnalysis second;
  private final List<Block.Row> differences;

  /** A screen of two runs, and the rows of what was set differently. */
  public PairScreen(RunAnalysis first, RunAnalysis second, List<Block.Row> differences) {
    this.first = first;
    this.second = second;
    this.differences = differences;
  }

  /**
   * The screen.
   *
   * @param runs how the user named them
   * @param room how many differences to show
   */
  public Screen of(List<String> runs, int room) {
    Screen screen = new Screen("compare", "A " + runs.getFirst(), "B " + runs.getLast());
    screen.plain(
        "VERDICT",
        first.run().equals(second.run())
            ? "none: A and B are one and the same run"
            : "none: one run each cannot tell a difference from chance");
    if (trust(first).equals(trust(second))) {
      trust(screen, "TRUST", "both ", first);
    } else {
      trust(screen, "TRUST", "A ", first);
      trust(screen, "", "B ", second);
    }
    where(screen, "WHERE", "A", first);
    where(screen, "", "B", second);
    screen.table(List.of("client", "A", "B"), rows());
    int shown = Math.min(room, differences.size());
    for (int i = 0; i < shown; i++) {
      List<Cell> cells = differences.get(i).cells();
      screen.plain(
          i == 0 ? "DIFFERS" : "",
          cells.get(0).words() + ": " + cells.get(1).words() + " -> " + cells.get(2).words());
    }
    if (shown < differences.size()) {
      String setting = shown == 0 ? "setting" : "more setting";
      screen.plain(
          shown == 0 ? "DIFFERS" : "",
          Counted.of(differences.size() - shown, setting, setting + "s"));
    }
    String changed = "./tally report " + PlainText.argument(runs.getLast())
        + " --baseline " + PlainText.argument(runs.getFirst());
    screen.next(changed + "  # what changed");
    screen.plain("", "./tally compare A1 A2 … -- B1 B2 …  # a verdict from repeats");
    return room == 0
        ? screen
        : screen.plain("", "The same command with --verbose tells every figure.");
  }

  private static void trust(Screen screen, String word, String name, RunAnalysis run) {
    String text = name + trust(run);
    if (isValid(run)) {
      screen.plain(word, text);
    } else {
      screen.bad(word, text);
    }
  }

  private static boolean isValid(RunAnalysis run) {
    return Usability.of(run).isForVerdicts();
  }

  private static String trust(RunAnalysis run) {
    if (!isValid(run)) {
      return "INVALID: " + Wording.invalidity(run).getFirst();
    }
    List<String> said = new ArrayList<>(List.of(Wording.verdict(run.reconciliation().verdict())));
    said.addAll(Wording.cautions(run.run()).stream().limit(1).toList());
    return String.join(". ", said);
  }

  private static void where(Screen screen, String word, String name, RunAnalysis run) {
    run.decompositions().stream()
        .findFirst()
        .ifPresent(ttft -> screen.plain(word, name + " " + RunAnswer.parts(ttft)));
  }

  private List<List<String>> rows() {
    List<LatencyRow> ours = LatencyTable.of(first);
    List<LatencyRow> theirs = LatencyTable.of(second, ours);
    List<List<String>> rows = new ArrayList<>();
    for (String quantity : QUANTITIES) {
      rows.add(
          List.of(
              quantity + " P95",
              ObjectiveTable.cell(ours, quantity, Tone.CLIENT, "P95").full(),
              ObjectiveTable.cell(theirs, quantity, Tone.CLIENT, "P95").full()));
    }
    rows.add(
        List.of(
            "tokens/s", Numbers.number(first.counts().completionTokensPerSecond()),
            Numbers.number(second.counts().completionTokensPerSecond())));
    Map<String, String> judged = shares(second);
    shares(first)
        .forEach(
            (objective, share) -> {
              if (judged.containsKey(objective)) {
                rows.add(List.of(objective, share, judged.get(objective)));
              }
            });
    return rows;
  }

  private static Map<String, String> shares(RunAnalysis run) {
    Map<String, String> shares = new LinkedHashMap<>();
    for (ObjectiveResult result : run.objectives().stream().limit(MOST_OBJECTIVES).toList()) {
      shares.put(
          Wording.objective(result.objective()).replaceAll(" of (requests|gaps)$", ""),
          Numbers.percent(result.share()));
    }
    return shares;
  }
}
