package tallystick.plan;

import java.util.function.Supplier;
import java.util.stream.Stream;
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
      case RequestContent.Sampled sampled -> {
        LengthDraw prompt =
            LengthDraw.of(sampled.promptTokens(), RandomStream.of(seed, purpose + "prompt"));
        LengthDraw output =
            LengthDraw.of(sampled.outputTokens(), RandomStream.of(seed, purpose + "output"));
        yield madeUp(() -> new ContentDraw.Piece(prompt.next(), output.next()));
      }
      case RequestContent.Paired paired -> {
        WeightedChoice<RequestContent.Pair> choice =
            new WeightedChoice<>(paired.pairs(), RequestContent.Pair::weight);
        RandomStream random = RandomStream.of(seed, purpose + "pair");
        yield madeUp(
            () -> {
              RequestContent.Pair pair = choice.next(random);
              return new ContentDraw.Piece(pair.promptTokens(), pair.outputTokens());
            });
      }
      case RequestContent.FromDataset from -> new FileDraw(from, firstBlock, seed, purpose);
    };
  }

  private static ContentDraw madeUp(Supplier<ContentDraw.Piece> piece) {
    return turns -> Stream.generate(piece).limit(turns).toList();
  }
}
