package tallystick.report;

import java.util.List;
import tallystick.alerting.RefusedAlert;

/** The alerts that were asked for, and why a threshold was refused. */
final class HtmlAlerts {
  private HtmlAlerts() {}

  static void write(Markup html, List<RefusedAlert> proposals) {
    if (proposals.isEmpty()) {
      return;
    }
    html.raw("<section id=\"alerts\">\n").element("h2", "", "Alert rules");
    html.raw("<p class=\"lead\">A threshold without evidence is not proposed. ")
        .raw("<code>rules.yaml</code> holds the same.</p>\n");
    HtmlTable table = new HtmlTable(html, "Alert rules");
    table.head(5, "alert", "watches", "outcome", "code", "what is missing");
    proposals.forEach(proposal -> table.row(row(proposal)));
    table.end();
    html.raw("</section>\n");
  }

  private static List<String> row(RefusedAlert proposal) {
    return switch (proposal) {
      case RefusedAlert refused ->
          List.of(
              refused.alertName(),
              refused.watches(),
              "refused",
              refused.code().word(),
              refused.missing());
    };
  }
}
