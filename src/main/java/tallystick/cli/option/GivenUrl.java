package tallystick.cli.option;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import tallystick.reach.ServerUrl;
import tallystick.scenario.Target;

/** A URL given on the command line, checked before anything is asked of it. */
public final class GivenUrl {
  private GivenUrl() {}

  /**
   * The URL itself, its scheme in small letters.
   *
   * @param name the option or parameter it was given for
   * @throws ParameterException if it cannot be used so
   */
  public static String checked(CommandSpec spec, String name, String text, ServerUrl.Use use) {
    ServerUrl.faultOf(text, use)
        .ifPresent(
            fault -> {
              throw new ParameterException(
                  spec.commandLine(), name + " " + fault.what() + "; " + fault.remedy());
            });
    return ServerUrl.normal(text);
  }

  /** What was given as {@code --metrics-url}: where metrics are, each place once. */
  public static List<String> metrics(CommandSpec spec, List<String> given) {
    List<String> urls =
        given.stream().map(url -> scraped(spec, "--metrics-url", url).metricsUrl()).toList();
    if (Set.copyOf(urls).size() < urls.size()) {
      throw new ParameterException(
          spec.commandLine(), "--metrics-url names one engine twice: it would count twice");
    }
    return urls;
  }

  /** Whom to scrape: a base URL means its {@code /metrics}, any other is taken as it is. */
  public static Target scraped(CommandSpec spec, String name, String text) {
    String url = checked(spec, name, text, ServerUrl.Use.METRICS);
    if (ServerUrl.isFile(url)) {
      Path file = Path.of(URI.create(url).getPath());
      if (!Files.exists(file)) {
        throw GivenFile.absent(spec, file);
      }
      return new Target(ServerUrl.base(url), url, 1);
    }
    boolean isBase = url.matches("https?://[^/?]*/?");
    return isBase ? Target.at(url) : new Target(url.replaceFirst("[?].*", ""), url, 1);
  }
}
