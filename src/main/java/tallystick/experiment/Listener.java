package tallystick.experiment;

/** Is told how far an experiment is. */
public interface Listener {
  /** Words for one line: a run begins, or has ended. */
  void say(String line);

  /** Words for one line that somebody must do something about, said even to the quiet. */
  default void warn(String line) {
    say(line);
  }
}
