package tallystick.scenario;

/**
 * One key of a scenario: what the reader takes, and what messages, schema and documents say of it.
 *
 * @param name as it is written
 * @param type what it takes
 * @param example a value that suits it, as YAML
 * @param unwritten what it means that it is not there
 * @param description what it means
 */
record ScenarioKey(
    String name, ValueType type, String example, Unwritten unwritten, String description) {
  /** Its section cannot be without it. */
  static final Unwritten MUST = new Unwritten("", "must be there");

  /** Another key of its section stands in its place. */
  static final Unwritten NOTHING = new Unwritten("", "");

  /**
   * What it means that a key is not there.
   *
   * @param value the value it then has, as YAML; empty where it has none
   * @param words what happens then
   */
  record Unwritten(String value, String words) {}

  static ScenarioKey key(
      String name, ValueType type, String example, Unwritten unwritten, String description) {
    return new ScenarioKey(name, type, example, unwritten, description);
  }

  static Unwritten value(String yaml) {
    return new Unwritten(yaml, yaml);
  }

  static Unwritten value(String yaml, String words) {
    return new Unwritten(yaml, words);
  }

  static Unwritten words(String words) {
    return new Unwritten("", words);
  }

  boolean isRequired() {
    return unwritten.equals(MUST);
  }

  /** The key with its example, as a line of a scenario. */
  String written() {
    return name + ": " + example;
  }
}
