package tallystick.report.section;

import java.util.List;
import tallystick.report.document.Block;
import tallystick.report.document.DefinitionList;
import tallystick.report.document.Definitions;
import tallystick.report.document.Section;

/** What the words of the page mean, at its end. */
public final class DefinitionSection {
  private DefinitionSection() {}

  public static Section section() {
    Block list =
        new Block.Picture(html -> DefinitionList.draw(html, Definitions.all()), List.of());
    return Section.of(
        Definitions.ID, Definitions.TITLE, new Block.PageOnly("", List.of(list)));
  }
}
