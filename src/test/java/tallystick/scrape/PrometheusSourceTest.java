package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Target;

/** A real Prometheus between the exporter and the record. */
@NeedsProgram("promtool")
class PrometheusSourceTest {
  private static final String TEXT = "text/plain; version=1.0.0; charset=utf-8";

  @TempDir private Path folder;

  @Test
  void givesTheSameSamplesAsADirectScrape() throws Exception {
    byte[] body = Fixtures.bytes("metrics-after1.prom");
    LinkedBlockingQueue<ScrapeRow> rows = new LinkedBlockingQueue<>();
    try (LoopbackServer engine = new LoopbackServer()) {
      engine.on("/metrics", exchange -> LoopbackServer.answer(exchange, 200, TEXT, body));
      String address = engine.target().url().replace("http://", "");
      try (PrometheusProcess prometheus = PrometheusProcess.start(folder, address)) {
        String stored = prometheus.url() + "/api/v1/query?job=vllm&instance=" + address;
        Target target = new Target(engine.target().url(), stored, 1);
        RunClock clock = RunClock.start();
        MetricsAccess access = MetricsAccess.plain();
        try (Scraper scraper =
            new Scraper(List.of(target), 200_000_000L, clock, rows::add, access)) {
          scraper.start();
          ScrapeRow first = goodRow(rows);
          ScrapeRow second = goodRow(rows);
          assertThat(second.startedNanos() - first.startedNanos())
              .isBetween(500_000_000L, 3_000_000_000L);
          assertThat(values(second.samples()))
              .containsAllEntriesOf(values(new ExpositionParser().parse(body, TEXT)));
          QuietResult quiet =
              new Quiescence(scraper, clock, 200_000_000L).await(Duration.ofSeconds(60));
          assertThat(quiet.verdict()).isEqualTo(QuietResult.Verdict.QUIET);
        }
      }
    }
  }

  private static ScrapeRow goodRow(LinkedBlockingQueue<ScrapeRow> rows) throws Exception {
    while (true) {
      ScrapeRow row = rows.poll(60, TimeUnit.SECONDS);
      assertThat(row).as("a row within a minute").isNotNull();
      if (row.isGood()) {
        return row;
      }
    }
  }

  /** Name, labels and type → value, without the labels Prometheus adds. */
  private static Map<String, Double> values(List<Sample> samples) {
    Map<String, Double> values = new HashMap<>();
    for (Sample sample : samples) {
      Map<String, String> labels = new TreeMap<>(sample.series().labels());
      labels.remove("job");
      labels.remove("instance");
      values.put(sample.series().name() + sample.series().type() + labels, sample.value());
    }
    return values;
  }
}
