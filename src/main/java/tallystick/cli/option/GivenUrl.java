package tallystick.cli.option;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import tallystick.reach.ServerUrl;
import tallystick.scenario.Target;

/** A URL given on the command line, checked before anything is asked of it. */
public final class GivenUrl {
  private GivenUrl() {}

  /**
   * The URL itself, its scheme in small letters.
   *
   * @param name the option or parameter it was given for
   * @throws Mistake if it cannot be used so
   */
  public static String checked(String name, String text, ServerUrl.Use use) {
    ServerUrl.faultOf(text, use)
        .ifPresent(
            fault -> {
              throw new Mistake(name + " " + fault.what() + "; " + fault.remedy());
            });
    return ServerUrl.normal(text, use);
  }

  /** What was given as {@code --metrics-url}: where metrics are, each place once. */
  public static List<String> metrics(List<String> given) {
    List<String> urls =
        given.stream().map(url -> scraped("--metrics-url", url).metricsUrl()).toList();
    if (Set.copyOf(urls).size() < urls.size()) {
      throw new Mistake("--metrics-url names one engine twice: it would count twice");
    }
    return urls;
  }

  /** Whom to scrape: a base URL means its {@code /metrics}, any other is taken as it is. */
  public static Target scraped(String name, String text) {
    String url = checked(name, text, ServerUrl.Use.METRICS);
    if (ServerUrl.isFile(url)) {
      Path file = Path.of(URI.create(url).getPath());
      if (!Files.exists(file)) {
        throw GivenFile.absent(file);
      }
      return new Target(ServerUrl.base(url), url, 1);
    }
    boolean isBase = url.matches("https?://[^/?]*/?");
    return isBase ? Target.at(url) : new Target(url.replaceFirst("[?].*", ""), url, 1);
  }
}
