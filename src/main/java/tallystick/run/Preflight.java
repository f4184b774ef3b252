package tallystick.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.live.LiveMetrics;
import tallystick.reach.ServerUrl;
import tallystick.reach.TrustedAuthorities;
import tallystick.run.TargetException.Fault;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;
import tallystick.scenario.Exporter;
import tallystick.scenario.Target;
import tallystick.scenario.TargetList;
import tallystick.scrape.EndpointProbe;
import tallystick.scrape.EngineProbe;
import tallystick.scrape.ListedTargets;
import tallystick.scrape.MetricsAccess;
import tallystick.tracing.TraceReceiver;

/** Looks at every target before a run, so that a mistake costs seconds and not the run. */
public final class Preflight {
  private static final int COLLECTOR_MILLIS = 1000; // a collector is near; nobody waits for it

  private final MetricsAccess access;

  /**
   * A look at targets.
   *
   * @param access whom to trust, and which secrets are shown to whom
   * @throws TargetException if its file of authorities holds none
   */
  public Preflight(MetricsAccess access) throws TargetException {
    this.access = access;
    try {
      TrustedAuthorities.with(access.caFile());
    } catch (IllegalArgumentException e) {
      throw new TargetException(Fault.USER, "request.ca_file: " + e.getMessage());
    }
  }

  /**
   * What was found.
   *
   * @param model the model to name in requests
   * @param versions {@code engine} where a target told its version
   * @param settings what the engines' metrics tell of their settings, for example {@code
   *     block_size}
   * @param arguments how the servers were started, where they tell
   * @param notes sentences for the user
   */
  public record Findings(
      String model, Map<String, String> versions, Map<String, String> settings,
      Map<String, String> arguments, List<String> notes) {}

