package tallystick.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads how many tokens a prompt or an answer has. */
final class LengthsReader {
  private static final List<String> KEYS =
      List.of("fixed", "uniform", "normal", "lognormal", "empirical");

  private LengthsReader() {}

  static Lengths read(ScenarioValue value) {
    if (!value.isMapping()) {
      return new Lengths.Fixed(tokens(value));
    }
    Section section = Section.of(value, KEYS);
    if (section.all().size() != 1) {
      throw value.origin().error(
          value.path() + " must name one distribution", "write one of " + String.join(", ", KEYS));
    }
    String kind = section.all().keySet().iterator().next();
    ScenarioValue parameters = section.all().get(kind);
    return switch (kind) {
      case "fixed" -> new Lengths.Fixed(tokens(parameters));
      case "uniform" -> uniform(parameters);
      case "normal" -> normal(parameters);
      case "lognormal" -> lognormal(parameters);
      default -> empirical(parameters);
    };
  }

  private static Lengths uniform(ScenarioValue value) {
    List<ScenarioValue> ends = value.items("uniform: [32, 128]");
    if (ends.size() != 2) {
      throw value.wrong("two numbers", "uniform: [32, 128]");
    }
    int least = tokens(ends.get(0));
    int most = tokens(ends.get(1));
    checkOrder(value, least, most);
    return new Lengths.Uniform(least, most);
  }

  private static Lengths normal(ScenarioValue value) {
    String example = "normal: {mean: 256, deviation: 64, min: 16, max: 1024}";
    Section section = parameters(value, List.of("mean", "deviation", "min", "max"), example);
    double mean = section.require("mean", example).positive("mean: 256");
    double deviation = section.require("deviation", example).positive("deviation: 64");
    Bounds bounds = bounds(value, section);
    checkReach(
        value, bounds, (bounds.least - 0.5 - mean) / deviation,
        (bounds.most + 0.5 - mean) / deviation);
    return new Lengths.Normal(mean, deviation, bounds.least, bounds.most);
  }

  private static Lengths lognormal(ScenarioValue value) {
    String example = "lognormal: {median: 128, sigma: 0.8, max: 4096}";
    Section section = parameters(value, List.of("median", "sigma", "min", "max"), example);
    double median = section.require("median", example).positive("median: 128");
    double sigma = section.require("sigma", example).positive("sigma: 0.8");
    Bounds bounds = bounds(value, section);
    checkReach(
        value, bounds, Math.log((bounds.least - 0.5) / median) / sigma,
        Math.log((bounds.most + 0.5) / median) / sigma);
    return new Lengths.Lognormal(median, sigma, bounds.least, bounds.most);
  }

  private static Lengths empirical(ScenarioValue value) {
    String example = "empirical: {64: 3, 512: 1} (tokens: weight) or [64, 64, 512]";
    List<Lengths.Weighted> values = new ArrayList<>();
    if (value.isList()) {
      value.items(example).forEach(item -> values.add(new Lengths.Weighted(tokens(item), 1)));
      return new Lengths.Empirical(values);
    }
    if (!(value.node() instanceof Node.Mapping mapping) || mapping.entries().isEmpty()) {
      throw value.wrong("lengths with weights", example);
    }
    mapping.entries().forEach((key, entry) -> {
      Node length = new Node.Scalar(entry.origin(), key, Node.Kind.NUMBER);
      int tokens = tokens(new ScenarioValue(entry.origin(), value.path() + "." + key, length));
      double weight = new ScenarioValue(entry.origin(), value.path() + "." + key, entry.value())
          .positive("64: 3 (tokens: weight)");
      values.add(new Lengths.Weighted(tokens, weight));
    });
    return new Lengths.Empirical(values);
  }

  /** Prompt and output lengths that belong together. */
  static List<RequestContent.Pair> pairs(ScenarioValue value) {
    String example = "token_pairs: [[512, 32], [64, 200, 3]] (prompt, output, weight)";
    List<RequestContent.Pair> pairs = new ArrayList<>();
    for (ScenarioValue item : value.items(example)) {
      List<ScenarioValue> numbers = item.items(example);
      if (numbers.size() < 2 || numbers.size() > 3) {
        throw item.wrong("a prompt length, an output length and perhaps a weight", example);
      }
      double weight = numbers.size() == 3 ? numbers.get(2).positive("a weight of 1") : 1;
      pairs.add(
          new RequestContent.Pair(tokens(numbers.get(0)), tokens(numbers.get(1)), weight));
    }
    return pairs;
  }

  private static Section parameters(ScenarioValue value, List<String> keys, String example) {
    if (!value.isMapping()) {
      throw value.wrong("its parameters", example);
    }
    return Section.of(value, keys);
  }

  private record Bounds(int least, int most) {}

  private static Bounds bounds(ScenarioValue value, Section section) {
    int least = section.find("min").map(LengthsReader::tokens).orElse(1);
    Optional<Integer> most = section.find("max").map(LengthsReader::tokens);
    checkOrder(value, least, most.orElse(Lengths.MOST));
    return new Bounds(least, most.orElse(Lengths.MOST));
  }

  /** Refuses bounds so far out that hardly any draw would fall between them. */
  private static void checkReach(
      ScenarioValue value, Bounds bounds, double lowest, double highest) {
    if (lowest > 3 || highest < -3 || highest - lowest < 0.01) {
      throw value.origin().error(
          value.path() + " hardly ever falls between " + bounds.least + " and " + bounds.most,
          "move min and max around the middle of the distribution");
    }
  }

  private static void checkOrder(ScenarioValue value, int least, int most) {
    if (most < least) {
      throw value.origin().error(
          value.path() + " runs from " + least + " down to " + most, "write the smaller one first");
    }
  }

  private static int tokens(ScenarioValue value) {
    return value.count(1, Lengths.MOST, value.path() + ": 256");
  }
}
