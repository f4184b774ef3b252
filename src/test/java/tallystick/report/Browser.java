package tallystick.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A Chromium without a window, led by its DevTools protocol. One start serves many pages. */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PATIENCE_SECONDS = 60;

  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> answers;
  private final List<JsonNode> events = new ArrayList<>();
  private int number;

  private Browser(Process process, WebSocket socket, BlockingQueue<JsonNode> answers) {
    this.process = process;
    this.socket = socket;
    this.answers = answers;
  }

  static Browser start(Path folder) throws Exception {
    Process process =
        new ProcessBuilder(
                "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                "--remote-debugging-port=0", "--user-data-dir=" + folder, "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    try {
      HttpClient http = HttpClient.newHttpClient();
      WebSocket socket =
          http.newWebSocketBuilder()
              .buildAsync(page(http, port(folder, process)), new Ear(answers))
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      Browser browser = new Browser(process, socket, answers);
      for (String room : List.of("Page", "Runtime", "Log", "Network")) {
        browser.call(room + ".enable", Map.of());
      }
      return browser;
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  // The browser writes its port into its folder as soon as it listens.
  private static int port(Path folder, Process process) throws Exception {
    Path file = folder.resolve("DevToolsActivePort");
    for (int i = 0; i < PATIENCE_SECONDS * 20 && process.isAlive(); i++) {
      if (Files.exists(file) && Files.readString(file).contains("\n")) {
        return Integer.parseInt(Files.readString(file).lines().findFirst().orElseThrow());
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    throw new IOException("Chromium did not start");
  }

  private static URI page(HttpClient http, int port) throws Exception {
    URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
    HttpResponse<String> pages =
        http.send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString());
    for (JsonNode page : JSON.readTree(pages.body())) {
      if (page.get("type").asText().equals("page")) {
        return URI.create(page.get("webSocketDebuggerUrl").asText());
      }
    }
    throw new IOException("Chromium shows no page");
  }

  private static final class Ear implements WebSocket.Listener {
    private final BlockingQueue<JsonNode> answers;
    private final StringBuilder heard = new StringBuilder();

    private Ear(BlockingQueue<JsonNode> answers) {
      this.answers = answers;
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
      heard.append(text);
      if (isLast) {
        try {
          answers.add(JSON.readTree(heard.toString()));
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
        heard.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    ObjectNode order = JSON.createObjectNode().put("id", ++number).put("method", method);
    order.set("params", JSON.valueToTree(parameters));
    socket.sendText(order.toString(), true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    while (true) {
      JsonNode answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (answer == null) {
        throw new IOException("Chromium does not answer " + method);
      }
      if (answer.path("id").asInt() == number) {
        if (answer.has("error")) {
          throw new IOException(method + ": " + answer.get("error"));
        }
        return answer.get("result");
      }
      events.add(answer);
    }
  }

  /** Shows a file on a screen of this width; what was heard of the page before is forgotten. */
  void open(Path file, int width, boolean isDark) throws Exception {
    show(width, isDark, "screen");
    events.clear();
    call("Page.navigate", Map.of("url", file.toUri().toString()));
    while (!value("document.readyState + location.href").asText().startsWith("completefile:")) {
      Thread.onSpinWait();
    }
  }

  /** Shows the page that is open on another width, ground or medium. */
  void show(int width, boolean isDark, String medium) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    Map<String, String> scheme =
        Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light");
    call("Emulation.setEmulatedMedia", Map.of("media", medium, "features", List.of(scheme)));
  }

  /** Draws the whole page that is open into a file, for people to look at. */
  void draw(Path file) throws Exception {
    Map<String, ?> whole = Map.of("format", "png", "captureBeyondViewport", true);
    String png = call("Page.captureScreenshot", whole).get("data").asText();
    Files.write(file, Base64.getDecoder().decode(png));
  }

  /** The value of an expression of JavaScript, a promise waited for. */
  JsonNode value(String expression) throws Exception {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (result.has("exceptionDetails")) {
      throw new IOException(expression + ": " + result.get("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  void key(String key) throws Exception {
    for (String type : List.of("keyDown", "keyUp")) {
      call("Input.dispatchKeyEvent", Map.of("type", type, "key", key));
    }
  }

  void mouse(String type, double x, double y) throws Exception {
    call(
        "Input.dispatchMouseEvent",
        Map.of(
            "type", type, "x", x, "y", y, "button", "left", "clickCount", 1,
            "buttons", type.equals("mouseReleased") ? 0 : 1));
  }

  /** What the page wrote to the console, threw, was refused, or asked of the network. */
  List<String> complaints() {
    return events.stream()
        .filter(
            event ->
                List.of("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
                        .contains(event.get("method").asText())
                    || isRequest(event))
        .map(JsonNode::toString)
        .toList();
  }

  private static boolean isRequest(JsonNode event) {
    String url = event.at("/params/request/url").asText();
    return event.get("method").asText().equals("Network.requestWillBeSent")
        && !url.startsWith("file:")
        && !url.startsWith("data:");
  }

  @Override
  public void close() throws Exception {
    call("Browser.close", Map.of());
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