  /**
   * Where an engine is to send its traces; the port is free at this moment.
   *
   * @throws TargetException if nobody can listen there
   */
  public static String traceEndpoint(int port) throws TargetException {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return TraceReceiver.endpoint(probe.getLocalPort());
    } catch (IOException | IllegalArgumentException e) {
      throw new TargetException(
          Fault.USER,
          "port " + port + " cannot take traces (" + e.getMessage()
              + "): name a free port with --otlp-port");
    }
  }

  /**
   * What is said of a collector of OpenTelemetry that the environment names; empty for none.
   *
   * @throws TargetException if that is not a URL
   */
  public static Optional<String> collector(Map<String, String> environment)
      throws TargetException {
    try {
      return LiveMetrics.collector(environment).map(Preflight::reached);
    } catch (IllegalArgumentException e) {
      throw new TargetException(Fault.USER, "OTEL_EXPORTER_OTLP_ENDPOINT: " + e.getMessage());
    }
  }

  private static String reached(URI collector) {
    int usual = collector.getScheme().equals("https") ? 443 : 80;
    int port = collector.getPort() < 0 ? usual : collector.getPort();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(collector.getHost(), port), COLLECTOR_MILLIS);
      return "Sending the client's metrics to " + collector;
    } catch (IOException e) {
      return "Nobody takes the client's metrics at " + collector
          + ", where OTEL_EXPORTER_OTLP_ENDPOINT sends them: the run goes on without";
    }
  }

  /** Refuses a port that cannot be listened at. */
  public static void checkFree(int port, String option) throws TargetException {
    try (ServerSocket probe = new ServerSocket(port)) {
      probe.getLocalPort();
    } catch (IOException | IllegalArgumentException e) {
      throw new TargetException(
          Fault.USER,
          "port " + port + " cannot be used (" + e.getMessage() + "): name a free one with "
              + option);
    }
  }

  /**
   * Checks every target.
   *
   * @param wantedModel the model asked for; empty takes the first one the first target lists
   * @throws TargetException if a run against them cannot be measured
   */
  public Findings check(List<Target> targets, String wantedModel)
      throws TargetException, InterruptedException {
    String model = wantedModel;
    Map<String, String> versions = new TreeMap<>();
    Map<String, String> arguments = new TreeMap<>();
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      Target target = targets.get(i);
      ServerDoor door = new ServerDoor(target.url(), access);
      // Who gets no request of ours may name its model otherwise: a gateway translates.
      model = target.weight() > 0 ? door.model(model, notes) : model;
      String suffix = targets.size() == 1 ? "" : "_" + i;
      door.version().or(() -> versionOfScraped(target))
          .ifPresent(version -> versions.put("engine" + suffix, version));
      door.arguments().forEach(
          (name, value) ->
              arguments.merge(
                  name, value, (one, other) -> one.equals(other) ? one : one + " / " + other));
    }
    return new Findings(model, versions, checkMetrics(targets), arguments, notes);
  }

  /** A gateway tells no version; the engine whose metrics are read does. */
  private Optional<String> versionOfScraped(Target target) {
    String scraped = target.metricsUrl();
    boolean isElsewhere =
        scraped.startsWith("http") && !target.isReadFromStore()
            && !ServerUrl.base(scraped).equals(ServerUrl.base(target.url()));
    return isElsewhere
        ? new ServerDoor(ServerUrl.base(scraped), access.withoutKey()).version()
        : Optional.empty();
  }

  /**
   * Looks at the engines that a list names now. The API key is not shown to them.
   *
   * @param found what is known of the server that the load goes to
   * @return the same with what they tell
   * @throws TargetException if the list cannot be read, names none, or names one without metrics
   */
  public Findings checkListed(TargetList list, Findings found)
      throws TargetException, InterruptedException {
    if (!list.exists()) {
      return found;
    }
    List<Target> listed;
    try {
      listed = new ListedTargets(list).read();
    } catch (IOException e) {
      throw new TargetException(
          Fault.USER, "the list of targets cannot be read: " + e.getMessage());
    }
    if (listed.isEmpty()) {
      throw new TargetException(
          Fault.USER, list.words() + " lists no target: a run begins with at least one");
    }
    Map<String, String> versions = new TreeMap<>(found.versions());
    for (int i = 0; i < listed.size(); i++) {
      int index = i;
      new ServerDoor(listed.get(i).url(), access.withoutKey())
          .version()
          .ifPresent(version -> versions.put("engine_listed_" + index, version));
    }
    Map<String, String> settings = new TreeMap<>(found.settings());
    settings.putAll(new Preflight(access.withoutKey()).checkMetrics(listed));
    return new Findings(found.model(), versions, settings, found.arguments(), found.notes());
  }

  /**
   * Looks at what is scraped beside the targets.
   *
   * @throws TargetException if one of them gives no metrics
   */
  public void checkExporters(List<Exporter> exporters)
      throws TargetException, InterruptedException {
    try (EngineProbe probe = new EngineProbe(access)) {
      for (Exporter exporter : exporters) {
        Optional<String> problem = probe.problemOf(exporter);
        if (problem.isPresent()) {
          throw new TargetException(Fault.WORLD, problem.get());
        }
      }
    }
  }

  private Map<String, String> checkMetrics(List<Target> targets)
      throws TargetException, InterruptedException {
    Map<String, String> settings = new TreeMap<>();
    try (EngineProbe probe = new EngineProbe(access)) {
      for (Target target : targets) {
        if (target.metricsUrl().isEmpty()) {
          continue;
        }
        EndpointProbe result = probe.probe(target);
        if (!result.isFit()) {
          throw new TargetException(Fault.WORLD, result.problem());
        }
        result.samples().stream()
            .filter(sample -> sample.value() == 1)
            .map(Sample::series)
            .filter(Preflight::tellsSettings)
            .forEach(series -> settings.putAll(series.labels()));
      }
    }
    return settings;
  }

  private static boolean tellsSettings(Series series) {
    return MetricVocabulary.standard()
        .familyOf(series.name())
        .filter(family -> family.tellsSettings(series.name()))
        .isPresent();
  }
}
