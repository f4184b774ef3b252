package tallystick.runrecord;

import static tallystick.runrecord.RecordJson.need;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tallystick.runrecord.HarnessRow.Cpu;
import tallystick.runrecord.HarnessRow.Dropped;
import tallystick.runrecord.HarnessRow.GcPause;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.HarnessRow.Progress;
import tallystick.runrecord.HarnessRow.Scaling;
import tallystick.runrecord.HarnessRow.Stall;
import tallystick.runrecord.HarnessRow.WakeUps;
import tallystick.scenario.PlainText;

/** One line of harness.ndjson; {@code kind} tells which. */
final class HarnessRowJson {
  private static final double MOST_CORES = 1e5;

  private HarnessRowJson() {}

  static void write(HarnessRow row, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeNumberField("at_ns", row.atNanos());
    switch (row) {
      case Mark mark -> {
        out.writeStringField("kind", "mark");
        out.writeStringField("mark", RecordJson.word(mark.kind()));
        out.writeStringField("detail", mark.detail());
      }
      case Progress progress -> {
        out.writeStringField("kind", "progress");
        out.writeNumberField("sent", progress.sent());
        out.writeNumberField("in_flight", progress.inFlight());
        out.writeNumberField("ok", progress.ok());
        out.writeNumberField("failed", progress.failed());
      }
      case GcPause pause -> {
        out.writeStringField("kind", "gc_pause");
        out.writeNumberField("pause_ns", pause.pauseNanos());
        out.writeStringField("cause", pause.cause());
      }
      case Stall stall -> {
        out.writeStringField("kind", "stall");
        out.writeNumberField("stall_ns", stall.stallNanos());
      }
      case WakeUps wakeUps -> {
        out.writeStringField("kind", "wake_ups");
        out.writeNumberField("every_ns", wakeUps.everyNanos());
        long[] late = wakeUps.lateNanos().stream().mapToLong(Long::longValue).toArray();
        out.writeFieldName("late_ns");
        out.writeArray(late, 0, late.length);
      }
      case Cpu cpu -> {
        out.writeStringField("kind", "cpu");
        out.writeNumberField("process_cores", cpu.processCores());
        out.writeNumberField("machine_cores", cpu.machineCores());
      }
      case Dropped dropped -> {
        out.writeStringField("kind", "dropped");
        out.writeNumberField("rows", dropped.rows());
        out.writeStringField("file", dropped.file());
      }
      case Scaling scaling -> {
        out.writeStringField("kind", "scaling");
        out.writeNumberField("target", scaling.target());
        out.writeStringField("move", RecordJson.word(scaling.move()));
      }
    }
    out.writeEndObject();
  }

  static HarnessRow read(JsonNode node) throws IOException {
    long at = whole(node, "at_ns");
    String kind = RecordJson.text(need(node, "kind"), "kind");
    return switch (kind) {
      case "mark" ->
          new Mark(
              at,
              RecordJson.choice(Mark.Kind.class, RecordJson.text(need(node, "mark"), "mark")),
              node.path("detail").asText());
      case "progress" ->
          new Progress(
              at,
              whole(node, "sent"),
              whole(node, "in_flight"),
              whole(node, "ok"),
              whole(node, "failed"));
      case "gc_pause" ->
          new GcPause(at, whole(node, "pause_ns"), node.path("cause").asText());
      case "stall" -> new Stall(at, whole(node, "stall_ns"));
      case "wake_ups" ->
          new WakeUps(at, whole(node, "every_ns"), longs(node, "late_ns"));
      case "cpu" -> new Cpu(at, cores(node, "process_cores"), cores(node, "machine_cores"));
      case "dropped" ->
          new Dropped(at, whole(node, "rows"), node.path("file").asText());
      case "scaling" ->
          new Scaling(
              at, RecordJson.small(need(node, "target"), "target"),
              RecordJson.choice(Scaling.Move.class, RecordJson.text(need(node, "move"), "move")));
      default -> throw new IOException("unknown harness line " + PlainText.name(kind));
    };
  }

  private static long whole(JsonNode node, String name) throws IOException {
    return RecordJson.whole(need(node, name), name);
  }

  private static List<Long> longs(JsonNode node, String name) throws IOException {
    List<Long> values = new ArrayList<>();
    JsonNode list = need(node, name);
    if (!list.isArray()) {
      throw new IOException(name + " is not a list");
    }
    for (JsonNode value : list) {
      values.add(RecordJson.whole(value, name));
    }
    return values;
  }

  /** Cores in use; NaN where the system does not tell them. */
  private static double cores(JsonNode node, String name) throws IOException {
    double cores = node.has(name) ? RecordJson.real(node.get(name), name) : Double.NaN;
    if (cores < 0 || cores > MOST_CORES) {
      throw new IOException(name + " is not a number of cores");
    }
    return cores;
  }
}
