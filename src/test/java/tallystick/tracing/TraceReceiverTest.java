package tallystick.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.runrecord.SpanRow;
import tallystick.runrecord.TraceId;

class TraceReceiverTest {
  private static final String TRACE = "0102030405060708090a0b0c0d0e0f10";
  private static final String SPAN = "00000000000000ff";
  private static final String PROTOBUF = "application/x-protobuf";

  private final List<SpanRow> rows = Collections.synchronizedList(new ArrayList<>());
  private final HttpClient client = HttpClient.newHttpClient();
  private TraceReceiver receiver;

  @BeforeEach
  void open() throws IOException {
    receiver = TraceReceiver.open(0, rows::add);
  }

  @AfterEach
  void close() {
    receiver.close();
    client.close();
  }

  @Test
  void sendersThatStallHoldNobodyUp() throws Exception {
    List<Socket> stalled = new ArrayList<>();
    URI at = URI.create(receiver.endpoint());
    for (int i = 0; i < 8; i++) {
      Socket socket = new Socket(at.getHost(), at.getPort());
      String begun = "POST /v1/traces HTTP/1.1\r\nHost: a\r\nContent-Type: " + PROTOBUF + "\r\n";
      String more = i % 2 == 0 ? "Content-Length: 900\r\n\r\nabc" : "";
      socket.getOutputStream().write((begun + more).getBytes(StandardCharsets.US_ASCII));
      stalled.add(socket);
    }
    assertThat(post(batch(whole()).toByteArray()).statusCode()).isEqualTo(200);
    for (Socket socket : stalled) {
      socket.close();
    }
  }

  @Test
  void takesTheSpanOfARequest() throws Exception {
    HttpResponse<byte[]> response = post(batch(whole()).toByteArray());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains(PROTOBUF);
    assertThat(ExportTraceServiceResponse.parseFrom(response.body()).hasPartialSuccess())
        .isFalse();
    assertThat(rows)
        .containsExactly(
            new SpanRow(
                TraceId.ofHex(TRACE), SPAN, 0.001, 0.02, 0.3, 0.32, 0.05, 0.35, 128, 31));
    assertThat(receiver.spans()).isEqualTo(1);
  }

  @Test
  void takesGzip() throws Exception {
    byte[] body = gzip(batch(whole()).toByteArray());
    assertThat(send(PROTOBUF, "gzip", body).statusCode()).isEqualTo(200);
    assertThat(rows).hasSize(1);
  }

  @Test
  void anEmptyBatchIsNoFault() throws Exception {
    assertThat(post(new byte[0]).statusCode()).isEqualTo(200);
    assertThat(rows).isEmpty();
    assertThat(receiver.refusedPosts()).isZero();
  }

  @Test
  void leavesOutSpansThatTellOfNoRequest() throws Exception {
    Span startUp = whole().toBuilder().setName("Load model").build();
    assertThat(post(batch(startUp, whole(), startUp).toByteArray()).statusCode()).isEqualTo(200);
    assertThat(rows).hasSize(1);
    assertThat(receiver.malformedSpans()).isZero();
  }

  @Test
  void whatTheEngineDoesNotTellIsNotZero() throws Exception {
    Span bare =
        span()
            .addAttributes(text("gen_ai.latency.e2e", "soon"))
            .addAttributes(real("gen_ai.usage.prompt_tokens", 1.5))
            .addAttributes(whole("gen_ai.latency.time_in_queue", 2))
            .build();
    post(batch(bare).toByteArray());
    SpanRow row = rows.get(0);
    assertThat(row.queueSeconds()).isEqualTo(2);
    assertThat(row.e2eSeconds()).isNaN();
    assertThat(row.ttftSeconds()).isNaN();
    assertThat(row.promptTokens()).isEqualTo(-1);
    assertThat(row.completionTokens()).isEqualTo(-1);
  }

  @Test
  void aSpanWithoutProperIdsIsCountedAndTheOthersAreTaken() throws Exception {
    Span broken = whole().toBuilder().setTraceId(ByteString.copyFrom(new byte[3])).build();
    assertThat(post(batch(broken, whole()).toByteArray()).statusCode()).isEqualTo(200);
    assertThat(rows).hasSize(1);
    assertThat(receiver.malformedSpans()).isEqualTo(1);
  }

