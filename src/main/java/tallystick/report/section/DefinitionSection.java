package tallystick.report.section;

import java.util.List;
import tallystick.report.document.Block;
import tallystick.report.document.Definitions;
import tallystick.report.document.Markup;
import tallystick.report.document.Section;

/** What the words of the page mean, at its end. */
public final class DefinitionSection {
  private DefinitionSection() {}

  public static Section section() {
    Block list = new Block.Picture(DefinitionSection::draw, List.of());
    return Section.of(
        Definitions.ID, "What the words mean", new Block.PageOnly("", List.of(list)));
  }

  private static void draw(Markup html) {
    html.raw("<dl class=\"definitions\">\n");
    for (Definitions.Definition one : Definitions.all()) {
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
