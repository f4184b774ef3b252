package tallystick.scenario;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the times of a data set's rows, all of one unit. */
final class RowTime {
  private static final Pattern TIME =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d)[ T](\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d{1,9}))?"
              + " ?(Z|UTC|[+-]\\d\\d(?::?\\d\\d)?)?");

  /** Digits parted as those of a date or of a clock. */
  private static final Pattern DATE = Pattern.compile("\\d[/:.-]\\d");

  private static final Map<String, Double> NANOS =
      Map.of("s", 1e9, "ms", 1e6, "us", 1e3, "ns", 1.0);
  private static final List<String> COUNTED = List.of("s", "ms", "us", "ns");

  /** 2015 to 2050: wider, the clock of a machine that is up for weeks would be taken for one. */
  private static final double EARLIEST_NANOS = 1.42e18;

  private static final double LATEST_TRACE_NANOS = 2.52e18;

  /** 100 requests at one a second, their milliseconds read as seconds; less may be meant. */
  private static final double LONG_SECONDS = 86_400;

  /** No load test sends fewer; milliseconds of up to 16 requests/s are found, at twice it of 8. */
  private static final double SPARSE_SECONDS = 60;

  /** The year 2096: later times are in a smaller unit. */
  private static final double LATEST_NANOS = 4e18;

  /** 1973: no file counts so much from its own beginning. */
  private static final double CALENDAR_NANOS = 1e17;

  private final DatasetFormat format;
  private String unit;
  private double first = -1;
  private double most = -1;

  RowTime(DatasetFormat format) {
    this.format = format;
    this.unit = format.unit();
  }

  /** When a row starts, in nanoseconds after any moment. */
  long nanos(DataRow.Cell cell) {
    if (unit.isEmpty()) {
      unit = cell.number().map(RowTime::likeliest).orElse(isTime(cell) ? "iso" : "s");
    }
    return unit.equals("iso") ? calendarNanos(cell) : Math.round(countedNanos(cell));
  }

  /** A length of time in the unit of the times; seconds where those are dates. */
  long pauseNanos(DataRow.Cell cell) {
    double nanos = cell.number().orElse(-1.0) * NANOS.getOrDefault(unit, NANOS.get("s"));
    if (!(nanos >= 0 && nanos < LATEST_NANOS)) {
      throw cell.wrong("must be a number of at least 0", "fix or remove the entry");
    }
    return Math.round(nanos);
  }

  /** Whether it may be a time: a number, or a date as it is read here. */
  static boolean isTime(DataRow.Cell cell) {
    return cell.number().isPresent() || TIME.matcher(cell.value().asText()).matches();
  }

  /** Seconds, unless only in another unit the number is a moment that a trace may be of. */
  private static String likeliest(double number) {
    return COUNTED.stream()
        .filter(one -> number * NANOS.get(one) > EARLIEST_NANOS)
        .filter(one -> number * NANOS.get(one) < LATEST_TRACE_NANOS)
        .findFirst()
        .orElse("s");
  }

  /** What speaks against the unit that nobody named; empty for nothing. */
  Optional<String> doubt(int rows) {
    double seconds = (most - first) / 1e9;
    if (unit.equals("s") && first < CALENDAR_NANOS && seconds >= LONG_SECONDS
        && seconds >= SPARSE_SECONDS * rows) {
      return Optional.of(
          "its times span " + LengthOfTime.words(seconds) + ", few rows for so long: if they are in"
              + " milliseconds write dataset.unit: ms, otherwise dataset.unit: s");
    }
    return format.unit().isEmpty() && COUNTED.indexOf(unit) > 0
        ? Optional.of(
            "its times are read as " + unit + " since 1970; dataset.unit names another unit")
        : Optional.empty();
  }

  private double countedNanos(DataRow.Cell cell) {
    double number = cell.number().orElse(-1.0);
    double nanos = number * NANOS.get(unit);
    boolean isCalendar = Math.max(nanos, first) > CALENDAR_NANOS;
    if (first > 0 && isCalendar && (nanos > first * 100 || nanos * 100 < first)) {
      throw otherUnit(cell);
    }
    if (nanos >= LATEST_NANOS) {
      throw cell.wrong(
          "must be before the year 2096 in " + unit,
          "write dataset.unit: ms, us or ns, whichever it is");
    }
    if (!(nanos >= 0)) {
      throw cell.wrong(
          "must be a number of at least 0",
          cell.number().isEmpty() && isTime(cell)
              ? "write dataset.unit: iso, and write every time as a date"
              : cell.number().isEmpty() && DATE.matcher(cell.value().asText()).find()
                  ? "write dataset.unit: iso, and write every time as 2023-04-03T10:00:00Z"
                  : "fix or remove the entry");
    }
    if (format.has("whole") && unit.equals("ms") && number != Math.rint(number)) {
      throw cell.row().origin().error(
          cell.shown() + " " + cell.value() + " has a fraction: " + format.name()
              + " counts whole milliseconds",
          "multiply the timestamps by 1000 if they are seconds; otherwise round them");
    }
    first = first < 0 ? nanos : first;
    most = Math.max(most, nanos);
    return nanos;
  }

  private static ScenarioException otherUnit(DataRow.Cell cell) {
    return cell.wrong(
        "must have the same unit as the times above it",
        "write all times of the file in one unit, and name it with dataset.unit");
  }

  private long calendarNanos(DataRow.Cell cell) {
    String text = cell.value().asText();
    Matcher matcher = TIME.matcher(text);
    try {
      if (matcher.matches()) {
        LocalDateTime time = LocalDateTime.parse(matcher.group(1) + "T" + matcher.group(2));
        String zone = matcher.group(4) == null ? "Z" : matcher.group(4);
        String fraction = matcher.group(3) == null ? "0" : matcher.group(3);
        long nanos = Long.parseLong((fraction + "000000000").substring(0, 9));
        long seconds =
            time.toEpochSecond(zone.equals("UTC") ? ZoneOffset.UTC : ZoneOffset.of(zone));
        return Math.addExact(Math.multiplyExact(seconds, 1_000_000_000L), nanos);
      }
    } catch (DateTimeException | ArithmeticException e) {
      // The message below names the text.
    }
    if (format.unit().isEmpty() && cell.number().isPresent()) {
      throw otherUnit(cell);
    }
    throw cell.row().origin().error(
        cell.shown() + " is not a time: \"" + text + "\"",
        cell.number().isPresent()
            ? "write dataset.unit: s, ms, us or ns for times that are numbers"
            : "write for example 2023-11-16 18:15:46.6805900");
  }
}
