package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tallystick.runrecord.RequestRow.Chunks;
import tallystick.runrecord.RequestRow.Ending;
import tallystick.runrecord.RequestRow.EngineTimings;
import tallystick.runrecord.RequestRow.Oddity;
import tallystick.runrecord.RequestRow.Times;
import tallystick.runrecord.RequestRow.Usage;
import tallystick.scenario.PlainText;

/** One line of requests.ndjson; the format is described in docs/run-record.md. */
final class RequestRowJson {
  private RequestRowJson() {}

  static void write(RequestRow row, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeNumberField("index", row.index());
    out.writeStringField("phase", row.phase());
    out.writeStringField("class", row.requestClass());
    out.writeNumberField("user", row.user());
    out.writeNumberField("target", row.target());
    out.writeStringField("request_id", row.requestId());
    count(out, "prompt_tokens", row.promptTokens());
    out.writeNumberField("max_tokens", row.maxTokens());
    writeTimes(row.times(), out);
    writeChunks(row.chunks(), out);
    count(out, "usage_prompt_tokens", row.usage().promptTokens());
    count(out, "usage_completion_tokens", row.usage().completionTokens());
    count(out, "usage_cached_tokens", row.usage().cachedTokens());
    count(out, "usage_reasoning_tokens", row.usage().reasoningTokens());
    out.writeStringField("outcome", RecordJson.word(row.ending().outcome()));
    out.writeNumberField("status", row.ending().status());
    text(out, "finish_reason", row.ending().finishReason());
    text(out, "detail", row.ending().detail());
    writeOddities(row.ending(), out);
    writeEngine(row.engine(), out);
    out.writeEndObject();
  }

  private static void writeTimes(Times times, JsonGenerator out) throws IOException {
    moment(out, "intended_ns", times.intended());
    moment(out, "started_ns", times.started());
    moment(out, "connect_started_ns", times.connectStarted());
    moment(out, "tls_started_ns", times.tlsStarted());
    moment(out, "connected_ns", times.connected());
    moment(out, "written_ns", times.written());
    moment(out, "headers_ns", times.headers());
    moment(out, "first_byte_ns", times.firstByte());
    moment(out, "ended_ns", times.ended());
  }

  private static void writeChunks(Chunks chunks, JsonGenerator out) throws IOException {
    out.writeArrayFieldStart("chunk_ns");
    long before = 0;
    for (long arrival : chunks.arrivalNanos()) {
      out.writeNumber(arrival - before);
      before = arrival;
    }
    out.writeEndArray();
    if (chunks.size() > 0) {
      int[] tokens = chunks.tokens();
      if (Arrays.stream(tokens).allMatch(count -> count == tokens[0])) {
        out.writeNumberField("chunk_tokens", tokens[0]);
      } else {
        out.writeArrayFieldStart("chunk_tokens");
        for (int count : tokens) {
          out.writeNumber(count);
        }
        out.writeEndArray();
      }
    }
    if (chunks.thinking() > 0) {
      out.writeNumberField("thinking_chunks", chunks.thinking());
    }
    count(out, "coalesced_chunks", chunks.coalesced());
    moment(out, "longest_read_lag_ns", chunks.longestReadLagNanos());
  }

  private static void writeOddities(Ending ending, JsonGenerator out) throws IOException {
    if (!ending.oddities().isEmpty()) {
      out.writeArrayFieldStart("oddities");
      for (Oddity oddity : ending.oddities()) {
        out.writeString(RecordJson.word(oddity));
      }
      out.writeEndArray();
    }
  }

  private static void writeEngine(EngineTimings engine, JsonGenerator out) throws IOException {
    seconds(out, "engine_scheduled_to_first_token_seconds", engine.scheduledToFirstTokenSeconds());
    seconds(out, "engine_decode_seconds", engine.decodeSeconds());
    seconds(out, "engine_queue_seconds", engine.queueSeconds());
    seconds(out, "engine_mean_itl_seconds", engine.meanItlSeconds());
  }

  private static void moment(JsonGenerator out, String name, long nanos) throws IOException {
    if (nanos != RequestRow.NEVER) {
      out.writeNumberField(name, nanos);
    }
  }

