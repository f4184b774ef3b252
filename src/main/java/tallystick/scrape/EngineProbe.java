package tallystick.scrape;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Exporter;
import tallystick.scenario.Target;

/** Looks at targets once before a run: do they answer, and do they show an engine's metrics? */
public final class EngineProbe implements AutoCloseable {
  private static final String REMEDY = "Use --no-scrape to record the client's half only.";

  private static final String EXPORTER_REMEDY =
      "correct its url, or go without it: --set exporters=null";

  private final MetricsAccess access;
  private final HttpFetch fetch;

  /**
   * A probe.
   *
   * @throws IllegalArgumentException if its file of authorities holds none
   */
  public EngineProbe(MetricsAccess access) {
    this.access = access;
    this.fetch = HttpFetch.trusting(access.caFile());
  }

  /** Scrapes the target once and asks for the engine's version. */
  public EndpointProbe probe(Target target) throws InterruptedException {
    String url = target.metricsUrl();
    String version = version(target);
    Look look = look(access.of(target));
    String problem = look.problem(url);
    if (problem.isEmpty() && !look.hasFamilies()) {
      String wayOut = "point metrics_url at the engine. " + REMEDY;
      problem =
          look.samples().isEmpty()
              ? "%s is empty; %s".formatted(url, wayOut)
              : "%s shows %s series but none of %s; %s"
                  .formatted(url, look.samples().size(), readEngines(), wayOut);
    }
    if (!problem.isEmpty() && look.isReachable() && url.equals(target.url() + "/metrics")) {
      problem = elsewhere(target).orElse(problem);
    }
    return new EndpointProbe(target, look.samples(), version, problem);
  }

  /** That not the usual page but another shows an engine's metrics; empty where none does. */
  private Optional<String> elsewhere(Target target) throws InterruptedException {
    for (EngineFamily family : MetricVocabulary.standard().families()) {
      String url = target.url() + family.page();
      if (!url.equals(target.metricsUrl())
          && look(access.of(target.scrapedAt(url))).hasFamilies()) {
        return Optional.of(
            "%s shows no engine's metrics, %s does: --metrics-url %s"
                .formatted(target.metricsUrl(), url, url));
      }
    }
    return Optional.empty();
  }

  /** Why an exporter beside the targets is of no use; empty for one that shows metrics. */
  public Optional<String> problemOf(Exporter exporter) throws InterruptedException {
    Look look = look(access.of(exporter));
    if (!look.cause().isEmpty()) {
      return Optional.of(
          "exporter \"%s\": %s gives no metrics (%s); %s"
              .formatted(exporter.name(), exporter.url(), look.cause(), EXPORTER_REMEDY));
    }
    return look.samples().isEmpty()
        ? Optional.of(
            "exporter \"%s\": %s shows no series; %s"
                .formatted(exporter.name(), exporter.url(), EXPORTER_REMEDY))
        : Optional.empty();
  }

  /** What a metrics URL gave. */
  private record Look(boolean isReachable, List<Sample> samples, String cause) {
    boolean hasFamilies() {
      return samples.stream()
          .map(sample -> sample.series().name())
          .anyMatch(EngineProbe::isOfReadEngine);
    }

    String problem(String url) {
      return cause.isEmpty() ? "" : EngineProbe.problem(url, isReachable, cause);
    }
  }

  private Look look(MetricsUrl url) throws InterruptedException {
    return url.isPrometheus() || url.isFile() ? stored(url) : exposed(url);
  }

  private Look exposed(MetricsUrl url) throws InterruptedException {
    boolean isReachable = false;
    try {
      HttpAnswer answer = DirectRows.ask(url, fetch);
      isReachable = true;
      ExpositionParser parser = new ExpositionParser(url.redaction());
      return new Look(true, DirectRows.samples(answer, url, parser), "");
    } catch (IOException e) {
      return new Look(isReachable, List.of(), url.words(e));
    }
  }

  private Look stored(MetricsUrl url) throws InterruptedException {
    RunClock now = RunClock.start();
    ScrapeRow row = RowSources.of(0, url, fetch, now).next().getLast();
    return new Look(!row.error().startsWith("no "), row.samples(), row.error());
  }

  private static String problem(String url, boolean isReachable, String cause) {
    // Other words are of an answer that came, and cannot be used.
    if (!isReachable && cause.startsWith("no ")) {
      return "%s does not answer (%s); start the server or correct the URL. %s"
          .formatted(url, cause, REMEDY);
    }
    if (cause.startsWith(HttpFetch.TOO_LARGE)) {
      return "%s is too long to be read: %s. %s".formatted(url, cause, REMEDY);
    }
    return "%s gives no metrics (%s); point metrics_url at the engine's. %s"
        .formatted(url, cause, REMEDY);
  }

  /** A Dynamo worker shows its engine's metrics only after its first request. */
  private static boolean isOfReadEngine(String name) {
    return Observation.isEngines(name) || name.startsWith("dynamo_component_");
  }

  /** The engines whose side can be read, for example {@code vLLM or SGLang}. */
  static String readEngines() {
    return MetricVocabulary.standard().families().stream()
        .map(EngineFamily::title)
        .collect(Collectors.joining(", "));
  }

  private String version(Target target) throws InterruptedException {
    try {
      URI address = URI.create(target.url() + "/version");
      HttpAnswer answer = fetch.get(address, access.ofApi().with(Map.of()));
      return answer.status() == 200
          ? access.redaction().of(
              new ObjectMapper().readTree(answer.body()).path("version").asText(""))
          : "";
    } catch (IOException e) {
      // No version is no fault: few engines offer one there.
      return "";
    }
  }

  @Override
  public void close() {
    fetch.close();
  }
}
