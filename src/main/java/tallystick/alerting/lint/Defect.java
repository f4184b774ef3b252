package tallystick.alerting.lint;

import tallystick.analysis.result.Choice;

/** What can be wrong with a rule. What is seen in public rules, and two of reading. */
public enum Defect implements Choice {
  SYNTAX("the expression is not PromQL"),
  NOT_UNDERSTOOD("the expression uses what this lint does not know"),
  NO_SUCH_SERIES("the selector matches no exposed series"),
  QUANTILE_WITHOUT_RATE("histogram_quantile over counters since the start of the process"),
  UNREACHABLE_THRESHOLD("the threshold lies outside what the signal can show"),
  OFF_EDGE_THRESHOLD("the threshold lies between two bucket edges"),
  QUANTILE_GROUPING("the quantile is of one series or of averages, lacks le, or merges models"),
  CLAMPED_RATE("a rate below 1 per second is divided by 1 instead"),
  WRONG_DENOMINATOR("the sum or buckets of one histogram over the count of another"),
  NO_VOLUME_GUARD("a percentile or ratio without a least number of events"),
  BURN_FACTOR("the burn-rate factor cannot fire, or there is none"),
  SLOW_PAGE("a page that comes a quarter of an hour late or later"),
  RESOURCE_PAGE("a page on a resource signal"),
  QUANTILE_LEVEL("the level of a quantile is not between 0 and 1"),
  NO_SUCH_LABEL("a label that the series do not have"),
  UNMATCHED_LABELS("two sides whose labels can never be equal"),
  RATE_OF_GAUGE("a rate of what goes up and down"),
  RATE_OF_SUM("a rate of a sum of counters"),
  RAW_COUNTER("a counter beside a number, without a rate"),
  ALWAYS_FIRES("the alert fires whatever the values are"),
  CHANGE_OF_COUNTER("deriv or delta of a counter, which takes restarts for falls"),
  SHORT_RANGE("a range that holds fewer than two scrapes"),
  FIRES_WHEN_IDLE("an alert that fires when there is no traffic"),
  ABORT_AS_FAILURE("clients that hung up are counted as failures"),
  SUMMED_SHARE("a share is added up over replicas"),
  ALWAYS_FULL("a resource that the engine fills when it starts"),
  SPLIT_GROUPS("recording and alert are in different groups"),
  NO_RUNBOOK("no runbook_url"),
  SILENT_ABSENCE("nothing alerts when the series are gone");

  private final String title;

  Defect(String title) {
    this.title = title;
  }

  /** What it is, in a few words. */
  public String title() {
    return title;
  }
}
