package tallystick.report.markup;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.answer.Block;

/** The head of a page: questions, or the words of a first screen, each with its answer. */
public final class AnswerList {
  private final List<Answered> all = new ArrayList<>();

  private record Answered(String question, List<Block.Item> lines) {}

  /** One more question, with one line or more. */
  public AnswerList add(String question, List<Block.Item> lines) {
    all.add(new Answered(question, new ArrayList<>(lines)));
    return this;
  }

  /** A first screen as the head of a page: its answers, then its tables. */
  public static List<Block> head(List<Block> screen) {
    AnswerList answers = new AnswerList();
    List<Block> head = new ArrayList<>();
    for (Block block : screen) {
      if (block instanceof Block.Items items) {
        items.items().forEach(answers::take);
      } else {
        head.add(block);
      }
    }
    head.addFirst(Drawn.picture(answers::draw));
    return head;
  }

  // A line without a word goes on with the one before.
  private void take(Block.Item item) {
    String word = item.mark().word();
    if (word.isEmpty() && !all.isEmpty()) {
      all.getLast().lines().add(item);
    } else {
      String rest = word.isEmpty() ? "" : word.substring(1).toLowerCase(Locale.ROOT);
      add(word.isEmpty() ? "" : word.charAt(0) + rest, List.of(item));
    }
  }

  /** Draws them; the first stands out. */
  public void draw(Markup html) {
    html.raw("<dl class=\"answers\">\n");
    for (Answered one : all) {
      Block.Item first = one.lines().getFirst();
      html.raw("<div class=\"" + first.mark().tone().css() + "\">")
          .element("dt", "", one.question())
          .open("dd", "")
          .element("p", "", first.text());
      one.lines().stream().skip(1).forEach(line -> html.element("p", "more", line.text()));
      html.close("dd").raw("</div>\n");
    }
    html.raw("</dl>\n");
  }
}
