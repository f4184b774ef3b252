package tallystick.alerting.writing;

import java.util.Locale;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.promql.Durations;

/** A derivation's outcomes as text for a terminal. */
public final class OutcomeText {
  private OutcomeText() {}

  /** What holds, what was refused and why, and what it is valid for. */
  public static String of(DerivedAlerts derived) {
    StringBuilder text = new StringBuilder();
    text.append("Edge: ").append(derived.edge().sentence()).append("\n");
    text.append("Windows of ")
        .append(Durations.text(derived.validity().windowMillis()))
        .append(", ")
        .append(RuleWords.counted(derived.validity().mixes(), "mix", "mixes"))
        .append(", ")
        .append(RuleWords.counted(derived.validity().runs().size(), "run", "runs"))
        .append("\n");
    for (SignalOutcome outcome : derived.outcomes()) {
      text.append(
          switch (outcome) {
            case Derived found -> derived(found, derived);
            case Refused refused ->
                line(refused.signal().word(), refused.code().word(), refused.missing());
          });
    }
    return text.append("Valid for: ").append(derived.validity().text()).append("\n").toString();
  }

  private static String derived(Derived found, DerivedAlerts derived) {
    String detail =
        String.format(
            Locale.ROOT,
            "%s, for %s, area %.3f, runs left out: precision %.2f recall %.2f",
            found.urgency().severity(),
            Durations.text(derived.holdMillis().getOrDefault(found.signal(), 0L)),
            found.evidence().area(),
            found.evidence().byRun().confusion().precision(),
            found.evidence().byRun().confusion().recall());
    return line(
        found.signal().word(), String.format(Locale.ROOT, "> %.4g", found.threshold()), detail);
  }

  private static String line(String signal, String verdict, String detail) {
    return String.format(Locale.ROOT, "  %-26s %-22s %s%n", signal, verdict, detail);
  }
}
