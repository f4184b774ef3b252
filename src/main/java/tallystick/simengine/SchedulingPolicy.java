package tallystick.simengine;

/** In which order waiting requests are admitted and running ones are preempted. */
public enum SchedulingPolicy {
  /** First come, first served; the last admitted is preempted first. */
  FCFS,
  /** Lower {@code priority} value first, then arrival; the highest value is preempted first. */
  PRIORITY
}
