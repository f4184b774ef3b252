package tallystick.scenario;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Azure LLM inference trace: CSV with a heading and the columns {@code TIMESTAMP}, {@code
 * ContextTokens} and {@code GeneratedTokens}; further columns are passed over.
 */
final class AzureFormat {
  private static final List<String> COLUMNS =
      List.of("timestamp", "contexttokens", "generatedtokens");
  private static final Pattern TIME =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d)[ T](\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d{1,9}))?"
              + "(Z|[+-]\\d\\d:?\\d\\d)?");

  private final List<Integer> columns = new ArrayList<>();

  private AzureFormat() {}

  static List<Dataset.Entry> read(DataFile file) {
    return file.lines(new AzureFormat()::entry);
  }

  private Optional<Dataset.Entry> entry(String line, SourceLocation origin) {
    List<String> cells = Arrays.stream(line.split(",", -1)).map(String::strip).toList();
    if (columns.isEmpty()) {
      readHeading(cells, origin);
      return Optional.empty();
    }
    int last = columns.stream().mapToInt(Integer::intValue).max().orElseThrow();
    if (cells.size() <= last) {
      throw origin.error(
          "only " + cells.size() + " columns", "write TIMESTAMP,ContextTokens,GeneratedTokens");
    }
    Dataset.Tokens tokens =
        new Dataset.Tokens(
            tokens(cells.get(columns.get(1)), "ContextTokens", origin),
            List.of(),
            tokens(cells.get(columns.get(2)), "GeneratedTokens", origin));
    return Optional.of(
        new Dataset.Entry(nanos(cells.get(columns.get(0)), origin), List.of(tokens)));
  }

  private void readHeading(List<String> cells, SourceLocation origin) {
    List<String> names =
        cells.stream().map(c -> c.replace("\uFEFF", "").toLowerCase(Locale.ROOT)).toList();
    for (String column : COLUMNS) {
      if (!names.contains(column)) {
        throw origin.error(
            "the heading has no column " + column,
            "begin the file with TIMESTAMP,ContextTokens,GeneratedTokens");
      }
      columns.add(names.indexOf(column));
    }
  }

  private static int tokens(String cell, String column, SourceLocation origin) {
    if (!cell.matches("\\d{1,8}") || Integer.parseInt(cell) < 1
        || Integer.parseInt(cell) > Lengths.MOST) {
      throw origin.error(
          column + " must be a whole number from 1 to " + Lengths.MOST + ", was \"" + cell + "\"",
          "mend or remove the line");
    }
    return Integer.parseInt(cell);
  }

  private static long nanos(String cell, SourceLocation origin) {
    Matcher matcher = TIME.matcher(cell);
    if (!matcher.matches()) {
      throw badTime(cell, origin);
    }
    try {
      LocalDateTime time = LocalDateTime.parse(matcher.group(1) + "T" + matcher.group(2));
      ZoneOffset offset =
          matcher.group(4) == null ? ZoneOffset.UTC : ZoneOffset.of(matcher.group(4));
      String fraction = matcher.group(3) == null ? "0" : matcher.group(3);
      long nanos = Long.parseLong((fraction + "000000000").substring(0, 9));
      return Math.addExact(
          Math.multiplyExact(time.toEpochSecond(offset), 1_000_000_000L), nanos);
    } catch (DateTimeException | ArithmeticException e) {
      throw badTime(cell, origin);
    }
  }

  private static ScenarioException badTime(String cell, SourceLocation origin) {
    return origin.error(
        "TIMESTAMP is no time: \"" + cell + "\"", "write for example 2023-11-16 18:15:46.6805900");
  }
}
