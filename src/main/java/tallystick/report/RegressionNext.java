package tallystick.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.experiment.regress.RegressReport;
import tallystick.experiment.regress.Regression;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.experiment.regress.SettingsOfSides;
import tallystick.scenario.PlainText;

/** What to do after a comparison. */
final class RegressionNext {
  private static final Pattern TOO_FEW = Pattern.compile("n=\\d+, need (\\d+)");

  private final RegressReport report;
  private final Regression regression;

  RegressionNext(RegressReport report) {
    this.report = report;
    this.regression = report.regression();
  }

  /** What ends a refusal, by what the runs do not share. */
  private enum Remedy {
    CLIENT(
        Set.of("saturated"),
        "Give the client cores of its own, with taskset, or a lower rate."),
    RUNS(
        Set.of("incomplete", "unreconciled", "invalid", "nothing done"),
        "./tally report RUN  # of such a run, says what spoiled it; then play it again"),
    ONE_RUN(Set.of("same run"), "Name each run once: a run twice is no repeat."),
    LOAD(
        Set.of(
            "mix", "offered rate", "arrivals", "phases", "requests", "loop", "endpoint"),
        "./tally regress SCENARIO --base URL --candidate URL  # both sides with one scenario"),
    ANSWERS(
        Set.of("answers"),
        "Ask for answers of one length, where the server can: --set request.ignore_eos=true."),
    PLACE(
        Set.of("machine", "engine kind"),
        "Play both sides from one machine and on one kind of engine."),
    SETTINGS(
        Set.of(SettingsOfSides.KEY),
        "Ask for values that the engine takes: runs/…/engine.log may say why it took others.");

    private final Set<String> keys;
    private final String words;

    Remedy(Set<String> keys, String words) {
      this.keys = keys;
      this.words = words;
    }
  }

  /** One metric that is surely worse decides the whole; to pass, every one must be known. */
  private List<String> moreRepeats() {
    List<Judged> open =
        regression.metrics().stream()
            .filter(one -> one.verdict() == Verdict.NOT_PROVEN && one.gates())
            .toList();
    if (open.isEmpty() && !regression.metrics().isEmpty()) {
      return List.of(
          "More repeats decide (--repeats), or wider margins where those are enough (--margin"
              + " tpot_mean=10%).");
    }
    if (open.stream().anyMatch(Judged::carriesMore)) {
      return List.of("Compare under a load of which the base fails nothing: a lower rate.");
    }
    int all = open.stream().mapToInt(Judged::needed).max().orElse(0);
    Optional<Judged> worse =
        open.stream()
            .filter(one -> one.effect().low() > one.margin() && one.needed() > 0)
            .min(Comparator.comparingInt(Judged::needed));
    if (worse.isPresent()) {
      return List.of(
          "It looks worse in " + worse.get().metric().words() + " (chance "
              + RegressionWords.plain(worse.get().chance()) + ", asked "
              + RegressionWords.plain(RegressionJudge.LEVEL) + "): "
              + repeated(worse.get().needed()) + ".");
    }
    Optional<String> longer =
        open.stream()
            .map(one -> TOO_FEW.matcher(one.remark()))
            .filter(Matcher::lookingAt)
            .map(few -> "Each run needs " + few.group(1) + " requests: a longer duration.")
            .findFirst();
    if (longer.isPresent() || all == 0) {
      return longer.stream().toList();
    }
    return List.of(
        all >= RegressionJudge.MOST_WORTH
            ? "More repeats will hardly tell: the change lies at the margin, or noise hides it."
            : "About " + all + " repeats decide: " + repeated(all) + ".");
  }

  /** Recorded runs are judged by a command that plays none. */
  private String repeated(int repeats) {
    return report.command().equals("compare")
        ? "play " + repeats + " runs of each side, and compare those"
        : "begin anew with --repeats " + repeats;
  }

  /** What to do. */
  List<String> next() {
    if (regression.isBaseAlone()) {
      return regression.verdict() == Verdict.INVALID
          ? List.of("No baseline was kept: what spoiled it stands above. Run the command again.")
          : List.of(
              "./tally regress SCENARIO --candidate URL --baseline FILE  # judges by it");
    }
    List<String> all = new ArrayList<>();
    all.addAll(new PileUpWords(report).next(this::repeated));
    for (Remedy remedy : Remedy.values()) {
      if (regression.unlike().stream().anyMatch(one -> remedy.keys.contains(one.key()))) {
        all.add(remedy.words);
      }
    }
    if (regression.verdict() == Verdict.NOT_PROVEN) {
      all.addAll(moreRepeats());
    }
    boolean isOnDisk = !report.folder().toString().isEmpty();
    if (all.isEmpty() && regression.verdict() == Verdict.REGRESSED && isOnDisk) {
      all.add(
          "./tally open " + PlainText.argument(report.folder()) + "  # its page: run by run");
    }
    return all;
  }
}
