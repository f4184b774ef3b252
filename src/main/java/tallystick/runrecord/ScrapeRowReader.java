package tallystick.runrecord;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Restores whole scrapes from the lines of {@link ScrapeRowWriter}. One thread. */
final class ScrapeRowReader {
  private final Map<Integer, Series> series = new HashMap<>();
  private final Map<Integer, TreeMap<Integer, Sample>> current = new HashMap<>();

  /** The scrape on this line; empty for a line that names a series. */
  Optional<ScrapeRow> read(byte[] bytes, int from, int length) throws IOException {
    JsonNode node = RecordJson.tree(bytes, from, length);
    if (node.has("series")) {
      series.put(node.get("series").asInt(), toSeries(node));
      return Optional.empty();
    }
    if (!node.has("started_ns")) {
      throw new IOException("a scrape line needs started_ns");
    }
    int target = node.path("target").asInt();
    if (target < 0) {
      throw new IOException("target must be >= 0, was " + target);
    }
    long started = node.get("started_ns").asLong();
    long ended = RecordJson.need(node, "ended_ns").asLong();
    long date = node.path("date_utc_seconds").asLong(ScrapeRow.NO_DATE);
    if (node.has("error")) {
      return Optional.of(
          new ScrapeRow(target, started, ended, List.of(), node.get("error").asText(), date));
    }
    TreeMap<Integer, Sample> samples =
        current.computeIfAbsent(target, key -> new TreeMap<>());
    apply(node, samples);
    return Optional.of(
        new ScrapeRow(target, started, ended, new ArrayList<>(samples.values()), "", date));
  }

  private void apply(JsonNode node, TreeMap<Integer, Sample> samples) throws IOException {
    JsonNode ids = RecordJson.need(node, "id");
    JsonNode values = RecordJson.need(node, "value");
    if (ids.size() != values.size()) {
      throw new IOException("it has " + ids.size() + " id and " + values.size() + " value");
    }
    for (int i = 0; i < ids.size(); i++) {
      int id = ids.get(i).asInt();
      Series known = series.get(id);
      if (known == null) {
        throw new IOException("series " + id + " was never named");
      }
      samples.put(id, new Sample(known, toDouble(values.get(i))));
    }
    if (node.has("gone")) {
      node.get("gone").forEach(id -> samples.remove(id.asInt()));
    }
  }

  private static Series toSeries(JsonNode node) throws IOException {
    TreeMap<String, String> labels = new TreeMap<>();
    RecordJson.need(node, "labels")
        .properties()
        .forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
    return new Series(
        RecordJson.need(node, "name").asText(),
        labels,
        RecordJson.choice(Series.Type.class, RecordJson.need(node, "type").asText()));
  }

  private static double toDouble(JsonNode value) {
    return value.isTextual() ? Double.parseDouble(value.asText()) : value.asDouble();
  }
}
