package tallystick.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tallystick.scenario.Scenario.Extent;

/** Reads requests per second over time. */
final class RateReader {
  private static final double MOST_REQUESTS = 5_000_000;

  private RateReader() {}

  static Rate read(ScenarioValue value, Extent extent) {
    Rate rate = value.isMapping() ? shape(value, extent) : new Rate.Steady(value.number());
    double expected = rate.requestsBy(extent.durationNanos() / 1e9);
    if (extent.requests() == 0 && expected > MOST_REQUESTS) {
      throw value.origin().error(
          "more than 5000000 requests would be planned", "lower the rate or the duration");
    }
    return rate;
  }

  private static Rate shape(ScenarioValue value, Extent extent) {
    ScenarioValue shape = Section.of(value).only();
    return switch (shape.key()) {
      case "ramp" -> ramp(shape, extent);
      case "steps" -> steps(shape, extent);
      case "spike" -> spike(shape, extent);
      default -> sine(shape);
    };
  }

  private static Rate ramp(ScenarioValue value, Extent extent) {
    Section section = Section.of(value);
    needDuration(value, extent);
    double from = section.get("from").number();
    ScenarioValue to = section.get("to");
    double last = to.number();
    if (from + last == 0) {
      throw to.like(value.example()).wrong("above 0 where from is 0");
    }
    return new Rate.Ramp(from, last, extent.durationNanos() / 1e9);
  }

  private static Rate steps(ScenarioValue value, Extent extent) {
    List<ScenarioValue> items = value.items();
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
    Section section = Section.of(item);
    Optional<ScenarioValue> length = section.find("for");
    return new Rate.Step(
        section.find("name").map(ScenarioValue::text).orElse("step-" + number),
        section.get("rate").number(),
        length.isPresent() ? length.get().nanos() : equalPart(item, extent, count));
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
    Section section = Section.of(value);
    needDuration(value, extent);
    double base = section.get("base").number();
    double peak = section.get("peak").number();
    long at = section.get("at").nanos();
    long length = section.get("for").nanos();
    if (at + length >= extent.durationNanos()) {
      throw value.origin().error(
          value.path() + " must end before the duration does",
          "make the duration longer, or the spike earlier or shorter");
    }
    return new Rate.Steps(List.of(
        new Rate.Step("before", base, at),
        new Rate.Step("spike", peak, length),
        new Rate.Step("after", base, extent.durationNanos() - at - length)));
  }

  private static Rate sine(ScenarioValue value) {
    Section section = Section.of(value);
    double mean = section.get("mean").number();
    ScenarioValue amplitude = section.get("amplitude");
    if (amplitude.number() > mean) {
      throw amplitude.like(value.example()).wrong("at most the mean");
    }
    return new Rate.Sine(mean, amplitude.number(), section.get("period").nanos() / 1e9);
  }

  private static void needDuration(ScenarioValue value, Extent extent) {
    if (extent.durationNanos() == 0) {
      throw value.origin().error(
          value.path() + " needs a duration", "write for example duration: 60s");
    }
  }
}
