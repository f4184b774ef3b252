package tallystick.alerting.rules;

/** The scenarios of the runbook, and where each begins on its page. */
enum RunbookEntry {
  QUEUE("#scenario-1-ttft-and-queue-time-rise"),
  INTER_TOKEN("#scenario-2-itl-rises-while-queue-time-is-low"),
  PREEMPTION("#scenario-3-preemptions-increase"),
  ERRORS("#scenario-4-errors-or-cancellations-rise");

  private final String anchor;

  RunbookEntry(String anchor) {
    this.anchor = anchor;
  }

  /** What follows the page's address. */
  String anchor() {
    return anchor;
  }
}
