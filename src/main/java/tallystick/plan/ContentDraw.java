package tallystick.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tallystick.scenario.Dataset;
import tallystick.scenario.RequestContent;
import tallystick.scenario.RequestContent.Order;
import tallystick.scenario.RequestContent.Outputs;

/** Draws prompts and output lengths. */
interface ContentDraw {

  /** A prompt and the length of its answer. */
  record Piece(Prompt prompt, int outputTokens) {}

  /**
   * The turns of the next arrival.
   *
   * @param turns how many; a data set's entry may have fewer
   */
  List<Piece> next(int turns);

  /**
   * The draw of a class.
   *
   * @param firstPrefix number of the class's first shared prefix
   * @param purpose what the streams' names begin with
   */
  static ContentDraw of(RequestContent content, long firstPrefix, long seed, String purpose) {
    return switch (content) {
      case RequestContent.Sampled sampled -> sampled(sampled, seed, purpose);
      case RequestContent.Paired paired -> paired(paired, seed, purpose);
      case RequestContent.FromDataset from -> new FileDraw(from, firstPrefix, seed, purpose);
    };
  }

  private static ContentDraw sampled(
      RequestContent.Sampled sampled, long seed, String purpose) {
    LengthDraw promptDraw = LengthDraw.of(sampled.promptTokens());
    LengthDraw outputDraw = LengthDraw.of(sampled.outputTokens());
    RandomStream prompts = RandomStream.of(seed, purpose + "prompt");
    RandomStream outputs = RandomStream.of(seed, purpose + "output");
    return turns -> {
      List<Piece> pieces = new ArrayList<>();
      for (int i = 0; i < turns; i++) {
        pieces.add(
            new Piece(
                Prompt.Synthetic.unique(promptDraw.next(prompts)), outputDraw.next(outputs)));
      }
      return pieces;
    };
  }

  private static ContentDraw paired(RequestContent.Paired paired, long seed, String purpose) {
    WeightedChoice<RequestContent.Pair> choice =
        new WeightedChoice<>(paired.pairs(), RequestContent.Pair::weight);
    RandomStream random = RandomStream.of(seed, purpose + "pair");
    return turns -> {
      List<Piece> pieces = new ArrayList<>();
      for (int i = 0; i < turns; i++) {
        RequestContent.Pair pair = choice.next(random);
        pieces.add(
            new Piece(Prompt.Synthetic.unique(pair.promptTokens()), pair.outputTokens()));
      }
      return pieces;
    };
  }

  /** Takes entries of a data set. */
  final class FileDraw implements ContentDraw {
    private final RequestContent.FromDataset from;
    private final long firstPrefix;
    private final Map<Long, Long> prefixNumbers = new HashMap<>();
    private final RandomStream order;
    private final RandomStream outputs;
    private int position;

    FileDraw(RequestContent.FromDataset from, long firstPrefix, long seed, String purpose) {
      this.from = from;
      this.firstPrefix = firstPrefix;
      this.order = RandomStream.of(seed, purpose + "entry");
      this.outputs = RandomStream.of(seed, purpose + "output");
    }

    @Override
    public List<Piece> next(int turns) {
      List<Dataset.Entry> entries = from.dataset().entries();
      int index =
          switch (from.order()) {
            case FILE -> position++ % entries.size();
            case RANDOM -> order.nextIndex(entries.size());
          };
      return entries.get(index).turns().stream().limit(turns).map(this::piece).toList();
    }

    private Piece piece(Dataset.Turn turn) {
      int outputTokens =
          switch (from.outputs()) {
            case Outputs.AsWritten written -> turn.outputTokens();
            case Outputs.Drawn drawn -> LengthDraw.of(drawn.outputTokens()).next(outputs);
          };
      return switch (turn) {
        case Dataset.Text text ->
            new Piece(
                new Prompt.Text(
                    text.messages().stream()
                        .map(m -> new Prompt.Message(m.role(), m.content()))
                        .toList()),
                outputTokens);
        case Dataset.Tokens tokens ->
            new Piece(
                new Prompt.Synthetic(
                    tokens.promptTokens(), tokens.blocks().stream().map(this::prefix).toList()),
                outputTokens);
      };
    }

    private SharedPrefix prefix(Dataset.Block block) {
      long number =
          prefixNumbers.computeIfAbsent(block.id(), id -> firstPrefix + prefixNumbers.size());
      return new SharedPrefix(number, block.tokens());
    }
  }
}
