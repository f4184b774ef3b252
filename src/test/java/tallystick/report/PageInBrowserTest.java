package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.NeedsProgram;

/** The page as people meet it. One browser serves all of it. */
@NeedsProgram("chromium")
class PageInBrowserTest {
  private static final Path SAMPLE = Path.of("reports/sample/report.html").toAbsolutePath();
  private static final String PLOT =
      "(() => { const r = document.querySelectorAll('.plot')[1].getBoundingClientRect();"
          + " return [r.left, r.top, r.width, r.height]; })()";
  private static final String TICKS =
      "[...document.querySelectorAll('.x .tick')].map(one => one.textContent).join()";
  private static final String READ =
      "document.querySelector('.panel.latency .labels b').textContent";

  private static final List<Integer> WIDTHS = List.of(360, 800, 1400);

  /** An A4 sheet less its margins. */
  private static final int PAPER = 718;

  /** Words of a picture that lie outside it or on one another, and words that a box cuts off. */
  private static final String SPOILED_WORDS =
      """
      (() => {
        const spoiled = [];
        const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
        for (const svg of document.querySelectorAll('svg[role=img]')) {
          const box = svg.getBoundingClientRect();
          const all = [...svg.querySelectorAll('text')]
              .map(one => [one.textContent, one.getBoundingClientRect()])
              .filter(([words, at]) => words && at.width);
          for (const [words, at] of all) {
            if (at.left < box.left - 1 || at.right > box.right + 1 || at.top < box.top - 2
                || at.bottom > box.bottom + 2) spoiled.push('outside: ' + words);
          }
          all.forEach(([words, at], i) => all.slice(i + 1).forEach(([others, there]) => {
            if (meet(at, there)) spoiled.push('over: ' + words + ' / ' + others);
          }));
        }
        for (const one of document.querySelectorAll('main p, main td, main th, main dd, main dt,'
            + ' main li, main h1, main h2, main h3, main figcaption, main .value, main .level,'
            + ' main .bands .row b')) {
          const style = getComputedStyle(one);
          const hides = style.overflowX !== 'visible' && style.overflowX !== 'auto';
          if (hides && one.clientWidth && one.scrollWidth > one.clientWidth + 1
              && !one.closest('.again')) {
            spoiled.push('cut: ' + one.textContent.slice(0, 60));
          }
          const inside = one.closest('.scroll') || one.closest('pre') || one.closest('.again');
          const edge = one.getBoundingClientRect();
          if (!inside && edge.width && edge.right > innerWidth + 1) {
            spoiled.push('beyond: ' + one.textContent.slice(0, 60));
          }
        }
        for (const one of document.querySelectorAll('.scroll')) {
          if (innerWidth > 1200 && !one.closest('details')
              && one.scrollWidth > one.clientWidth + 1) {
            spoiled.push('hidden at the right: ' + one.getAttribute('aria-label') + ' '
                + one.querySelector('thead').textContent);
          }
        }
        return [...new Set(spoiled)].slice(0, 12).join(' | ');
      })()""";

  @TempDir static Path folder;
  private static Browser browser;
  private static Map<String, Path> pages;

