package tallystick.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.analysis.Analyzer;
import tallystick.report.Reports;
import tallystick.runrecord.FilesBelow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.NoRecordException;
import tallystick.runrecord.RecordReader;

/**
 * Shows a folder of runs to browsers of this machine. A run that goes on is read anew for who looks
 * at it. One thread.
 */
final class RunServer implements AutoCloseable {
  /** Where a run that goes on is seen, below its folder. */
  static final String LIVE = "/live";

  /** A run lies below the list, or in an experiment's folder: EXPERIMENT/runs/RUN/record. */
  private static final int DEEPEST = 5;

  /** A record that goes on gets a line each second. */
  private static final long SILENT_MILLIS = 10_000;

  /** Reading takes a tenth of a processor at most: the client may measure on this machine. */
  private static final int SPARED = 10;

  private static final long SHORTEST_MILLIS = 2_000;
  private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost");

  private final Path root;
  private final HttpServer server;
  private final HttpHandler files;
  private final Map<Path, Look> looks = new HashMap<>();

  /** A page, when it was made, and how long it holds. */
  private record Look(String page, long atMillis, long holdsMillis) {}

  private RunServer(Path root, HttpServer server) {
    this.root = root;
    this.server = server;
    this.files = SimpleFileServer.createFileHandler(root);
  }

  /**
   * Serves from now on.
   *
   * @param folder the folder of runs
   * @param port on the loopback interface; 0 takes a free one
   * @throws IOException if the port is taken
   */
  static RunServer of(Path folder, int port) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    RunServer runs = new RunServer(folder.toRealPath(), server);
    server.createContext("/", runs::answer);
    server.start();
    return runs;
  }

  /** Its address. */
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  private void answer(HttpExchange exchange) throws IOException {
    String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
    String path = exchange.getRequestURI().getPath();
    if (!HOSTS.contains(host.replaceFirst(":\\d+$", ""))) {
      send(exchange, 403, "This page is for browsers of this machine.");
    } else if (path.equals("/")) {
      send(exchange, 200, list());
    } else if (path.endsWith(LIVE)) {
      live(exchange, path.substring(1, path.length() - LIVE.length()));
    } else {
      files.handle(exchange);
    }
  }

  /** The list of finished runs, and above it those that go on. */
  private String list() throws IOException {
    Path index = root.resolve("index.html");
    StringBuilder going = new StringBuilder();
    for (Path run : going()) {
      String name = root.relativize(run).toString();
      going.append("<p>Goes on: <a href=\"/").append(name).append(LIVE).append("\">").append(name)
          .append("</a></p>");
    }
    return Files.isRegularFile(index)
        ? Files.readString(index).replaceFirst("<main>", "<main>" + going)
        : "<!DOCTYPE html><title>Runs</title><main>" + going
            + "<p>No run has ended here.</p></main>";
  }

  private List<Path> going() throws IOException {
    List<Path> going = new ArrayList<>();
    for (Path harness : FilesBelow.named(root, DEEPEST, "harness.ndjson")) {
      long age = System.currentTimeMillis() - Files.getLastModifiedTime(harness).toMillis();
      Path run = harness.getParent().getParent();
      // A name that an address or a page would have to escape is none of ours.
      boolean isPlain = root.relativize(run).toString().matches("[\\w./-]+");
      if (age < SILENT_MILLIS && isPlain && isOpen(run)) {
        going.add(run);
      }
    }
    return going;
  }

  private static boolean isOpen(Path run) {
    try {
      return RecordReader.open(run).manifest().ending().state() == Manifest.Ending.State.OPEN;
    } catch (IOException e) {
      return false;
    }
  }

  private void live(HttpExchange exchange, String name) throws IOException {
    Path run = root.resolve(name).normalize();
    if (!run.startsWith(root) || !Files.isDirectory(run.resolve("record"))) {
      send(exchange, 404, "There is no such run.");
      return;
    }
    if (!isOpen(run)) {
      exchange.getResponseHeaders().set("Location", "./report.html");
      exchange.sendResponseHeaders(302, -1);
      exchange.close();
      return;
    }
    Look look = looks.get(run);
    if (look == null || System.currentTimeMillis() > look.atMillis() + look.holdsMillis()) {
      look = look(run);
      looks.put(run, look);
    }
    send(exchange, 200, look.page());
  }

  private static Look look(Path run) throws IOException {
    long begin = System.currentTimeMillis();
    String page;
    try {
      page = Reports.pageSoFar(Analyzer.analyze(RecordReader.open(run)));
    } catch (NoRecordException e) {
      page = "<!DOCTYPE html><head><title>Not yet</title></head><p>Nothing is recorded yet.</p>";
    }
    long now = System.currentTimeMillis();
    long holds = Math.max(SHORTEST_MILLIS, SPARED * (now - begin));
    String again = "<meta http-equiv=\"refresh\" content=\"" + (holds + 999) / 1000 + "\">";
    return new Look(page.replaceFirst("<head>", "<head>" + again), now, holds);
  }

  private static void send(HttpExchange exchange, int status, String page) throws IOException {
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
