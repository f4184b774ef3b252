package tallystick.report.screen;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.analysis.result.Figure;
import tallystick.answer.words.Numbers;
import tallystick.experiment.fit.FittedCost;
import tallystick.experiment.fit.FittedCost.Standing;
import tallystick.experiment.fit.FittedProfile;
import tallystick.experiment.fit.Prediction;
import tallystick.experiment.fit.ProfileFitting;
import tallystick.scenario.PlainText;

/** The first screen of a fit: which costs the runs tell, and what the profile predicts. */
public final class FitScreen {
  private static final List<String> COSTS = List.of("for each", "us", "95 % interval", "known?");
  private static final List<String> CHECKS =
      List.of("phase of a run", "latency", "measured", "predicted", "90 % interval", "off");

  private static final double CLOSE = 0.1;

  /**
   * Runs that were not fitted.
   *
   * @param predictions by run and phase
   * @param slowness what a run's steps took over what the costs say
   */
  public record Checks(
      Map<String, List<Prediction>> predictions, Map<String, Double> slowness) {}

  private FitScreen() {}

  /**
   * The screen, without what comes next.
   *
   * @param runs what was fitted, in words
   * @param found the costs
   * @param taken settings of engines that nobody told, as they were taken
   * @param checked runs that were not fitted
   * @param room how many predictions to show
   */
  public static Screen of(
      String runs, FittedProfile found, Map<String, String> taken, Checks checked, int room) {
    FittedProfile.Seen seen = found.seen();
    Screen screen = new Screen("fit", runs, Numbers.count(seen.steps()) + " steps");
    verdict(screen, found);
    screen.plain(
        "TRUST",
        "intervals from %s blocks of time; the begin of %s requests was read"
            .formatted(Numbers.count(seen.blocks()), Numbers.count(seen.starts())));
    double unread = seen.leftOut() / (double) Math.max(1, seen.leftOut() + seen.steps());
    screen.plain(
        "",
        "steps scatter by %s; %s unreadable, %s stalls: left out"
            .formatted(
                roughly(found.scatter().whole()), roughly(unread), roughly(seen.stalls())));
    if (!seen.isOneEngine()) {
      screen.caution(
          "",
          "runs differ: steps took %s to %s of what these costs say; fit them apart"
              .formatted(roughly(seen.fastest()), roughly(seen.slowest())));
    }
    if (!taken.isEmpty()) {
      screen.caution(
          "",
          taken.entrySet().stream()
              .map(one -> one.getKey() + " (" + one.getValue() + " taken)")
              .collect(Collectors.joining(", ", "not told: ", "")));
    }
    screen.table(
        COSTS,
        found.costs().stream()
            .filter(cost -> cost.standing() != Standing.NEGLIGIBLE)
            .map(FitScreen::row)
            .toList());
    List<List<String>> rows = new ArrayList<>();
    checked.predictions().forEach(
        (name, all) ->
            all.stream().filter(FitScreen::isTail).forEach(one -> rows.add(row(name, one))));
    int shown = Math.min(Math.max(2, room), rows.size());
    if (shown > 0) {
      screen.table(CHECKS, rows.subList(0, shown));
      String rest = shown < rows.size() ? "; all with --verbose" : "";
      screen.plain("CHECK", close(checked.predictions()) + rest);
      checked.slowness().forEach((name, slowness) -> unlike(screen, name, slowness));
    }
    return screen;
  }

  /** The screen of runs that cannot be fitted. */
  public static Screen refused(String runs, String why) {
    return new Screen("fit", runs)
        .bad("VERDICT", "no profile: " + why)
        .next("Fit runs of one engine with one set of settings, each valid.");
  }

  /** The whole account of predictions. */
  public static String predictions(Map<String, List<Prediction>> checks) {
    StringBuilder text = new StringBuilder();
    checks.forEach(
        (run, all) ->
            all.forEach(
                one ->
                    text.append(String.join("  ", row(run, one)))
                        .append("  at its speed ")
                        .append(off(one.offAtItsSpeed()))
                        .append('\n')));
    return text.toString();
  }