  private static void count(JsonGenerator out, String name, int value) throws IOException {
    if (value != RequestRow.UNKNOWN) {
      out.writeNumberField(name, value);
    }
  }

  private static void text(JsonGenerator out, String name, String value) throws IOException {
    if (!value.isEmpty()) {
      out.writeStringField(name, value);
    }
  }

  private static void seconds(JsonGenerator out, String name, double value) throws IOException {
    if (!Double.isNaN(value)) {
      out.writeNumberField(name, value);
    }
  }

  /** Reads the only object of some bytes. */
  static RequestRow read(byte[] bytes, int from, int length) throws IOException {
    Optional<PlainArrivals> plain = PlainArrivals.of(bytes, from, length);
    if (plain.isPresent()) {
      Draft draft = new Draft(plain);
      byte[] rest = plain.get().rest();
      RequestRow row = RecordJson.oneOf(rest, 0, rest.length, in -> read(in, draft));
      if (draft.tookPlain) {
        return row;
      }
    }
    return RecordJson.oneOf(bytes, from, length, in -> read(in, new Draft(Optional.empty())));
  }

  private static RequestRow read(JsonParser in, Draft draft) throws IOException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("a request line must be a JSON object");
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      draft.take(name, in);
    }
    return draft.toRow();
  }

  /** The fields of one line as they come. */
  private static final class Draft {
    private int index = -1;
    private Optional<String> phase = Optional.empty();
    private String requestClass = "";
    private int user;
    private int target;
    private String requestId = "";
    private int promptTokens = RequestRow.UNKNOWN;
    private int maxTokens;
    private final long[] moments = new long[9];
    private long[] arrivals = new long[0];
    private int[] tokens = new int[0];
    private int everyChunkTokens = RequestRow.UNKNOWN;
    private boolean tokensListed;
    private int coalesced = RequestRow.UNKNOWN;
    private long longestReadLag = RequestRow.NEVER;
    private int thinking;
    private final List<Oddity> oddities = new ArrayList<>();
    private final int[] usage = new int[4];
    private Optional<Outcome> outcome = Optional.empty();
    private int status;
    private String finishReason = "";
    private String detail = "";
    private final double[] engine = {Double.NaN, Double.NaN, Double.NaN, Double.NaN};
    private final Optional<PlainArrivals> plain;
    private boolean tookPlain;

    /** A draft whose arrivals may have been read already, out of the list that is empty now. */
    Draft(Optional<PlainArrivals> plain) {
      this.plain = plain;
      Arrays.fill(moments, RequestRow.NEVER);
      Arrays.fill(usage, RequestRow.UNKNOWN);
    }

    void take(String name, JsonParser in) throws IOException {
      switch (name) {
        case "index" -> index = RecordJson.wholeInt(in);
        case "phase" -> phase = Optional.of(PlainText.name(in.getText()));
        case "class" -> requestClass = PlainText.name(in.getText());
        case "user" -> user = RecordJson.wholeInt(in);
        case "target" -> target = RecordJson.wholeInt(in);
        case "request_id" -> requestId = in.getText();
        case "prompt_tokens" -> promptTokens = RecordJson.wholeInt(in);
        case "max_tokens" -> maxTokens = RecordJson.wholeInt(in);
        case "intended_ns" -> moments[0] = RecordJson.whole(in);
        case "started_ns" -> moments[1] = RecordJson.whole(in);
        case "connect_started_ns" -> moments[2] = RecordJson.whole(in);
        case "connected_ns" -> moments[3] = RecordJson.whole(in);
        case "written_ns" -> moments[4] = RecordJson.whole(in);
        case "headers_ns" -> moments[5] = RecordJson.whole(in);
        case "first_byte_ns" -> moments[6] = RecordJson.whole(in);
        case "ended_ns" -> moments[7] = RecordJson.whole(in);
        case "tls_started_ns" -> moments[8] = RecordJson.whole(in);
        case "chunk_ns" -> arrivals = readArrivals(in);
        case "chunk_tokens" -> takeTokens(in);
        default -> takeRest(name, in);
      }
    }

    private void takeRest(String name, JsonParser in) throws IOException {
      switch (name) {
        case "coalesced_chunks" -> coalesced = RecordJson.wholeInt(in);
        case "thinking_chunks" -> thinking = RecordJson.wholeInt(in);
        case "longest_read_lag_ns" -> longestReadLag = RecordJson.whole(in);
        case "oddities" -> {
          while (in.nextToken() != JsonToken.END_ARRAY) {
            oddities.add(RecordJson.choice(Oddity.class, in.getText()));
          }
        }
        case "usage_prompt_tokens" -> usage[0] = RecordJson.wholeInt(in);
        case "usage_completion_tokens" -> usage[1] = RecordJson.wholeInt(in);
        case "usage_cached_tokens" -> usage[2] = RecordJson.wholeInt(in);
        case "usage_reasoning_tokens" -> usage[3] = RecordJson.wholeInt(in);
        case "outcome" -> outcome = Optional.of(RecordJson.choice(Outcome.class, in.getText()));
        case "status" -> status = RecordJson.wholeInt(in);
        case "finish_reason" -> finishReason = in.getText();
        case "detail" -> detail = in.getText();
        case "engine_scheduled_to_first_token_seconds" -> engine[0] = in.getDoubleValue();
        case "engine_decode_seconds" -> engine[1] = in.getDoubleValue();
        case "engine_queue_seconds" -> engine[2] = in.getDoubleValue();
        case "engine_mean_itl_seconds" -> engine[3] = in.getDoubleValue();
        default -> in.skipChildren();
      }
    }

    private void takeTokens(JsonParser in) throws IOException {
      if (in.currentToken() == JsonToken.START_ARRAY) {
        tokensListed = true;
        tokens = Arrays.stream(readNumbers(in)).mapToInt(Math::toIntExact).toArray();
      } else {
        everyChunkTokens = RecordJson.wholeInt(in);
      }
    }

    RequestRow toRow() throws IOException {
      if (index < 0) {
        throw new IOException("a request line needs an index");
      }
      if (target < 0) {
        throw new IOException("target must be >= 0, was " + target);
      }
      if (phase.isEmpty() || outcome.isEmpty()) {
        throw new IOException("a request line needs a phase and an outcome");
      }
      if (moments[0] == RequestRow.NEVER || moments[7] == RequestRow.NEVER) {
        throw new IOException("a request line needs intended_ns and ended_ns");
      }
      if (Arrays.stream(moments).anyMatch(nanos -> nanos < RequestRow.NEVER)) {
        throw new IOException("a moment of a request is negative");
      }
      if (thinking < 0 || thinking > arrivals.length) {
        throw new IOException(thinking + " of " + arrivals.length + " chunks are thinking");
      }
      if (!tokensListed) {
        tokens = new int[arrivals.length];
        Arrays.fill(tokens, everyChunkTokens);
      }
      Times times =
          new Times(
              moments[0], moments[1], moments[2], moments[3],
              moments[4], moments[5], moments[6], moments[7], moments[8]);
      return new RequestRow(
          index, phase.get(), requestClass, user, target, requestId, promptTokens, maxTokens, times,
          new Chunks(arrivals, tokens, coalesced, longestReadLag, thinking),
          new Usage(usage[0], usage[1], usage[2], usage[3]),
          new Ending(outcome.get(), status, finishReason, detail, oddities),
          new EngineTimings(engine[0], engine[1], engine[2], engine[3]));
    }

    private long[] readArrivals(JsonParser in) throws IOException {
      if (plain.isPresent() && in.currentTokenLocation().getByteOffset() == plain.get().bracket()) {
        in.nextToken();
        tookPlain = true;
        return plain.get().nanos();
      }
      long[] arrivals = readNumbers(in);
      for (int i = 1; i < arrivals.length; i++) {
        arrivals[i] = Math.addExact(arrivals[i], arrivals[i - 1]);
      }
      return arrivals;
    }

    private static long[] readNumbers(JsonParser in) throws IOException {
      long[] numbers = new long[64];
      int size = 0;
      while (in.nextToken() != JsonToken.END_ARRAY) {
        if (size == numbers.length) {
          numbers = Arrays.copyOf(numbers, size * 2);
        }
        numbers[size++] = RecordJson.whole(in);
      }
      return Arrays.copyOf(numbers, size);
    }
  }
}
