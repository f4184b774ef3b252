package tallystick.scenario;

import java.util.ArrayList;
import java.util.List;

/** Reads how many tokens a prompt or an answer has. */
final class LengthsReader {
  private LengthsReader() {}

  static Lengths read(ScenarioValue value) {
    if (!value.isMapping()) {
      return new Lengths.Fixed(value.count());
    }
    ScenarioValue parameters = Section.of(value).only();
    return switch (parameters.key()) {
      case "fixed" -> new Lengths.Fixed(parameters.count());
      case "uniform" -> uniform(parameters);
      case "normal" -> normal(parameters);
      case "lognormal" -> lognormal(parameters);
      default -> empirical(parameters);
    };
  }

  private static Lengths uniform(ScenarioValue value) {
    List<ScenarioValue> ends = value.items("two numbers");
    int least = ends.get(0).count();
    int most = ends.get(1).count();
    checkOrder(value, least, most);
    return new Lengths.Uniform(least, most);
  }

  private static Lengths normal(ScenarioValue value) {
    Section section = Section.of(value);
    double mean = section.get("mean").number();
    double deviation = section.get("deviation").number();
    Bounds bounds = bounds(value, section);
    checkReach(
        value, bounds, (bounds.least - 0.5 - mean) / deviation,
        (bounds.most + 0.5 - mean) / deviation);
    return new Lengths.Normal(mean, deviation, bounds.least, bounds.most);
  }

  private static Lengths lognormal(ScenarioValue value) {
    Section section = Section.of(value);
    double median = section.get("median").number();
    double sigma = section.get("sigma").number();
    Bounds bounds = bounds(value, section);
    checkReach(
        value, bounds, Math.log((bounds.least - 0.5) / median) / sigma,
        Math.log((bounds.most + 0.5) / median) / sigma);
    return new Lengths.Lognormal(median, sigma, bounds.least, bounds.most);
  }

  private static Lengths empirical(ScenarioValue value) {
    List<Lengths.Weighted> values = new ArrayList<>();
    if (value.isList()) {
      value.items().forEach(item -> values.add(new Lengths.Weighted(item.count(), 1)));
      return new Lengths.Empirical(values);
    }
    value.entries("lengths with weights").forEach((key, entry) -> {
      Node length = new Node.Scalar(entry.origin(), key, Node.Kind.NUMBER);
      int tokens =
          new ScenarioValue(entry.origin(), entry.path(), length, ScenarioKeys.TOKENS, "")
              .as(ScenarioKeys.TOKENS).count();
      values.add(new Lengths.Weighted(tokens, entry.like("64: 3 (tokens: weight)").number()));
    });
    if (values.isEmpty()) {
      throw value.wrong("lengths with weights");
    }
    return new Lengths.Empirical(values);
  }

  /** Prompt and output lengths that belong together. */
  static List<RequestContent.Pair> pairs(ScenarioValue value) {
    List<RequestContent.Pair> pairs = new ArrayList<>();
    for (ScenarioValue item : value.items()) {
      List<ScenarioValue> numbers =
          item.items("a prompt length, an output length and perhaps a weight");
      int prompt = numbers.get(0).as(ScenarioKeys.TOKENS).count();
      int output = numbers.get(1).as(ScenarioKeys.TOKENS).count();
      double weight = numbers.size() == 3 ? numbers.get(2).like("a weight of 1").number() : 1;
      pairs.add(new RequestContent.Pair(prompt, output, weight));
    }
    return pairs;
  }

  private record Bounds(int least, int most) {}

  private static Bounds bounds(ScenarioValue value, Section section) {
    Bounds bounds = new Bounds(section.get("min").count(), section.get("max").count());
    checkOrder(value, bounds.least, bounds.most);
    return bounds;
  }

  /** Refuses bounds so far out that hardly any draw would fall between them. */
  private static void checkReach(
      ScenarioValue value, Bounds bounds, double lowest, double highest) {
    if (lowest > 3 || highest < -3 || highest - lowest < 0.01) {
      throw value.origin().error(
          value.path() + " is hardly ever between " + bounds.least + " and " + bounds.most,
          "choose min and max around the middle of the distribution");
    }
  }

  private static void checkOrder(ScenarioValue value, int least, int most) {
    if (most < least) {
      throw value.origin().error(
          value.path() + " runs from " + least + " down to " + most, "write the smaller one first");
    }
  }
}
