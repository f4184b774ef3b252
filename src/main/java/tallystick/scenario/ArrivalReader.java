package tallystick.scenario;

import java.util.List;
import java.util.Optional;
import tallystick.scenario.Scenario.Extent;

/**
 * Reads when requests start.
 *
 * @param extent length of the measured window, which some rates need
 */
record ArrivalReader(Section workload, Extent extent) {
  private static final List<String> WORDS =
      List.of("constant", "poisson", "gamma", "closed", "trace");

  Arrival read() {
    Optional<ScenarioValue> arrival = workload.find("arrival");
    if (arrival.isEmpty()) {
      return workload.has("rate") ? open(Arrival.Open.POISSON) : closed();
    }
    if (arrival.get().isMapping()) {
      return gamma(arrival.get());
    }
    String word = arrival.get().text();
    return switch (word) {
      case "constant" -> open(Arrival.Open.CONSTANT);
      case "poisson" -> open(Arrival.Open.POISSON);
      case "closed" -> closed();
      case "trace" -> trace();
      case "gamma" -> throw arrival.get().origin().error(
          "workload.arrival: gamma needs a burstiness",
          "write arrival: {gamma: 0.5}; 1 is Poisson, less is burstier");
      default -> throw arrival.get().unknownWord("arrival", WORDS);
    };
  }

  private Arrival gamma(ScenarioValue arrival) {
    refuseRateInside(arrival);
    ScenarioValue shape = Section.of(arrival).require("gamma", "arrival: {gamma: 0.5}");
    shape.as(ValueType.ABOVE_0).number();
    return open(shape.like("gamma: 0.5 (or arrival: constant)").number());
  }

  /** Rates and users have keys of their own, so that an override has one name for them. */
  private static void refuseRateInside(ScenarioValue arrival) {
    for (String word : WORDS) {
      if (((Node.Mapping) arrival.node()).entries().containsKey(word) && !word.equals("gamma")) {
        throw arrival.origin().error(
            "workload.arrival " + word + " takes no value",
            "write arrival: " + word + " and, on a line of its own, "
                + (word.equals("closed") ? "concurrency: 16" : "rate: 8"));
      }
    }
  }

  private Arrival open(double burstiness) {
    refuseSpeed();
    refuseThinkTime();
    ScenarioValue rate = workload.require("rate", "rate: 8 (requests per second)");
    return new Arrival.Open(RateReader.read(rate, extent), burstiness, cap());
  }

  private Arrival closed() {
    refuseSpeed();
    workload.refuse("rate", "a closed loop sends a request when an answer has ended");
    if (!workload.has("concurrency") && !workload.has("arrival")) {
      throw noLoad(workload);
    }
    return new Arrival.Closed(
        workload.get("concurrency").count(), ClassReader.pause(workload.get("think_time")));
  }

  static ScenarioException noLoad(Section workload) {
    return workload.origin().error(
        "workload has neither rate nor concurrency",
        "write for example rate: 8 (requests per second) or concurrency: 16 (users)");
  }

  private Arrival trace() {
    workload.refuse("rate", "a trace has times of its own; speed: 2 replays it twice as fast");
    refuseThinkTime();
    return new Arrival.Trace(workload.get("speed").number(), cap());
  }

  private void refuseThinkTime() {
    workload.refuse(
        "think_time", "only a closed loop's users think (concurrency without rate); between the"
            + " turns of a conversation write conversation.think_time");
  }

  private void refuseSpeed() {
    workload.refuse("speed", "only arrival: trace can be replayed faster");
    workload.refuse("max_starts_per_second", "only arrival: trace takes its times from a file");
  }

  private int cap() {
    return workload.find("concurrency").map(ScenarioValue::count).orElse(0);
  }
}
