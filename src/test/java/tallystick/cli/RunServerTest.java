package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in a browser, also one that goes on. */
class RunServerTest {
  private static final Path SAMPLE = Path.of("reports/sample");

  @TempDir private Path all;
  private Path runs;
  private RunServer server;

  @BeforeEach
  void start() throws IOException {
    runs = Files.createDirectory(all.resolve("inner"));
    server = RunServer.of(runs, 0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aRunThatGoesOnIsListedAndShownWithoutAVerdict() throws Exception {
    halfOfTheSample("going");
    assertThat(get("").body()).contains("Still running: <a href=\"/going/live\">going</a>");
    String page = get("going/live").body();
    assertThat(page)
        .contains("RUNNING", "This run goes on: ", "http-equiv=\"refresh\"", "id=\"timeline\"")
        .doesNotContain("INVALID", "planned end");
  }

  @Test
  void aRunThatHasEndedIsItsOwnPage() throws Exception {
    copy("ended");
    Files.writeString(runs.resolve("index.html"), "<main><p>one run</p></main>");
    assertThat(get("").body()).contains("one run").doesNotContain("Goes on");
    HttpResponse<String> look = get("ended/live");
    assertThat(look.statusCode()).isEqualTo(302);
    assertThat(look.headers().firstValue("Location")).contains("./report.html");
    assertThat(get("ended/report.html").body()).contains("<title>");
  }

  @Test
  void aRunThatWasCutOffOrHasNoReportYetIsNotToldToGoOn() throws Exception {
    halfOfTheSample("cut");
    Files.delete(runs.resolve("cut/report.html"));
    Files.setLastModifiedTime(
        runs.resolve("cut/record/harness.ndjson"), FileTime.from(Instant.EPOCH));
    assertThat(get("").body()).doesNotContain("Goes on");
    assertThat(get("cut/live").body()).contains("refresh", "its report comes");
  }

  @Test
  void whoSendsHalfARequestHoldsNobodyUp() throws Exception {
    try (Socket half = new Socket("127.0.0.1", URI.create(server.url()).getPort())) {
      half.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
      assertThat(get("").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void nothingOutsideIsShownAndNothingToOthers() throws Exception {
    assertThat(get("none/live").statusCode()).isEqualTo(404);
    halfOfTheSample("../outside");
    assertThat(raw("GET /../outside/live HTTP/1.1\r\nHost: localhost\r\n"))
        .startsWith("HTTP/1.1 404");
    for (String path : List.of("/live", "//etc/live", "/%00/live")) {
      assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n"))
          .as(path)
          .startsWith("HTTP/1.1 404");
    }
    assertThat(raw("GET / HTTP/1.1\r\nHost: example.com\r\n")).startsWith("HTTP/1.1 403");
  }

  private HttpResponse<String> get(String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(server.url() + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private String raw(String head) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", URI.create(server.url()).getPort())) {
      socket.getOutputStream().write(
          (head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private Path copy(String name) throws IOException {
    Path run = runs.resolve(name);
    try (Stream<Path> files = Files.walk(SAMPLE)) {
      for (Path file : files.toList()) {
        Path to = run.resolve(SAMPLE.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.write(to, Files.readAllBytes(file));
        }
      }
    }
    return run;
  }

  /** As a client leaves it in the middle of its work. */
  private void halfOfTheSample(String name) throws IOException {
    Path record = copy(name).resolve("record");
    Path manifest = record.resolve("manifest.json");
    Files.writeString(
        manifest,
        Files.readString(manifest)
            .replace("\"state\" : \"completed\"", "\"state\" : \"open\"")
            .replace("\"complete\" : true", "\"complete\" : false"));
    for (String file : List.of("requests.ndjson", "scrapes.ndjson", "harness.ndjson")) {
      byte[] whole = Files.readAllBytes(record.resolve(file));
      Files.write(record.resolve(file), Arrays.copyOf(whole, whole.length / 2));
    }
  }
}
