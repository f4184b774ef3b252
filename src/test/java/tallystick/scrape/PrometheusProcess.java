package tallystick.scrape;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tallystick.FreePort;

/** A real Prometheus on a free loopback port. */
public final class PrometheusProcess implements AutoCloseable {
  private static final long START_SECONDS = 60;

  private final Process process;
  private final String url;

  private PrometheusProcess(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts Prometheus and waits until it is ready.
   *
   * @param folder keeps its configuration, log and data; {@code folder/data} may hold blocks, and
   *     {@code folder/rules.yml} rules to evaluate
   * @param scraped host:port it scrapes every second; empty for none
   */
  public static PrometheusProcess start(Path folder, String scraped) throws Exception {
    Path configuration = folder.resolve("prometheus.yml");
    String scrape =
        scraped.isEmpty()
            ? ""
            : """
              scrape_configs:
                - job_name: vllm
                  scrape_interval: 1s
                  static_configs: [{targets: ["%s"]}]
              """
                .formatted(scraped);
    String rules = Files.exists(folder.resolve("rules.yml")) ? "rule_files: [rules.yml]\n" : "";
    Files.writeString(configuration, "global: {scrape_interval: 1s}\n" + rules + scrape);
    int port = FreePort.any();
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--storage.tsdb.retention.time=10y",
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    PrometheusProcess started = new PrometheusProcess(process, "http://127.0.0.1:" + port);
    started.awaitReady();
    return started;
  }

  /** Its base URL. */
  public String url() {
    return url;
  }

  private void awaitReady() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    try (HttpFetch fetch = HttpFetch.standard()) {
      while (!isReady(fetch)) {
        if (System.nanoTime() > deadline || !process.isAlive()) {
          close();
          throw new IOException("Prometheus did not become ready");
        }
        process.waitFor(100, TimeUnit.MILLISECONDS);
      }
    }
  }

  private boolean isReady(HttpFetch fetch) throws InterruptedException {
    try {
      return fetch.get(URI.create(url + "/-/ready"), Map.of()).status() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
