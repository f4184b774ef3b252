package tallystick.report.markup;

import java.util.List;

/** Meanings of words on a page, each where its word links to. */
public final class DefinitionList {
  private DefinitionList() {}

  public static void draw(Markup html, List<Definitions.Definition> all) {
    html.raw("<dl class=\"definitions\">\n");
    for (Definitions.Definition one : all) {
      html.raw("<div id=\"" + one.anchor() + "\">")
          .element("dt", "", String.join(", ", one.words()))
          .open("dd", "")
          .text(one.text() + " ")
          .element("small", "", "docs/metrics.md#" + one.section())
          .close("dd")
          .raw("</div>\n");
    }
    html.raw("</dl>\n");
  }
}
