package tallystick.report.screen;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tallystick.answer.Answer;
import tallystick.answer.Block;
import tallystick.answer.Document;
import tallystick.answer.Mark;
import tallystick.answer.Tone;
import tallystick.report.writing.ConsoleWriter;

/** An answer in the 24 lines of a terminal: rows and remarks that can be spared give way. */
public final class ScreenWriter {
  /** What every terminal has had since the VT100. */
  private static final int LINES = 24;

  /** What goes into a file is cut by no terminal: the widest tables have all their columns. */
  private static final int OF_A_FILE = 120;

  private ScreenWriter() {}

  /** The first screen, ended by a line break. */
  public static String text(Answer answer, Terminal terminal) {
    Document whole = answer.screen();
    List<Integer> ranks = ranks(whole);
    String text = written(whole, terminal);
    for (int i = 0; i < ranks.size() && text.lines().count() > LINES; i++) {
      text = written(below(whole, ranks.get(i)), terminal);
    }
    return text;
  }

  /** The first screen, and below a rule the whole account. */
  public static String withAccount(Answer answer, Terminal terminal) {
    Document account = new Document("", List.of(), List.of(), answer.details());
    int columns = terminal.colour() ? terminal.columns() : OF_A_FILE;
    String all = ConsoleWriter.text(account, columns, terminal.colour());
    return text(answer, terminal)
        + "\n" + "-".repeat(terminal.columns())
        + "\n" + all.replaceFirst("^\n+", "").stripTrailing() + "\n";
  }

  private static String written(Document document, Terminal terminal) {
    return ConsoleWriter.screen(document, terminal.columns(), terminal.colour());
  }

  /** How easily something is spared, the most easily spared first. */
  private static List<Integer> ranks(Document document) {
    return document.lead().stream()
        .flatMapToInt(ScreenWriter::ranks)
        .filter(rank -> rank > 0)
        .boxed()
        .distinct()
        .sorted((a, b) -> Integer.compare(b, a))
        .toList();
  }

  private static IntStream ranks(Block block) {
    return switch (block) {
      case Block.Items items -> items.items().stream().mapToInt(Block.Item::spare);
      case Block.Table table -> table.rows().stream().mapToInt(Block.Row::spare);
      default -> IntStream.empty();
    };
  }

  /** What is left without all that has this rank or a higher one. */
  private static Document below(Document document, int rank) {
    return new Document(
        document.title(), document.marks(),
        document.lead().stream().flatMap(block -> below(block, rank)).toList(), List.of());
  }

  private static Stream<Block> below(Block block, int rank) {
    return switch (block) {
      case Block.Items items -> {
        List<Block.Item> kept = items.items().stream().filter(item -> item.spare() < rank).toList();
        List<Block.Item> said = new ArrayList<>(kept);
        String rest = items.rest().words(items.items().size() - kept.size());
        if (!rest.isEmpty()) {
          Mark mark = items.items().getFirst().mark();
          String word = kept.isEmpty() ? mark.word() : " ".repeat(mark.word().length());
          said.add(Block.Item.of(mark.tone(), word, rest));
        }
        yield Stream.of(new Block.Items(items.folded(), said));
      }
      case Block.Table table -> {
        List<Block.Row> kept = table.rows().stream().filter(row -> row.spare() < rank).toList();
        String rest = table.rest().words(table.rows().size() - kept.size());
        Block shorter = new Block.Table(table.name(), table.grouped(), table.columns(), kept);
        Block said = new Block.Text(Tone.PLAIN, rest);
        yield rest.isEmpty() ? Stream.of(shorter) : Stream.of(shorter, said);
      }
      default -> Stream.of(block);
    };
  }
}
