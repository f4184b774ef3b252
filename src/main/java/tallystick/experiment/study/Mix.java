package tallystick.experiment.study;

import java.util.List;
import tallystick.scenario.Lengths;
import tallystick.scenario.RequestContent;
import tallystick.scenario.Workload.RequestClass;

/**
 * A traffic mix: what requests look like, at any rate.
 *
 * @param name label of its runs
 */
record Mix(String name, List<RequestClass> classes) {
  static final String GIVEN = "given";

  /** How much longer the prompts of the second mix are, and how much shorter its answers. */
  private static final double LONGER = 1.5;

  /** Longer prompts double the prefill, half the answers halve the decode: another mix. */
  private static final double SHORTER = 0.5;

  /**
   * A mix with longer prompts and shorter answers. No length leaves the bounds that it had.
   *
   * @throws IllegalArgumentException if lengths stand in a file
   */
  static Mix varied(List<RequestClass> classes) {
    return new Mix("longer-prompts", classes.stream().map(Mix::varied).toList());
  }

  private static RequestClass varied(RequestClass of) {
    return new RequestClass(
        of.name(), of.weight(), varied(of.content()), of.prefixes(), of.conversation(),
        of.cancellation(), of.form());
  }

  private static RequestContent varied(RequestContent content) {
    return switch (content) {
      case RequestContent.Sampled sampled ->
          new RequestContent.Sampled(
              times(sampled.promptTokens(), LONGER), times(sampled.outputTokens(), SHORTER));
      case RequestContent.Paired paired ->
          new RequestContent.Paired(paired.pairs().stream().map(Mix::varied).toList());
      case RequestContent.FromDataset file ->
          throw new IllegalArgumentException(
              "a second mix cannot be made of prompts in a file; name one with --mix FILE");
    };
  }

  private static RequestContent.Pair varied(RequestContent.Pair pair) {
    return new RequestContent.Pair(
        scaled(pair.promptTokens(), LONGER), scaled(pair.outputTokens(), SHORTER), pair.weight());
  }

  private static Lengths times(Lengths lengths, double factor) {
    return switch (lengths) {
      case Lengths.Fixed fixed -> new Lengths.Fixed(scaled(fixed.tokens(), factor));
      case Lengths.Uniform(int least, int most) ->
          new Lengths.Uniform(
              within(least * factor, least, most), within(most * factor, least, most));
      case Lengths.Normal(double mean, double deviation, int least, int most) ->
          new Lengths.Normal(within(mean * factor, least, most), deviation * factor, least, most);
      case Lengths.Lognormal(double median, double sigma, int least, int most) ->
          new Lengths.Lognormal(within(median * factor, least, most), sigma, least, most);
      case Lengths.Empirical empirical ->
          new Lengths.Empirical(
              empirical.values().stream()
                  .map(one -> new Lengths.Weighted(scaled(one.tokens(), factor), one.weight()))
                  .toList());
    };
  }

  private static int within(double tokens, int least, int most) {
    return (int) Math.max(least, Math.min(most, Math.round(tokens)));
  }

  private static int scaled(int tokens, double factor) {
    return (int) Math.max(1, Math.round(tokens * factor));
  }
}
