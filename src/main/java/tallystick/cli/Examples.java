package tallystick.cli;

/** How the examples of a command begin; each stands in the footer of its command. */
final class Examples {
  static final String HEADING = "%nExamples:%n";

  private Examples() {}
}
