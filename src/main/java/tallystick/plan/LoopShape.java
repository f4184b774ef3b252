package tallystick.plan;

/** Whether arrivals wait for answers. */
public enum LoopShape {
  /** Starts are fixed in time and wait for nobody. */
  OPEN,
  /** A fixed number of users, each sends when its previous answer has ended. */
  CLOSED
}
