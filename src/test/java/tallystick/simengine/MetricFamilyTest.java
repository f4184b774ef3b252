package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricFamilyTest {
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** One family as a reader of the exposition sees it. */
  private static final class Seen {
    String type = "";
    String help = "";
    final Set<String> samples = new TreeSet<>();
    final Set<String> labels = new TreeSet<>();
    final Set<String> edges = new java.util.LinkedHashSet<>();
    final Map<String, Set<String>> values = new TreeMap<>();
  }

  @Test
  void everyRecordedFamilyIsExposedWithItsTypeHelpLabelsAndEdges() throws IOException {
    Map<String, Seen> exposed = read(expositionAfterOneRequest());
    List<String> faults = new ArrayList<>();
    for (JsonNode family : recorded()) {
      String name = family.path("name").asText();
      Seen seen = exposed.get(name);
      if (seen == null) {
        faults.add(name + " is missing");
        continue;
      }
      compare(faults, name + " type", family.path("type").asText(), seen.type);
      compare(faults, name + " help", family.path("help").asText(), seen.help);
      compare(faults, name + " samples", texts(family.path("sample_names")), seen.samples);
      compare(faults, name + " labels", texts(family.path("labels")), seen.labels);
      compare(
          faults,
          name + " edges",
          new ArrayList<>(texts(family.path("bucket_edges_le"))).toString(),
          new ArrayList<>(new TreeSet<>(seen.edges)).toString());
      for (String label : List.of("reason", "source", "finished_reason", "sleep_state")) {
        JsonNode values = family.path("label_values").path(label);
        if (!values.isMissingNode()) {
          compare(faults, name + " " + label, texts(values), seen.values.get(label));
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(exposed).hasSameSizeAs(recorded());
  }

  private static String expositionAfterOneRequest() {
    EngineRun run = EngineRun.asRecorded();
    ServerMetrics server = new ServerMetrics(EngineKind.VLLM, 1000);
    server.answered("/v1/completions", "POST", 200, 0.1, 1001);
    server.sized("/v1/completions", 10, 20, 1001);
    return server.exposition(run.core.registry());
  }

  private static Map<String, Seen> read(String exposition) {
    Map<String, Seen> families = new LinkedHashMap<>();
    Seen current = null;
    for (String line : exposition.lines().toList()) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP")) {
        current = new Seen();
        current.help = words[3].strip();
      } else if (line.startsWith("# TYPE")) {
        current.type = words[3];
        boolean isCounter = words[3].equals("counter");
        families.put(isCounter ? words[2].replaceFirst("_total$", "") : words[2], current);
      } else {
        sample(current, line);
      }
    }
    return families;
  }

  private static void sample(Seen family, String line) {
    family.samples.add(line.split("[{ ]")[0]);
    Matcher matcher = LABEL.matcher(line);
    while (matcher.find()) {
      if (matcher.group(1).equals("le")) {
        family.edges.add(matcher.group(2));
      } else {
        family.labels.add(matcher.group(1));
        family.values
            .computeIfAbsent(matcher.group(1), name -> new TreeSet<>())
            .add(matcher.group(2));
      }
    }
  }

  private static void compare(List<String> faults, String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      faults.add(what + " should be " + expected + " but is " + actual);
    }
  }

  private static Set<String> texts(JsonNode array) {
    Set<String> texts = new TreeSet<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static JsonNode recorded() throws IOException {
    try (InputStream in =
        MetricFamilyTest.class.getResourceAsStream("/simengine/families-vllm-0.32.0.json")) {
      return Json.MAPPER.readTree(in);
    }
  }
}
