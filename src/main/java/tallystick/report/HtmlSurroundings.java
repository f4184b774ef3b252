package tallystick.report;

import java.util.List;
import tallystick.analysis.result.ExporterAccount;

/** The points between client and engine, and the machines, as sections of the page. */
final class HtmlSurroundings {
  private HtmlSurroundings() {}

  static void write(Markup html, ExporterAccount surroundings) {
    if (!surroundings.points().isEmpty()) {
      points(html, surroundings);
    }
    if (!SurroundingsText.machines(surroundings).isEmpty()) {
      machines(html, surroundings);
    }
  }

  private static void points(Markup html, ExporterAccount surroundings) {
    html.raw("<section id=\"points\">\n").element("h2", "", SurroundingsText.POINTS_TITLE);
    HtmlTable table = new HtmlTable(html, SurroundingsText.POINTS_TITLE);
    table.head(1, SurroundingsText.heads(surroundings).toArray(String[]::new));
    SurroundingsText.rows(surroundings).forEach(table::row);
    table.end();
    SurroundingsText.orders(surroundings).forEach(order -> html.element("p", "none", order));
    html.raw("</section>\n");
  }

  private static void machines(Markup html, ExporterAccount surroundings) {
    html.raw("<section id=\"machines\">\n").element("h2", "", SurroundingsText.MACHINES_TITLE);
    SurroundingsText.machines(surroundings).forEach(
        (machine, facts) -> {
          html.element("h3", "", machine);
          HtmlTable table = new HtmlTable(html, machine);
          table.head(1, "", "");
          facts.forEach(fact -> table.row(List.of(fact.name(), fact.value())));
          table.end();
        });
    html.raw("</section>\n");
  }
}
