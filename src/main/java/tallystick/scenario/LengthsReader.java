package tallystick.scenario;

import java.util.List;

/** Reads how many tokens a prompt or an answer has. */
final class LengthsReader {
  private static final int MOST = 10_000_000;
  private static final List<String> KEYS = List.of("fixed", "uniform");

  private LengthsReader() {}

  static Lengths read(Value value) {
    if (!value.isMapping()) {
      return new Lengths.Fixed(tokens(value));
    }
    Section section = value.section(KEYS);
    if (section.all().size() != 1) {
      throw value.origin().error(
          value.path() + " must name one distribution", "write one of " + String.join(", ", KEYS));
    }
    String kind = section.all().keySet().iterator().next();
    Value parameters = section.all().get(kind);
    return switch (kind) {
      case "fixed" -> new Lengths.Fixed(tokens(parameters));
      default -> uniform(parameters);
    };
  }

  private static Lengths uniform(Value value) {
    List<Value> ends = value.items("uniform: [32, 128]");
    if (ends.size() != 2) {
      throw value.wrong("two numbers", "uniform: [32, 128]");
    }
    int least = tokens(ends.get(0));
    int most = tokens(ends.get(1));
    if (most < least) {
      throw value.origin().error(
          value.path() + " runs from " + least + " down to " + most, "write the smaller one first");
    }
    return new Lengths.Uniform(least, most);
  }

  private static int tokens(Value value) {
    return value.count(1, MOST, value.path() + ": 256");
  }
}
