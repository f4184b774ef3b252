package tallystick.alerting.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.FreePort;
import tallystick.NeedsProgram;

/** Our routes and inhibitions in a real Alertmanager, among alerts of others. */
@NeedsProgram("prometheus-alertmanager")
class RealAlertmanagerTest {
  private static final long TENTH_NANOS = 100_000_000;

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private String address;

  /** Who is told of an alert, and whether another one silences it. */
  private record Fate(String receiver, boolean isInhibited) {}

  @Test
  void aPageSilencesTicketsAndWarningsOfItsModelAndNothingOfOthers() throws Exception {
    Process alertmanager = start();
    try {
      Map<String, Fate> fates =
          fates(
              List.of(
                  alert("VLLMModelGone", "page", "m"),
                  alert("VLLMTTFTObjectiveMissed", "ticket", "m"),
                  alert("VLLMHighTTFT", "warning", "m"),
                  alert("VLLMHighTTFT", "warning", "n"),
                  alert("VLLMTargetDown", "ticket", ""),
                  alert("NodeDown", "page", "n"),
                  alert("NodeDiskAlmostFull", "warning", "m"),
                  alert("CertificateExpires", "ticket", "m")));
      assertThat(fates)
          .containsEntry("VLLMModelGone m", new Fate("pager", false))
          .containsEntry("VLLMTTFTObjectiveMissed m", new Fate("tickets", true))
          .containsEntry("VLLMHighTTFT m", new Fate("warnings", true))
          .containsEntry("VLLMHighTTFT n", new Fate("warnings", false))
          .containsEntry("VLLMTargetDown ", new Fate("tickets", false))
          .containsEntry("NodeDown n", new Fate("pager", false))
          .containsEntry("NodeDiskAlmostFull m", new Fate("warnings", false))
          .containsEntry("CertificateExpires m", new Fate("tickets", false))
          .hasSize(8);
    } finally {
      alertmanager.destroy();
      assertThat(alertmanager.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static Map<String, Map<String, String>> alert(
      String name, String severity, String model) {
    Map<String, String> labels = new TreeMap<>();
    labels.put("alertname", name);
    labels.put("severity", severity);
    labels.put("cluster", "c");
    if (!model.isEmpty()) {
      labels.put("model_name", model);
    }
    return Map.of("labels", labels);
  }

  private Process start() throws IOException {
    Path file = folder.resolve("alertmanager.yaml");
    Files.writeString(file, SloText.alertmanager());
    int port = FreePort.any();
    address = "http://127.0.0.1:" + port + "/api/v2/alerts";
    return new ProcessBuilder(
            "prometheus-alertmanager", "--config.file=" + file, "--storage.path=" + folder,
            "--web.listen-address=127.0.0.1:" + port, "--cluster.listen-address=")
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output.txt").toFile())
        .start();
  }

  /** It needs a moment until it answers, and another until it knows who silences whom. */
  private Map<String, Fate> fates(List<Map<String, Map<String, String>>> alerts)
      throws Exception {
    HttpRequest post =
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(alerts)))
            .build();
    send(post);
    Map<String, Fate> fates = Map.of();
    for (int attempt = 0; attempt < 100; attempt++) {
      fates = read(send(HttpRequest.newBuilder(URI.create(address)).build()));
      if (fates.values().stream().filter(Fate::isInhibited).count() >= 2) {
        return fates;
      }
      LockSupport.parkNanos(TENTH_NANOS);
    }
    return fates;
  }

  private String send(HttpRequest request) throws Exception {
    for (int attempt = 0; ; attempt++) {
      try {
        HttpResponse<String> answer =
            client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
      } catch (IOException e) {
        if (attempt == 200) {
          throw e;
        }
      }
      LockSupport.parkNanos(TENTH_NANOS);
    }
  }

  private Map<String, Fate> read(String answer) throws IOException {
    Map<String, Fate> fates = new TreeMap<>();
    for (JsonNode alert : json.readTree(answer)) {
      JsonNode labels = alert.get("labels");
      List<String> receivers = new ArrayList<>();
      alert.get("receivers").forEach(each -> receivers.add(each.get("name").asText()));
      fates.put(
          labels.get("alertname").asText() + " " + labels.path("model_name").asText(),
          new Fate(
              String.join(" and ", receivers), !alert.at("/status/inhibitedBy").isEmpty()));
    }
    return fates;
  }
}
