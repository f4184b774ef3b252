package tallystick.alerting.rules;

import java.util.List;

/**
 * PromQL for failures at the server's HTTP boundary. The engine's own request_success counts what
 * the engine finished, not what users were refused.
 *
 * @param family the API server's counter, with labels handler and status
 * @param grouping labels to keep; the counter knows no model
 */
record AvailabilityQuery(String family, List<String> grouping) {
  private static final String ALL = "{handler=~\"/v1/.*\"}";
  private static final String BAD = "{handler=~\"/v1/.*\",status=~\"5..|5xx\"}";

  AvailabilityQuery {
    grouping = grouping.stream().filter(label -> !label.equals("model_name")).toList();
  }

  String badRatio(String range) {
    return sum("rate", BAD, range) + " / " + sum("rate", ALL, range);
  }

  String badEvents(String range) {
    return sum("increase", BAD, range);
  }

  private String sum(String function, String selector, String range) {
    String by = grouping.isEmpty() ? "" : " by (" + String.join(", ", grouping) + ") ";
    return "sum" + by + "(" + function + "(" + family + selector + "[" + range + "]))";
  }
}