  @Test
  void aBodyThatIsNoBatchIsRefusedInWordsAndCounted() throws Exception {
    HttpResponse<byte[]> response = post(new byte[] {(byte) 0xff, 1, 2, 3});
    assertThat(response.statusCode()).isEqualTo(400);
    CodedInputStream status = CodedInputStream.newInstance(response.body());
    assertThat(status.readTag()).as("field message of google.rpc.Status").isEqualTo(2 << 3 | 2);
    assertThat(status.readString()).contains("not an ExportTraceServiceRequest");
    assertThat(receiver.refusedPosts()).isEqualTo(1);
    assertThat(rows).isEmpty();
  }

  @Test
  void aCutBatchIsRefusedWhole() throws Exception {
    byte[] body = batch(whole(), whole()).toByteArray();
    assertThat(post(java.util.Arrays.copyOf(body, body.length - 5)).statusCode()).isEqualTo(400);
    assertThat(rows).isEmpty();
  }

  @Test
  void aBodyThatInflatesBeyondTheLimitIsRefused() throws Exception {
    byte[] bomb = gzip(new byte[TraceReceiver.BODY_LIMIT_BYTES + 1]);
    assertThat(send(PROTOBUF, "gzip", bomb).statusCode()).isEqualTo(413);
    assertThat(receiver.refusedPosts()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, '', 415",
    "application/x-protobuf, br, 415",
    "application/x-protobuf, gzip, 400",
  })
  void anotherFormatIsRefused(String type, String encoding, int status) throws Exception {
    byte[] body = batch(whole()).toByteArray();
    assertThat(send(type, encoding, body).statusCode()).isEqualTo(status);
    assertThat(rows).isEmpty();
    assertThat(receiver.refusedPosts()).isEqualTo(1);
  }

  @Test
  void otherPathsAndMethodsAreRefused() throws Exception {
    URI metrics = URI.create(receiver.endpoint().replace("traces", "metrics"));
    HttpRequest wrongPath =
        HttpRequest.newBuilder(metrics).POST(BodyPublishers.ofByteArray(new byte[0])).build();
    HttpRequest wrongMethod = HttpRequest.newBuilder(URI.create(receiver.endpoint())).build();
    assertThat(client.send(wrongPath, BodyHandlers.discarding()).statusCode()).isEqualTo(404);
    assertThat(client.send(wrongMethod, BodyHandlers.discarding()).statusCode()).isEqualTo(405);
  }

  @Test
  void afterAFaultTheNextPostIsTaken() throws Exception {
    post(new byte[] {(byte) 0xff});
    assertThat(post(batch(whole()).toByteArray()).statusCode()).isEqualTo(200);
    assertThat(rows).hasSize(1);
  }

  private HttpResponse<byte[]> post(byte[] body) throws Exception {
    return send(PROTOBUF, "", body);
  }

  private HttpResponse<byte[]> send(String type, String encoding, byte[] body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(receiver.endpoint()))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", type)
            .POST(BodyPublishers.ofByteArray(body));
    if (!encoding.isEmpty()) {
      request.header("Content-Encoding", encoding);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static ExportTraceServiceRequest batch(Span... spans) {
    ScopeSpans scope = ScopeSpans.newBuilder().addAllSpans(List.of(spans)).build();
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(ResourceSpans.newBuilder().addScopeSpans(scope))
        .build();
  }

  private static Span.Builder span() {
    return Span.newBuilder()
        .setName("llm_request")
        .setTraceId(ByteString.copyFrom(HexFormat.of().parseHex(TRACE)))
        .setSpanId(ByteString.copyFrom(HexFormat.of().parseHex(SPAN)));
  }

  private static Span whole() {
    return span()
        .addAttributes(text("gen_ai.request.id", "cmpl-run-1-0-0"))
        .addAttributes(real("gen_ai.latency.time_in_queue", 0.001))
        .addAttributes(real("gen_ai.latency.time_in_model_prefill", 0.02))
        .addAttributes(real("gen_ai.latency.time_in_model_decode", 0.3))
        .addAttributes(real("gen_ai.latency.time_in_model_inference", 0.32))
        .addAttributes(real("gen_ai.latency.time_to_first_token", 0.05))
        .addAttributes(real("gen_ai.latency.e2e", 0.35))
        .addAttributes(whole("gen_ai.usage.prompt_tokens", 128))
        .addAttributes(whole("gen_ai.usage.completion_tokens", 31))
        .build();
  }

  private static KeyValue real(String key, double value) {
    return attribute(key, AnyValue.newBuilder().setDoubleValue(value));
  }

  private static KeyValue whole(String key, long value) {
    return attribute(key, AnyValue.newBuilder().setIntValue(value));
  }

  private static KeyValue text(String key, String value) {
    return attribute(key, AnyValue.newBuilder().setStringValue(value));
  }

  private static KeyValue attribute(String key, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}
