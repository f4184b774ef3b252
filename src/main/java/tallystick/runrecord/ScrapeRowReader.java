package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Restores whole scrapes from the lines of {@link ScrapeRowWriter}. One thread. */
final class ScrapeRowReader {
  private final Map<Integer, Series> series = new HashMap<>();
  private final Map<Integer, Shown> current = new HashMap<>();

  /** What a target shows now, in the order of its series' numbers, which is that of its page. */
  private static final class Shown {
    private int[] ids = new int[64];
    private Sample[] samples = new Sample[64];
    private int size;
    private int next;

    /** Where it stands, or belongs: behind what changed last, as its numbers lie apart. */
    private int place(int id) {
      int likely = next == 0 ? id : next + id - ids[next - 1] - 1;
      return likely >= 0 && likely < size && ids[likely] == id
          ? likely
          : Arrays.binarySearch(ids, 0, size, id);
    }

    /** Shows a value; a series that was not shown is asked for. */
    void put(int id, double value, Map<Integer, Series> named) throws IOException {
      int place = place(id);
      if (place >= 0) {
        samples[place] = new Sample(samples[place].series(), value);
      } else {
        Series series = named.get(id);
        if (series == null) {
          throw new IOException("series " + id + " was never named");
        }
        place = -place - 1;
        if (size == ids.length) {
          ids = Arrays.copyOf(ids, 2 * size);
          samples = Arrays.copyOf(samples, 2 * size);
        }
        shift(place, place + 1);
        ids[place] = id;
        samples[place] = new Sample(series, value);
        size++;
      }
      next = place + 1;
    }

    void remove(int id) {
      int place = place(id);
      if (place >= 0) {
        shift(place + 1, place);
        size--;
      }
    }

    private void shift(int from, int to) {
      System.arraycopy(ids, from, ids, to, size - from);
      System.arraycopy(samples, from, samples, to, size - from);
    }

    List<Sample> all() {
      return List.of(Arrays.copyOf(samples, size));
    }
  }

  /** What a line says of a scrape beside its lists, and these. */
  private record Line(JsonNode fields, int[] ids, double[] values, int[] gone) {
    static Line read(JsonParser in) throws IOException {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("a line must be a JSON object");
      }
      ObjectNode fields = RecordJson.MAPPER.createObjectNode();
      int[] ids = {};
      double[] values = {};
      int[] gone = {};
      while (in.nextToken() != JsonToken.END_OBJECT) {
        String name = in.currentName();
        in.nextToken();
        fields.putNull(name);
        switch (name) {
          case "id" -> ids = RecordJson.smalls(in, name);
          case "value" -> values = RecordJson.reals(in, name);
          case "gone" -> gone = RecordJson.smalls(in, name);
          default -> fields.set(name, in.readValueAsTree());
        }
      }
      return new Line(fields, ids, values, gone);
    }
  }

  /** The scrape on this line; empty for a line that names a series. */
  Optional<ScrapeRow> read(byte[] bytes, int from, int length) throws IOException {
    Line line = RecordJson.oneOf(bytes, from, length, Line::read);
    JsonNode node = line.fields();
    if (node.has("series")) {
      name(RecordJson.small(node.get("series"), "series"), toSeries(node));
      return Optional.empty();
    }
    if (!node.has("started_ns")) {
      throw new IOException("a scrape line needs started_ns");
    }
    int target = RecordJson.small(RecordJson.need(node, "target"), "target");
    long started = RecordJson.whole(node.get("started_ns"), "started_ns");
    long ended = RecordJson.whole(RecordJson.need(node, "ended_ns"), "ended_ns");
    long date =
        node.has("date_utc_seconds")
            ? RecordJson.whole(node.get("date_utc_seconds"), "date_utc_seconds")
            : ScrapeRow.NO_DATE;
    if (node.has("error")) {
      return Optional.of(new ScrapeRow(
          target, started, ended, List.of(), RecordJson.text(node.get("error"), "error"), date, 0));
    }
    int repeated = node.has("repeated") ? RecordJson.small(node.get("repeated"), "repeated") : 0;
    Shown shown = current.computeIfAbsent(target, key -> new Shown());
    apply(line, shown);
    return Optional.of(new ScrapeRow(target, started, ended, shown.all(), "", date, repeated));
  }

  private void apply(Line line, Shown shown) throws IOException {
    RecordJson.need(line.fields(), "id");
    RecordJson.need(line.fields(), "value");
    int[] ids = line.ids();
    double[] values = line.values();
    if (ids.length != values.length) {
      throw new IOException("it has " + ids.length + " id and " + values.length + " value");
    }
    for (int i = 0; i < ids.length; i++) {
      shown.put(ids[i], values[i], series);
    }
    for (int id : line.gone()) {
      shown.remove(id);
    }
  }

  /** A second meaning would change what the numbers of later lines say. */
  private void name(int id, Series named) throws IOException {
    Series before = series.putIfAbsent(id, named);
    if (before != null && !before.equals(named)) {
      throw new IOException("series " + id + " was named before as another");
    }
  }

  private static Series toSeries(JsonNode node) throws IOException {
    TreeMap<String, String> labels = new TreeMap<>();
    JsonNode told = RecordJson.need(node, "labels");
    if (!told.isObject()) {
      throw new IOException("labels are not names with values");
    }
    for (Map.Entry<String, JsonNode> label : told.properties()) {
      labels.put(label.getKey(), RecordJson.text(label.getValue(), "a label"));
    }
    String type = RecordJson.text(RecordJson.need(node, "type"), "type");
    return new Series(
        RecordJson.text(RecordJson.need(node, "name"), "name"),
        labels,
        RecordJson.choice(Series.Type.class, type));
  }
}
