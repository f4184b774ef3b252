package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.experiment.regress.MadeRuns;

/** The page as people meet it. One browser serves all of it. */
@Tag("chromium")
class PageInBrowserTest {
  private static final Path SAMPLE = Path.of("reports/sample/report.html").toAbsolutePath();
  private static final String PLOT =
      "(() => { const r = document.querySelectorAll('.plot')[1].getBoundingClientRect();"
          + " return [r.left, r.top, r.width, r.height]; })()";
  private static final String TICKS =
      "[...document.querySelectorAll('.x .tick')].map(one => one.textContent).join()";
  private static final String READ =
      "document.querySelector('.panel.latency .labels b').textContent";

  @TempDir static Path folder;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    browser.close();
  }

  @ParameterizedTest
  @CsvSource({"1280, false", "768, true", "360, false", "360, true"})
  void fitsItsScreenWithoutAWordOnTheConsole(int width, boolean isDark) throws Exception {
    browser.open(SAMPLE, width, isDark);
    assertThat(browser.value("document.documentElement.scrollWidth").asInt()).isEqualTo(width);
    assertThat(browser.value(contrast("body")).asDouble()).isGreaterThan(7);
    assertThat(browser.value(contrast(".answers dt")).asDouble()).isGreaterThan(4.5);
    assertThat(browser.value("document.querySelectorAll('.answers dt').length").asInt())
        .isEqualTo(4);
    assertThat(browser.complaints()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1280, false", "768, true", "360, false"})
  void pagesOfComparisonsAndAlertsFitToo(int width, boolean isDark) throws Exception {
    for (Map.Entry<String, String> page : others().entrySet()) {
      Path file = folder.resolve(page.getKey() + ".html");
      Files.writeString(file, page.getValue());
      browser.open(file, width, isDark);
      assertThat(browser.value("document.documentElement.scrollWidth").asInt())
          .as(page.getKey())
          .isEqualTo(width);
      assertThat(browser.value(contrast("body")).asDouble()).isGreaterThan(7);
      assertThat(browser.value("document.querySelectorAll('.answers dt').length").asInt())
          .isGreaterThan(2);
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static Map<String, String> others() {
    return Map.of(
        "regress",
        RegressionText.page(
            RegressionPageTest.report("base", MadeRuns.of(0.6, 0.62, 0.59, 0.61, 0.6))),
        "compare", RunPairTest.pair().page(List.of("reports/a", "reports/b")),
        "alerts", AlertsPageTest.example());
  }

  @Test
  void theMouseReadsEveryPanelAtOneMoment() throws Exception {
    browser.open(SAMPLE, 1280, false);
    JsonNode plot = plot();
    browser.mouse("mouseMoved", x(plot, 0.65), y(plot));
    assertThat(browser.value(READ).asText()).isEqualTo("1.27 s");
    assertThat(browser.value("document.querySelector('.x .now').textContent").asText())
        .endsWith(" s");
    String empty =
        "[...document.querySelectorAll('.panel:not(.marks) [data-tracks]')]"
            + ".filter(one => one.textContent === '').length";
    assertThat(browser.value(empty).asInt()).isZero();
  }

  @Test
  void draggingZoomsEveryPanelAndAKeyShowsTheWholeRunAgain() throws Exception {
    browser.open(SAMPLE, 1280, false);
    String whole = browser.value(TICKS).asText();
    String line = browser.value(line(5)).asText();
    JsonNode plot = plot();
    browser.mouse("mousePressed", x(plot, 0.5), y(plot));
    browser.mouse("mouseMoved", x(plot, 0.7), y(plot));
    browser.mouse("mouseReleased", x(plot, 0.75), y(plot));
    assertThat(browser.value(TICKS).asText()).contains("26 s").isNotEqualTo(whole);
    assertThat(browser.value(line(5)).asText()).isNotEqualTo(line);
    browser.value("document.getElementById('timeline').focus()");
    browser.key("0");
    assertThat(browser.value(TICKS).asText()).isEqualTo(whole);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void keysReadAndZoom() throws Exception {
    browser.open(SAMPLE, 1280, false);
    browser.value("document.getElementById('timeline').focus()");
    browser.key("ArrowRight");
    String first = browser.value("document.querySelector('.x .now').textContent").asText();
    browser.key("ArrowRight");
    assertThat(browser.value("document.querySelector('.x .now').textContent").asText())
        .isNotEqualTo(first);
    String whole = browser.value(TICKS).asText();
    browser.key("+");
    assertThat(browser.value(TICKS).asText()).isNotEqualTo(whole);
    browser.key("Escape");
    assertThat(browser.value(TICKS).asText()).isEqualTo(whole);
  }

  @Test
  void anotherScaleNamesItself() throws Exception {
    browser.open(SAMPLE, 1280, false);
    Map<String, String> names =
        Map.of(
            "log", ", log scale", "linear", "", "clip", ", cut: the largest is 55", "usual", "");
    for (String scale : names.keySet()) {
      browser.value(
          "(() => { const s = document.getElementById('scale'); s.value = '" + scale
              + "'; s.dispatchEvent(new Event('change')); })()");
      String how = "document.querySelector('.panel.count .how').textContent";
      assertThat(browser.value(how).asText()).isEqualTo(names.get(scale));
      assertThat(browser.value("document.querySelector('.timeline').innerHTML").asText())
          .doesNotContain("NaN", "Infinity", "undefined");
    }
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void everyLinkInsideThePageLeadsSomewhere() throws Exception {
    browser.open(SAMPLE, 1280, false);
    String broken =
        "[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"
            + ".filter(to => !document.getElementById(to.slice(1))).join()";
    assertThat(browser.value(broken).asText()).isEmpty();
    assertThat(browser.value("document.querySelectorAll('a.term').length").asInt())
        .isGreaterThan(20);
  }

  @Test
  void printsInDarkInkOnPaperWithoutTools() throws Exception {
    browser.open(SAMPLE, 1280, true);
    browser.call("Emulation.setEmulatedMedia", Map.of("media", "print"));
    assertThat(browser.value("getComputedStyle(document.body).color").asText())
        .isEqualTo("rgb(28, 30, 34)");
    assertThat(browser.value("getComputedStyle(document.getElementById('tools')).display").asText())
        .isEqualTo("none");
  }

  /** Runs with {@code -Paxe -Daxe=axe.min.js}: the file is in the package axe-core of npm. */
  @Test
  @Tag("axe")
  void axeFindsNothingSerious() throws Exception {
    for (boolean isDark : new boolean[] {false, true}) {
      browser.open(SAMPLE, 1280, isDark);
      browser.value(Files.readString(Path.of(System.getProperty("axe"))) + "; 0");
      String found =
          "axe.run().then(all => all.violations.map(one => one.id + ' ' + one.impact + ' '"
              + " + one.nodes[0].html).join())";
      assertThat(browser.value(found).asText()).isEmpty();
    }
  }

  @Test
  void hostileTextIsInert() throws Exception {
    Path page = folder.resolve("hostile.html");
    Files.writeString(page, HtmlPageTest.hostile());
    browser.open(page, 1280, false);
    assertThat(browser.value("String(window.owned)").asText()).isEqualTo("undefined");
    assertThat(browser.value("document.querySelectorAll('script').length").asInt()).isEqualTo(2);
    assertThat(browser.value("document.querySelectorAll('img, iframe, object').length").asInt())
        .isZero();
    assertThat(browser.complaints()).isEmpty();
  }

  private static JsonNode plot() throws Exception {
    browser.value("document.querySelectorAll('.plot')[1].scrollIntoView({block: 'center'})");
    return browser.value(PLOT);
  }

  private static double x(JsonNode plot, double share) {
    return plot.get(0).asDouble() + share * plot.get(2).asDouble();
  }

  private static double y(JsonNode plot) {
    return plot.get(1).asDouble() + plot.get(3).asDouble() / 2;
  }

  private static String line(int panel) {
    return "document.querySelectorAll('.panel')[" + panel
        + "].querySelector('[data-track]').getAttribute('d')";
  }

  // The ratio of WCAG between a text and the page's ground.
  private static String contrast(String selector) {
    return "(() => { const light = c => {"
        + " const v = c.match(/[0-9.]+/g).slice(0, 3).map(n => n / 255)"
        + ".map(n => n <= 0.03928 ? n / 12.92 : Math.pow((n + 0.055) / 1.055, 2.4));"
        + " return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };"
        + " const a = light(getComputedStyle(document.querySelector('" + selector + "')).color);"
        + " const b = light(getComputedStyle(document.body).backgroundColor);"
        + " return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })()";
  }
}
