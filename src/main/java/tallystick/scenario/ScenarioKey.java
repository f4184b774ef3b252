package tallystick.scenario;

/**
 * One key of a scenario: what the reader takes, and what messages, schema and documents say of it.
 *
 * @param name as it is written
 * @param type what it takes
 * @param isRequired whether its section cannot be without it
 * @param example a value that suits it, as YAML
 * @param fallback the value where it is not written, as YAML; empty where there is none
 * @param otherwise what happens where it is not written, in words; may be empty
 * @param description what it means
 */
record ScenarioKey(
    String name,
    ValueType type,
    boolean isRequired,
    String example,
    String fallback,
    String otherwise,
    String description) {

  static ScenarioKey key(String name, ValueType type, String example, String description) {
    return new ScenarioKey(name, type, false, example, "", "", description);
  }

  static ScenarioKey required(String name, ValueType type, String example, String description) {
    return new ScenarioKey(name, type, true, example, "", "", description);
  }

  /** The same with a value where none is written. */
  ScenarioKey orElse(String value) {
    return new ScenarioKey(name, type, isRequired, example, value, "", description);
  }

  /** The same with what happens where it is not written. */
  ScenarioKey otherwise(String words) {
    return new ScenarioKey(name, type, isRequired, example, fallback, words, description);
  }

  /** The key with its example, as a line of a scenario. */
  String written() {
    return name + ": " + example;
  }
}
