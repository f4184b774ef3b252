package tallystick.alerting;

/** An alert that was asked for, and what the measurements allow to say about it. */
public sealed interface AlertProposal {

  /** Name of the alert, for example {@code VLLMHighTTFT}. */
  String alertName();

  /** What the alert watches, in words and without a threshold. */
  String watches();

  /**
   * An alert without a threshold, because the measurements cannot carry one.
   *
   * @param alertName name of the alert
   * @param watches what it would watch
   * @param code which condition failed
   * @param missing the number that was missing, for example {@code 0 violated of 1
   *     steps in this run, need >= 2}
   */
  record Refused(String alertName, String watches, RefusalCode code, String missing)
      implements AlertProposal {}
}