  @BeforeAll
  static void start() throws Exception {
    pages = EveryPage.write(folder.resolve("pages"));
    browser = Browser.start(folder.resolve("browser"));
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
  @ValueSource(
      strings = {
        "report", "index", "compare", "regress", "capacity", "tune", "study", "alerts", "history"
      })
  void everyPageFitsEveryScreenAndPaper(String name) throws Exception {
    List<String> faults = new ArrayList<>();
    browser.open(pages.get(name), WIDTHS.getFirst(), false);
    for (int width : WIDTHS) {
      for (boolean isDark : List.of(false, true)) {
        browser.show(width, isDark, "screen");
        draw(name + "-" + width + (isDark ? "-dark" : ""));
        String at = width + (isDark ? " dark: " : ": ");
        faults(faults, at);
      }
    }
    assertThat(faults).as(name).isEmpty();
    browser.show(PAPER, true, "print");
    assertThat(browser.value("getComputedStyle(document.body).color").asText())
        .isEqualTo("rgb(28, 30, 34)");
    assertThat(browser.value("document.documentElement.scrollWidth").asInt()).as("paper")
        .isEqualTo(PAPER);
    assertThat(browser.value("document.querySelectorAll('.answers dt, table.runs').length").asInt())
        .isPositive();
    assertThat(browser.complaints()).isEmpty();
  }

  /** Nobody scrolls to see what the verdict rests on, and no page is endless. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "report", "compare", "regress", "capacity", "tune", "study", "alerts", "history"
      })
  void theFirstScreenHasThePictureAndTablesAreFolded(String name) throws Exception {
    browser.open(pages.get(name), 1280, false);
    String picture =
        "Math.min(...[...document.querySelectorAll('main svg[role=img], .bands, .forest, .strip,"
            + " .timeline')].filter(one => !one.closest('details:not([open])'))"
            + ".map(one => one.getBoundingClientRect().top))";
    assertThat(browser.value(picture).asDouble()).isLessThan(700);
    assertThat(browser.value("document.documentElement.scrollHeight").asInt())
        .isLessThanOrEqualTo(6000);
    String open =
        "[...document.querySelectorAll('table')].filter(one => !one.querySelector('svg')"
            + " && !one.closest('details:not([open])')).length";
    if (!name.equals("report")) {
      assertThat(browser.value(open).asInt()).isZero();
    }
  }

  private static void faults(List<String> faults, String at) throws Exception {
    int wide = browser.value("document.documentElement.scrollWidth - innerWidth").asInt();
    if (wide != 0) {
      faults.add(at + "scrolls sideways by " + wide);
    }
    if (browser.value(contrast("body")).asDouble() < 7) {
      faults.add(at + "pale");
    }
    String words = browser.value(SPOILED_WORDS).asText();
    if (!words.isEmpty()) {
      faults.add(at + words);
    }
  }

  // Runs with -Dshots=DIR leave what people see in that folder.
  private static void draw(String name) throws Exception {
    String shots = System.getProperty("shots", "");
    if (!shots.isEmpty()) {
      browser.draw(Files.createDirectories(Path.of(shots)).resolve(name + ".png"));
    }
  }

  @Test
  void aLongNameOfTheLastPhaseDoesNotWidenThePage() throws Exception {
    browser.open(SAMPLE, 360, false);
    browser.value(
        "document.querySelector('.phases span:last-child').textContent = 'down-040'.repeat(9)");
    assertThat(browser.value("document.documentElement.scrollWidth").asInt()).isEqualTo(360);
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
        "[...document.querySelectorAll('.panel:not(.marks) [data-tracks]:not(.each)')]"
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
      String how = "document.querySelector('.engine.count .how').textContent";
      assertThat(browser.value(how).asText()).isEqualTo(names.get(scale));
      assertThat(browser.value("document.querySelector('.timeline').innerHTML").asText())
          .doesNotContain("NaN", "Infinity", "undefined");
    }
    assertThat(browser.complaints()).isEmpty();
  }

  /** What a page would save, where no disk is asked. */
  private static final String KEEP =
      "tallySave.file = (name, kind, content) => { window.kept = [name, kind, content]; }; 0";

  @Test
  void aNameBesideAChartLeavesItsLineOut() throws Exception {
    browser.open(SAMPLE, 1280, false);
    String legend = "document.querySelectorAll('.panel.latency .toggle')[0]";
    String line = "document.querySelectorAll('.panel.latency .plot path.off').length";
    browser.value(legend + ".click()");
    assertThat(browser.value(line).asInt()).isEqualTo(1);
    assertThat(browser.value(legend + ".getAttribute('aria-pressed')").asText())
        .isEqualTo("false");
    browser.value(legend + ".click()");
    assertThat(browser.value(line).asInt()).isZero();
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aDotForEachRequestStaysADotWhereTheChartIsZoomed() throws Exception {
    browser.open(SAMPLE, 1280, false);
    String dots = "document.querySelector('.panel.latency .plot .dots').getAttribute('d')";
    String whole = browser.value(dots).asText();
    assertThat(whole).matches("(M[\\d.]+ [\\d.]+h0){100,}");
    browser.value("document.querySelector('[data-do=in]').click()");
    assertThat(browser.value(dots).asText())
        .matches("(M-?[\\d.]+ -?[\\d.]+h0)+")
        .isNotEqualTo(whole);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void valuesAndPicturesCanBeTakenAlong() throws Exception {
    browser.open(SAMPLE, 1280, true);
    browser.value(KEEP);
    browser.value("document.querySelector('[data-do=csv]').click()");
    assertThat(browser.value("kept[0]").asText()).endsWith(".csv");
    List<String> lines = browser.value("kept[2]").asText().lines().toList();
    assertThat(lines.getFirst()).isEqualTo("chart,series,engine,seconds,value");
    assertThat(lines).hasSizeGreaterThan(100)
        .anyMatch(one -> one.matches("Time to first token,largest,[^,]*,[0-9.]+,[0-9.]+"))
        .allMatch(one -> one.split(",").length == 5);

    browser.value("document.querySelector('[data-do=svg]').click()");
    String drawn =
        "(() => { const d = new DOMParser().parseFromString(kept[2], 'image/svg+xml');"
            + " return [d.querySelectorAll('parsererror').length, d.querySelectorAll('svg').length,"
            + " [...document.querySelectorAll('header .chip')].every(one =>"
            + " d.documentElement.textContent.includes(one.textContent))].join(); })()";
    assertThat(browser.value(drawn).asText()).matches("0,([5-9]|1\\d),true");

    browser.value("document.querySelector('[data-do=png]').click()");
    assertThat(
            browser.value(
                "new Promise(done => { const wait = () => kept[1] === 'image/png' && kept[2]"
                    + " ? createImageBitmap(kept[2]).then(b => done(b.width + ' ' + kept[0]))"
                    + " : setTimeout(wait, 20); wait(); })").asText())
        .startsWith("2000 ").endsWith(".png");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void theListOfRunsIsSortedSearchedAndComparedByTwo() throws Exception {
    browser.open(pages.get("index"), 1280, false);
    String first = "document.querySelector('.runs tbody tr:not([hidden]) a').textContent";
    String heads = "document.querySelectorAll('.runs th .save')";
    browser.value(heads + "[2].click()");
    String up = browser.value(first).asText();
    browser.value(heads + "[2].click()");
    assertThat(browser.value(first).asText()).isNotEqualTo(up);
    String ticks = "document.querySelectorAll('.runs [type=checkbox]')";
    browser.value(ticks + "[0].click(); " + ticks + "[1].click()");
    assertThat(browser.value("document.querySelector('.tools code').textContent").asText())
        .startsWith("tally compare /");
    String find = "const f = document.querySelector('.tools input'); f.value = 'no such run';";
    browser.value("(() => { " + find + " f.dispatchEvent(new Event('input')); })()");
    assertThat(browser.value("document.querySelectorAll('.runs tbody tr:not([hidden])').length")
            .asInt())
        .isZero();
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void runsOfAnExperimentUnfoldBelowIt() throws Exception {
    browser.open(pages.get("index"), 1280, false);
    String fold = "document.querySelector('.runs [aria-expanded]')";
    String shown =
        "[...document.querySelectorAll('.runs .part')].filter(one => one.offsetHeight > 0).length";
    assertThat(browser.value(shown).asInt()).isZero();
    browser.value(fold + ".click()");
    assertThat(browser.value(shown).asInt()).isPositive();
    // Sorted by a column, they stay below it.
    browser.value("document.querySelectorAll('.runs th .save')[0].click()");
    String above = "document.querySelector('.runs .part').previousElementSibling";
    assertThat(browser.value(above + ".contains(" + fold + ")").asBoolean()).isTrue();
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
  void printsWithoutTools() throws Exception {
    browser.open(SAMPLE, 1280, true);
    browser.show(1280, true, "print");
    assertThat(browser.value("getComputedStyle(document.getElementById('tools')).display").asText())
        .isEqualTo("none");
  }

  /** Runs with {@code -Paxe -Daxe=axe.min.js}: the file is in the package axe-core of npm. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "report", "index", "compare", "regress", "capacity", "tune", "study", "alerts", "history"
      })
  @Tag("axe")
  void axeFindsNothingSerious(String name) throws Exception {
    for (boolean isDark : new boolean[] {false, true}) {
      browser.open(pages.get(name), 1280, isDark);
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
