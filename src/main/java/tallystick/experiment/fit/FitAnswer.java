package tallystick.experiment.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.analysis.result.Figure;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.experiment.fit.FittedCost.Standing;
import tallystick.scenario.Formatted;
import tallystick.scenario.PlainText;

/** What a fit came to: a profile with what the runs tell of each cost, or why there is none. */
public sealed interface FitAnswer extends Decision {

  /**
   * Runs that were not fitted.
   *
   * @param predictions by run and phase
   * @param slowness what a run's steps took over what the costs say
   */
  record Checks(Map<String, List<Prediction>> predictions, Map<String, Double> slowness) {
    private List<Prediction> tails() {
      return predictions.values().stream()
          .flatMap(List::stream)
          .filter(Checks::isTail)
          .toList();
    }

    private static boolean isTail(Prediction one) {
      return one.quantity().endsWith("P95");
    }
  }

  /**
   * Runs that cannot be fitted.
   *
   * @param runs what was to be fitted, in words
   * @param why there is no profile
   */
  record NotFitted(String runs, String why) implements FitAnswer {
    /**
     * The same for programs.
     *
     * @param refused why there is no profile
     */
    public record Figures(String refused) {}

    @Override
    public Answer answer(Invocation asked) {
      return Answer.of("fit", runs)
          .verdict(Tone.BAD, "no profile: " + why)
          .next("Fit valid runs of one engine with one set of settings.")
          .figures("", new Figures(why))
          .comesTo(AnswerStatus.NOT_TRUSTED);
    }
  }

