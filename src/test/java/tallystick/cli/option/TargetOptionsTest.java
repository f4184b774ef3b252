package tallystick.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tallystick.scenario.Target;

class TargetOptionsTest {
  private static final Target GATEWAY = Target.at("http://gateway:8080");

  @Command(name = "x")
  static final class Options {
    @Mixin private TargetOptions target;
  }

  @Test
  void oneUrlIsWhereTheTargetsMetricsAre() {
    assertThat(scraped(List.of(GATEWAY), "http://a:1/metrics"))
        .containsExactly(GATEWAY.scrapedAt("http://a:1/metrics"));
    assertThat(scraped(List.of(GATEWAY))).containsExactly(GATEWAY);
  }

  @Test
  void severalAreTheEnginesBehindAGateway() {
    assertThat(scraped(List.of(GATEWAY), "http://a:1/metrics", "https://b:2/x/metrics?y=1"))
        .containsExactly(
            new Target("http://gateway:8080", "", 1, Target.Role.GATEWAY),
            new Target("http://a:1", "http://a:1/metrics", 0),
            new Target("https://b:2", "https://b:2/x/metrics?y=1", 0));
  }

  @Test
  void theGatewayAloneGetsTheLoad() {
    List<Target> behind = scraped(List.of(GATEWAY), "http://a:1/metrics", "http://b:2/metrics");
    assertThat(Target.loaded(behind)).extracting(Target::url).containsExactly(GATEWAY.url());
    assertThat(Target.loaded(List.of(GATEWAY))).containsExactly(GATEWAY);
  }

  @Test
  void aBaseUrlMeansItsMetrics() {
    assertThat(scraped(List.of(GATEWAY), "http://a:1"))
        .containsExactly(GATEWAY.scrapedAt("http://a:1/metrics"));
    assertThat(scraped(List.of(GATEWAY), "http://a:1/", "http://b:2"))
        .extracting(Target::metricsUrl)
        .containsExactly("", "http://a:1/metrics", "http://b:2/metrics");
    assertRefused("names one engine twice", List.of(GATEWAY), "http://a:1", "http://a:1/metrics");
  }

  @Test
  void severalUrlsInOneWordAreRefused() {
    for (String between : List.of(",", ", ", ";", "|", " ")) {
      assertRefused(
          "--metrics-url names several URLs", List.of(GATEWAY),
          "http://a:1/metrics" + between + "http://b:2/metrics");
    }
  }

  /** Scraped twice, an engine's work would count twice. */
  @Test
  void noEngineIsCountedTwice() {
    assertRefused("names one engine twice", List.of(GATEWAY), "http://a:1/m", "http://a:1/m");
    assertRefused(
        "the scenario has 2", List.of(GATEWAY, Target.at("http://b:1")), "http://a:1/metrics");
  }

  private static void assertRefused(String words, List<Target> given, String... urls) {
    assertThatThrownBy(() -> scraped(given, urls))
        .isInstanceOf(Mistake.class)
        .hasMessageContaining(words);
  }

  private static List<Target> scraped(List<Target> given, String... urls) {
    Options options = new Options();
    CommandLine line = new CommandLine(options);
    String[] words = new String[2 * urls.length];
    for (int i = 0; i < urls.length; i++) {
      words[2 * i] = "--metrics-url";
      words[2 * i + 1] = urls[i];
    }
    line.parseArgs(words);
    return options.target.scraped(given);
  }
}
