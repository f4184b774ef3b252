package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.AlertSections;
import tallystick.alerting.review.SteppedRun;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.RecordReader;

/** Under the cursor the page reads out what it draws there. */
@NeedsProgram("chromium")
class ReadOutInBrowserTest {
  private static final Path SAMPLE = Path.of("reports/sample");

  /**
   * Moves the cursor to places of every series and lays the read-out beside the drawn path, which
   * is read from its own commands: whatever is read out was drawn there, and the other way round.
   */
  private static final String COMPARED =
      """
      (() => {
        const timeline = document.getElementById('timeline'), found = [];
        const span = path => {
          const parts = path.getAttribute('d').match(/[MLHVhZ][^MLHVhZ]*/g) || [], lines = [];
          let x = 0, y = 0;
          for (const part of parts) {
            const [one, two] = part.slice(1).trim().split(' ').map(Number);
            const [px, py] = [x, y];
            if (part[0] === 'M' || part[0] === 'L') { x = one; y = two; }
            if (part[0] === 'H') { x = one; }
            if (part[0] === 'h') { x += one; }
            if (part[0] === 'V') { y = one; }
            if (part[0] !== 'M' && part[0] !== 'Z' && x > px) { lines.push([px, py, x, y]); }
          }
          return lines;
        };
        for (const panel of timeline.querySelectorAll('.panel:not(.marks)')) {
          const ticks = [...panel.querySelectorAll('.y span')], log = panel.querySelector('.how')
              .textContent.includes('log');
          const number = text => parseFloat(text.replace(/,/g, ''))
              * (text.endsWith('ms') ? 1e-3 : text.endsWith('%') ? 1e-2 : 1);
          const [[low, bottom], [high, top]] = [ticks[0], ticks[ticks.length - 1]]
              .map(one => [number(one.textContent), parseFloat(one.style.top)]);
          const plot = panel.querySelector('.plot').getBoundingClientRect();
          for (const field of panel.querySelectorAll('[data-tracks]:not(.each)')) {
            const track = '[data-track="' + field.dataset.tracks + '"]';
            const bars = panel.querySelector('.bars' + track);
            const lines = span(bars || panel.querySelector('.line' + track));
            const flat = lines.filter(([left, , right]) => right > left + 0.5
                && right < 1000 && left > 0);
            const all = [];
            for (let i = 0; i < 5 && flat.length; i++) {
              const [left, , right] = flat[Math.floor(i * flat.length / 5)];
              for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
                all.push(left + share * (right - left));
              }
            }
            for (let i = 1; i < 40; i++) { all.push(i * 25.37); }
            for (const x of all.filter(x => x < 1000)) {
              const clientX = plot.left + x / 1000 * plot.width;
              if (lines.some(([left, , right]) => Math.min(Math.abs(x - left), Math.abs(x - right))
                  < 0.1)) continue;
              timeline.dispatchEvent(new PointerEvent('pointermove', {clientX, bubbles: true}));
              const line = lines.find(([left, , right]) => left < x && x < right);
              const y = line === undefined ? 100
                  : line[1] + (x - line[0]) / (line[2] - line[0]) * (line[3] - line[1]);
              const share = (bottom - y) / (bottom - top);
              const drawn = line === undefined ? (bars ? 0 : null)
                  : log ? low * Math.pow(high / low, share) : low + share * (high - low);
              found.push([panel.querySelector('figcaption').textContent, clientX,
                  field.textContent, drawn, high - low]);
            }
          }
        }
        return found;
      })()""";

  private static final String ZOOM =
      """
      ['ArrowRight', '+', '+'].forEach(key => document.getElementById('timeline')
          .dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})))""";

  private static Browser browser;
  @TempDir static Path folder;

  @BeforeAll
  static void start() throws Exception {
    RunAnalysis analysis = Analyzer.analyze(RecordReader.open(SAMPLE));
    AlertReview review = SteppedRun.review(RecordReader.open(SAMPLE), analysis).orElseThrow();
    Reports.writeAll(analysis, AlertSections.of(review), folder);
    browser = Browser.start(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() throws Exception {
    browser.close();
  }

  @Test
  void theReadOutIsTheDrawnValueOverTheWholeRun() throws Exception {
    browser.open(folder.resolve("report.html"), 1280, false);
    assertThat(differences(browser.value(COMPARED))).isEmpty();
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void theReadOutIsTheDrawnValueInAZoom() throws Exception {
    browser.open(folder.resolve("report.html"), 1280, false);
    browser.value(ZOOM);
    assertThat(differences(browser.value(COMPARED))).isEmpty();
    assertThat(browser.complaints()).isEmpty();
  }

  private static List<String> differences(JsonNode found) {
    assertThat(found).hasSizeGreaterThan(300);
    List<String> differences = new ArrayList<>();
    for (JsonNode one : found) {
      String read = one.get(2).asText();
      boolean isAgreed =
          one.get(3).isNull()
              ? read.equals("no value")
              : agrees(read, one.get(3).asDouble(), one.get(4).asDouble());
      if (!isAgreed) {
        differences.add(one.toString());
      }
    }
    return differences;
  }

  /** Three digits are read out, and a path's places have two decimals of a hundred. */
  private static boolean agrees(String read, double drawn, double range) {
    String[] words = read.split(" ");
    double unit =
        words.length < 2 ? 1 : switch (words[1]) {
          case "ms" -> 1e-3;
          case "%" -> 1e-2;
          default -> 1;
        };
    return !words[0].isEmpty() && Character.isDigit(words[0].charAt(0))
        && Math.abs(Double.parseDouble(words[0]) * unit - drawn)
            <= 0.006 * drawn + 0.0006 * range;
  }
}
