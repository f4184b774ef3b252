package tallystick.scenario;

/**
 * Where a value was written.
 *
 * @param file file as the user named it; empty for an option
 * @param line line from 1; 0 for a whole file or an option
 * @param option the option's text, for example {@code --set workload.rate=8}; empty for a file
 */
record SourceLocation(String file, int line, String option) {

  static SourceLocation ofLine(String file, int line) {
    return new SourceLocation(file, line, "");
  }

  static SourceLocation ofFile(String file) {
    return new SourceLocation(file, 0, "");
  }

  static SourceLocation ofOption(String option) {
    return new SourceLocation("", 0, option);
  }

  /** The same place without what an option gives as a value, for a value that is a secret. */
  SourceLocation withoutSecrets() {
    return new SourceLocation(file, line, option.replaceFirst("=.*", ""));
  }

  ScenarioException error(String problem, String remedy) {
    return new ScenarioException(toString(), file, line, problem, remedy);
  }

  @Override
  public String toString() {
    if (!option.isEmpty()) {
      // A user in an address may have a password, whatever else is wrong with the option.
      return option.replaceAll("//[^/@\\s]*@", "//…@");
    }
    return line == 0 ? file : file + ":" + line;
  }
}
