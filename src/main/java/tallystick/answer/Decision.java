package tallystick.answer;

/** Something that was decided from measurements, as a value that says itself in one place. */
public interface Decision {
  /**
   * What it says.
   *
   * @param asked the command as it was typed, and where its files lie
   */
  Answer answer(Invocation asked);
}
