package tallystick.cli;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tallystick.cli.option.EngineFlags;
import tallystick.simengine.EmbeddedEngine;

/**
 * What stands in the place of servers and hours that a document names: simulated engines on free
 * ports of loopback, and scenarios that are over in seconds. All that is changed in a command
 * before it runs is changed here.
 */
final class StandIns implements AutoCloseable {
  private static final Pattern SERVER = Pattern.compile("http://([a-z0-9.-]+:\\d+)");
  private static final Pattern ENGINE = Pattern.compile("(\\./tally engine .*--port )(\\d+)(.*)");
  private static final Pattern MOMENT =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
  private static final Pattern LOADS =
      Pattern.compile("\\./tally (run|regress|capacity|study|tune) (?!.*--rehearse)");

  private static final Pattern SCENARIO = Pattern.compile("\\bscenarios/([a-z-]+\\.yaml)");
  private static final Pattern STEP = Pattern.compile("\\bfor: \\d+[smh]");
  private static final Pattern LONG =
      Pattern.compile("\\b(duration: )(\\d+[mh]|\\d{3,}s|[6-9]\\ds)");

  /** A gateway, a forwarded port, a worker's system port: other doors of the same engine. */
  private static final Map<String, String> OTHER_DOORS =
      Map.of("gateway.example:8080", "10.0.0.7:8000", "127.0.0.1:8081", "127.0.0.1:8000");

  private final Path place;
  private final Map<String, String> addresses = new HashMap<>();
  private final List<EmbeddedEngine> engines = new ArrayList<>();
  private Instant start = Instant.MIN;

  /**
   * @param place the folder in which commands are typed
   */
  StandIns(Path place) throws IOException {
    this.place = place;
    shorten();
  }

  /** Whether a command lasts as long as its load, because it sends it in real time. */
  static boolean isTimed(String text) {
    return LOADS.matcher(text).find();
  }

  /** Writes the scenarios that last long a second time, each step and window cut to seconds. */
  private void shorten() throws IOException {
    Files.createDirectories(place.resolve("shorter"));
    try (Stream<Path> files = Files.list(Path.of("scenarios"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".yaml")).toList()) {
        String text = Files.readString(file);
        String shorter = STEP.matcher(text).replaceAll("for: 2s");
        shorter = LONG.matcher(shorter).replaceAll("$16s");
        if (!shorter.equals(text)) {
          Files.writeString(place.resolve("shorter").resolve(file.getFileName()), shorter);
        }
      }
    }
  }

  /** A shown command as it is typed here. */
  String typed(String text) throws IOException {
    String typed = text;
    var engine = ENGINE.matcher(text);
    if (engine.find()) {
      typed = engine.replaceFirst("$1" + freePort(engine.group(2)) + "$3");
    }
    for (var server = SERVER.matcher(text); server.find() && !isWritten(text); ) {
      typed = typed.replace(server.group(1), address(server.group(1)));
    }
    if (isTimed(text)) {
      typed = SCENARIO.matcher(typed).replaceAll(file -> shorter(file.group(1)));
      typed = typed.replaceAll("duration=\\d+s", "duration=6s").replaceFirst(" --repeats \\d+", "");
      typed = typed.replaceFirst("(tally regress)", "$1 --repeats 3");
    }
    return MOMENT.matcher(typed).replaceAll(moment -> soon().toString());
  }

  /** Files for a cluster keep its addresses; nothing is asked there. */
  private static boolean isWritten(String text) {
    return text.contains("./tally launch ");
  }

  private String shorter(String name) {
    boolean isShorter = Files.exists(place.resolve("shorter").resolve(name));
    return (isShorter ? "shorter/" : "scenarios/") + name;
  }

  /** One moment for all shards of a run: their processes need some seconds to stand ready. */
  private Instant soon() {
    if (start.isBefore(Instant.now())) {
      start = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
    }
    return start;
  }

  private String address(String shown) {
    String door = OTHER_DOORS.getOrDefault(shown, shown);
    return addresses.computeIfAbsent(
        door,
        server -> {
          EmbeddedEngine engine =
              EmbeddedEngine.start(EngineFlags.settings(Map.of()), "127.0.0.1", 0);
          engines.add(engine);
          return engine.url().replace("http://", "");
        });
  }

  /** A port for an engine that the document itself starts. */
  private int freePort(String shown) throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      addresses.put("127.0.0.1:" + shown, "127.0.0.1:" + socket.getLocalPort());
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    engines.forEach(EmbeddedEngine::close);
  }
}
