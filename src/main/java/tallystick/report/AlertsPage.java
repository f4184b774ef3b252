package tallystick.report;

import java.util.List;
import tallystick.alerting.review.AlertReview;
import tallystick.report.document.Block;
import tallystick.report.document.Document;
import tallystick.report.document.Tone;
import tallystick.report.section.AlertSection;
import tallystick.report.writing.HtmlPage;

/** {@code alerts.html}: derived alerts of several runs, as a page that opens offline. */
public final class AlertsPage {
  private static final String SIMULATED =
      "SIMULATED: a rehearsal. The thresholds say nothing about a real server.";

  private AlertsPage() {}

  /** The page. */
  public static String of(AlertReview review) {
    List<Block> lead =
        review.derived().validity().simulated()
            ? List.of(new Block.Text(Tone.CAUTION, SIMULATED))
            : List.of();
    Document document =
        new Document(
            "Alert rules with evidence", List.of(), lead, List.of(AlertSection.of(review)));
    return HtmlPage.of(document, "Tallystick. The rules themselves are in rules.yaml.");
  }
}
