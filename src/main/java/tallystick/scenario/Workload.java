package tallystick.scenario;

import java.util.List;

/**
 * What is sent and when.
 *
 * @param arrival when requests start
 * @param classes kinds of requests; one named {@code default} where there is no mix
 */
public record Workload(Arrival arrival, List<RequestClass> classes) {

  /** The class of a workload without a mix. */
  public static final String DEFAULT_CLASS = "default";

  /**
   * One kind of request.
   *
   * @param name for example {@code chat}
   * @param weight share of the requests relative to the other classes, above 0
   * @param promptTokens length of the prompts
   * @param outputTokens length of the answers
   */
  public record RequestClass(
      String name, double weight, Lengths promptTokens, Lengths outputTokens) {
    public RequestClass {
      if (!(weight > 0)) {
        throw new IllegalArgumentException("weight must be > 0, was " + weight);
      }
    }
  }

  public Workload {
    classes = List.copyOf(classes);
    if (classes.isEmpty()) {
      throw new IllegalArgumentException("a workload needs at least one class of requests");
    }
  }
}
