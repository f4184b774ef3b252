package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.Settings;

/** {@code plan.json}: the settings, the number of requests, then the requests, one on each line. */
public final class PlanJson {
  /** Of the whole text: fingerprints of experiments are made of it. */
  private static final int WHOLE = 1;

  /** Of a record's: what a request does not say is the plain case. */
  private static final int BRIEF = 2;

  private PlanJson() {}

  /**
   * Settings and number of requests, without reading the requests.
   *
   * @param settings the plan's settings
   * @param requestCount planned requests, warm-up included
   * @param measuredCount planned requests outside the warm-up
   * @param choices {@code n} of the requests that ask for another number of answers than one, by
   *     index
   * @param hasConversations whether some requests are later turns, which carry their history
   */
  public record Head(
      Settings settings,
      long requestCount,
      long measuredCount,
      Map<Integer, Integer> choices,
      boolean hasConversations) {

    /** The same with other settings. */
    Head with(Settings other) {
      return new Head(other, requestCount, measuredCount, choices, hasConversations);
    }
  }

  /**
   * Writes the plan of a record, with checksums.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(Plan plan, Path file) throws IOException {
    try (OutputStream out = new SealedLines(Files.newOutputStream(file))) {
      write(plan, out, BRIEF);
    }
  }

  /** Writes a plan, with all that each of its requests is. */
  public static void write(Plan plan, OutputStream stream) throws IOException {
    write(plan, stream, WHOLE);
  }

  private static void write(Plan plan, OutputStream stream, int format) throws IOException {
    try (JsonGenerator out = RecordJson.MAPPER.createGenerator(stream)) {
      out.writeStartObject();
      out.writeNumberField("format_version", format);
      out.writePOJOField("settings", plan.settings());
      out.writeNumberField("request_count", plan.requests().size());
      out.writeNumberField("measured_count", measuredCount(plan));
      if (!choices(plan).isEmpty()) {
        out.writePOJOField("choices", choices(plan));
      }
      if (plan.requests().stream().anyMatch(request -> request.turn() > 0)) {
        out.writeBooleanField("conversations", true);
      }
      out.writeArrayFieldStart("requests");
      for (PlannedRequest request : plan.requests()) {
        out.writeRaw('\n');
        if (format == BRIEF) {
          writeBrief(request, out);
        } else {
          out.writePOJO(request);
        }
      }
      out.writeEndArray();
      out.writeEndObject();
      out.writeRaw('\n');
    }
  }

  /** Two fifths of the whole text; a plan has a million of them. */
  private static void writeBrief(PlannedRequest request, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeNumberField("index", request.index());
    out.writeStringField("phase", request.phase());
    if (!request.requestClass().equals(PlannedRequest.NO_MIX)) {
      out.writeStringField("request_class", request.requestClass());
    }
    out.writeNumberField("user", request.user());
    writeUnless(0, "turn", request.turn(), out);
    out.writeNumberField("offset_nanos", request.offsetNanos());
    writeUnless(0, "think_nanos", request.thinkNanos(), out);
    if (request.prompt() instanceof Prompt.Synthetic made && made.prefixes().isEmpty()) {
      out.writeObjectFieldStart("prompt");
      out.writeNumberField("tokens", made.tokens());
      out.writeEndObject();
    } else {
      out.writePOJOField("prompt", request.prompt());
    }
    out.writeNumberField("max_tokens", request.maxTokens());
    writeUnless(1, "choices", request.choices(), out);
    writeUnless(0, "target", request.target(), out);
    if (!request.cancel().equals(PlannedRequest.Cancel.NEVER)) {
      out.writePOJOField("cancel", request.cancel());
    }
    if (request.tool()) {
      out.writeBooleanField("tool", true);
    }
    writeUnless(0, "agent", request.agent(), out);
    if (!request.after().isEmpty()) {
      out.writePOJOField("after", request.after());
    }
    if (request.forgets()) {
      out.writeBooleanField("forgets", true);
    }
    out.writeEndObject();
  }

  private static void writeUnless(long plain, String name, long value, JsonGenerator out)
      throws IOException {
    if (value != plain) {
      out.writeNumberField(name, value);
    }
  }

  /** Reads a whole plan. */
  public static Plan read(Path file) throws IOException {
    List<PlannedRequest> requests = new ArrayList<>();
    try (JsonParser in = RecordJson.MAPPER.createParser(Files.newInputStream(file))) {
      Head head = readHead(in);
      while (in.nextToken() == JsonToken.START_OBJECT) {
        requests.add(in.readValueAs(PlannedRequest.class));
      }
      return new Plan(head.settings(), requests);
    }
  }

  /**
   * Reads settings and count only.
   *
   * @throws IOException if there is none, it is damaged, or a newer format wrote it
   */
  public static Head readHead(Path file) throws IOException {
    try (JsonParser in =
        RecordJson.MAPPER.createParser(Files.newInputStream(RecordFiles.regular(file)))) {
      return readHead(in);
    } catch (NoSuchFileException e) {
      throw new DamagedFileException(file.getFileName() + " is missing", e);
    } catch (JsonProcessingException | RuntimeException e) {
      throw new DamagedFileException(file.getFileName() + " is damaged", e);
    }
  }

  private static Head readHead(JsonParser in) throws IOException {
    Settings settings = null;
    long count = 0;
    long measured = 0;
    Map<Integer, Integer> choices = Map.of();
    boolean conversations = false;
    in.nextToken();
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      switch (name) {
        case "format_version" -> requireKnown(RecordJson.wholeInt(in));
        case "settings" -> settings = RecordJson.whole(in.readValueAsTree(), Settings.class);
        case "request_count" -> count = RecordJson.whole(in);
        case "measured_count" -> measured = RecordJson.whole(in);
        case "choices" -> choices = in.readValueAs(new TypeReference<Map<Integer, Integer>>() {});
        case "conversations" -> conversations = in.getBooleanValue();
        case "requests" -> {
          if (settings == null) {
            throw new DamagedFileException("plan.json has no settings", null);
          }
          return new Head(settings, count, measured, choices, conversations);
        }
        default -> in.skipChildren();
      }
    }
    throw new DamagedFileException("plan.json has no requests", null);
  }

  private static void requireKnown(int version) throws IOException {
    if (version > BRIEF) {
      throw new IOException(
          "plan.json has format version " + version + ", this build reads up to "
              + BRIEF + ": use a newer tally");
    }
  }

  private static Map<Integer, Integer> choices(Plan plan) {
    Map<Integer, Integer> choices = new TreeMap<>();
    plan.requests().stream()
        .filter(request -> request.choices() != 1)
        .forEach(request -> choices.put(request.index(), request.choices()));
    return choices;
  }

  private static long measuredCount(Plan plan) {
    List<String> warmups =
        plan.settings().phases().stream()
            .filter(phase -> phase.warmup())
            .map(phase -> phase.name())
            .toList();
    return plan.requests().stream().filter(r -> !warmups.contains(r.phase())).count();
  }
}
