package tallystick.scrape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tallystick.runrecord.Sample;

/** Our parser over other parsers' test data; {@code bench/parser-corpora/run.sh} gathers them. */
final class ParserCorpora {
  private final Map<String, Integer> counts = new TreeMap<>();

  private ParserCorpora() {}

  /** Argument: a file with one case a line: name, format, body, and what the reference said. */
  public static void main(String[] arguments) throws IOException {
    ParserCorpora corpora = new ParserCorpora();
    ObjectMapper mapper = new ObjectMapper();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      corpora.compare(mapper.readTree(line));
    }
    corpora.counts.forEach((word, count) -> System.out.println(count + " " + word));
  }

  private void compare(JsonNode one) throws IOException {
    byte[] body = one.path("body").binaryValue();
    String refused = one.path("refused").asText();
    Set<String> ours = new TreeSet<>();
    String error = "";
    try {
      new ExpositionParser()
          .parse(body, one.path("format").asText())
          .forEach(sample -> ours.add(named(sample)));
    } catch (ExpositionException e) {
      error = e.getMessage();
    }
    if (!error.isEmpty() && !refused.isEmpty()) {
      count("refused by both");
    } else if (!error.isEmpty()) {
      report("only ours refuses", one, error);
    } else if (!refused.isEmpty()) {
      report("only theirs refuses", one, refused);
    } else if (ours.equals(theirs(one))) {
      count("read alike");
    } else {
      Set<String> left = new TreeSet<>(ours);
      left.removeAll(theirs(one));
      Set<String> right = theirs(one);
      right.removeAll(ours);
      report("READ DIFFERENTLY", one, "ours " + left + " theirs " + right);
    }
  }

  private void count(String word) {
    counts.merge(word, 1, Integer::sum);
  }

  private void report(String word, JsonNode one, String why) throws IOException {
    count(word);
    String body = new String(one.path("body").binaryValue(), StandardCharsets.UTF_8);
    String start = body.substring(0, Math.min(160, body.length()));
    System.out.printf(
        "%s: %s%n  %s%n  %s%n", word, one.path("name").asText(),
        why.replace("\n", "\\n"), start.replace("\n", "\\n").replace("\r", "\\r"));
  }

  private static String named(Sample sample) {
    Map<String, String> labels = new TreeMap<>(sample.series().labels());
    return named(sample.series().name(), labels, sample.value());
  }

  /** Prometheus writes an edge of 1 as 1.0, and a label without a value is none to it. */
  private static String named(String name, Map<String, String> labels, double value) {
    labels.values().removeIf(String::isEmpty);
    for (String edge : List.of("le", "quantile")) {
      labels.computeIfPresent(edge, (label, written) -> asNumber(written));
    }
    return name + labels + " " + value;
  }

  private static String asNumber(String written) {
    try {
      return Double.toString(number(written));
    } catch (NumberFormatException e) {
      return written;
    }
  }

  private static Set<String> theirs(JsonNode one) {
    Set<String> theirs = new TreeSet<>();
    for (JsonNode row : one.path("samples")) {
      Map<String, String> labels = new TreeMap<>();
      for (int i = 1; i + 1 < row.size(); i += 2) {
        labels.put(row.get(i).asText(), row.get(i + 1).asText());
      }
      String name = labels.remove("__name__");
      theirs.add(named(name, labels, number(row.get(0).asText())));
    }
    return theirs;
  }

  private static double number(String written) {
    return ExpositionNumber.parse(written);
  }
}
