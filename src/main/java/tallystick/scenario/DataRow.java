package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One row of a data file.
 *
 * @param columns names of its columns; the heading's where the file is CSV
 * @param values column → value; a cell of CSV is text, an empty one is missing
 * @param isCsv whether numbers are written as text
 * @param surplus cells beyond the last column
 */
record DataRow(
    List<String> columns,
    Map<String, JsonNode> values,
    boolean isCsv,
    int surplus,
    SourceLocation origin) {
  /** A longer list of columns is no help in a message. */
  private static final int MOST_SHOWN = 20;

  /** A value with the name of its column. */
  record Cell(String column, JsonNode value, DataRow row) {
    /** The name as messages write it. */
    String shown() {
      return row.isCsv ? column : '"' + column + '"';
    }

    Optional<Double> number() {
      if (value.isNumber()) {
        return Optional.of(value.asDouble());
      }
      try {
        return row.isCsv
            ? Optional.of(new BigDecimal(value.asText()).doubleValue())
            : Optional.empty();
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    /** A number of tokens; 0 and less are allowed where rows without tokens are left out. */
    int tokens(boolean mayLack) {
      Optional<Double> number = number().filter(n -> n == Math.rint(n) && n <= Lengths.MOST);
      if (number.isEmpty() || number.get() < 1 && !mayLack) {
        boolean isZero = number.isPresent() && number.get() == 0;
        throw wrong(
            "must be a whole number from 1 to " + Lengths.MOST,
            "fix or remove the entry"
                + (isZero ? ", or leave such rows out with dataset.skip_zero: true" : ""));
      }
      return (int) Math.max(0, number.get());
    }

    String text() {
      String text = value.asText();
      if (!value.isTextual() || text.isEmpty()) {
        throw noText(shown(), value);
      }
      return text;
    }

    /** The mistake that something in it, of which text is wanted, is empty or no text. */
    ScenarioException noText(String which, JsonNode found) {
      return row.origin.error(
          which + (found.isTextual() ? " is empty" : " must be text"), "fix or remove the entry");
    }

    ScenarioException wrong(String wanted, String remedy) {
      return row.origin.error(shown() + " " + wanted + ", was " + value, remedy);
    }
  }

  static DataRow ofJson(ObjectNode object, SourceLocation origin) {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    object.properties().forEach(field -> values.put(field.getKey(), field.getValue()));
    return new DataRow(List.copyOf(values.keySet()), values, false, 0, origin);
  }

  static DataRow ofCsv(List<String> columns, List<String> cells, SourceLocation origin) {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    for (int i = 0; i < Math.min(columns.size(), cells.size()); i++) {
      values.put(columns.get(i), TextNode.valueOf(cells.get(i)));
    }
    int surplus = (int) cells.stream().skip(columns.size()).filter(c -> !c.isEmpty()).count();
    return new DataRow(columns, values, true, surplus, origin);
  }

  /** Whether it is the line above the rows of CSV. */
  boolean isHeading() {
    return isCsv && values.isEmpty();
  }

  /** Whether it has a column, with or without a value. */
  boolean has(String column) {
    return isCsv
        ? columns.stream().anyMatch(column::equalsIgnoreCase)
        : !value(column).isMissingNode();
  }

  /** The first of some columns that is there with a value. */
  Optional<Cell> find(List<String> names) {
    for (String name : names) {
      JsonNode value = value(name);
      if (!value.isMissingNode() && !value.isNull() && !(isCsv && value.asText().isEmpty())) {
        return Optional.of(new Cell(name, value, this));
      }
    }
    return Optional.empty();
  }

  /** What it has under just this name; a missing node where it has nothing. */
  JsonNode own(String column) {
    return values.getOrDefault(column, MissingNode.getInstance());
  }

  private JsonNode value(String column) {
    JsonNode own = values.get(column);
    if (own != null) {
      return own;
    }
    if (isCsv) {
      return columns.stream()
          .filter(column::equalsIgnoreCase)
          .findFirst()
          .map(values::get)
          .orElse(MissingNode.getInstance());
    }
    int dot = column.indexOf('.');
    JsonNode around = dot < 0 ? null : values.get(column.substring(0, dot));
    return around == null ? MissingNode.getInstance() : around.path(column.substring(dot + 1));
  }

  /** Its columns for a message, not too many. */
  String shownColumns() {
    List<String> shown = new ArrayList<>(columns.stream().limit(MOST_SHOWN).toList());
    if (columns.size() > MOST_SHOWN) {
      shown.add("…");
    }
    return PlainText.name(String.join(", ", shown));
  }
}
