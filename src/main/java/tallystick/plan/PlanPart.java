package tallystick.plan;

/** The two parts of a plan, each with an origin and random streams of its own. */
enum PlanPart {
  /** Sent first and discarded. */
  WARMUP(Phase.WARMUP),
  /** What is measured. */
  MAIN("main");

  private final String word;

  PlanPart(String word) {
    this.word = word;
  }

  /** Names its random streams, and its phase where a scenario names none. */
  String word() {
    return word;
  }
}
