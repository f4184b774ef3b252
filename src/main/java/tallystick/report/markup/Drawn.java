package tallystick.report.markup;

import java.util.List;
import tallystick.answer.Block;
import tallystick.answer.Drawing;
import tallystick.report.markup.Drawn;

/** A drawing that knows how to draw itself on a page. */
@FunctionalInterface
public interface Drawn extends Drawing {
  void draw(Markup html);

  /** A block that draws this. */
  static Block.Picture picture(Drawn drawn) {
    return picture(drawn, List.of());
  }

  /** The same; the blocks stand for it where nothing can be drawn. */
  static Block.Picture picture(Drawn drawn, List<Block> inWords) {
    return new Block.Picture(drawn, inWords);
  }
}