  /**
   * A profile: which costs the runs tell, and what it predicts.
   *
   * @param runs what was fitted, in words
   * @param found the costs
   * @param taken settings of engines that nobody told, as they were taken
   * @param checked runs that were not fitted
   * @param profile the file that was written
   */
  record Fitted(
      String runs, FittedProfile found, Map<String, String> taken, Checks checked, Path profile)
      implements FitAnswer {
    private static final List<String> COSTS =
        List.of("for each", "us", "95 % interval", "known?");

    /** The goal of a fit: a profile that is off by more would choose another setting. */
    private static final double CLOSE = 0.1;

    /**
     * The same for programs.
     *
     * @param profile the costs
     * @param checks predictions by run and phase
     * @param slowness what a run's steps took over what the costs say
     * @param notTold settings of engines that nobody told, as they were taken
     */
    public record Figures(
        FittedProfile profile, Map<String, List<Prediction>> checks, Map<String, Double> slowness,
        Map<String, String> notTold) {}

    @Override
    public Answer answer(Invocation asked) {
      FittedProfile.Seen seen = found.seen();
      Answer.Builder answer = Answer.of("fit", runs, Numbers.count(seen.steps()) + " steps");
      verdict(answer);
      answer.trust(
          Tone.PLAIN,
          "intervals from %s time blocks; start times of %s requests known"
              .formatted(Numbers.count(seen.blocks()), Numbers.count(seen.starts())));
      double unread = seen.leftOut() / (double) Math.max(1, seen.leftOut() + seen.steps());
      answer.say(
          Tone.PLAIN, "",
          "step times scatter by %s; left out: %s unreadable, %s stalls"
              .formatted(
                  roughly(found.scatter().whole()), roughly(unread), roughly(seen.stalls())));
      if (!seen.isOneEngine()) {
        answer.say(
            Tone.CAUTION, "",
            "runs differ: steps took %s to %s of the fitted time; fit them apart"
                .formatted(roughly(seen.fastest()), roughly(seen.slowest())));
      }
      if (!taken.isEmpty()) {
        answer.say(
            Tone.CAUTION, "",
            taken.entrySet().stream()
                .map(one -> one.getKey() + " (" + one.getValue() + " assumed)")
                .collect(Collectors.joining(", ", "not recorded: ", "")));
      }
      answer.table(
          COSTS,
          found.costs().stream()
              .filter(cost -> cost.standing() != Standing.NEGLIGIBLE)
              .map(Fitted::row)
              .toList());
      if (!checked.tails().isEmpty()) {
        answer.block(tails()).say(Tone.PLAIN, "CHECK", close());
        checked.slowness().forEach((name, slowness) -> unlike(answer, name, slowness));
      }
      answer.say(Tone.PLAIN, "WROTE", profile.toString());
      next(answer);
      return answer
          .detail(predictions())
          .detail(Section.of("profile", "", file()))
          .figures(
              "",
              new Figures(found, checked.predictions(), checked.slowness(), taken))
          .comesTo(found.notIdentifiable() > 0 ? AnswerStatus.TOO_CLOSE : AnswerStatus.GOOD);
    }

    private void verdict(Answer.Builder answer) {
      int all = found.costs().size();
      List<String> small =
          found.costs().stream()
              .filter(one -> one.standing() == Standing.NEGLIGIBLE)
              .map(one -> one.cost().words())
              .toList();
      long open = found.notIdentifiable();
      String words =
          (all - small.size() - open) + " of " + all + " costs known within 10 %"
              + (small.isEmpty() ? "" : ", " + small.size() + " too small to matter");
      answer.verdict(
          open == 0 ? Tone.GOOD : Tone.CAUTION,
          open == 0 ? words : words + ", " + open + " not identifiable from these runs");
      if (!small.isEmpty()) {
        answer.say(Tone.PLAIN, "", "too small: " + String.join(", ", small));
      }
    }

    private static List<String> row(FittedCost cost) {
      return List.of(
          cost.cost().words(),
          cost.standing() == Standing.NOT_IDENTIFIABLE ? "n/a" : Numbers.number(cost.micros()),
          cost.isBounded()
              ? Numbers.number(cost.low()) + " to " + Numbers.number(cost.high())
              : "n/a",
          switch (cost.standing()) {
            case KNOWN, NEGLIGIBLE -> "yes";
            case NOT_IDENTIFIABLE -> "no: " + cost.needs();
          });
    }

    /** Two stay: one of a first token and one of the next ones. */
    private Block.Table tails() {
      List<Block.Row> rows = new ArrayList<>();
      checked
          .predictions()
          .forEach(
              (run, all) ->
                  all.stream()
                      .filter(Checks::isTail)
                      .map(one -> cells(run, one).stream().map(Cell::of).toList())
                      .forEach(
                          cells -> {
                            int rank = rows.size() < 2 ? 0 : rows.size() + 1;
                            rows.add(new Block.Row(Tone.PLAIN, cells, rank));
                          }));
      List<Column> columns =
          List.of(
              Column.words("phase of a run"), Column.words("latency"), Column.number("measured"),
              Column.number("predicted"), Column.number("90 % interval"), Column.number("off"));
      return new Block.Table("", false, columns, rows, Block.Rest.of("all with --verbose"));
    }

    private static List<String> cells(String run, Prediction one) {
      return List.of(
          run, one.quantity(), Numbers.number(1000 * one.measured()) + " ms",
          Numbers.number(1000 * one.predicted()) + " ms",
          one.isBounded()
              ? Numbers.number(1000 * one.low().orNaN()) + " to "
                  + Numbers.number(1000 * one.high().orNaN())
              : "n/a",
          off(one.off()));
    }

    private static String off(double share) {
      String percent = Formatted.of("%+,.0f %%", 100 * share);
      return Double.isNaN(share) ? "n/a" : percent.replaceAll("^[+-]0 ", "0 ");
    }

    private String close() {
      List<Prediction> tails = checked.tails();
      long close = tails.stream().filter(Fitted::isClose).count();
      long bounded = tails.stream().filter(Prediction::isBounded).count();
      long held = tails.stream().filter(Prediction::isHeld).count();
      return close + " of " + tails.size() + " P95s within 10 %" + atItsSpeed(tails) + "; "
          + (bounded == 0
              ? "no intervals: " + reason(tails)
              : held + " of " + bounded + " are in their intervals");
    }

    private static boolean isClose(Prediction one) {
      return Math.abs(one.off()) <= CLOSE;
    }

    private static String atItsSpeed(List<Prediction> tails) {
      List<Double> off =
          tails.stream().map(Prediction::offAtItsSpeed).filter(one -> !one.isNaN()).toList();
      long close = off.stream().filter(one -> Math.abs(one) <= CLOSE).count();
      String of = off.size() < tails.size() ? " of " + off.size() : "";
      return off.isEmpty() ? "" : " (" + close + of + " at its speed)";
    }

    private static String reason(List<Prediction> all) {
      return all.stream()
          .map(Prediction::low)
          .filter(Figure.Unavailable.class::isInstance)
          .map(low -> ((Figure.Unavailable) low).reason())
          .findFirst()
          .orElse("");
    }

    // Where the engine itself was not as fast, no set of costs can be right.
    private static void unlike(Answer.Builder answer, String name, double slowness) {
      if (!(Math.abs(slowness - 1) <= CLOSE)) {
        answer.say(
            Tone.CAUTION, "", name + ": steps took " + roughly(slowness) + " of the fitted time");
      }
    }

    /** Nobody decides by more digits of how a machine behaved. */
    private static String roughly(double share) {
      return Formatted.of(share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
    }

    /** What to do with a profile; first what it lacks, if something. */
    private void next(Answer.Builder answer) {
      List<String> missing =
          found.costs().stream()
              .filter(cost -> cost.standing() == Standing.NOT_IDENTIFIABLE)
              .map(FittedCost::needs)
              .distinct()
              .toList();
      List<Prediction> tails = checked.tails();
      long off = tails.stream().filter(one -> !isClose(one)).count();
      String bounds =
          off > 0
              ? "; " + off + " of " + tails.size() + " predictions " + (off == 1 ? "is" : "are")
                  + " off, so measure what it finds"
              : missing.isEmpty() ? "" : "; trust them only under loads like these";
      List<String> lines = new ArrayList<>();
      if (!missing.isEmpty()) {
        lines.add(remedy(missing));
      }
      lines.add(
          "./tally capacity scenarios/steady-chat.yaml --rehearse --profile "
              + PlainText.argument(profile));
      lines.add("# its results are simulated" + bounds);
      answer.next(lines);
    }

    /** One more run of an engine whose speed moves tells no more than those before it. */
    private String remedy(List<String> missing) {
      String vary =
          missing.stream()
              .filter(one -> !one.equals(ProfileFitting.SPEEDS_DIFFER))
              .map(one -> one.replace(ProfileFitting.LONGER, ""))
              .distinct()
              .collect(Collectors.joining("; "));
      if (found.seen().isOneEngine()) {
        boolean isLonger =
            missing.stream().anyMatch(one -> one.startsWith(ProfileFitting.LONGER));
        return "Fit these runs with " + (isLonger ? "a longer one: " : "one more: ") + vary + ".";
      }
      return "Fit runs of an engine with a steady speed, for example one with cores of its own"
          + (vary.isEmpty() ? "." : "; " + vary + ".");
    }

    /** Every prediction. */
    private Section predictions() {
      List<Block> lines = new ArrayList<>();
      checked
          .predictions()
          .forEach(
              (run, all) ->
                  all.forEach(
                      one ->
                          lines.add(
                              new Block.Text(
                                  Tone.PLAIN,
                                  String.join("  ", cells(run, one)) + "  at its speed "
                                      + off(one.offAtItsSpeed())))));
      return Section.of("predictions", "", lines);
    }

    /** The profile as its file holds it. */
    private List<Block> file() {
      return found.text().lines().<Block>map(line -> new Block.Text(Tone.PLAIN, line)).toList();
    }
  }
}
