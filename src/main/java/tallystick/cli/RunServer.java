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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import tallystick.analysis.Analyzer;
import tallystick.report.Reports;
import tallystick.runrecord.FilesBelow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;

/**
 * Shows a folder of runs to browsers of this machine. A run that goes on is read anew for who looks
 * at it. Threads: any.
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
  private static final String NO_SUCH_RUN = "There is no such run.";

  /** Between a run's end and its report, before its first rows, and of one that was cut off. */
  private static final String WAITS =
      "<!DOCTYPE html><head><meta http-equiv=\"refresh\" content=\"2\"><title>Not yet</title>"
          + "</head><p>Nothing is told of this run now: its report comes, or ./tally report of its"
          + " folder writes it.</p>";

  private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost");

  private final Path root;
  private final HttpServer server;
  private final HttpHandler files;

  /** Whoever sends half a request holds up one of them. */
  private final ExecutorService readers = Executors.newFixedThreadPool(4, RunServer::daemon);

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
    server.setExecutor(runs.readers);
    server.start();
    return runs;
  }

  /** Its address. */
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "run-server");
    thread.setDaemon(true);
    return thread;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try {
      answerWith(exchange);
    } catch (IllegalArgumentException e) { // a path that no file can have
      send(exchange, 404, NO_SUCH_RUN);
    }
  }

  private void answerWith(HttpExchange exchange) throws IOException {
    String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
    String path = exchange.getRequestURI().getPath();
    if (!HOSTS.contains(host.replaceFirst(":\\d+$", ""))) {
      send(exchange, 403, "This page is for browsers of this machine.");
    } else if (path.equals("/")) {
      send(exchange, 200, list());
    } else if (path.endsWith(LIVE)) {
      live(exchange, path.substring(0, path.length() - LIVE.length()));
    } else {
      files.handle(exchange);
    }
  }

  /** The list of finished runs, and above it those that go on. */
  private String list() throws IOException {
    Path index =
        Stream.of("index.html", "report.html")
            .map(root::resolve)
            .filter(Files::isRegularFile)
            .findFirst()
            .orElse(root);
    StringBuilder going = new StringBuilder();
    for (Path run : going()) {
      String name = root.relativize(run).toString();
      String address = name.isEmpty() ? "" : "/" + name;
      going.append("<p>Still running: <a href=\"").append(address).append(LIVE).append("\">")
          .append(run.getFileName()).append("</a></p>");
    }
    return Files.isRegularFile(index)
        ? Files.readString(index).replaceFirst("<main>", "<main>" + going)
        : "<!DOCTYPE html><title>Runs</title><main>" + going
            + "<p>There is no list of runs here (index.html): ./tally run writes it into reports."
            + "</p></main>";
  }

  private List<Path> going() throws IOException {
    List<Path> going = new ArrayList<>();
    for (Path harness : FilesBelow.named(root, DEEPEST, "harness.ndjson")) {
      Path run = harness.getParent().getParent();
      // A name that an address or a page would have to escape is none of ours.
      boolean isPlain = root.relativize(run).toString().matches("[\\w./-]*");
      if (isPlain && goesOn(run)) {
        going.add(run);
      }
    }
    return going;
  }

  private static boolean goesOn(Path run) {
    Path harness = RecordFiles.ofRun(run).harness();
    try {
      long age = System.currentTimeMillis() - Files.getLastModifiedTime(harness).toMillis();
      return age < SILENT_MILLIS
          && RecordReader.open(run).manifest().ending().state() == Manifest.Ending.State.OPEN;
    } catch (IOException e) {
      return false;
    }
  }

  private void live(HttpExchange exchange, String name) throws IOException {
    Path run = root.resolve("." + name).normalize();
    if (!run.startsWith(root) || !Files.isDirectory(run.resolve("record"))) {
      send(exchange, 404, NO_SUCH_RUN);
    } else if (goesOn(run)) {
      send(exchange, 200, current(run));
    } else if (Files.isRegularFile(run.resolve("report.html"))) {
      exchange.getResponseHeaders().set("Location", "./report.html");
      exchange.sendResponseHeaders(302, -1);
      exchange.close();
    } else {
      send(exchange, 200, WAITS);
    }
  }

  private synchronized String current(Path run) throws IOException {
    Look look = looks.get(run);
    if (look == null || System.currentTimeMillis() > look.atMillis() + look.holdsMillis()) {
      look = look(run);
      looks.put(run, look);
    }
    return look.page();
  }

  private static Look look(Path run) throws IOException {
    long begin = System.currentTimeMillis();
    String page = Reports.pageSoFar(Analyzer.analyze(RecordReader.open(run)));
    long now = System.currentTimeMillis();
    long holds = Math.max(SHORTEST_MILLIS, SPARED * (now - begin));
    String again = "<meta http-equiv=\"refresh\" content=\"" + (holds + 999) / 1000 + "\">";
    return new Look(page.replaceFirst("<head>", "<head>" + again), now, holds);
  }

  private static void send(HttpExchange exchange, int status, String page) throws IOException {
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, isHead ? -1 : bytes.length);
    if (!isHead) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    readers.shutdownNow();
  }
}
