package tallystick.report.section;

import java.util.List;
import tallystick.answer.Block;
import tallystick.answer.Section;
import tallystick.report.markup.DefinitionList;
import tallystick.report.markup.Definitions;
import tallystick.report.markup.Drawn;

/** What the words of the page mean, at its end. */
public final class DefinitionSection {
  private DefinitionSection() {}

  public static Section section() {
    Block list = Drawn.picture(html -> DefinitionList.draw(html, Definitions.all()));
    return Section.of(Definitions.ID, Definitions.TITLE, new Block.PageOnly("", List.of(list)));
  }
}
