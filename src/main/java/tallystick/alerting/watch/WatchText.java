package tallystick.alerting.watch;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tallystick.analysis.result.Strength;
import tallystick.answer.words.Numbers;
import tallystick.scenario.LengthOfTime;

/** The words that an answer about a Prometheus' history is made of; times are UTC. */
final class WatchText {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("MMM d", Locale.ENGLISH);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MMM d HH:mm", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final int MOST_TIMES = 3; // the account below has all

  /** Sentences beside the table give way before its rows, which are seldom as many. */
  static final int MOST_SPARED = 100;

  private WatchText() {}

  static String day(String iso) {
    return DAY.format(LocalDate.parse(iso));
  }

  static String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis));
  }

  static String sure(Strength strength) {
    return " (" + strength.words() + ")";
  }

  /** What differs between two stretches of time by more than days do; empty for nothing. */
  static String changes(Traffic.Day before, Traffic.Day now) {
    List<String> changes = new ArrayList<>();
    add(changes, "prompts", " tokens", before.promptTokens(), now.promptTokens());
    add(changes, "answers", " tokens", before.outputTokens(), now.outputTokens());
    add(changes, "peak", " req/s", before.peakPerSecond(), now.peakPerSecond());
    return String.join(", ", changes);
  }

  private static void add(
      List<String> changes, String what, String unit, double before, double now) {
    if (Traffic.isOther(before, now)) {
      changes.add(what + " " + Numbers.number(before) + " -> " + Numbers.number(now) + unit);
    }
  }

  /** When an alert fired falsely. */
  static String falseAlarms(WatchedFirings one) {
    List<WatchedFirings.Time> times = one.of(WatchedFirings.Kind.FALSE);
    String all =
        times.stream()
            .limit(MOST_TIMES)
            .map(time -> time(time.fromMillis()) + " for " + LengthOfTime.words(time.seconds()))
            .collect(Collectors.joining(", "));
    return one.alert() + ": " + all
        + (times.size() > MOST_TIMES ? " and " + (times.size() - MOST_TIMES) + " more" : "");
  }
}
