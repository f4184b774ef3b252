package tallystick.answer;

import java.util.List;

/**
 * One question that a document answers.
 *
 * @param id its anchor on a page
 * @param blocks what it says; a section without blocks is not shown
 * @param isFolded whether a page shows no more than its title until somebody asks
 */
public record Section(
    String id, String title, Mark mark, List<Block> blocks, boolean isFolded) {
  public Section {
    blocks = List.copyOf(blocks);
  }

  public Section(String id, String title, Mark mark, List<Block> blocks) {
    this(id, title, mark, blocks, false);
  }

  /** The same, folded on a page; not where its mark is bad. */
  public Section folded() {
    return new Section(id, title, mark, blocks, mark.tone() != Tone.BAD);
  }

  public static Section of(String id, String title, List<Block> blocks) {
    return new Section(id, title, Mark.NONE, blocks);
  }

  public static Section of(String id, String title, Block... blocks) {
    return of(id, title, List.of(blocks));
  }

  boolean isShown() {
    return !blocks.isEmpty();
  }

  /** Whether a page shows a picture in it. */
  public boolean isDrawn() {
    return blocks.stream().anyMatch(Block::isDrawn);
  }

  public boolean hasWords() {
    return blocks.stream().anyMatch(Block::hasWords);
  }
}
