package tallystick.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.reach.SecretName;
import tallystick.reach.SecretPlace;

/** Reads where secrets are, and refuses those that are written out. One scenario, one thread. */
final class SecretReader {
  private static final String EXAMPLE = "{env: NAME}, or {file: PATH}";

  private final Folder folder;
  private final List<SecretPlace> fields = new ArrayList<>();

  SecretReader(Folder folder) {
    this.folder = folder;
  }

  /** The places that have been read for fields of bodies. */
  List<SecretPlace> fields() {
    return fields.stream().distinct().toList();
  }

  /** The places among names and values. */
  Map<String, SecretPlace> places(ScenarioValue values) {
    Map<String, SecretPlace> places = new LinkedHashMap<>();
    values.entries("names and values").forEach(
        (name, value) -> {
          if (value.isMapping()) {
            places.put(name, place(value));
          }
        });
    return places;
  }

  private SecretPlace place(ScenarioValue value) {
    Section section = Section.of(value.as(ScenarioKeys.SECRET_PLACE));
    return section
        .find("file")
        .map(file -> new SecretPlace("", folder.file(file).toString()))
        .orElseGet(() -> new SecretPlace(environmentName(section.get("env")), ""));
  }

  /**
   * The place that a field of a body has as its value; empty for what is sent as it is. A field of
   * its own may be called {@code env}: only a variable's name in capitals is taken for one.
   */
  Optional<SecretPlace> place(String name, Node node) {
    if (!(node instanceof Node.Mapping mapping)
        || mapping.entries().size() != 1
        || !(mapping.entries().values().iterator().next().value() instanceof Node.Scalar scalar)) {
      return Optional.empty();
    }
    boolean isVariable = mapping.entries().containsKey("env");
    boolean isPlace =
        isVariable
            ? SecretName.is(name) || scalar.text().matches("[A-Z][A-Z0-9_]*")
            : mapping.entries().containsKey("file");
    if (!isPlace) {
      return Optional.empty();
    }
    SecretPlace place = place(field(mapping.origin(), name, node));
    fields.add(place);
    return Optional.of(place);
  }

  /** The value of a body's field. */
  static ScenarioValue field(SourceLocation origin, String name, Node node) {
    return new ScenarioValue(origin, "extra_body." + name, node, ValueType.TEXT, EXAMPLE);
  }

  /** The value is not repeated in the message: it may be the secret itself. */
  static String environmentName(ScenarioValue value) {
    String name = value.text();
    if (!name.matches(SecretPlace.ENV_NAME)) {
      throw value.origin().withoutSecrets().error(
          value.path() + " is not the name of an environment variable",
          "write the variable's name, for example VLLM_API_KEY");
    }
    return name;
  }

  /** Refuses a value that is written out where its name says that it is a secret. */
  static void refuseLiteral(ScenarioValue value, String name) {
    if (SecretName.is(name)) {
      throw literal(value, name);
    }
  }

  static ScenarioException literal(ScenarioValue value, String name) {
    String ofKey =
        name.equalsIgnoreCase("Authorization")
            ? "; for a Bearer key write request: {api_key_env: NAME}"
            : "";
    return value.origin().withoutSecrets().error(
        value.path() + " looks like a secret in plain text: a scenario and its record must not hold"
            + " secrets",
        "write " + name + ": " + EXAMPLE + ofKey);
  }
}
