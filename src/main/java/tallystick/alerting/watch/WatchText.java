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
import tallystick.scenario.Counted;
import tallystick.scenario.LengthOfTime;

/** The words that an answer about a Prometheus' history is made of; times are UTC. */
final class WatchText {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("MMM d", Locale.ENGLISH);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MMM d HH:mm", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  /** So many are told of one kind; the account below has all. */
  static final int MOST_TIMES = 3;

  /** Sentences beside the table give way before its rows, which are seldom as many. */
  static final int MOST_SPARED = 100;

  private WatchText() {}

  static String day(String iso) {
    return DAY.format(LocalDate.parse(iso));
  }

  static String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis));
  }

  /** When something began, and how long it took. */
  static String stretch(long fromMillis, double seconds) {
    return time(fromMillis) + " for " + LengthOfTime.words(seconds);
  }

  /** How often, and for how long in all. */
  static String times(long count, double seconds) {
    return Counted.of(count, "time", "times") + " (" + LengthOfTime.words(seconds) + ")";
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
    int rest = times.size() - MOST_TIMES;
    return times.stream()
        .limit(MOST_TIMES)
        .map(time -> stretch(time.fromMillis(), time.seconds()))
        .collect(
            Collectors.joining(
                ", ", one.alert() + ": ", rest > 0 ? " and " + rest + " more" : ""));
  }
}
