package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.RequestContent;

/** Makes the draw of prompts and output lengths that a class of requests asks for. */
final class ContentDraws {
  private ContentDraws() {}

  /**
   * The draw of a class.
   *
   * @param firstBlock number of a data set's first shared block
   * @param purpose what the streams' names begin with
   */
  static ContentDraw of(RequestContent content, long firstBlock, long seed, String purpose) {
    return switch (content) {
      case RequestContent.Sampled sampled -> sampled(sampled, seed, purpose);
      case RequestContent.Paired paired -> paired(paired, seed, purpose);
      case RequestContent.FromDataset from -> new FileDraw(from, firstBlock, seed, purpose);
    };
  }

  private static ContentDraw sampled(
      RequestContent.Sampled sampled, long seed, String purpose) {
    LengthDraw promptDraw = LengthDraw.of(sampled.promptTokens());
    LengthDraw outputDraw = LengthDraw.of(sampled.outputTokens());
    RandomStream prompts = RandomStream.of(seed, purpose + "prompt");
    RandomStream outputs = RandomStream.of(seed, purpose + "output");
    return turns -> {
      List<ContentDraw.Piece> pieces = new ArrayList<>();
      for (int i = 0; i < turns; i++) {
        pieces.add(
            new ContentDraw.Piece(
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
      List<ContentDraw.Piece> pieces = new ArrayList<>();
      for (int i = 0; i < turns; i++) {
        RequestContent.Pair pair = choice.next(random);
        pieces.add(
            new ContentDraw.Piece(
                Prompt.Synthetic.unique(pair.promptTokens()), pair.outputTokens()));
      }
      return pieces;
    };
  }
}
