package tallystick.scrape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Formatted;

/** What a Prometheus, or another store with its API, is itself: its name, clock and pace. */
record StoreCheck(MetricsUrl url, HttpFetch fetch) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Remarks on the store and on its newest scrapes, oldest first. */
  List<Remark> remarks(List<Observation> stored) throws InterruptedException {
    double started = RunClock.utcNanos() / NANOS_PER_SECOND;
    double date = Double.NaN;
    String name = "";
    try {
      URI address = URI.create(url.endpoint("status/buildinfo"));
      HttpAnswer answer = fetch.get(address, url.credentials().with(Map.of()));
      date = answer.dateUtcSeconds();
      name = answer.status() == 200 ? name(answer) : "";
    } catch (IOException e) {
      // It answers queries, which is all that is needed of it.
      name = "";
    }
    double ended = RunClock.utcNanos() / NANOS_PER_SECOND;
    Observation asked = new Observation(started, ended, date, "", 0, 0, List.of());
    return List.of(
        new Remark(
            name.isEmpty() ? Remark.Level.NOTE : Remark.Level.GOOD, "store",
            name.isEmpty() ? "it does not tell what it is" : name),
        resolution(stored, ended), ClockCheck.remark(List.of(asked)));
  }

  private static String name(HttpAnswer answer) throws IOException {
    JsonNode data = new ObjectMapper().readTree(answer.body()).path("data");
    String application = data.path("application").asText("a Prometheus API");
    String version = data.path("version").asText();
    return version.isEmpty() ? "" : application + ", version " + version;
  }

  private static Remark resolution(List<Observation> stored, double now) {
    double newest = stored.getLast().startedUtcSeconds();
    double span = newest - stored.getFirst().startedUtcSeconds();
    String age = Formatted.of("; the newest is %.1f s old", now - newest);
    String text =
        stored.size() < 2
            ? "one scrape is stored; its interval is unknown" + age
            : "one stored scrape every "
                + SnapshotText.number(span / (stored.size() - 1))
                + " s by Prometheus' clock; nothing finer can be known of the engine's half"
                + age;
    return Remark.note("resolution", text);
  }
}
