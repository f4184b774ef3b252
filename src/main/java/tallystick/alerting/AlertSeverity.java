package tallystick.alerting;

import tallystick.analysis.result.Choice;

/** How soon somebody must look; the label {@code severity} of an alert. */
public enum AlertSeverity implements Choice {
  /** Wake somebody: the budget burns too fast, or the service is gone or stuck. */
  PAGE,
  /** Look within a working day. */
  TICKET,
  /** Look when something else is wrong. */
  WARNING
}
