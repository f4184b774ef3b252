package tallystick.answer.words;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.scenario.Scenario.RequestForm;
import tallystick.scenario.SecretPlaces;

/** A plan's settings by name, as two runs are compared by them. */
public final class SettingsText {
  private static final String LAST_REQUEST = "until the last request";

  private static final long LEAST_SET_NANOS = 1_000_000;

  private SettingsText() {}

  public static Map<String, String> of(Settings settings) {
    Map<String, String> named = new TreeMap<>();
    named.put("endpoint", settings.endpoint().word());
    named.put(
        "concurrency",
        settings.concurrency() > 0 ? String.valueOf(settings.concurrency()) : "no limit");
    timing(named, settings.timing());
    settings.phases().forEach(phase -> named.put("phase " + phase.name(), phase(phase)));
    for (int i = 0; i < settings.objectives().size(); i++) {
      named.put("objective " + (i + 1), Wording.objective(settings.objectives().get(i)));
    }
    options(named, settings.options());
    access(named, settings);
    settings
        .classes()
        .forEach(
            words ->
                named.put(
                    "class " + words.name(),
                    "weight " + words.weight() + " " + words.model() + " " + words.extraBody()));
    named.put("stop rules", settings.stop().toString());
    return named;
  }

  private static void timing(Map<String, String> named, Settings.Timing timing) {
    String duration = timing.isBounded() ? seconds(timing.durationNanos()) : LAST_REQUEST;
    named.put("duration", duration);
    named.put("scrape interval", seconds(timing.scrapeIntervalNanos()));
    named.put("request timeout", seconds(timing.requestTimeoutNanos()));
  }

  private static String phase(Phase phase) {
    String rate =
        phase.requestsPerSecond() > 0 ? Numbers.number(phase.requestsPerSecond()) + "/s, " : "";
    // A warm-up of so many requests ends where the seed has the last; nobody sets such a time.
    boolean isDrawn = phase.warmup() && phase.endNanos() % LEAST_SET_NANOS != 0;
    boolean isEndless = isDrawn || phase.endNanos() >= Settings.Timing.UNBOUNDED_NANOS;
    String end = isEndless ? LAST_REQUEST : "to " + seconds(phase.endNanos());
    return rate + "from " + seconds(phase.startNanos()) + " " + end;
  }

  private static void options(Map<String, String> named, RequestForm options) {
    named.put("ignore_eos", String.valueOf(options.ignoreEos()));
    named.put("same prompts", String.valueOf(options.samePrompts()));
    named.put("continuous usage", String.valueOf(options.continuousUsage()));
    named.put("token limit", options.tokenLimit().field());
    named.put("usage asked for", String.valueOf(!options.withoutUsage()));
    named.put("streamed", String.valueOf(!options.withoutStream()));
    named.put("extra body", options.extraBody());
  }

  /** Names of headers and parameters alone: what they hold is nobody's business. */
  private static void access(Map<String, String> named, Settings settings) {
    SecretPlaces secrets = settings.access().secrets();
    Set<String> headers = new TreeSet<>(settings.options().headers().keySet());
    headers.addAll(secrets.headers().keySet());
    named.put("headers", String.join(", ", headers));
    Set<String> parameters = new TreeSet<>(settings.access().urlParameters().keySet());
    parameters.addAll(secrets.urlParameters().keySet());
    if (!settings.access().path().isEmpty()) {
      named.put("path", settings.access().path());
    }
    named.put("HTTP/2 offered", String.valueOf(settings.access().http2()));
    if (!parameters.isEmpty()) {
      named.put("URL parameters", String.join(", ", parameters));
    }
  }

  private static String seconds(long nanos) {
    return LatencyUnit.SECONDS.text(nanos / 1e9);
  }
}
