package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Target;

class ScraperTest {
  private static final String TEXT = "text/plain; version=0.0.4";
  private static final long MILLI = 1_000_000L;

  private final LoopbackServer server;
  private final LinkedBlockingQueue<ScrapeRow> rows = new LinkedBlockingQueue<>();

  ScraperTest() throws IOException {
    server = new LoopbackServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void givesARowWithEverySampleAtEachGridPoint() throws InterruptedException {
    AtomicInteger count = new AtomicInteger();
    server.on(
        "/metrics",
        exchange -> {
          String body = "a_total " + count.incrementAndGet() + "\nstranger{x=\"1\"} 2\n";
          LoopbackServer.answer(exchange, 200, TEXT, body);
        });
    List<ScrapeRow> taken = new ArrayList<>();
    try (Scraper scraper = scraper(5 * MILLI)) {
      scraper.start();
      for (int i = 0; i < 4; i++) {
        taken.add(rows.poll(20, TimeUnit.SECONDS));
      }
    }
    assertThat(taken).allMatch(ScrapeRow::isGood).allMatch(row -> row.samples().size() == 2);
    assertThat(taken)
        .extracting(row -> row.samples().getFirst().value())
        .containsExactly(1.0, 2.0, 3.0, 4.0);
    assertThat(taken).isSortedAccordingTo((a, b) -> Long.compare(a.startedNanos(), b.endedNanos()));
  }

  @Test
  void whoLeavesIsScrapedOnceMoreAndWhoJoinsFromThenOn() throws InterruptedException {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, "a 1\n"));
    try (Scraper scraper = scraper(20 * MILLI)) {
      scraper.start();
      scraper.join(1, server.target());
      assertThat(scraper.targets()).containsExactly(0, 1);
      for (boolean isSeen = false; !isSeen; ) {
        ScrapeRow row = rows.poll(20, TimeUnit.SECONDS);
        assertThat(row).isNotNull();
        isSeen = row.target() == 1;
      }
      scraper.leave(1);
      assertThat(scraper.targets()).containsExactly(0);
      rows.clear();
      int more = 0;
      for (int others = 0; others < 10; ) {
        boolean isOther = rows.poll(20, TimeUnit.SECONDS).target() == 0;
        others += isOther ? 1 : 0;
        more += isOther ? 0 : 1;
      }
      assertThat(more).as("one that had begun, and the last").isLessThanOrEqualTo(2);
      scraper.join(1, server.target());
      assertThat(scraper.targets()).containsExactly(0, 1);
    }
  }

  @Test
  void targetsThatAreAddedUpAreScrapedShortlyAfterEachOther() throws InterruptedException {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, "a 1\n"));
    int targets = 8;
    RunClock clock = RunClock.start();
    List<Target> same = Collections.nCopies(targets, server.target());
    try (Scraper scraper = plain(same, 60_000 * MILLI, clock, rows::add)) {
      long before = clock.nanos();
      scraper.start();
      for (int i = 0; i < targets; i++) {
        ScrapeRow row = rows.poll(20, TimeUnit.SECONDS);
        assertThat(row).as("a row of every target long before the interval ends").isNotNull();
        assertThat(row.startedNanos() - before).isGreaterThanOrEqualTo(row.target() * 5 * MILLI);
      }
    }
  }

  @Test
  void spreadTargetsAreScrapedAtOnceAndThenOneAfterTheOther() throws InterruptedException {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, "a 1\n"));
    int targets = 60;
    RunClock clock = RunClock.start();
    List<Target> same = Collections.nCopies(targets, server.target());
    try (Scraper scraper = plain(same, 60_000 * MILLI, clock, rows::add)) {
      scraper.startSpread();
      int[] seen = new int[targets];
      ScrapeRow row = rows.poll(20, TimeUnit.SECONDS);
      // All at one grid point would bring the second row of any target after a minute.
      while (row != null && ++seen[row.target()] < 2) {
        row = rows.poll(20, TimeUnit.SECONDS);
      }
      assertThat(row).as("a second row within the interval").isNotNull();
      assertThat(row.target()).isEqualTo(1);
      assertThat(row.startedNanos()).isGreaterThanOrEqualTo(1_000 * MILLI);
    }
  }

  @Test
  void asksForTheTextFormatOverHttp11() throws InterruptedException {
    AtomicReference<Map<String, List<String>>> headers = new AtomicReference<>();
    server.on(
        "/metrics",
        exchange -> {
          headers.set(exchange.getRequestHeaders());
          LoopbackServer.answer(exchange, 200, TEXT, exchange.getProtocol() + " 1\n");
        });
    ScrapeRow row = scrapeOnce();
    assertThat(headers.get().get("Accept")).containsExactly("text/plain;version=0.0.4");
    assertThat(row.error()).contains("line 1").contains("found '/'");
  }

  @ParameterizedTest
  @CsvSource({"503,HTTP 503", "404,HTTP 404", "204,HTTP 204"})
  void keepsAFailedScrapeAsARowWithItsError(int status, String error)
      throws InterruptedException {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, status, TEXT, ""));
    ScrapeRow row = scrapeOnce();
    assertThat(row.isGood()).isFalse();
    assertThat(row.samples()).isEmpty();
    assertThat(row.error()).isEqualTo(error);
    assertThat(row.endedNanos()).isGreaterThanOrEqualTo(row.startedNanos());
  }

  @Test
  void saysWhereCredentialsComeFrom() throws InterruptedException {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 401, TEXT, "no"));
    assertThat(scrapeOnce().error())
        .startsWith("HTTP 401: it wants credentials")
        .contains("TALLY_METRICS_TOKEN", "TALLY_METRICS_USER");
  }

  @Test
  void doesNotFollowARedirectButNamesIt() throws InterruptedException {
    server.on(
        "/metrics",
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/elsewhere");
          exchange.sendResponseHeaders(307, -1);
        });
    assertThat(scrapeOnce().error()).contains("HTTP 307", "/elsewhere");
  }

  @Test
  void saysWhenNobodyListens() throws InterruptedException {
    Target gone = server.target();
    server.close();
    try (Scraper scraper = plain(List.of(gone), MILLI, RunClock.start(), rows::add)) {
      assertThat(scraper.scrape(0).error()).startsWith("no connection");
    }
  }

  @Test
  void saysWhenTheHostIsUnknown() throws InterruptedException {
    Target nowhere = Target.at("http://engine.invalid:8000");
    try (Scraper scraper = plain(List.of(nowhere), MILLI, RunClock.start(), rows::add)) {
      assertThat(scraper.scrape(0).error())
          .isEqualTo("no connection: the host name is not known");
    }
  }

  @Test
  void understandsGzip() throws InterruptedException {
    server.on(
        "/metrics",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Encoding", "gzip");
          LoopbackServer.answer(exchange, 200, TEXT, gzip("a 5\n"));
        });
    assertThat(scrapeOnce().samples().getFirst().value()).isEqualTo(5);
  }

  @Test
  void refusesABodyThatIsCut() throws InterruptedException {
    server.on(
        "/metrics",
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write("a 1\n".getBytes(StandardCharsets.UTF_8));
        });
    ScrapeRow row = scrapeOnce();
    assertThat(row.isGood()).isFalse();
    assertThat(row.samples()).isEmpty();
  }

  @Test
  void breaksOffABodyWithoutEnd() throws IOException {
    server.on(
        "/metrics",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] part = "a 1\n".repeat(1000).getBytes(StandardCharsets.UTF_8);
          while (true) {
            exchange.getResponseBody().write(part);
          }
        });
    try (HttpFetch fetch = new HttpFetch(Duration.ofSeconds(20), 100_000, "")) {
      URI uri = URI.create(server.target().metricsUrl());
      assertThatThrownBy(() -> fetch.get(uri, Map.of()))
          .hasMessageContainingAll("more than 0.1 MB", "are read");
    }
  }

  @Test
  void givesUpOnAServerThatStopsMidBody() throws IOException {
    CountDownLatch done = new CountDownLatch(1);
    server.on(
        "/metrics",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('a');
          exchange.getResponseBody().flush();
          awaitQuietly(done);
        });
    try (HttpFetch fetch = new HttpFetch(Duration.ofMillis(200), 100_000, "")) {
      URI uri = URI.create(server.target().metricsUrl());
      assertThatThrownBy(() -> fetch.get(uri, Map.of()))
          .hasMessageContaining("no whole answer within");
    } finally {
      done.countDown();
    }
  }

  @Test
  void leavesOutTargetsWithoutMetricsAndKeepsTheirIndex() throws InterruptedException {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, "a 1\n"));
    List<Target> targets =
        List.of(new Target("http://127.0.0.1:1", "", 1), server.target());
    try (Scraper scraper = plain(targets, MILLI, RunClock.start(), rows::add)) {
      assertThat(scraper.targets()).containsExactly(1);
      assertThat(scraper.latest(1)).isEmpty();
      assertThat(scraper.scrape(1).target()).isEqualTo(1);
      assertThat(scraper.latest(1)).contains(rows.poll());
      assertThat(scraper.latest(0)).isEmpty();
    }
  }

  @Test
  void tellsAtItsEndThatTheSinkFailed() throws InterruptedException {
    server.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, "a 1\n"));
    CountDownLatch called = new CountDownLatch(1);
    Scraper scraper =
        new Scraper(
            List.of(server.target()),
            MILLI,
            RunClock.start(),
            row -> {
              called.countDown();
              throw new IllegalStateException("disk full");
            },
            MetricsAccess.plain());
    scraper.start();
    called.await();
    assertThatThrownBy(scraper::close).hasRootCauseMessage("disk full");
  }

  @ParameterizedTest
  @CsvSource({
    // last point, the moment the scrape ended, the next point; grid 100, 110, 120, …
    "100,101,110", "100,110,110", "100,111,120", "100,120,120", "100,145,150", "130,131,140"
  })
  void startsASlowTargetsNextScrapeAtTheNextFreeGridPoint(long last, long now, long next) {
    assertThat(Scraper.nextGridPoint(100, last, now, 10)).isEqualTo(next);
  }

  private ScrapeRow scrapeOnce() throws InterruptedException {
    try (Scraper scraper = scraper(MILLI)) {
      return scraper.scrape(0);
    }
  }

  private Scraper scraper(long intervalNanos) {
    return plain(List.of(server.target()), intervalNanos, RunClock.start(), rows::add);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream stream = new GZIPOutputStream(bytes)) {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Scraper plain(
      List<Target> targets, long intervalNanos, RunClock clock, Consumer<ScrapeRow> sink) {
    return new Scraper(targets, intervalNanos, clock, sink, MetricsAccess.plain());
  }
}