  // Where the engine itself was not as fast, no set of costs can be right.
  private static void unlike(Screen screen, String name, double slowness) {
    if (!(Math.abs(slowness - 1) <= CLOSE)) {
      screen.caution("", name + ": steps took " + roughly(slowness) + " of the fitted");
    }
  }

  /** Nobody decides by more digits of how a machine behaved. */
  private static String roughly(double share) {
    return String.format(Locale.ROOT, share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
  }

  private static boolean isTail(Prediction one) {
    return one.quantity().endsWith("P95");
  }

  private static boolean isClose(Prediction one) {
    return Math.abs(one.off()) <= CLOSE;
  }

  private static List<Prediction> tails(Map<String, List<Prediction>> checks) {
    return checks.values().stream().flatMap(List::stream).filter(FitScreen::isTail).toList();
  }

  private static String close(Map<String, List<Prediction>> checks) {
    List<Prediction> tails = tails(checks);
    long close = tails.stream().filter(FitScreen::isClose).count();
    long bounded = tails.stream().filter(Prediction::isBounded).count();
    long held = tails.stream().filter(Prediction::isHeld).count();
    return close + " of " + tails.size() + " P95s within 10 %" + atItsSpeed(tails) + "; "
        + (bounded == 0
            ? "no intervals: " + reason(tails)
            : held + " of " + bounded + " lie in their intervals");
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

  private static void verdict(Screen screen, FittedProfile found) {
    int all = found.costs().size();
    List<String> small =
        found.costs().stream()
            .filter(one -> one.standing() == Standing.NEGLIGIBLE)
            .map(one -> one.cost().words())
            .toList();
    long known = all - small.size() - found.notIdentifiable();
    long open = found.notIdentifiable();
    String words = known + " of " + all + " costs known within 10 %"
        + (small.isEmpty() ? "" : ", " + small.size() + " too small to matter");
    if (open == 0) {
      screen.good("VERDICT", words);
    } else {
      screen.caution("VERDICT", words + ", " + open + " not identifiable from these runs");
    }
    if (!small.isEmpty()) {
      screen.plain("", "too small: " + String.join(", ", small));
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

  private static List<String> row(String run, Prediction one) {
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
    String percent = String.format(Locale.ROOT, "%+,.0f %%", 100 * share);
    return Double.isNaN(share) ? "n/a" : percent.replaceAll("^[+-]0 ", "0 ");
  }

  /** One more run of an engine whose speed moves tells no more than those before it. */
  private static String remedy(FittedProfile found, List<String> missing) {
    String vary =
        missing.stream()
            .filter(one -> !one.equals(ProfileFitting.SPEEDS_DIFFER))
            .map(one -> one.replace(ProfileFitting.LONGER, ""))
            .distinct()
            .collect(Collectors.joining("; "));
    if (found.seen().isOneEngine()) {
      boolean isLonger = missing.stream().anyMatch(one -> one.startsWith(ProfileFitting.LONGER));
      return "Fit these runs with " + (isLonger ? "a longer one: " : "one more: ") + vary + ".";
    }
    return "Fit runs of one speed, as of an engine that shares its cores with nobody"
        + (vary.isEmpty() ? "." : "; " + vary + ".");
  }

  /** What to do with a profile; first what it lacks, if something. */
  public static Screen next(
      Screen screen, FittedProfile found, Checks checked, Path profile) {
    List<String> missing =
        found.costs().stream()
            .filter(cost -> cost.standing() == Standing.NOT_IDENTIFIABLE)
            .map(FittedCost::needs)
            .distinct()
            .toList();
    if (!missing.isEmpty()) {
      screen.plain("NEXT", remedy(found, missing));
    }
    List<Prediction> tails = tails(checked.predictions());
    long off = tails.stream().filter(one -> !isClose(one)).count();
    String bounds =
        off > 0
            ? "; " + off + " of " + tails.size() + " predictions " + (off == 1 ? "is" : "are")
                + " off, so measure what it finds"
            : missing.isEmpty() ? "" : "; trust it under loads like these alone";
    String file = PlainText.argument(profile);
    screen.plain(
        missing.isEmpty() ? "NEXT" : "",
        "./tally capacity scenarios/steady-chat.yaml --rehearse --profile " + file);
    return screen.plain("", "# what it says is simulated" + bounds);
  }
}
