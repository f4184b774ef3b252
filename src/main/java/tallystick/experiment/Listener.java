package tallystick.experiment;

/** Is told how far an experiment is. */
public interface Listener {
  /** Words for one line: a run begins, or has ended. */
  void say(String line);
}
