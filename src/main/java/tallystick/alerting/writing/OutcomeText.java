package tallystick.alerting.writing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Need;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.promql.Durations;
import tallystick.scenario.Counted;
import tallystick.scenario.Objective;

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
        .append(Counted.of(derived.validity().mixes(), "mix", "mixes"))
        .append(", ")
        .append(Counted.of(derived.validity().runs().size(), "run", "runs"))
        .append("\n");
    Map<Need, Map<String, List<String>>> refused = new LinkedHashMap<>();
    for (SignalOutcome outcome : derived.outcomes()) {
      switch (outcome) {
        case Derived found -> text.append(derived(found, derived));
        case Refused none ->
            refused
                .computeIfAbsent(none.lacks().getFirst().need(), any -> new LinkedHashMap<>())
                .computeIfAbsent(none.missing(), any -> new ArrayList<>())
                .add(none.signal().word());
      }
    }
    refused.forEach((need, sentences) -> text.append(refused(need, sentences)));
    return text.append("Valid for: ").append(derived.validity().text()).append("\n").toString();
  }

  /** An objective, for example {@code ttft <= 1 s for 0.99}. */
  public static String of(Objective objective) {
    return "%s <= %s s for %s"
        .formatted(
            objective.metric().name().toLowerCase(Locale.ROOT),
            RuleWords.number(objective.thresholdSeconds()),
            RuleWords.number(objective.share()));
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
    return String.format(
        Locale.ROOT, "  %-26s %-22s %s%n", found.signal().word(),
        String.format(Locale.ROOT, "> %.4g", found.threshold()), detail);
  }

  /** One reason, what to do about it, and the signals that it holds for. */
  private static String refused(Need need, Map<String, List<String>> sentences) {
    StringBuilder text = new StringBuilder();
    text.append("  refused, ").append(need.code().full()).append("\n");
    sentences.forEach(
        (sentence, signals) ->
            text.append("    ")
                .append(words(signals))
                .append(": ")
                .append(sentence)
                .append("\n"));
    return text.append("    next: ").append(need.next()).append("\n").toString();
  }

  private static String words(List<String> signals) {
    return signals.size() == Signal.values().length
        ? "every signal"
        : String.join(", ", signals);
  }
}
