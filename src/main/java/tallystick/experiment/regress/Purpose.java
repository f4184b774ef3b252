package tallystick.experiment.regress;

/** What is wanted of runs of two sides. */
public enum Purpose {
  /** A verdict, as soon as it is sure. */
  COMPARE,
  /** As many pairs as are asked for, for somebody else's verdict. */
  PLAY_ALL,
  /** The differences of equal runs. */
  CALIBRATE,
  /** Runs of the base, to compare with later. */
  BASELINE
}
