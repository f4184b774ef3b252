package tallystick.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tallystick.scenario.Dataset;
import tallystick.scenario.Lengths;
import tallystick.scenario.RequestContent;
import tallystick.scenario.RequestContent.Outputs;

/** Takes entries of a data set. */
final class FileDraw implements ContentDraw {
  private final RequestContent.FromDataset from;
  private final Map<Long, Long> blockNumbers;
  private final LengthDraw answers;
  private final RandomStream order;
  private int position;

  FileDraw(RequestContent.FromDataset from, long firstBlock, long seed, String purpose) {
    this.from = from;
    this.blockNumbers = blockNumbers(from.dataset(), firstBlock);
    this.answers =
        switch (from.outputs()) {
          case Outputs.AsWritten written -> () -> 0;
          case Outputs.Drawn(Lengths lengths) ->
              LengthDraw.of(lengths, RandomStream.of(seed, purpose + "output"));
        };
    this.order = RandomStream.of(seed, purpose + "entry");
  }

  /** Numbers blocks in the order of the file, whatever order its entries are taken in. */
  private static Map<Long, Long> blockNumbers(Dataset dataset, long firstBlock) {
    Map<Long, Long> numbers = new HashMap<>();
    for (Dataset.Entry entry : dataset.entries()) {
      for (Dataset.Turn turn : entry.turns()) {
        if (turn instanceof Dataset.Tokens tokens) {
          tokens.blocks()
              .forEach(block -> numbers.putIfAbsent(block.id(), firstBlock + numbers.size()));
        }
      }
    }
    return numbers;
  }

  @Override
  public List<Piece> next(int turns) {
    List<Dataset.Entry> entries = from.dataset().entries();
    int index =
        switch (from.order()) {
          case FILE -> position++ % entries.size();
          case RANDOM -> order.nextIndex(entries.size());
        };
    Dataset.Entry entry = entries.get(index);
    return IntStream.range(0, Math.min(turns, entry.turns().size()))
        .mapToObj(turn -> piece(entry.turns().get(turn), entry.link(turn)))
        .toList();
  }

  private Piece piece(Dataset.Turn turn, Dataset.Link link) {
    int drawn = answers.next();
    int outputTokens = drawn == 0 ? turn.outputTokens() : drawn;
    return switch (turn) {
      case Dataset.Text text ->
          new Piece(
              new Prompt.Text(
                  text.messages().stream()
                      .map(m -> new Prompt.Message(m.role(), m.content()))
                      .toList()),
              outputTokens, text.pauseNanos(), link);
      case Dataset.Tokens tokens ->
          new Piece(
              new Prompt.Synthetic(
                  tokens.promptTokens(), tokens.blocks().stream().map(this::prefix).toList()),
              outputTokens, tokens.pauseNanos(), link);
    };
  }

  private SharedPrefix prefix(Dataset.Block block) {
    return new SharedPrefix(blockNumbers.get(block.id()), block.tokens());
  }
}
