package tallystick.scenario;

import java.util.List;

/** Where the prompts and answers of a class come from. */
public sealed interface RequestContent {

  /** Made-up prompts whose two lengths are drawn apart. */
  record Sampled(Lengths promptTokens, Lengths outputTokens) implements RequestContent {}

  /** Made-up prompts whose two lengths are drawn together. */
  record Paired(List<Pair> pairs) implements RequestContent {
    public Paired {
      pairs = List.copyOf(pairs);
      if (pairs.isEmpty()) {
        throw new IllegalArgumentException("token pairs need at least one pair");
      }
    }
  }

  /**
   * Two lengths that belong together.
   *
   * @param weight how often they come relative to the other pairs, above 0
   */
  record Pair(int promptTokens, int outputTokens, double weight) {
    public Pair {
      if (promptTokens < 1 || outputTokens < 1 || !(weight > 0)) {
        throw new IllegalArgumentException(
            "a pair needs lengths >= 1 and a weight > 0, was "
                + promptTokens + ", " + outputTokens + ", " + weight);
      }
    }
  }

  /**
   * Prompts from a file.
   *
   * @param dataset what the file holds
   * @param order whether entries are taken as they lie or at random
   * @param outputs where output lengths come from
   */
  record FromDataset(Dataset dataset, Order order, Outputs outputs) implements RequestContent {}

  /** Where the output lengths of a data set's requests come from. */
  sealed interface Outputs {
    /** The file says them. */
    record AsWritten() implements Outputs {}

    /** They are drawn, whatever the file says. */
    record Drawn(Lengths outputTokens) implements Outputs {}
  }

  /** In which order entries are taken. */
  enum Order {
    /** As they lie in the file, from the start again after the last. */
    FILE,
    /** Each draw is any entry. */
    RANDOM
  }
}
