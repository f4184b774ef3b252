package tallystick.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.review.AlertReview;
import tallystick.analysis.result.RunAnalysis;

/**
 * {@code report.html}: one file that opens offline and asks nothing of the network. Readable
 * without its script, which only adds a read-out to the timeline.
 */
public final class HtmlPage implements ReportFormat {
  private final List<RefusedAlert> proposals;
  private final List<AlertReview> reviews;

  /** A page that shows these alerts too; empty leaves the section out. */
  public HtmlPage(List<RefusedAlert> proposals) {
    this(proposals, List.of());
  }

  /** A page of a stepped run: its alerts were replayed as well. */
  HtmlPage(List<RefusedAlert> proposals, List<AlertReview> reviews) {
    this.proposals = List.copyOf(proposals);
    this.reviews = List.copyOf(reviews);
  }

  @Override
  public String fileName() {
    return "report.html";
  }

  @Override
  public void write(RunAnalysis analysis, OutputStream out) throws IOException {
    Markup html = new Markup();
    RunAnalysis.RunFacts run = analysis.run();
    head(html, run.scenario() + " · " + Wording.engine(run.source()));
    html.raw("<body>\n<main>\n");
    HtmlHeadline.write(html, analysis);
    // What spoils every figure is read before any figure is judged.
    if (Wording.invalidity(analysis).isEmpty()) {
      HtmlSections.objectives(html, analysis);
      HtmlSections.findings(html, analysis);
    } else {
      HtmlSections.findings(html, analysis);
      HtmlSections.objectives(html, analysis);
    }
    boolean isInterpreted = analysis.interpretation().available();
    if (isInterpreted) {
      HtmlMeaning.interpretation(html, analysis.interpretation());
    }
    html.raw("<section id=\"time\">\n").element("h2", "", "Over time");
    TimelineChart.write(html, analysis);
    html.raw("</section>\n");
    HtmlLatencies.write(html, analysis);
    HtmlWaterfall.write(html, analysis.decompositions());
    HtmlTraces.write(html, analysis.traces());
    HtmlMeaning.stalls(html, analysis.stalls());
    if (!isInterpreted) {
      HtmlMeaning.interpretation(html, analysis.interpretation());
    }
    HtmlSections.ledger(html, analysis.reconciliation());
    HtmlSurroundings.write(html, analysis.surroundings());
    HtmlLoad.load(html, analysis.load());
    HtmlLoad.phases(html, analysis.phases());
    if (reviews.isEmpty()) {
      HtmlAlerts.write(html, proposals);
    }
    reviews.forEach(review -> HtmlAlertReview.section(html, review));
    HtmlSections.facts(html, analysis);
    html.raw("</main>\n<footer>")
        .text("Tallystick " + analysis.run().versions().getOrDefault("tally", ""))
        .raw(". Every number of this page is in <code>analysis.json</code>.</footer>\n<script>\n")
        .raw(resource("page.js"))
        .raw("</script>\n</body>\n</html>\n");
    out.write(html.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Everything before the body; the page fetches nothing. */
  static void head(Markup html, String title) {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .raw("<meta name=\"color-scheme\" content=\"light dark\">\n")
        // Nothing is ever fetched, whatever a label or a model name holds.
        .raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
        .raw(" style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n")
        .raw("<link rel=\"icon\" href=\"data:,\">\n")
        .element("title", "", title)
        .raw("<style>\n" + resource("page.css") + "</style>\n</head>\n");
  }

  static String resource(String name) {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks the resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
