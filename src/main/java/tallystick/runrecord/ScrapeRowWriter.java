package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes scrapes without loss and without repetition: a series is named once, a value is written
 * when it differs from the target's scrape before. One thread.
 *
 * <p>A target shows the same series in the same order scrape after scrape, and the parser gives
 * the same {@link Series} object for each; then nothing is looked up or hashed here.
 */
final class ScrapeRowWriter {
  /** An engine shows one or two thousand; labels that change with every scrape have no end. */
  static final int MOST_SERIES = 50_000;

  private final Map<Integer, TargetState> targets = new HashMap<>();
  private final int mostSeries;
  private int nextId;

  ScrapeRowWriter() {
    this(MOST_SERIES);
  }

  /** A writer that leaves out what a target shows beyond so many series. */
  ScrapeRowWriter(int mostSeries) {
    this.mostSeries = mostSeries;
  }

  /** A series of a target with the value written last. */
  private static final class Known {
    private final Series series;
    private final int id;
    private double value;
    private boolean isPresent;
    private long seenInRow;

    private Known(Series series, int id) {
      this.series = series;
      this.id = id;
    }
  }

  private static final class TargetState {
    private final Map<Series, Known> bySeries = new HashMap<>();
    private List<Known> order = List.of();
    private long rowCount;
    private boolean isFull;
  }

  /** Whether a series of the target was left out so far. */
  boolean isFull(int target) {
    return targets.containsKey(target) && targets.get(target).isFull;
  }

  void write(ScrapeRow row, JsonGenerator out) throws IOException {
    TargetState state = targets.computeIfAbsent(row.target(), key -> new TargetState());
    state.rowCount++;
    List<Known> shown = new ArrayList<>(row.samples().size());
    List<Integer> changedIds = new ArrayList<>();
    List<Double> changedValues = new ArrayList<>();
    for (Sample sample : row.samples()) {
      Known known = known(row.target(), sample.series(), shown.size(), state, out);
      if (known == null) {
        state.isFull = true;
        continue;
      }
      shown.add(known);
      known.seenInRow = state.rowCount;
      if (!known.isPresent || Double.compare(known.value, sample.value()) != 0) {
        known.isPresent = true;
        known.value = sample.value();
        changedIds.add(known.id);
        changedValues.add(sample.value());
      }
    }
    List<Integer> gone = List.of();
    if (row.isGood()) {
      gone = gone(state);
      state.order = shown;
    }
    writeScrape(row, changedIds, changedValues, gone, out);
  }

  /** The series as it is written; null inside this class for one too many. */
  private Known known(int target, Series series, int position, TargetState state, JsonGenerator out)
      throws IOException {
    if (position < state.order.size() && state.order.get(position).series == series) {
      return state.order.get(position);
    }
    Known known = state.bySeries.get(series);
    if (known == null && state.bySeries.size() < mostSeries) {
      known = new Known(series, nextId++);
      state.bySeries.put(series, known);
      writeSeries(target, known.id, series, out);
    }
    return known;
  }

  /** What the scrape before showed and this one does not. */
  private static List<Integer> gone(TargetState state) {
    List<Integer> gone = new ArrayList<>();
    for (Known known : state.order) {
      if (known.seenInRow != state.rowCount && known.isPresent) {
        known.isPresent = false;
        gone.add(known.id);
      }
    }
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
    if (row.repeated() > 0) {
      out.writeNumberField("repeated", row.repeated());
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
