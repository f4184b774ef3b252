package tallystick.report;

import java.util.List;
import tallystick.runrecord.MetricVocabulary;

/** A plain table that scrolls sideways where the screen is narrow. */
final class HtmlTable {
  private final Markup html;
  private int leftAligned;

  HtmlTable(Markup html, String name) {
    this.html = html;
    html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
        .text(name)
        .raw("\"><table>\n");
  }

  /** The head; columns from {@code leftAligned} on hold numbers. */
  void head(int leftAligned, String... heads) {
    this.leftAligned = leftAligned;
    html.raw("<thead><tr>");
    for (int i = 0; i < heads.length; i++) {
      html.raw("<th scope=\"col\"" + (i < leftAligned ? "" : " class=\"number\"") + ">")
          .text(heads[i])
          .raw("</th>");
    }
    html.raw("</tr></thead><tbody>\n");
  }

  /** One row; its first cell names it, a name of a metric is set as one. */
  void row(List<String> cells) {
    html.raw("<tr><th scope=\"row\">").text(cells.get(0)).raw("</th>");
    for (int i = 1; i < cells.size(); i++) {
      html.raw(i < leftAligned ? "<td>" : "<td class=\"number\">");
      if (isMetric(cells.get(i))) {
        html.metric(cells.get(i));
      } else {
        html.text(cells.get(i));
      }
      html.raw("</td>");
    }
    html.raw("</tr>\n");
  }

  private static boolean isMetric(String cell) {
    return MetricVocabulary.standard().families().stream()
        .anyMatch(family -> cell.contains(family.prefix()));
  }

  void end() {
    html.raw("</tbody></table></div>\n");
  }
}
