package tallystick.experiment.regress;

/** What is wanted of runs of two sides. */
public enum Purpose {
  /** A verdict. */
  COMPARE,
  /** The differences of equal runs. */
  CALIBRATE,
  /** Runs of the base, to compare with later. */
  BASELINE
}
