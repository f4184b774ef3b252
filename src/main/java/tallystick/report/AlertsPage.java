package tallystick.report;

import tallystick.alerting.review.AlertReview;

/** {@code alerts.html}: derived alerts of several runs, as a page that opens offline. */
public final class AlertsPage {
  private AlertsPage() {}

  /** The page. */
  public static String of(AlertReview review) {
    Markup html = new Markup();
    HtmlPage.head(html, "Alert rules");
    html.raw("<body>\n<main>\n<header>")
        .element("h1", "", "Alert rules with evidence")
        .raw("<ul class=\"cautions\">");
    if (review.derived().validity().simulated()) {
      html.element(
          "li", "", "SIMULATED: a rehearsal. The thresholds say nothing about a real server.");
    }
    html.raw("</ul></header>\n");
    HtmlAlertReview.section(html, review);
    html.raw("</main>\n<footer>Tallystick. The rules themselves are in ")
        .raw("<code>rules.yaml</code>.</footer>\n</body>\n</html>\n");
    return html.toString();
  }
}
