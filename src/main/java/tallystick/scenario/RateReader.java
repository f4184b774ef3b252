package tallystick.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tallystick.scenario.Scenario.Extent;

/** Reads requests per second over time. */
final class RateReader {
  private static final String EXAMPLE = "rate: 8 (requests per second)";
  private static final List<String> KEYS = List.of("ramp", "steps", "spike", "sine");
  private static final double MOST_REQUESTS = 5_000_000;

  private RateReader() {}

  static Rate read(ScenarioValue value, Extent extent) {
    Rate rate = value.isMapping() ? shape(value, extent) : new Rate.Steady(perSecond(value));
    double expected = rate.requestsBy(extent.durationNanos() / 1e9);
    if (extent.requests() == 0 && expected > MOST_REQUESTS) {
      throw value.origin().error(
          "more than 5000000 requests would be planned", "lower the rate or the duration");
    }
    return rate;
  }

  private static Rate shape(ScenarioValue value, Extent extent) {
    Section section = Section.of(value, KEYS);
    if (section.all().size() != 1) {
      throw value.origin().error(
          value.path() + " must name one shape", "write one of " + String.join(", ", KEYS));
    }
    String kind = section.all().keySet().iterator().next();
    ScenarioValue shape = section.all().get(kind);
    return switch (kind) {
      case "ramp" -> ramp(shape, extent);
      case "steps" -> steps(shape, extent);
      case "spike" -> spike(shape, extent);
      default -> sine(shape);
    };
  }

  private static Rate ramp(ScenarioValue value, Extent extent) {
    String example = "ramp: {from: 1, to: 20}";
    Section section = parameters(value, List.of("from", "to"), example);
    needDuration(value, extent);
    double from = section.require("from", example).notNegative("from: 1");
    ScenarioValue to = section.require("to", example);
    double last = to.notNegative("to: 20");
    if (from + last == 0) {
      throw to.wrong("above 0 where from is 0", example);
    }
    return new Rate.Ramp(from, last, extent.durationNanos() / 1e9);
  }

  private static Rate steps(ScenarioValue value, Extent extent) {
    String example = "steps: [{rate: 2, for: 30s, name: low}, {rate: 8, for: 30s, name: high}]";
    List<ScenarioValue> items = value.items(example);
    List<Rate.Step> steps = new ArrayList<>();
    Set<String> names = new HashSet<>(Set.of("warmup"));
    for (ScenarioValue item : items) {
      Rate.Step step = step(item, steps.size() + 1, extent, items.size());
      if (!names.add(step.name())) {
        throw item.origin().error(
            "a second phase named \"" + step.name() + "\"", "give every step its own name");
      }
      steps.add(step);
    }
    return new Rate.Steps(steps);
  }

  private static Rate.Step step(ScenarioValue item, int number, Extent extent, int count) {
    if (!item.isMapping()) {
      return new Rate.Step("step-" + number, perSecond(item), equalPart(item, extent, count));
    }
    Section section = Section.of(item, List.of("name", "rate", "for"));
    Optional<ScenarioValue> length = section.find("for");
    return new Rate.Step(
        section.find("name").map(v -> v.text("name: low")).orElse("step-" + number),
        perSecond(section.require("rate", "rate: 8")),
        length.isPresent()
            ? length.get().durationNanos("for: 30s")
            : equalPart(item, extent, count));
  }

  private static long equalPart(ScenarioValue item, Extent extent, int count) {
    if (extent.durationNanos() == 0) {
      throw item.origin().error(
          item.path() + " does not say how long it lasts",
          "write {rate: 8, for: 30s}, or a duration that the steps share equally");
    }
    return extent.durationNanos() / count;
  }

  private static Rate spike(ScenarioValue value, Extent extent) {
    String example = "spike: {base: 2, peak: 20, at: 20s, for: 5s}";
    Section section = parameters(value, List.of("base", "peak", "at", "for"), example);
    needDuration(value, extent);
    double base = perSecond(section.require("base", example));
    double peak = perSecond(section.require("peak", example));
    long at = section.require("at", example).durationNanos("at: 20s");
    long length = section.require("for", example).durationNanos("for: 5s");
    if (at + length >= extent.durationNanos()) {
      throw value.origin().error(
          value.path() + " does not end before the duration does",
          "make the duration longer, or the spike earlier or shorter");
    }
    return new Rate.Steps(List.of(
        new Rate.Step("before", base, at),
        new Rate.Step("spike", peak, length),
        new Rate.Step("after", base, extent.durationNanos() - at - length)));
  }

  private static Rate sine(ScenarioValue value) {
    String example = "sine: {mean: 5, amplitude: 3, period: 30s}";
    Section section = parameters(value, List.of("mean", "amplitude", "period"), example);
    double mean = perSecond(section.require("mean", example));
    ScenarioValue amplitude = section.require("amplitude", example);
    if (amplitude.notNegative("amplitude: 3") > mean) {
      throw amplitude.wrong("at most the mean", example);
    }
    return new Rate.Sine(
        mean,
        amplitude.notNegative("amplitude: 3"),
        section.require("period", example).durationNanos("period: 30s") / 1e9);
  }

  private static Section parameters(ScenarioValue value, List<String> keys, String example) {
    if (!value.isMapping()) {
      throw value.wrong("its parameters", example);
    }
    return Section.of(value, keys);
  }

  private static void needDuration(ScenarioValue value, Extent extent) {
    if (extent.durationNanos() == 0) {
      throw value.origin().error(
          value.path() + " needs to know how long the run is", "write for example duration: 60s");
    }
  }

  private static double perSecond(ScenarioValue value) {
    double rate = value.positive(EXAMPLE);
    if (rate > 1e6) {
      throw value.wrong("at most 1000000", EXAMPLE);
    }
    return rate;
  }
}
