package tallystick.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.report.Reports;
import tallystick.scenario.PlainText;

/** Shows a page in the browser, or says where it lies. */
@Command(
    name = "open",
    description = {
      "Open a run's page in the browser. Without a browser it prints the page's path.",
      "Without RUN it opens the list of all runs, or the only run.",
      "--serve shows the runs at a local address until Ctrl-C, including one that is still running."
    })
final class OpenCommand extends ShellCommand {
  private static final Path REPORTS = Path.of("reports");

  /** The first that a folder holds is opened. */
  private static final List<String> PAGES =
      List.of(
          "report.html", "capacity.html", "tune.html", "study.html", "regress.html",
          "alerts.html", "index.html");

  private final Map<String, String> environment;

  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      description = "a run's folder, a folder of alerts, or a page")
  private Path given;

  @Option(names = "--print", description = "only print the page's path")
  private boolean isPrinted;

  @Option(names = "--serve", description = "show the runs at a local address")
  private boolean isServed;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "the port of --serve (default: a free one)")
  private int port;

  @Mixin private JsonOption json;

  OpenCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > 65_535) {
      throw new Mistake("--port must be 0 (a free one) to 65535, was " + port);
    }
    if (isServed) {
      return serve();
    }
    if (port != 0) {
      throw new Mistake("--port is that of --serve: name both, or neither");
    }
    Path page = given == null ? newest() : page(given);
    console().println(page);
    json.print(() -> Reports.json(Map.of("page", page.toString())));
    if (!isPrinted) {
      browser().ifPresent(program -> show(program, page.toAbsolutePath().toString()));
    }
    return ExitCode.GOOD.number();
  }

  private Integer serve() throws IOException, InterruptedException {
    Path folder = given == null ? REPORTS : given;
    if (!Files.isDirectory(folder)) {
      throw new Mistake(folder + ": there is no such folder; --serve shows a folder of runs");
    }
    try (RunServer server = RunServer.of(folder, port)) {
      json.print(() -> Reports.json(Map.of("page", server.url())));
      console().println(server.url() + " shows the runs in " + folder + "; Ctrl-C ends it");
      if (!isPrinted) {
        browser().ifPresent(program -> show(program, server.url()));
      }
      Thread.currentThread().join();
    } catch (java.net.BindException e) {
      throw new Mistake(
          "port " + port + " cannot be used (" + e.getMessage() + "): name a free one with --port");
    }
    return ExitCode.GOOD.number();
  }

  private Path page(Path path) {
    if (Files.isRegularFile(path)) {
      return path;
    }
    if (Files.notExists(path)) {
      throw new Mistake(path + ": there is no such folder; ls reports shows the runs");
    }
    return PAGES.stream()
        .map(path::resolve)
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseThrow(
            () ->
                new Mistake(path + " holds no page; " + remedy(path)));
  }

  private static String remedy(Path path) {
    return Files.isDirectory(path.resolve("record"))
        ? "./tally report " + PlainText.argument(path) + " writes one"
        : "name a run's folder: ls reports shows the runs";
  }

  private Path newest() throws IOException {
    Path list = REPORTS.resolve("index.html");
    if (Files.isRegularFile(list)) {
      return list;
    }
    if (Files.isDirectory(REPORTS)) {
      try (Stream<Path> folders = Files.list(REPORTS)) {
        Optional<Path> last =
            folders
                .map(folder -> folder.resolve("report.html"))
                .filter(Files::isRegularFile)
                .max(Comparator.comparingLong(page -> page.toFile().lastModified()));
        if (last.isPresent()) {
          return last.get();
        }
      }
    }
    throw new Mistake(
        "there is no run in reports; ./tally run scenarios/quickstart.yaml makes one");
  }

  /** The program that hands a file to the browser; empty where there is no screen. */
  private Optional<String> browser() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    if (system.contains("mac")) {
      return Optional.of("open");
    }
    boolean hasScreen =
        Stream.of("DISPLAY", "WAYLAND_DISPLAY")
            .anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
    return hasScreen ? Optional.of("xdg-open") : Optional.empty();
  }

  // Its path is printed already: without that program nothing is lost.
  private void show(String program, String page) {
    try {
      new ProcessBuilder(program, page)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      console().println("No browser was opened: " + program + " cannot be started.");
    }
  }
}
