package tallystick.answer;

import java.util.List;

/**
 * What a reader is told, before anyone knows whether on a console, in Markdown or on a page.
 *
 * @param title the first words
 * @param marks judgements beside the title
 * @param lead what stands above every section
 */
public record Document(String title, List<Mark> marks, List<Block> lead, List<Section> sections) {
  public Document {
    marks = List.copyOf(marks);
    lead = List.copyOf(lead);
    sections = sections.stream().filter(Section::isShown).toList();
  }
}
