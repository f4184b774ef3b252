package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes scrapes without loss and without repetition: a series is named once, a value is written
 * when it differs from the target's scrape before. One thread.
 */
final class ScrapeRowWriter {
  private final Map<Integer, TargetState> targets = new HashMap<>();
  private int nextId;

  private static final class TargetState {
    private final Map<Series, Integer> ids = new HashMap<>();
    private final Map<Integer, Double> values = new HashMap<>();
  }

  void write(ScrapeRow row, JsonGenerator out) throws IOException {
    TargetState state = targets.computeIfAbsent(row.target(), key -> new TargetState());
    List<Integer> changedIds = new ArrayList<>();
    List<Double> changedValues = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (Sample sample : row.samples()) {
      Integer id = state.ids.get(sample.series());
      if (id == null) {
        id = nextId++;
        state.ids.put(sample.series(), id);
        writeSeries(row.target(), id, sample.series(), out);
      }
      seen.add(id);
      Double before = state.values.put(id, sample.value());
      if (before == null || before.compareTo(sample.value()) != 0) {
        changedIds.add(id);
        changedValues.add(sample.value());
      }
    }
    List<Integer> gone = row.isGood() ? forgetAllBut(seen, state) : List.of();
    writeScrape(row, changedIds, changedValues, gone, out);
  }

  private static List<Integer> forgetAllBut(Set<Integer> seen, TargetState state) {
    List<Integer> gone = state.values.keySet().stream().filter(id -> !seen.contains(id)).toList();
    gone.forEach(state.values::remove);
    return gone;
  }

  private static void writeSeries(int target, int id, Series series, JsonGenerator out)
      throws IOException {
    out.writeStartObject();
    out.writeNumberField("series", id);
    out.writeNumberField("target", target);
    out.writeStringField("name", series.name());
    out.writeStringField("type", RecordJson.word(series.type()));
    out.writeObjectFieldStart("labels");
    for (Map.Entry<String, String> label : series.labels().entrySet()) {
      out.writeStringField(label.getKey(), label.getValue());
    }
    out.writeEndObject();
    out.writeEndObject();
    out.writeRaw('\n');
  }

  private static void writeScrape(
      ScrapeRow row, List<Integer> ids, List<Double> values, List<Integer> gone, JsonGenerator out)
      throws IOException {
    out.writeStartObject();
    out.writeNumberField("target", row.target());
    out.writeNumberField("started_ns", row.startedNanos());
    out.writeNumberField("ended_ns", row.endedNanos());
    if (row.dateUtcSeconds() != ScrapeRow.NO_DATE) {
      out.writeNumberField("date_utc_seconds", row.dateUtcSeconds());
    }
    if (!row.isGood()) {
      out.writeStringField("error", row.error());
    } else {
      writeIds("id", ids, out);
      out.writeArrayFieldStart("value");
      for (double value : values) {
        writeValue(value, out);
      }
      out.writeEndArray();
      if (!gone.isEmpty()) {
        writeIds("gone", gone, out);
      }
    }
    out.writeEndObject();
  }

  private static void writeIds(String name, List<Integer> ids, JsonGenerator out)
      throws IOException {
    out.writeArrayFieldStart(name);
    for (int id : ids) {
      out.writeNumber(id);
    }
    out.writeEndArray();
  }

  private static void writeValue(double value, JsonGenerator out) throws IOException {
    boolean isSmallInteger = value == Math.rint(value) && Math.abs(value) < 1e15;
    boolean isNegativeZero = value == 0 && 1 / value < 0;
    if (isSmallInteger && !isNegativeZero) {
      out.writeNumber((long) value);
    } else {
      out.writeNumber(value);
    }
  }
}
