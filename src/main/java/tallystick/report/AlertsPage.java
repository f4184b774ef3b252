package tallystick.report;

import java.util.List;
import tallystick.alerting.review.AlertReview;
import tallystick.report.screen.AlertScreen;
import tallystick.report.section.AlertSection;
import tallystick.report.writing.HtmlPage;

/** {@code alerts.html}: derived alerts of several runs, as a page that opens offline. */
public final class AlertsPage {
  private AlertsPage() {}

  /** The page. */
  public static String of(AlertReview review) {
    return HtmlPage.of(
        new AlertScreen(List.of(review)).page(AlertSection.sections(review)),
        "Tallystick. The rules themselves are in rules.yaml.");
  }
}
