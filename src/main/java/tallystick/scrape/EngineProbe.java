package tallystick.scrape;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import tallystick.runrecord.Sample;
import tallystick.scenario.Target;

/** Looks at targets once before a run: do they answer, and do they show an engine's metrics? */
public final class EngineProbe implements AutoCloseable {
  private static final String REMEDY =
      "Use --no-scrape to record the client's half only.";

  private final HttpFetch fetch = HttpFetch.standard();

  /** Scrapes the target once and asks for the engine's version. */
  public ProbeResult probe(Target target) throws InterruptedException {
    String url = target.metricsUrl();
    String version = version(target);
    int status = 0;
    boolean isReachable = false;
    List<Sample> samples = List.of();
    String problem = "";
    try {
      HttpFetch.Answer answer = fetch.get(URI.create(url), TargetScrape.HEADERS);
      isReachable = true;
      status = answer.status();
      samples = TargetScrape.samples(answer, new ExpositionParser());
    } catch (IOException e) {
      problem = problem(url, isReachable, e);
    }
    boolean hasFamilies = samples.stream().anyMatch(EngineProbe::isOfEngine);
    if (problem.isEmpty() && !hasFamilies) {
      problem =
          "%s shows %d series but no vllm: metrics; point metrics_url at the engine. %s"
              .formatted(url, samples.size(), REMEDY);
    }
    return new ProbeResult(target, isReachable, status, samples, hasFamilies, version, problem);
  }

  private static String problem(String url, boolean isReachable, IOException cause) {
    if (!isReachable) {
      return "%s does not answer (%s); start the server or correct the URL. %s"
          .formatted(url, cause.getMessage(), REMEDY);
    }
    return "%s gives no metrics (%s); point metrics_url at the engine's. %s"
        .formatted(url, cause.getMessage(), REMEDY);
  }

  /** A Dynamo worker shows its vllm: families only after its first request. */
  private static boolean isOfEngine(Sample sample) {
    String name = sample.series().name();
    return name.startsWith("vllm:")
        || name.startsWith("vllm_")
        || name.startsWith("dynamo_component_");
  }

  private String version(Target target) throws InterruptedException {
    try {
      HttpFetch.Answer answer = fetch.get(URI.create(target.url() + "/version"), Map.of());
      return answer.status() == 200
          ? new ObjectMapper().readTree(answer.body()).path("version").asText("")
          : "";
    } catch (IOException e) {
      // No version is no fault: only vLLM offers one.
      return "";
    }
  }

  @Override
  public void close() {
    fetch.close();
  }
}
