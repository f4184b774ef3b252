package tallystick.scenario;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * A data file that is read row by row: CSV under a heading, one JSON object a line, or one JSON
 * list of objects, whichever its first character tells; each may be packed with gzip. None is held
 * in memory whole.
 */
record DataFile(Path path) {
  /** Reads JSON strictly: one value, no key twice. */
  static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final ObjectReader ONE_OF_MANY =
      JSON.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** More blanks than this before the first row are no text. */
  private static final int BEGINNING = 8192;

  /** Takes the rows one after the other, of a CSV file its heading first. */
  interface Rows {
    /** Takes a row and says whether another is wanted. */
    boolean take(DataRow row);

    /** Takes rows as long as another is wanted, and says whether one is. */
    default boolean takeAll(List<DataRow> all) {
      return all.stream().allMatch(this::take);
    }

    /** Takes note of a row that whoever made the rows left out. */
    default void leaveOut(RowMessages.LeftOut why) {}

    /** Takes what it held back, once the file has no more. */
    default void end() {}
  }

  /** The first row, or the heading of a CSV file; empty where the file cannot be read as rows. */
  Optional<DataRow> first() {
    List<DataRow> first = new ArrayList<>();
    try {
      read(row -> !first.add(row));
    } catch (ScenarioException e) {
      // Who reads the rows says what is wrong with them.
    }
    return first.stream().findFirst();
  }

  /** Reads until no further row is wanted; blank lines are passed over. */
  void read(Rows rows) {
    int[] line = {0};
    try (InputStream in = unpacked(new BufferedInputStream(Files.newInputStream(path)))) {
      int first = firstCharacter(in);
      if (first == '[') {
        jsonList(reader(in), rows);
      } else if (first == '{') {
        lines(reader(new BoundedLines(in)), rows, line);
      } else if (first != -1) {
        csv(reader(new BoundedLines(in)), rows, line);
      }
    } catch (JsonProcessingException e) {
      throw notJson(e, e.getLocation() == null ? 0 : e.getLocation().getLineNr());
    } catch (CharacterCodingException e) {
      throw at(line[0] + 1).error("not UTF-8 text", "save the file as UTF-8");
    } catch (IOException e) {
      throw at(0).error("cannot be read: " + e.getMessage(), "check the file");
    }
  }

  private InputStream unpacked(BufferedInputStream in) throws IOException {
    in.mark(4);
    byte[] magic = in.readNBytes(4);
    in.reset();
    if (new String(magic, StandardCharsets.ISO_8859_1).equals("PAR1")) {
      throw at(0).error(
          "Parquet files are not supported", "save it as CSV or as one JSON object a line");
    }
    boolean isPacked = magic.length > 1 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
    return isPacked ? new BufferedInputStream(new GZIPInputStream(in)) : in;
  }

  /** The first that is not blank, behind a byte order mark; -1 where there is none. */
  private static int firstCharacter(InputStream in) throws IOException {
    in.mark(3);
    if (!Arrays.equals(in.readNBytes(3), new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf})) {
      in.reset();
    }
    in.mark(BEGINNING);
    int first = in.read();
    for (int i = 1; i < BEGINNING && first != -1 && first <= ' '; i++) {
      first = in.read();
    }
    in.reset();
    return first;
  }

  private static BufferedReader reader(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
  }

  private void lines(BufferedReader reader, Rows rows, int[] number) throws IOException {
    boolean isWanted = true;
    for (String line = reader.readLine(); line != null && isWanted; line = reader.readLine()) {
      number[0]++;
      if (!line.isBlank()) {
        isWanted = rows.take(DataRow.ofJson(object(line, number[0]), at(number[0])));
      }
    }
  }

  private void jsonList(BufferedReader reader, Rows rows) throws IOException {
    try (JsonParser parser = JSON.createParser(reader)) {
      parser.nextToken();
      boolean isWanted = true;
      while (isWanted && parser.nextToken() != JsonToken.END_ARRAY) {
        SourceLocation origin = at(parser.currentTokenLocation().getLineNr());
        isWanted =
            rows.take(DataRow.ofJson(checkObject(ONE_OF_MANY.readTree(parser), origin), origin));
      }
    }
  }

  private void csv(BufferedReader reader, Rows rows, int[] number) throws IOException {
    List<String> columns = List.of();
    char comma = ',';
    boolean isWanted = true;
    for (String line = reader.readLine(); line != null && isWanted; line = reader.readLine()) {
      SourceLocation origin = at(++number[0]);
      String whole = toLastQuote(line, reader, number, origin);
      if (columns.isEmpty() && !line.isBlank()) {
        comma = line.indexOf(',') >= 0 ? ',' : line.indexOf('\t') >= 0 ? '\t' : ';';
        columns = cells(whole, comma);
        refuseTwice(columns, origin);
        isWanted = rows.take(DataRow.ofCsv(columns, List.of(), origin));
      } else if (!line.isBlank()) {
        isWanted = rows.take(DataRow.ofCsv(columns, cells(whole, comma), origin));
      }
    }
  }

  /** Of two columns of one name nobody knows which is meant. */
  private static void refuseTwice(List<String> columns, SourceLocation origin) {
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i);
      if (!column.isEmpty() && columns.indexOf(column) < i) {
        throw origin.error(
            "the header row has the column " + PlainText.name(column) + " twice",
            "rename or remove one of them");
      }
    }
  }

  /** A line with those that the quotes of its cells go on over. */
  private static String toLastQuote(
      String line, BufferedReader reader, int[] number, SourceLocation origin) throws IOException {
    boolean isOpen = hasOddQuotes(line);
    if (!isOpen) {
      return line;
    }
    StringBuilder whole = new StringBuilder(line);
    while (isOpen) {
      String next = reader.readLine();
      number[0]++;
      if (next == null || whole.length() > BoundedLines.LONGEST) {
        throw origin.error(
            "a quote opens here and never closes", "close it, or write \"\" for a quote in a cell");
      }
      whole.append('\n').append(next);
      isOpen = !hasOddQuotes(next);
    }
    return whole.toString();
  }

  private static boolean hasOddQuotes(String line) {
    return line.chars().filter(c -> c == '"').count() % 2 == 1;
  }

  private static List<String> cells(String line, char comma) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean isQuoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        cell.append(line.charAt(i++));
      } else if (c == '"') {
        isQuoted = !isQuoted;
      } else if (c == comma && !isQuoted) {
        cells.add(cell.toString().strip());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(cell.toString().strip());
    return cells;
  }

  private ObjectNode object(String line, int number) {
    try {
      return checkObject(JSON.readTree(line), at(number));
    } catch (JsonProcessingException e) {
      ScenarioException mistake = notJson(e, number);
      throw e instanceof JsonEOFException
          ? at(number).error(mistake.problem(), "write each object whole on one line")
          : mistake;
    }
  }

  private static ObjectNode checkObject(JsonNode node, SourceLocation origin) {
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw origin.error("not a JSON object", "write {\"key\": value, …}");
  }

  /** In the library's words, without those of its own switches. */
  private ScenarioException notJson(JsonProcessingException e, int line) {
    String what =
        e.getOriginalMessage().lines().findFirst().orElse("")
            .replaceFirst("(: enable `| \\((not recognized|start marker)).*Feature.*", "");
    return at(line).error("not valid JSON: " + what, "fix or remove the entry");
  }

  private SourceLocation at(int line) {
    return SourceLocation.ofLine(path.toString(), line);
  }
}
