package tallystick.scenario;

/**
 * Where a value was written.
 *
 * @param file file as the user named it; empty for an option
 * @param line line from 1; 0 for a whole file or an option
 * @param option the option's text, for example {@code --set workload.rate=8}; empty for a file
 */
record Origin(String file, int line, String option) {

  static Origin ofLine(String file, int line) {
    return new Origin(file, line, "");
  }

  static Origin ofFile(String file) {
    return new Origin(file, 0, "");
  }

  static Origin ofOption(String option) {
    return new Origin("", 0, option);
  }

  /** The same place without what an option gives as a value, for a value that is a secret. */
  Origin withoutSecrets() {
    return new Origin(file, line, option.replaceFirst("=.*", ""));
  }

  ScenarioException error(String problem, String remedy) {
    return new ScenarioException(this, problem, remedy);
  }

  @Override
  public String toString() {
    if (!option.isEmpty()) {
      return option;
    }
    return line == 0 ? file : file + ":" + line;
  }
}
